// A scroller with its nodes: the whole view, or a section that scrolls sideways.

import {Axis, isClamp} from './axis.js'
import {AXES, clamp, end} from './rects.js'
import {withPage} from './geometry.js'
import {div, styled} from './dom.js'

export class Layer {
  axes = [new Axis(), new Axis()]
  records = new Map()
  /** Records whose nodes are not in the page. */
  spare = []
  /** The rect of all there is, and what of the page lies before and after it. */
  content = [0, 0, 0, 0]
  beyond = [0, 0]
  isFlipped = false
  isDragged = false
  isMoved = false
  /** The snapshot that was drawn last, and whether cells stood elsewhere than it says. */
  drawn = null
  isReflowed = false
  /** The elements of the layer in a snapshot. */
  found = null
  area = div({}, {position: 'relative', overflow: 'clip'})
  window = div({}, {position: 'absolute'})

  /**
   * @param view with `scrolled(layer)` and `redraw(layer)` @param {HTMLElement} scroller @param {number} section
   * @param {Element} port what scrolls up and down: the scroller, or the page that it is a part of
   */
  constructor(view, scroller, section, port = scroller) {
    this.view = view
    this.section = section
    this.port = port
    this.scroller = styled(scroller, {overflow: port === scroller ? 'auto' : ''})
    // The client keeps the place, and the browser would do it once more.
    styled(port, {overflowAnchor: 'none'})
    this.area.append(this.window)
    scroller.append(this.area)
    this.listen('scroll', () => { if (this.sync()) view.scrolled(this) })
    this.listen('scrollend', () => { this.isDragged = false; this.settle() })
    // What is pressed beside the content is the scroll bar.
    this.listen('pointerdown', ({target, offsetX, offsetY}) => {
      this.isDragged = target === port && (offsetX >= port.clientWidth || offsetY >= port.clientHeight)
    })
  }

  /** Of a page, the document tells. */
  listen(name, listener) {
    const {port, scroller, view} = this
    if (port === scroller) scroller.addEventListener(name, listener, {passive: true})
    else document.addEventListener(name, listener, {passive: true, signal: view.life.signal})
  }

  get visible() {
    const [x, y] = this.axes, [, top] = this.content
    return /** @type {import('./layoutd.js').Rect} */ ([this.left(x.at, x.view), top - this.beyond[0] + y.at, x.view, y.view])
  }
  /** The rect of all that scrolls. */
  get all() { return withPage(this.content, this.beyond) }
  /** The x of something from its distance to the start, or the reverse. */
  left(at, width) { return this.isFlipped ? end(this.content, 0) - at - width : this.content[0] + at }
  start(x, width) { return this.isFlipped ? end(this.content, 0) - x - width : x - this.content[0] }

  /** How far the window is from the start and from the end of all that scrolls, along an axis. */
  distances(i) {
    const {at, end} = this.axes[i]
    return [at, end - at]
  }

  /** The content has another size, or so much of it is visible. What is in sight is set by `moveTo`. */
  measure(content, isFlipped, {width, height}, beyond = [0, 0]) {
    const at = this.axes.map((axis) => axis.at), around = [0, beyond[0] + beyond[1]]
    Object.assign(this, {content, isFlipped, beyond})
    if (this.scroller.dir !== (isFlipped ? 'rtl' : '')) this.scroller.dir = isFlipped ? 'rtl' : ''
    this.axes.forEach((axis, i) => {
      axis.length = content[i + 2] + around[i]
      axis.view = i ? height : width
      axis.shift = at[i] - axis.position
      const area = axis.area - around[i]
      if (area !== axis.styledArea) this.area.style[i ? 'height' : 'width'] = `${axis.styledArea = area}px`
    })
  }

  positions() { return [Math.abs(this.scroller.scrollLeft), this.port.scrollTop] }

  /** Lets the browser scroll an axis, and shows the same as before by the shift. */
  scrollAxis(i, position, at) {
    const axis = this.axes[i], {scroller, port} = this
    if (i) {
      if (port.scrollTop !== position) port.scrollTop = position
    } else if (Math.abs(scroller.scrollLeft) !== position) scroller.scrollLeft = this.isFlipped ? -position : position
    axis.position = this.positions()[i]
    axis.shift = at - axis.position
  }

  /** Shows the content from a point on, exactly. */
  moveTo([x, y, width]) {
    const to = [this.start(x, width), y - this.content[1] + this.beyond[0]]
    this.axes.forEach((axis, i) => {
      const at = clamp(to[i], 0, axis.end)
      // Setting a scroll position would end a scroll that is under way.
      const isThere = Math.abs(at - axis.at) < 1e-6 && this.positions()[i] === axis.position &&
        (axis.isScaled || Math.abs(at - axis.position) <= 1)
      if (!isThere) this.scrollAxis(i, axis.positionFor(at), at)
    })
  }

  /**
   * Takes over where the reader has scrolled to. Says whether that is somewhere else. If the browser
   * has only moved to the end of an area that is shorter now, nobody has scrolled.
   */
  sync() {
    const positions = this.positions(), {scroller, port} = this
    if (this.axes.every(({position}, i) => position === positions[i])) return false
    const lasts = [scroller.scrollWidth - scroller.clientWidth, port.scrollHeight - port.clientHeight]
    const isScrolled = AXES.map((i) => positions[i] !== this.axes[i].position &&
      !isClamp(this.axes[i].position, positions[i], lasts[i]))
    const isOff = AXES.map((i) => {
      const axis = this.axes[i]
      if (isScrolled[i]) return axis.scrolled(positions[i], this.isDragged)
      // The place stays, and so does what is shown.
      axis.shift += axis.position - positions[i]
      axis.position = positions[i]
      return false
    })
    if (isOff.some(Boolean)) this.moveTo(this.visible)
    return isScrolled.some(Boolean)
  }

  /** The scroll bar shows the truth again. */
  settle() {
    const isOff = this.axes.map((axis) => axis.isScaled && Math.abs(Math.round(axis.positionOf(axis.at)) - axis.position) > 1)
    if (!isOff.some(Boolean)) return
    this.sync()
    this.axes.forEach((axis, i) => {
      if (isOff[i]) this.scrollAxis(i, Math.round(axis.positionOf(axis.at)), axis.at)
    })
    this.view.redraw(this)
  }

  /** Where the window element stands: at whole pixels, and near what is visible. */
  placeWindow() {
    const [x, y] = this.axes.map((axis) => {
      const place = axis.origin - axis.shift
      if (Number.isInteger(place) && Math.abs(place - axis.position) < 2e4) return place
      const next = Math.round(axis.position)
      axis.origin = next + axis.shift
      this.isMoved = true
      return next
    })
    this.styleAt(this.window, x, y)
  }

  styleAt(node, x, y) { return styled(node, {top: `${y}px`, [this.isFlipped ? 'right' : 'left']: `${x}px`}) }

  /** Places a node at a frame in the window element. */
  place(node, [x, y, width, height]) {
    const [{origin}, {origin: top}] = this.axes
    this.styleAt(node, this.start(x, width) - origin, y - this.content[1] - top)
    return styled(node, {position: 'absolute', width: `${width}px`, height: `${height}px`})
  }
}
