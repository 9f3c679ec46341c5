// The node of an element: its category, its colour, its name.

import {make} from './dom.js'
import {paint} from './palette.js'

/** About how wide a character of a label is, in CSS pixels, and what is left and right of all. */
const CHARACTER = 7, ROOM = 12

/**
 * @param element As the client gives it.
 * @param item Which item it is: an id, or an index path that does not change with inserts.
 * @param isOnlySection Whether the layout has no other section.
 * @param node What showed another element before, to be used again.
 * @param section What is known of its section.
 */
export function elementNode(element, item, isOnlySection, node, section) {
  node ??= make('div', {}, make('span', {class: 'name'}))
  const {category, kind, childCount, indexPath} = element
  const classes = ['element', category]
  if (kind) classes.push(kind)
  if (childCount && category === 'cell') classes.push('parent')
  if (category === 'cell' && indexPath[0] > 0) classes.push('child')
  node.className = classes.join(' ')
  node.firstChild.textContent = category === 'decoration' || kind === 'connector' ? '' : name(element, isOnlySection, section)
  const {title, taken, stars} = element.data ?? {}
  node.title = category !== 'cell' ? '' : `${title ? `${title}, ${taken}, ${stars} stars. ` : ''}Item ${indexPath[1]} of section ${indexPath[0]}`
  if (category === 'cell') paint(node, item)
  return node
}

/** What a cell is called; nothing where there is no room for it. */
function name({category, kind, id, data, indexPath: [section, item], frame: [, , width]}, isOnlySection, itsSection) {
  if (category !== 'cell') return itsSection?.id ?? `${kind} of section ${section}`
  const text = data?.title ?? id ?? (isOnlySection ? `${item}` : `${section}, ${item}`)
  return text.length * CHARACTER + ROOM > width ? '' : text
}
