// Where elements stand by sizes that were measured, until the server's answer is there.

import {isCell} from './elements.js'
import {end} from './rects.js'

const isDecoration = ({category}) => category === 'decoration'

/**
 * Frames in which measured cells have their lengths, and what stands behind them gives way: nothing
 * overlaps that did not, and gaps stay.
 * @param elements in any order
 * @param {Map<string, number>} lengths by key, along the axis
 * @param {number} axis along which cells were measured
 * @param {string} [held] the key of the cell that stays where it is
 * @returns {Map<string, import('./layoutd.js').Rect>} by key
 */
export function reflowed(elements, lengths, axis, held) {
  const cross = 1 - axis, placed = [], frames = new Map()
  const order = elements.filter((element) => !isDecoration(element))
    .sort((a, b) => a.frame[axis] - b.frame[axis] || end(a.frame, axis) - end(b.frame, axis))
  for (const element of order) {
    const {frame, key} = element
    let nearest = -Infinity, shift = 0, least = -Infinity
    for (const one of placed) {
      if (one.last > frame[axis] + 0.01 || one.frame[cross] >= end(frame, cross) ||
        frame[cross] >= end(one.frame, cross)) continue
      least = Math.max(least, one.newLast)
      if (one.last < nearest - 0.5) continue
      if (one.last > nearest + 0.5) shift = -Infinity
      nearest = Math.max(nearest, one.last)
      shift = Math.max(shift, one.newLast - one.last)
    }
    const to = [...frame]
    to[axis] = Math.max(frame[axis] + shift, least)
    if (isCell(element)) to[axis + 2] = lengths.get(key) ?? frame[axis + 2]
    placed.push({frame, last: end(frame, axis), newLast: end(to, axis)})
    frames.set(key, to)
  }
  const element = elements.find(({key}) => key === held), way = element && frames.get(held)?.[axis] - element.frame[axis]
  if (way) for (const frame of frames.values()) frame[axis] -= way
  return frames
}
