// The whole content, small: where one is in it, and a way to any place by pointer and keyboard.

import * as format from './format.js'
import {hueOfPlace} from './palette.js'
import {make} from './dom.js'

const STOPS = 12

/**
 * A slider along the scroll direction. For a tree, whose content is larger than the window both
 * ways, the pointer chooses both and the arrow keys their own axis.
 */
export class Minimap {
  /** `jump(x, y)` is called with the top left of the window that the person wants, in points. */
  constructor(container, label, jump) {
    this.container = container
    this.label = label
    this.jump = jump
    this.thumb = make('div', {class: 'thumb'})
    container.append(make('div', {class: 'spectrum'}), this.thumb)
    container.tabIndex = 0
    container.setAttribute('role', 'slider')
    container.setAttribute('aria-label', 'Place in the whole content')
    container.addEventListener('pointerdown', (event) => this.#press(event))
    container.addEventListener('pointermove', (event) => {
      if (container.hasPointerCapture(event.pointerId)) this.#point(event)
    })
    container.addEventListener('keydown', (event) => this.#key(event))
  }

  /** Shows the content and what is in sight, each as x, y, width, height. */
  show([origin, , width, height], rect) {
    const size = {width, height}
    Object.assign(this, {size, rect, origin})
    const isWide = size.width > rect[2] + 1, isHigh = size.height > rect[3] + 1
    this.isHorizontal = isWide && !isHigh
    this.isBoth = isWide && isHigh
    this.container.dataset.axis = this.isBoth ? 'both' : this.isHorizontal ? 'x' : 'y'
    this.container.setAttribute('aria-orientation', this.isHorizontal ? 'horizontal' : 'vertical')
    const left = fraction(rect[0] - origin, rect[2], size.width)
    const top = fraction(rect[1], rect[3], size.height)
    this.#place(left, top)
    const [place, span, length] = this.isHorizontal ? [left.begin, rect[2], size.width] : [top.begin, rect[3], size.height]
    const percent = length <= span ? 0 : place * 100
    this.container.setAttribute('aria-valuemin', '0')
    this.container.setAttribute('aria-valuemax', '100')
    this.container.setAttribute('aria-valuenow', percent.toFixed(2))
    this.container.setAttribute('aria-valuetext',
      `${percent.toFixed(1)} %, at ${format.count(this.isHorizontal ? rect[0] : rect[1])} of ${format.count(length)} points`)
    this.label.textContent = `${percent.toFixed(percent > 0 && percent < 1 ? 2 : 0)} %`
  }

  #place(left, top) {
    const {style} = this.thumb, wide = this.container.dataset.axis !== 'y', high = this.container.dataset.axis !== 'x'
    const {clientWidth, clientHeight} = this.container
    const width = wide ? Math.max(8, left.share * clientWidth) : clientWidth
    const height = high ? Math.max(8, top.share * clientHeight) : clientHeight
    style.width = `${width}px`
    style.height = `${height}px`
    style.translate = `${wide ? left.begin * (clientWidth - width) : 0}px ${high ? top.begin * (clientHeight - height) : 0}px`
  }

  #press(event) {
    if (event.button !== 0) return
    this.container.setPointerCapture(event.pointerId)
    this.#point(event)
  }

  #point({clientX, clientY}) {
    const box = this.container.getBoundingClientRect(), thumb = this.thumb.getBoundingClientRect()
    const along = (at, begin, length, part) => length <= part ? 0
      : Math.min(1, Math.max(0, (at - begin - part / 2) / (length - part)))
    const x = along(clientX, box.left, box.width, thumb.width), y = along(clientY, box.top, box.height, thumb.height)
    const [, , width, height] = this.rect
    this.jump(
      this.container.dataset.axis === 'y' ? this.rect[0] : this.origin + x * Math.max(0, this.size.width - width),
      this.container.dataset.axis === 'x' ? this.rect[1] : y * Math.max(0, this.size.height - height))
  }

  #key(event) {
    const [x, y, width, height] = this.rect
    const end = [this.origin + this.size.width - width, this.size.height - height]
    const steps = {
      ArrowUp: [0, -0.01], ArrowDown: [0, 0.01], ArrowLeft: [-0.01, 0], ArrowRight: [0.01, 0],
      PageUp: [-0.1, -0.1], PageDown: [0.1, 0.1], Home: [-1, -1], End: [1, 1]}
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const [alongX, alongY] = this.isBoth ? step
      : this.isHorizontal ? [step[0] || step[1], 0] : [0, step[1] || step[0]]
    const moved = (at, by, begin, length) => Math.min(begin + length, Math.max(begin, at + by * length))
    this.jump(moved(x, alongX, this.origin, Math.max(0, end[0] - this.origin)), moved(y, alongY, 0, Math.max(0, end[1])))
  }
}

function fraction(at, span, length) {
  return length <= span ? {begin: 0, share: 1}
    : {begin: Math.min(1, Math.max(0, at / (length - span))), share: span / length}
}

/** Sets the hues of the spectrum, which are those of the elements at these places. */
export function setSpectrum(node) {
  const colours = Array.from({length: STOPS + 1}, (_, stop) =>
    `oklch(var(--spectrum-lightness) var(--spectrum-chroma) ${hueOfPlace(stop / STOPS).toFixed(0)})`)
  node.style.setProperty('--spectrum-down', `linear-gradient(to bottom, ${colours})`)
  node.style.setProperty('--spectrum-right', `linear-gradient(to right, ${colours})`)
}
