// The elements of a layout, each with a key that names it in every snapshot.

/** Whether two values say the same. */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)

export const isCell = ({category}) => category === 'cell'

/** Whether this browser breaks lines as the server does. Others differ in a few paragraphs of a hundred. */
export const breaksAlike = /Chrome\//.test(globalThis.navigator?.userAgent)

/** Whether only who renders a cell knows how long it is. What has a card is known, unless it is estimated. */
export const isMeasurable = ({category, side, parts, estimated, cut}) =>
  category === 'cell' && !side && (!parts || Boolean(estimated) || !breaksAlike && !cut)

const orderOf = ({category, kind}) =>
  category === 'decoration' ? 0 : category === 'cell' ? 2 : kind === 'header' ? 1 : 3
export const inDocumentOrder = (a, b) => a.row && b.row ? a.frame[1] - b.frame[1] : a.indexPath[0] - b.indexPath[0] || orderOf(a) - orderOf(b) ||
  a.indexPath[1] - b.indexPath[1]

/** An answer about an outline, whose cells are rows: they stand in the order of their frames. */
export function withRows(answer) {
  const {elements = [], transitions: {appearing = [], moving = []} = {}} = answer
  for (const cell of [...elements, ...[...appearing, ...moving].map(({to}) => to)]) cell.row = true
  return answer
}

/** The element with its key in a map: its id, or its index path for the second of an id, also after the first has left. */
export function keyed(map, element) {
  const {category, kind = '', indexPath, id} = element, byID = `#${id}`, byPath = `${category[0]}${kind}/${indexPath}`
  const holder = map.get(byID), isHeld = holder ? !same(holder.indexPath, indexPath) : map.get(byPath)?.id === id
  return {...element, key: id === undefined || isHeld ? byPath : byID}
}

/** The element of a map that the server's one is. */
export function held(map, element) {
  const one = keyed(map, element)
  return map.get(one.key) ?? one
}

/** Adds an element; one that is the same as before stays the same object. */
export function add(map, element, before = map) {
  element = keyed(map, element)
  const old = before.get(element.key)
  if (old && same(old, element)) element = old
  map.set(element.key, Object.freeze(element))
  return element
}

/** The step of the element with a key, of those that are held; nothing if it does not move. */
export const stepOf = (key, {moving}, held) => moving.find(({from}) => keyed(held, from).key === key)

/**
 * What a change makes of elements that are held. `from` and `to` are as the server says them.
 * @returns the elements afterwards, and the steps with the elements that were held
 */
export function applied(before, {appearing, disappearing, moving}) {
  const elements = new Map(before)
  const take = ({from}) => {
    const element = held(before, from)
    elements.delete(element.key)
    return element
  }
  const gone = disappearing.map(take), from = moving.map(take)
  const [to, come] = [moving, appearing].map((steps) =>
    steps.map((step) => add(elements, step.to, before)))
  return {elements, appearing: come, disappearing: gone,
    moving: from.map((from, i) => ({from, to: to[i]}))}
}
