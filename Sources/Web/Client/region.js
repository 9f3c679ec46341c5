// A part of the content that scrolls: all of it, or a section that scrolls sideways.

import {AXES, clamp, contains, end, grown, intersection, meets, moved, rectOf, union} from './rects.js'
import {add, applied, isCell, stepOf} from './elements.js'
import {bandsOf} from './bands.js'
import {tagOf} from './geometry.js'
import {catchUp} from './catching-up.js'
import * as places from './place.js'

export class Region {
  elements = new Map()
  /** The window. @type {import('./layoutd.js').Rect | null} */
  visible = null
  place = null
  /** All that meets this rect is held, as it is in `version`. */
  known = null
  /** Where elements are held; near the window the same as `known`. */
  covered = null
  version = 0
  tag = undefined
  id = ''
  pending = null
  isStale = false
  /** What it catches up with is shown without transitions. */
  isQuiet = false
  /** What it catches up with is another layout, in which items are known by their ids. */
  isOther = false
  /** Ids that several items have. */
  manyHave = new Set()
  #speed = [0, 0]
  #time = 0

  /** @param store what the regions of a store share @param {number} section -1 for all of the content */
  constructor(store, section) {
    this.store = store
    this.section = section
  }

  get isMain() { return this.section < 0 }
  /** What the place is in; see place.js. */
  get space() { return this.store.space(this.section) }
  get cells() { return [...this.elements.values()].filter(isCell) }
  get isCurrent() {
    const {layout} = this.store
    return this.id === layout?.id && this.version === layout.version && !this.isStale
  }

  scrolls(i) { return this.isMain ? this.store.content[i + 2] > this.visible[i + 2] : i === 0 }
  /** The part of a rect that there can be elements in. */
  inside(rect) {
    return intersection(rect, this.isMain ? this.store.content : [...this.visible.slice(0, 2), 1e300, 1e300])
  }

  /** The reader has scrolled there, or something else stays in place from now on. */
  show(visible, anchor) {
    const now = performance.now(), before = this.visible, passed = now - this.#time, {space} = this
    this.#time = now
    if (before && passed > 0) this.#speed = AXES.map((i) => {
      const way = visible[i] - before[i]
      return passed > 200 || Math.abs(way) > 10 * visible[i + 2] ? 0 : (this.#speed[i] + way / passed) / 2
    })
    this.visible = visible
    const {element, part = places.leadingPart(space), offset} = anchor ?? {}
    this.place = !anchor ? this.#placeHere()
      : offset ? places.placeAt(element, part, offset, space) : places.placeOf(element, visible, space, part)
    this.ask()
  }

  /** The window has another size. The place stays. */
  resize(size) {
    if (!this.visible) return
    const sized = places.resized(this.visible, size, this.space)
    this.visible = this.place ? places.visibleAt(this.place, this.place.item?.frame, sized, this.space) : sized
    this.ask()
  }

  /** What to ask for: more around what is visible, most of it where the way goes. */
  wanted(share, visible = this.visible) {
    const {overscan, connection: {roundTrip}} = this.store, speed = this.#speed
    const margin = (i) => this.scrolls(i) ? overscan * visible[i + 2] * share : 0
    // Enough until the answer after the next one is there.
    const ahead = (i) => !this.scrolls(i) ? 0
      : share * Math.min(Math.abs(speed[i]) * (2 * roundTrip + 250), 8 * visible[i + 2])
    return rectOf((i) => visible[i] - margin(i) - (speed[i] < 0 ? ahead(i) : 0),
      (i) => visible[i + 2] + 2 * margin(i) + ahead(i))
  }

  /** Asks for what is missing, if nothing that is under way brings it. */
  ask() {
    const {visible, known, pending, store} = this
    if (!visible || store.isChanging || store.isStopped || !this.isMain && !store.main.isCurrent) return
    if (pending) {
      if (contains(pending.rect, this.inside(visible))) return
      store.connection.roundTrip = clamp(performance.now() - pending.started, store.connection.roundTrip, 2000)
      pending.abort()
    }
    if (this.isStale || !known || !contains(known, this.inside(this.wanted(0.5)))) this.#load(this.wanted(1))
  }

  /** All that differs in another version is elsewhere. */
  pass(summary) {
    // What a change has moved out of the known rect may differ.
    for (const [key, {frame, pinRange}] of this.elements) if (!pinRange && !meets(frame, this.known)) this.elements.delete(key)
    Object.assign(this, {version: summary.version, tag: tagOf(summary)})
  }

  /** Whether something that has changed in any of these rects is held. */
  isTouched(rects) {
    const {known, place} = this, held = [known, ...place?.item ? [place.item.frame] : []]
    return !known || rects.some((rect) => held.some((one) => meets(rect, one)))
  }

  /** There may be another version. What is under way may have been asked for before it was made. */
  outdate() {
    this.isStale = true
    if (this.pending) this.pending.isOutdated = true
  }

  cancel() {
    this.pending?.abort()
    this.pending = null
  }

  async #load(rect) {
    const {store} = this
    const pending = this.pending = Object.assign(new AbortController(), {rect, started: performance.now()})
    const isLate = () => this.pending !== pending
    try {
      const isFirst = !store.layout
      await store.opened()
      // How far the content goes was not known before.
      if (isFirst) pending.rect = this.wanted(1)
      while (!isLate() && !await this.#fetch(pending, isLate));
    } catch (reason) {
      if (isLate() || pending.signal.aborted || !store.layout) return
      if (reason.status === 410) {
        this.isStale = true
        if (!this.id) await store.get('').then((summary) => store.take(summary), () => {})
      }
      else if (store.isGone(reason)) this.known = null
      else store.fail(reason)
    } finally {
      if (!isLate()) {
        this.pending = null
        this.ask()
        store.count()
      }
    }
  }

  /** Says whether there is no more to ask. */
  #fetch(pending, isLate) {
    const isFirst = !this.id && !this.place?.item
    return isFirst || this.isCurrent ? this.#extend(pending, isLate) : catchUp(this, pending, isLate)
  }

  /** Asks for what a version has in a rect, without what is known of it. */
  async #extend(pending, isLate) {
    const {store, known, id} = this, {layout, bands} = store, {signal} = pending
    const inBands = bands && this.isMain ? bandsOf(this.inside(pending.rect), store.content, bands, (i) => this.scrolls(i)) : []
    if (inBands.length) {
      const [first, last] = [inBands[0], inBands.at(-1)]
      pending.rect = rectOf((i) => first[i], (i) => end(last, i) - first[i])
    }
    const {rect} = pending
    const questions = inBands.length
      ? inBands.filter((band) => !known || !contains(known, band))
        .map((band) => `${band}&version=${tagOf(layout)}&f=cbor`)
      : [known ? `${rect}&known=${known}&since=${this.tag}` : `${rect}`]
    const [summary, learnt, ...pages] = await Promise.all([store.isSummaryOld ? store.get('', signal) : undefined, this.isMain ? store.sections.learn(rect, layout, signal) : undefined,
      ...questions.map((question) => store.getElements(`rect=${question}`, signal))])
    const answers = pages.flat(), [answer] = answers
    if (isLate()) return true
    if (answer && (answer.id !== store.layout.id || answer.version !== store.layout.version || answer.reset)) {
      if (answer.id === store.layout.id) await this.#meetVersion(answer, signal)
      return false
    }
    const elements = new Map()
    if (known) for (const [key, element] of this.elements)
      if (!element.pinRange && meets(element.frame, known) && meets(element.frame, rect)) elements.set(key, element)
    for (const element of answers.flatMap(({elements}) => elements)) add(elements, element, this.elements)
    Object.assign(this, {elements, known: rect, covered: rect, id: layout.id,
      version: layout.version, tag: tagOf(layout), isStale: layout.version < store.newest || Boolean(pending.isOutdated)})
    if (summary?.version === layout.version) store.take(summary)
    if (learnt) store.takeSections(learnt)
    this.#settlePlace()
    store.emit()
    return true
  }

  /** An answer is of another version than the summary. */
  async #meetVersion({version, reset}, signal) {
    // What is held stays until it is known where it has gone. A summary that is older than the answer
    // is replaced with it; if the answer is the older one, it is late, or the server has lost a version.
    if (this.id && (reset || version > this.store.layout.version)) this.isStale = true
    else this.store.take(await this.store.get('', signal))
  }

  /** Until now, not all was known where the reader is. */
  #settlePlace() {
    const {visible, place} = this
    if (visible && (!place?.item || place.isGuess)) this.place = this.#placeHere()
  }

  /** Of what is known where the reader is. */
  #placeHere() {
    const {visible, known, cells} = this, isKnown = known && contains(known, this.inside(visible))
    const seen = isKnown ? cells : cells.filter(({frame}) => meets(frame, visible))
    return {...places.placeIn(visible, seen, this.space), isGuess: !isKnown}
  }

  /** Takes over all of a version. See catching-up.js. */
  become({elements, place, visible, rect, answer, summary, learnt, transitions, isOutdated}) {
    const {store} = this
    if (summary) store.take(summary)
    if (learnt) store.takeSections(learnt)
    Object.assign(this, {elements, place, visible, known: rect, covered: rect, version: answer.version,
      tag: tagOf(answer), id: answer.id, isStale: answer.version < store.newest || isOutdated})
    this.#settlePlace()
    if (this.isMain) store.refresh()
    const isQuiet = this.isQuiet
    this.isQuiet = this.isOther = false
    store.emit(isQuiet ? null : transitions)
  }

  /** The rect to send with a change, so that its answer says where the item of the place goes. */
  get rectOfChange() {
    const {visible, known, id, store} = this
    if (!visible || !this.elements.size || id !== store.layout.id) return null
    if (known && contains(known, this.inside(visible))) return known
    const item = this.place?.item, around = intersection(grown(visible, 1), store.content)
    const wide = item ? union(around, item.frame) : around
    return AXES.every((i) => wide[i + 2] <= 4 * visible[i + 2]) ? wide : around
  }

  /** About where the window is after a change. */
  expected(steps) {
    const {visible, place, elements} = this, key = place?.item?.key
    const step = key && stepOf(key, steps, elements)
    return step ? moved(visible, AXES.map((i) => step.to.frame[i] - step.from.frame[i])) : visible
  }

  /**
   * Takes over what a change of the version that is held did, in a rect. Says whether the place is known then.
   * @param pinned elements that come with every answer
   */
  apply(steps, rect, summary, learnt, pinned = []) {
    const {known, visible, store, space} = this, before = this.cells
    const change = applied(this.elements, steps)
    for (const element of pinned) add(change.elements, element, this.elements)
    let {place} = this
    if (places.isHeldByItem(place, space)) {
      const now = (item) => {
        const step = change.moving.find(({from}) => from.key === item.key)
        if (step) return step.to
        if (!change.disappearing.some(({key}) => key === item.key) && meets(rect, item.frame)) return item
      }
      const isGone = change.disappearing.some(({key}) => key === place.item.key)
      const held = [place, ...isGone ? places.successors(place, visible, before, space) : []]
        .map((one) => ({...one, item: now(one.item)})).find(({item}) => item)
      if (!held) return false
      place = held
    }
    store.take(summary)
    if (learnt) store.takeSections(learnt)
    const to = places.visibleAt(place, place.item?.frame, visible, this.space)
    if (place?.isSuccessor) place = places.placeOf(place.item, to, this.space)
    const shift = AXES.map((i) => to[i] - visible[i]), near = grown(to, 3)
    // Of what the rect does not show, nobody has said where it is now.
    const isKnown = rect === known, told = new Set([...change.moving.map(({to}) => to.key), ...change.appearing.map(({key}) => key)])
    for (const [key, {frame, pinRange}] of change.elements)
      if (!pinRange && !(meets(frame, rect) ? isKnown || meets(frame, near) : told.has(key) && meets(frame, near)))
        change.elements.delete(key)
    Object.assign(this, {elements: change.elements, place, visible: to, version: summary.version,
      tag: tagOf(summary), known: isKnown ? known : null,
      covered: this.covered && moved(this.covered, shift)})
    const {appearing, disappearing, moving} = change
    return {appearing, disappearing, moving, shift}
  }

  /** The section has moved, and what it shows with it. */
  moveBy(way) {
    const before = this.elements
    this.elements = new Map()
    for (const element of before.values()) add(this.elements, {...element, frame: moved(element.frame, way)})
    if (this.visible) this.visible = moved(this.visible, way)
    const item = this.place?.item
    if (item) this.place = {...this.place, item: this.elements.get(item.key) ?? item}
    this.known = null
  }
}
