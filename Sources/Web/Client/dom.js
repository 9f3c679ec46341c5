// Nodes with attributes and styles.

export const styled = (node, style) => Object.assign(node.style, style) && node

/** Gives attributes to a node, and takes those without a value. */
export const attributed = (node, attributes) => {
  for (const name in attributes)
    if (attributes[name] === undefined) node.removeAttribute(name)
    else node.setAttribute(name, attributes[name])
  return node
}

export const div = (attributes, style) => styled(attributed(document.createElement('div'), attributes), style)

export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches
