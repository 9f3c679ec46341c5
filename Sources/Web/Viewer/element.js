// The node of an element: its category, its colour, its name.

import {make} from './dom.js'
import {paint} from './palette.js'

/**
 * @param element As the client gives it.
 * @param item Which item it is: an id, or an index path that does not change with inserts.
 * @param node What showed another element before, to be used again.
 */
export function elementNode(element, item, node) {
  node ??= make('div', {}, make('span', {class: 'name'}))
  const {category, kind, childCount, indexPath} = element
  const classes = ['element', category]
  if (kind) classes.push(kind)
  if (childCount && category === 'cell') classes.push('parent')
  if (category === 'cell' && indexPath[0] > 0) classes.push('child')
  node.className = classes.join(' ')
  node.firstChild.textContent = category === 'decoration' || kind === 'connector' ? '' : name(element)
  if (category === 'cell') paint(node, item)
  return node
}

function name({category, kind, id, indexPath: [section, item]}) {
  return category === 'cell' ? id ?? `${section}, ${item}` : `${kind} of section ${section}`
}
