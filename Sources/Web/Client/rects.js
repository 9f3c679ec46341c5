// Rects are x, y, width, height in points. An axis is 0 for x and 1 for y.

export const AXES = [0, 1]

export const clamp = (value, low, high) => Math.max(low, Math.min(value, high))
/** The rect with an origin and a length for each axis. */
export const rectOf = (at, length) =>
  /** @type {import('./layoutd.js').Rect} */ ([at(0), at(1), length(0), length(1)])
export const end = (rect, i) => rect[i] + rect[i + 2]
export const contains = (a, b) => AXES.every((i) => a[i] <= b[i] && end(b, i) <= end(a, i))
// A length of 0 is a point, as on the server.
const beginsWithin = (b, a, i) => a[i + 2] ? b[i] < end(a, i) : b[i] <= a[i]
// Written out, because it is asked of every element with each scroll.
export const meets = (a, b) =>
  beginsWithin(a, b, 1) && beginsWithin(b, a, 1) && beginsWithin(a, b, 0) && beginsWithin(b, a, 0)
export const intersection = (a, b) => {
  const at = (i) => Math.max(a[i], b[i])
  return rectOf(at, (i) => Math.max(0, Math.min(end(a, i), end(b, i)) - at(i)))
}
export const union = (a, b) => {
  const at = (i) => Math.min(a[i], b[i])
  return rectOf(at, (i) => Math.max(end(a, i), end(b, i)) - at(i))
}
export const moved = (rect, way) => rectOf((i) => rect[i] + way[i], (i) => rect[i + 2])
/** A rect with so much of its size more on each side. */
export const grown = (rect, share) =>
  rectOf((i) => rect[i] - share * rect[i + 2], (i) => (1 + 2 * share) * rect[i + 2])
/** The parts of a that are not in b. */
export const difference = (a, b) => {
  const [x, y, w, h] = a, [left, top, width, height] = intersection(a, b)
  return [[x, y, w, top - y], [x, top + height, w, y + h - top - height],
    [x, top, left - x, height], [left + width, top, x + w - left - width, height]]
    .filter((rect) => rect[2] > 0 && rect[3] > 0)
}
/** How far two rects are from each other along the axes together; 0 if they touch. */
export const distance = (a, b) =>
  AXES.reduce((sum, i) => sum + Math.max(0, b[i] - end(a, i), a[i] - end(b, i)), 0)
/** The sides of a size that are there: a hidden element has none. */
export const sidesOf = (size = {}) =>
  Object.fromEntries(Object.entries(size).filter(([, length]) => length > 0))
