// Where the browser's scroll position is in the content, along one axis.

import {clamp} from './rects.js'

// Chromium cuts elements at 33,554,428 px, and loses quarter points above 4,194,304.
export const AREA = 4e6
// So much at both ends of the area is content of the same length; between them, it is compressed.
const END = 1e5

/**
 * Whether the browser has moved a scroll position because the area is shorter, or the window longer.
 * @param {number} before where it was @param {number} now @param {number} last the last possible position
 */
export const isClamp = (before, now, last) => before > last + 0.5 && Math.abs(now - last) <= 1.5

/** One direction of a scroller. */
export class Axis {
  length = 0 // of the content
  view = 0 // what is visible of it
  position = 0 // in the browser's area
  shift = 0 // from there to the content
  origin = 0 // where in the content the window element is

  get area() { return Math.min(this.length, AREA) }
  get at() { return this.position + this.shift }
  get end() { return Math.max(0, this.length - this.view) }
  get areaEnd() { return Math.max(0, this.area - this.view) }
  get isScaled() { return this.length > AREA }

  map(value, end, to) {
    return value <= END ? value : value >= end - END ? to - (end - value)
      : END + (value - END) * (to - 2 * END) / (end - 2 * END)
  }
  /** The scroll position for a place in the content; from there it is exact by the shift. */
  positionOf(at) { return this.isScaled ? this.map(at, this.end, this.areaEnd) : at }

  /** The reader has scrolled. Says whether the browser's position must be corrected. */
  scrolled(position, isDragged) {
    const {isScaled, areaEnd, end, view} = this, way = position - this.position
    if (!way) return false
    this.position = position
    if (isScaled && (isDragged || Math.abs(way) > Math.max(1.5 * view, this.area / view / 2)))
      this.shift = position >= areaEnd - 1 ? end - position : Math.round(this.map(position, areaEnd, end) - position)
    const at = isScaled ? clamp(this.at, 0, end) : position >= areaEnd - 1 ? end : position
    this.shift = at - position
    return isScaled && !isDragged && (position < view || position > areaEnd - view) &&
      Math.abs(this.positionOf(at) - position) > 1
  }

  /** Where the browser should scroll to for a place in the content: nearby if that will do. */
  positionFor(at) {
    const near = this.position + at - this.at
    const isNear = this.isScaled && Math.abs(at - this.at) < this.view &&
      near > this.view && near < this.areaEnd - this.view
    return Math.round(isNear ? near : this.positionOf(at))
  }
}
