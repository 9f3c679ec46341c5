// Scrolling to a place, and what is visible there.

import {AXES, clamp, end, moved, rectOf} from './rects.js'
import {keyed, same} from './elements.js'
import {isCalm} from './dom.js'

// Where others change the layout all the time, so many versions are waited for, and so many milliseconds.
const MOST_VERSIONS = 3
const LONGEST = 800
const MOST_ROUNDS = 20

const frames = async (isDone) => { while (!isDone()) await new Promise(requestAnimationFrame) }

/** A window of which a part lies on the same part of a frame. */
export const aligned = (frame, parts, visible) =>
  rectOf((i) => frame[i] + parts[i] * (frame[i + 2] - visible[i + 2]), (i) => visible[i + 2])

/** The window with all of a frame, and what is pinned around it, for which no more is scrolled than necessary. */
export const nearest = (frame, visible, axis, [before, after] = [0, 0]) => rectOf((i) => {
  const low = frame[i] - (i === axis ? before : 0)
  const high = end(frame, i) + (i === axis ? after : 0) - visible[i + 2]
  return low < visible[i] ? low : high > visible[i] ? Math.min(high, low) : visible[i]
}, (i) => visible[i + 2])

export class Landing {
  turn = 0
  isUnderWay = false
  #view
  /** Earlier versions of the layout do not have what is scrolled to. */
  #least = 0

  constructor(view) { this.#view = view }

  /** The reader goes elsewhere, or the view ends. */
  interrupt() {
    this.isUnderWay = false
    return ++this.turn
  }

  #ends(turn) {
    if (turn !== this.turn) return
    this.isUnderWay = false
    this.#view.arriving?.drawn()
  }

  /** Where the reader is, for `restore`: an item, and how far from its leading edge the window begins. */
  snapshot() {
    const view = this.#view, item = view.store.reading(), {visible, isFlipped} = view.main
    const {layout} = view.look(), at = visible.slice(0, 2), from = isFlipped ? end(visible, 0) : visible[0]
    return {layout: layout?.id, at, ...view.ends(), ...item && {
      ...item.id === undefined ? {item: item.indexPath} : {id: item.id},
      offset: [from - (isFlipped ? end(item.frame, 0) : item.frame[0]), visible[1] - item.frame[1]]}}
  }

  /** Goes to where the reader was. Nothing is seen before it is there. */
  async restore({at, isAtStart, isAtEnd, item, id, offset}) {
    const view = this.#view, {scroller} = view, turn = ++this.turn
    // Whoever was at the very start sees what is new there.
    if (isAtStart && (view.options.keep ?? 'start') === 'start') return
    scroller.style.visibility = 'hidden'
    this.isUnderWay = true
    if (view.page) history.scrollRestoration = 'manual'
    try {
      const place = id !== undefined ? {id} : {item}, isKept = isAtEnd && view.options.keep === 'end'
      const found = isKept ? await view.store.locate('end')
        : await (offset ? view.store.locate(place) : Promise.reject()).catch(() => ({frame: [...at, 0, 0]}))
      if (turn === this.turn) await this.land(found, isKept ? 'end' : 'start', 'auto', turn, isKept, found.category && offset)
    } finally {
      scroller.style.visibility = ''
      this.#ends(turn)
    }
  }

  /** Waits until something has been so for some frames, or somebody scrolls elsewhere. */
  #still(turn, count, isStill) {
    let frame = 0
    return frames(() => turn !== this.turn || (frame = isStill() ? frame + 1 : 0) > count)
  }

  /**
   * Waits until all that is in sight has been drawn, and for what that brings: sizes that are measured,
   * or the next version. Says whether nothing is under way then; while others go on, there always is.
   */
  async settled(turn) {
    const view = this.#view, {store, measuring} = view, count = measuring ? 3 : 1
    let still = 0, shown, versions = new Set()
    await this.#still(turn, 0, () => {
      still = !view.isLoading && store.isSettled() && !measuring?.isSending ? still + 1 : 0
      if (view.isShown) {
        versions.add(view.look().version)
        if (view.look().version >= this.#least) shown ||= performance.now()
      }
      return still > count || versions.size > MOST_VERSIONS || performance.now() - shown > LONGEST
    })
    return still > count
  }

  /** How much of the window is covered at its low and its high edge along the axis: by bars, and by what is pinned around a cell. */
  #covered({category, indexPath, frame}) {
    const {main, look, padding: {top, bottom}} = this.#view, axis = this.#view.mainAxis(), bars = axis ? [top, bottom] : [0, 0]
    if (category !== 'cell') return bars
    const length = (kind) => Math.max(0, ...look().elements.filter((element) => element.pinRange &&
      element.kind === kind && element.indexPath[0] === indexPath[0]).map((element) => element.frame[axis + 2]))
    const kinds = ['header', 'footer'], pinned = !axis && main.isFlipped ? kinds.reverse() : kinds
    const rows = look().elements.filter(({row, pinRange, frame: [, y, , height]}) =>
      row && pinRange && y < frame[1] && frame[1] < pinRange[1] + height)
    const above = Math.max(0, ...rows.map(({pinOffset, frame: [, , , height]}) => pinOffset + height))
    return bars.map((bar, i) => bar + length(pinned[i]) + (i ? 0 : above))
  }

  nearestTo(element) {
    return nearest(element.frame, this.#view.main.visible, this.#view.mainAxis(), this.#covered(element))
  }

  withKey(element) { return keyed(new Map(this.#view.look().elements.map((one) => [one.key, one])), element) }

  /** See `View.scrollTo` in layoutd.d.ts. @param least the first version that has what is scrolled to */
  async scrollTo(target, least = 0) {
    const isEnd = target === 'end', {align = isEnd ? 'end' : 'start', behavior = 'auto', ...place} = target ?? {}
    const view = this.#view, turn = ++this.turn
    let found
    this.#least = least
    this.isUnderWay = true
    try {
      found = place.at ? {frame: [...place.at, 0, 0]} : await view.store.locate(isEnd ? 'end' : place)
    } catch (reason) {
      this.#ends(turn)
      if (view.isEnded) return {element: null, visible: view.main.visible, isInterrupted: true}
      throw reason
    }
    if (turn === this.turn) await this.land(found, align, behavior, turn, isEnd)
    this.#ends(turn)
    return {element: found, visible: view.main.visible, isInterrupted: turn !== this.turn}
  }

  async land(found, align, behavior, turn, isEnd = false, exact) {
    const view = this.#view, {main, layers, padding: {top, bottom}} = view, axis = view.mainAxis()
    const {indexPath = [found.section, 0]} = found, part = {center: 0.5, end: 1}[align] ?? 0, isNearest = align === 'nearest'
    const parts = () => AXES.map((i) => {
      const along = isEnd && i !== axis ? 0 : part
      return !i && main.isFlipped ? 1 - along : along
    })
    const element = found.category === 'cell' ? this.withKey(found) : null
    // What covers the window there may not be known yet.
    const offset = () => exact ?? parts().map((part, i) => {
      const [before, after] = isEnd ? [0, 0] : i === axis ? this.#covered(found) : i ? [top, bottom] : [0, 0]
      return part * after - (1 - part) * before
    })
    const frame = () => isEnd ? main.all : view.look().elements.find(({key}) => key === element?.key)?.frame ?? found.frame
    const to = () => isNearest ? this.nearestTo({...found, indexPath, frame: frame()}) : moved(aligned(frame(), parts(), main.visible), offset())
    if (behavior === 'smooth' && !isCalm() && !await this.#glide(to(), turn)) return
    for (let round = 0, isOff = true; isOff && round < MOST_ROUNDS; round++) {
      const before = offset()
      main.sync()
      main.moveTo(to())
      view.scrolled(main, element && !isNearest ? {element, part: parts(), offset: before} : undefined)
      const isCalm = await this.settled(turn)
      if (turn !== this.turn) return
      // What is seen for the first time may be longer than it was thought, or covered.
      isOff = isEnd ? isCalm && main.distances(axis)[1] > 1
        : isNearest ? AXES.some((i) => Math.abs(to()[i] - main.visible[i]) > 1) : !same(offset(), before)
    }
    const layer = layers.get(indexPath[0])
    if (layer) {
      layer.moveTo(aligned(frame(), parts(), layer.visible))
      view.scrolled(layer)
      await this.settled(turn)
      if (turn !== this.turn) return
    }
    // From now on it is read like any other.
    const reading = view.store.reading()
    if (element && reading?.key === element.key) view.scrolled(main, {element: reading})
  }

  /** Scrolls smoothly. No more than two screens are scrolled; what is further away is jumped to. */
  async #glide(to, turn) {
    const view = this.#view, {main} = view, way = (i) => to[i] - main.visible[i]
    main.sync()
    main.moveTo(rectOf((i) => main.visible[i] + way(i) - clamp(way(i), -2 * main.visible[i + 2], 2 * main.visible[i + 2]),
      (i) => main.visible[i + 2]))
    view.scrolled(main)
    main.port.scrollBy({left: way(0), top: way(1), behavior: 'smooth'})
    let before
    await this.#still(turn, 8, () => before === (before = `${main.visible}`))
    return turn === this.turn
  }
}
