// Making nodes.

/**
 * A node with attributes, properties and children. `on…` are listeners, `class` and names with a
 * dash are attributes, the others properties.
 */
export function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value)
    else if (name === 'class' || name === 'for' || name === 'role' || name.includes('-')) {
      node.setAttribute(name, value)
    } else node[name] = value
  }
  node.append(...children)
  return node
}

/** A list of names and values, for `<dl>`. */
export const pairs = (entries) => entries.map(([name, ...value]) =>
  make('div', {}, make('dt', {}, name), make('dd', {}, ...value)))

export const byID = (id) => document.getElementById(id)
