// Arrows, pages, Home and End; and who has the focus.

import {AXES, meets, moved} from './rects.js'
import {inDocumentOrder, isCell} from './elements.js'

const ARROWS = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, -1], ArrowDown: [1, 1]}
const PAGES = {PageUp: -0.9, PageDown: 0.9}

/** The one with the least finite distance. */
export const closest = (all, distance) => all.map((one) => ({one, distance: distance(one)}))
  .filter(({distance}) => distance < Infinity).sort((a, b) => a.distance - b.distance)[0]?.one

/** How far a box is in a direction, and beside it; infinite if it is not there. Boxes have [low, high] for each axis. */
export function wayTo(from, to, [axis, sign]) {
  const middle = ([low, high]) => low + high
  const along = sign > 0 ? to[axis][0] - from[axis][1] : from[axis][0] - to[axis][1]
  return along < -1 ? Infinity : along + Math.abs(middle(to[1 - axis]) - middle(from[1 - axis]))
}

export class Keyboard {
  /** The key of the cell that Tab leads to. */
  current = null
  #view
  #orphan = null

  constructor(view) {
    this.#view = view
    const {scroller} = view
    scroller.addEventListener('keydown', (event) => this.#onKey(event))
    scroller.addEventListener('focusin', ({target}) => {
      const record = view.recordAt(target)
      if (!record || record.element.key === this.current) return
      this.#lead(record)
    })
  }

  /** Tab leads to a cell, and to no other. */
  #lead({element, node}) {
    const before = this.#view.recordOf(this.current)
    if (before) before.node.tabIndex = -1
    this.current = element.key
    node.tabIndex = 0
  }

  /** One cell that is in sight can be reached by Tab, in whatever layer it is. */
  keepReachable() {
    const view = this.#view
    if (this.#orphan) this.#adopt()
    if (view.recordOf(this.current)) return
    const isSeen = ({element, node}) => {
      const layer = view.layerOf({element, node})
      return layer && meets(element.frame, layer.visible)
    }
    const first = view.ofCells().filter(isSeen).sort((a, b) => inDocumentOrder(a.element, b.element))[0]
    if (first) this.#lead(first)
  }

  /** What has the focus is gone: its neighbour gets it. */
  willGo(record) {
    if (!isCell(record.element) || !record.node.matches(':focus-within')) return
    record.isGone = true
    this.#orphan = record.element
  }

  #adopt() {
    const gone = this.#orphan, {indexPath: [section, item]} = gone
    this.#orphan = null
    const best = closest(this.#view.ofCells(), ({element: {indexPath: [s, i]}, node}) =>
      node.leaving ? Infinity : Math.abs(s - section) * 1e9 + Math.abs(i - item) + (i < item ? 0.5 : 0))
    if (!best) return
    this.#lead(best)
    best.node.focus({preventScroll: true})
  }

  focus(element) {
    const view = this.#view, record = view.recordOf(element.key)
    if (!record) return
    this.#lead(record)
    record.node.focus({preventScroll: true})
    const to = view.landing.nearestTo(element), {visible} = view.main
    if (AXES.every((i) => to[i] === visible[i])) return
    view.main.moveTo(to)
    view.scrolled(view.main)
  }

  async #onKey(event) {
    const view = this.#view, {main, landing, store} = view
    const {key, target} = event, record = view.recordAt(target), i = view.mainAxis()
    const arrow = ARROWS[key], page = PAGES[key]
    const ordinal = {Home: 0, End: view.look().layout?.counts.cells - 1}[key]
    if (!record || !arrow && !page && ordinal === undefined || event.defaultPrevented ||
      event.ctrlKey || event.altKey || event.metaKey || event.shiftKey ||
      target.closest('input, textarea, select, [contenteditable]')) return
    event.preventDefault()
    const turn = landing.interrupt(), {element} = record
    const go = async (place, align) => {
      const found = landing.withKey(await store.locate(place))
      if (turn === landing.turn) await landing.land(found, align, 'auto', turn)
      if (turn === landing.turn) this.focus(found)
    }
    try {
      if (ordinal !== undefined) await go({ordinal}, ordinal ? 'end' : 'start')
      else if (page) await this.#page(element, page, i, turn)
      else {
        if (!meets(element.frame, main.visible)) await landing.land(element, 'nearest', 'auto', turn)
        let best = this.#next(element, arrow)
        if (!best && arrow[0] === i) {
          // The row below may not be known yet.
          await landing.settled(turn)
          if (turn !== landing.turn) return
          best = this.#next(element, arrow)
        }
        if (best) this.focus(best)
        else if (arrow[0] === i) await go({ordinal: store.ordinal(element) + arrow[1]}, 'nearest')
      }
    } catch { /* There is nothing further, or the server is away: the focus stays. */ }
  }

  async #page(element, page, i, turn) {
    const view = this.#view, {main, landing} = view
    const way = AXES.map((axis) => axis === i ? page * main.visible[i + 2] : 0), to = moved(element.frame, way)
    main.sync()
    main.moveTo(moved(main.visible, way))
    view.scrolled(main)
    await landing.settled(turn)
    const best = closest(view.ofCells(), ({element: {frame}}) => Math.hypot(frame[0] - to[0], frame[1] - to[1]))
    if (best && turn === landing.turn) this.focus(best.element)
  }

  /** The nearest in a direction, as it stands on the screen. */
  #next(element, arrow) {
    const boxOf = ({node}) => {
      const {left, top, right, bottom} = node.getBoundingClientRect()
      return [[left, right], [top, bottom]]
    }
    const record = this.#view.recordOf(element.key)
    if (!record) return
    const from = boxOf(record)
    return closest(this.#view.ofCells(), (one) => one === record ? Infinity : wayTo(from, boxOf(one), arrow))?.element
  }
}
