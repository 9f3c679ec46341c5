// How an element looks. The hue says where in the content it lies, the tone tells neighbours apart.

/** The hues that the content goes through from its begin to its end, in degrees. */
const FIRST_HUE = 265, HUES = 285

/** The hue at a fraction 0 … 1 of the content. */
export const hue = (fraction) => FIRST_HUE + HUES * Math.min(1, Math.max(0, fraction))

/** A number −1 … 1 that belongs to an index path. */
function tone(section, item) {
  let hash = Math.imul(item + 1, 0x9e3779b1) ^ Math.imul(section + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 31 - 1
}

/** Colours a node as the element of an index path, at a fraction of the content. */
export function paint(node, [section, item], fraction) {
  const shade = tone(section, item)
  node.style.setProperty('--hue', (hue(fraction) + shade * 20).toFixed(1))
  node.style.setProperty('--tone', shade.toFixed(2))
}
