// Where the reader is.
//
// The place is an item and how far its leading edge is from that of the window. It changes when the
// reader scrolls, and by nothing else. After every change of the layout or of the window, what is
// visible follows from the place. These are pure functions.
//
// A frame of reference, `space`, says what a region scrolls in:
//   content    the rect of all there is
//   axes       along which it scrolls
//   isFlipped  whether x begins at the right
//   keep       'start', 'always' or 'end': see `keep` in Documentation/browser.md

import {AXES, distance, end, meets, rectOf} from './rects.js'
import {inDocumentOrder} from './elements.js'

// Browsers round scroll positions to device pixels.
const NEAR = 1

/** The part of a frame, and of the window, that offsets are counted from: 0 for the low edge, 1 for the high one. */
export const leadingPart = ({isFlipped}) => [isFlipped ? 1 : 0, 0]

/** The low edge of a window in which a part of it lies on the same part of a frame. */
export const lineOf = (frame, part, length, i) => frame[i] + part[i] * (frame[i + 2] - length)

/** How far the window begins behind its content's start, along an axis. */
const fromStart = (visible, {content, isFlipped}, i) =>
  !i && isFlipped ? end(content, i) - end(visible, i) : visible[i] - content[i]

/** A window no further than the content goes. */
export const clamped = (visible, {content, isFlipped}) => rectOf((i) => {
  const last = end(content, i) - visible[i + 2]
  return !i && isFlipped ? Math.min(Math.max(visible[i], content[i]), last)
    : Math.max(content[i], Math.min(visible[i], last))
}, (i) => visible[i + 2])

/** The edges of the content that the reader is at, for each axis: what is new there is shown. */
function edgesOf(visible, space) {
  const {content, axes, keep} = space
  return AXES.map((i) => {
    if (!axes.includes(i)) return
    const before = fromStart(visible, space, i), after = content[i + 2] - visible[i + 2] - before
    if (keep === 'end' && after <= NEAR) return 'end'
    if (keep === 'start' && before <= NEAR) return 'start'
  })
}

/** The place of an item in a window, as far from it as it is. */
export function placeOf(item, visible, space, part = leadingPart(space)) {
  return {item, part, isFlipped: space.isFlipped, edges: edgesOf(visible, space),
    offset: AXES.map((i) => visible[i] - lineOf(item.frame, part, visible[i + 2], i))}
}

/** The place of something that is scrolled to, wherever the window is now. */
export const placeAt = (item, part, offset, space) =>
  ({item, part, offset, isFlipped: space.isFlipped, edges: [undefined, undefined]})

/**
 * The place of a reader who has scrolled to a window: the first cell that is seen from its start on.
 * If there is none in sight, it is the nearest one.
 * @param cells the cells that are known
 */
export function placeIn(visible, cells, space) {
  const {axes, isFlipped} = space
  const isCut = ({frame}) => axes.some((i) => !i && isFlipped ? end(frame, i) > end(visible, i) + NEAR / 2
    : frame[i] < visible[i] - NEAR / 2)
  let best, bestRank
  for (const cell of cells) {
    const rank = meets(cell.frame, visible) ? isCut(cell) : 2 + distance(cell.frame, visible)
    const order = best ? rank - bestRank || inDocumentOrder(cell, best) : -1
    if (order < 0) [best, bestRank] = [cell, rank]
  }
  if (best) return placeOf(best, visible, space)
  return {item: null, part: leadingPart(space), isFlipped, edges: edgesOf(visible, space), offset: [0, 0]}
}

/** What is visible of a place, once its item has another frame or the window another size. */
export function visibleAt(place, frame, visible, space) {
  const {edges, offset, part, isFlipped} = place, {content, axes} = space
  return clamped(rectOf((i) => {
    if (!axes.includes(i)) return visible[i]
    const length = visible[i + 2], atLow = (edges[i] === 'start') === !(!i && space.isFlipped)
    if (edges[i]) return atLow ? content[i] : end(content, i) - length
    if (!frame) return visible[i]
    // In a layout that now flows the other way, the same offset counts from the other edge.
    const isTurned = !i && isFlipped !== space.isFlipped
    return isTurned ? lineOf(frame, [1 - part[0], 0], length, i) - offset[i]
      : lineOf(frame, part, length, i) + offset[i]
  }, (i) => visible[i + 2]), space)
}

/** Whether a window must be asked for relative to the item of its place. */
export const isHeldByItem = ({item, edges}, {axes}) => Boolean(item) && axes.some((i) => !edges[i])

/**
 * Who takes over, nearest first, if the item of a place is gone: the cells in sight.
 * They stay where they are seen. Who takes over gets a place of its own, by `placeOf`.
 */
export function successors(place, visible, cells, space) {
  const {item} = place
  if (!item) return []
  const isOther = ({key}) => key !== item.key
  const from = (cell) => AXES.reduce((sum, i) => sum + Math.abs(cell.frame[i] - item.frame[i]), 0)
  return cells.filter((cell) => isOther(cell) && meets(cell.frame, visible))
    .map((cell) => ({cell, distance: from(cell)}))
    .sort((a, b) => a.distance - b.distance || inDocumentOrder(a.cell, b.cell))
    .map(({cell}) => ({...placeOf(cell, visible, space), edges: place.edges, isSuccessor: true}))
}

/** What a new length of the window leaves of it, with its leading edge where it was. */
export const resized = (visible, {width, height}, {isFlipped}) => {
  const size = [width, height]
  return rectOf((i) => !i && isFlipped ? end(visible, i) - size[i] : visible[i], (i) => size[i])
}
