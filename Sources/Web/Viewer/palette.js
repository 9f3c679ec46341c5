// How an item looks. Its colour belongs to the item, wherever it is laid out.

/** The hues of items, in degrees: neighbours in this list go well beside each other. */
const HUES = [264, 284, 304, 336, 8, 32, 56, 82, 148, 178, 204, 234]

/** The hues that the whole content goes through from its begin to its end, for the minimap. */
const FIRST_HUE = 264, SPAN = 285

/** The hue at a fraction 0 … 1 of the content. */
export const hueOfPlace = (fraction) => FIRST_HUE + SPAN * Math.min(1, Math.max(0, fraction))

function mixed(hash) {
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** A number of an item, from its id or its index path. */
function hashOf(item) {
  if (typeof item !== 'string') return mixed(Math.imul(item[1] + 1, 0x9e3779b1) ^ Math.imul(item[0] + 1, 0x85ebca6b))
  let hash = 0x811c9dc5
  for (let index = 0; index < item.length; index += 1) hash = Math.imul(hash ^ item.charCodeAt(index), 0x01000193)
  return mixed(hash)
}

/** Gives a node the colour of an item: an id or an index path. */
export function paint(node, item) {
  const hash = hashOf(item), hue = hash % HUES.length
  // Rarely the same as the item before it.
  const isRepeated = typeof item !== 'string' && item[1] > 0 && hashOf([item[0], item[1] - 1]) % HUES.length === hue
  node.style.setProperty('--hue', String(HUES[isRepeated ? (hue + 5) % HUES.length : hue]))
  node.style.setProperty('--tone', ((hash >>> 8) % 1000 / 500 - 1).toFixed(2))
}
