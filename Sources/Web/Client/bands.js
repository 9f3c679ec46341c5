// Bands of equal height: who asks for bands asks for the same as others, so that caches have it.

import {AXES, end} from './rects.js'

/**
 * The bands that a rect meets.
 * @param part the rect within the content @param {number} length of a band
 * @param {(axis: number) => boolean} scrolls whether there are bands along an axis
 */
export function bandsOf(part, content, length, scrolls) {
  const [columns, rows] = AXES.map((i) => {
    if (!scrolls(i)) return [[content[i], content[i + 2]]]
    const first = Math.floor(part[i] / length), count = Math.ceil(end(part, i) / length) - first
    return Array.from({length: Math.max(1, count)}, (_, k) => [(first + k) * length, length])
  })
  return columns.flatMap(([x, width]) => rows.map(([y, height]) => [x, y, width, height]))
}
