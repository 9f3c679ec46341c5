// What is known of a layout. It needs no DOM.

import {Connection, LayoutError} from './connection.js'
import {Region} from './region.js'
import {Sections} from './sections.js'
import {cardsOf} from './fonts.js'
import {contains, grown, intersection, sidesOf} from './rects.js'
import {inDocumentOrder, isCell, same, withRows} from './elements.js'
import {trace} from './catching-up.js'
import {axesOf, contentOf, isHierarchy, isRightToLeft, sidewaysContent, tagOf, withPage} from './geometry.js'

const STATUSES = {401: 'unauthorized', 403: 'unauthorized', 404: 'gone', 413: 'tooLarge'}
const WAITING = ['busy', 'slow', 'offline']
// Whoever follows asks no more often, in milliseconds.
const EVERY = 250

/** Where a version differs from the one that the event before told; null if the event does not say it. */
const rectsOf = ({recovered, invalidatedRect, invalidatedRects}) => recovered === false ? null
  : invalidatedRects ?? (invalidatedRect ? [invalidatedRect] : invalidatedRect === null ? [] : null)

/** What the regions of a store share, and what changes it. */
class State {
  layout = null
  content = [0, 0, 0, 0]
  rightToLeft = false
  status = 'opening'
  error = null
  sections = new Sections(this)
  regions = new Map()
  listeners = new Set()
  newest = 0
  /** Whether of the summary only version and size are known. */
  isSummaryOld = false
  /** Whether elements come with the parts of their cards. */
  hasParts = false
  /** Whether cells whose heights are guesses are marked. */
  hasEstimates = false
  snapshot = null
  /** How far a window may be scrolled beyond the content, above and below. */
  beyond = [0, 0]
  #closing = new AbortController()
  #opening = null
  #lost
  /** Whether another layout is to be shown, which may be given by its id. */
  #isOther = false
  #fit
  #resizing = null
  #changes = Promise.resolve()
  #changing = 0
  #unfollow = () => {}
  #follow

  constructor(options) {
    this.#take(options)
    this.bands = options.bands ?? 0
    this.bounds = sidesOf(options.bounds)
    this.#fit = options.fit
    this.#follow = Object.assign({}, ...options.with ?? []).follow
    this.connection = new Connection(options, {
      onWaiting: (status, reason) => this.setStatus(status, reason),
      onAnswer: () => { if (this.isWaiting) this.setStatus(this.layout ? 'ready' : 'opening') }})
    this.main = this.region(-1)
    this.emit()
  }

  #take(options) {
    const {keep = 'start', overscan = 0.5} = options
    Object.assign(this, {options, keep, overscan})
  }

  /** These are the options from now on, but for the layout. A key that is another text is tried at once. */
  set(options) {
    const {layout, authorization: key, follow} = this.options, {authorization} = options
    this.#take({...options, layout})
    this.connection.take(options)
    if (!same(follow, options.follow)) this.follow()
    if (this.status === 'unauthorized' && typeof authorization === 'string' && authorization !== key) this.retry()
  }

  get isWaiting() { return WAITING.includes(this.status) }
  get isFailed() { return this.error && !this.isWaiting }
  get isClosed() { return this.#closing.signal.aborted }
  get isStopped() { return this.isFailed || this.isClosed }
  get isChanging() { return this.#changing > 0 }

  region(section) {
    let region = this.regions.get(section)
    if (!region) this.regions.set(section, region = new Region(this, section))
    return region
  }

  /** What a region scrolls in; see place.js. */
  space(section) {
    const {layout, content, rightToLeft, beyond} = this
    // Before there is a layout, nobody is at its end.
    const keep = layout ? this.keep : 'start'
    const side = section < 0 ? null : sidewaysContent(this.sections.known.get(section), content)
    return side ? {...side, axes: [0], keep}
      : {content: withPage(content, beyond), axes: section < 0 ? layout ? axesOf(layout) : [1] : [0], isFlipped: rightToLeft, keep}
  }

  emit(transitions = null) {
    const {main, status, error, layout, content, rightToLeft} = this
    const elements = new Map([...this.regions.values()].flatMap((region) => [...region.elements]))
    this.snapshot = Object.freeze({status, error, layout, content, rightToLeft,
      elements: Object.freeze([...elements.values()].sort(inDocumentOrder)), version: main.version,
      visible: main.visible, covered: main.covered, sections: this.sections.known, transitions})
    for (const listener of [...this.listeners]) try {
      listener()
    } catch (error) {
      // It is no failure of the request that brought the news.
      queueMicrotask(() => { throw error })
    }
  }

  setStatus(next, reason = null) {
    if (this.status === next && this.error === reason) return
    this.status = next
    this.error = reason
    this.emit()
  }

  fail(reason) { if (!this.isClosed) this.setStatus(STATUSES[reason.status] ?? 'failed', reason) }

  // MARK: Requests

  send(method, path, how = {}) {
    return this.connection.send(method, path, {signal: this.#closing.signal, ...how})
  }
  get(path, signal) { return this.send('GET', `/layouts/${this.layout.id}${path}`, signal && {signal}) }
  getPages(path, signal = this.#closing.signal) {
    return this.connection.pages(`/layouts/${this.layout.id}${path}`, signal)
      .then((answers) => this.layout.kind === 'outline' ? answers.map(withRows) : answers)
  }

  /** Whether the layout is gone. If so, it is opened again by who needs it next. */
  isGone({status, problem}) {
    const isSo = status === 404 && /no-such-layout/.test(problem?.type)
    if (isSo) this.lose()
    return isSo
  }
  lose() {
    if (this.#lost !== this.layout?.id) this.#opening = null
    this.#lost = this.layout?.id
  }

  /** The pages of a question for elements, with the parts of their cards, their data and texts where those are wanted. */
  getElements(question, signal) {
    const more = (this.hasParts ? '&parts=true' : '') + (this.options.data ? '&data=true' : '') + (this.options.text ? '&text=true' : '')
    return this.getPages(`/elements?${question}${more}`, signal)
  }

  /** The summary that came with elements. It says nothing of what no version decides. */
  summaryOf({summary}, {memoryBytes, expiresAt, views} = this.layout) { return {memoryBytes, expiresAt, views, ...summary} }

  /** Transitions have no parts, and those of a change no data and texts, so cells that are in some have to be asked for. */
  lacks({appearing, moving}, isOfChange = false) {
    return (this.hasParts || isOfChange && (this.options.data || this.options.text)) && [...appearing, ...moving].some(({to}) => isCell(to))
  }

  /** The ids of all cells that a question names. They are of one version. */
  async ids(question) {
    await this.opened()
    try {
      return (await this.getPages(`/ids?limit=100000${question}`)).flatMap(({ids}) => ids)
    } catch (reason) {
      if (reason.status !== 410) throw reason
      return this.ids(question)
    }
  }

  // MARK: The layout

  /** Takes a summary over. */
  take(summary) {
    if (this.layout?.id !== summary.id || tagOf(this.layout) !== tagOf(summary) || this.isSummaryOld) this.sections.forget(this.layout?.id !== summary.id)
    this.layout = summary
    this.isSummaryOld = false
    this.rightToLeft = isRightToLeft(summary, this.sections.known)
    this.content = contentOf(summary, this.rightToLeft)
  }

  /** Takes sections over. What scrolls sideways moves with its section. */
  takeSections(learnt) {
    const before = this.sections.known
    for (const [index, region] of this.regions) {
      const way = learnt.sections.get(index)?.body[1] - before.get(index)?.body[1]
      if (way) region.moveBy([0, way])
    }
    this.sections.take(learnt)
    this.rightToLeft = isRightToLeft(this.layout, learnt.sections)
    this.content = contentOf(this.layout, this.rightToLeft)
    for (const [index, region] of this.regions)
      if (index >= 0 && !(axesOf(this.layout).includes(1) && sidewaysContent(learnt.sections.get(index), this.content))) {
        region.cancel()
        this.regions.delete(index)
      }
  }

  /** Shows another layout. Items with the ids of those before keep their cells, and the place. */
  show(source) {
    this.options = {...this.options, layout: source}
    this.#lost = undefined
    this.#isOther = true
    this.#opening = null
    this.revive()
    return this.opened().then(() => {
      for (const region of this.regions.values()) region.outdate()
      this.main.isOther = true
      this.refresh()
    })
  }

  opened() {
    return this.#opening ??= this.#open().catch((reason) => {
      this.#opening = null
      this.fail(reason)
      throw reason
    })
  }

  async #open() {
    const {options, bounds} = this, gone = this.layout?.id, {signal} = this.#closing
    let {layout: source} = options, summary
    if (typeof source === 'function') source = await source(gone)
    else if (gone && typeof source === 'string' && !this.#isOther) throw new LayoutError(404, {detail: 'Only its id is known.'})
    this.#fit = options.fit ?? typeof source !== 'string'
    this.hasParts = options.parts ?? (typeof source !== 'string' && cardsOf(source).length > 0)
    if (typeof source === 'string') summary = await this.send('GET', `/layouts/${source}`)
    else {
      const {kind, viewOf, ...body} = source
      // The server marks heights that are guesses, so that just these are measured.
      this.hasEstimates = Boolean(options.measure) && !isHierarchy(source)
      if (this.hasEstimates) body.options = {estimates: true, ...body.options}
      if (this.#fit && kind !== 'tree') body.bounds = {...bounds, ...body.bounds}
      summary = viewOf ? await this.send('POST', `/layouts/${viewOf}/views`, {body: {...kind && {kind}, ...body}})
        : await this.send('POST', `/layouts/${kind}/prepare`, {body, again: true})
    }
    signal.throwIfAborted()
    const isOther = this.#isOther
    this.#isOther = false
    if (summary.id !== gone) this.newest = 0
    this.take(summary)
    if (summary.id !== gone) this.follow()
    this.status = 'ready'
    this.error = null
    // What another layout is like is shown together with its elements.
    if (!isOther) this.emit()
    if (bounds !== this.bounds) this.resize(this.bounds)
  }

  follow() {
    this.#unfollow()
    const {follow} = this.options, {every = EVERY} = follow === true ? {} : follow || {}
    if (!follow || !this.layout || !this.#follow) return
    let told = null, due = null, timer = null
    const hear = () => {
      const event = due
      if (!event) return void (timer = null)
      due = null
      // What is here already is no news.
      timer = event.version > this.main.version ? setTimeout(hear, every) : null
      if (event.reason) this.lose()
      this.newest = event.version ?? this.newest
      if (!this.#pass(event)) this.refresh()
    }
    const end = this.#follow(this.connection, this.layout.id, (event) => {
      const rects = rectsOf(event)
      // What comes in quick succession is heard of together.
      due = due ? {...event, rects: rects && due.rects && [...due.rects, ...rects], told: due.told} : {...event, rects, told}
      told = event.version
      if (!timer || event.reason) {
        clearTimeout(timer)
        hear()
      }
    })
    this.#unfollow = () => { end(); clearTimeout(timer) }
  }

  /**
   * Another version differs only where nothing is held, so nothing is asked.
   * @param event with the `rects` that differ since the version `told`
   */
  #pass({version, versionTag, contentSize, rects, told}) {
    const {main, layout} = this
    if (!rects || !contentSize || told === null || !this.#opening || !this.isSettled() ||
      !main.isCurrent || told > main.version || version <= main.version || !main.visible) return false
    const regions = [...this.regions.values()]
    if (regions.some((region) => region.version !== main.version || region.isTouched(rects))) return false
    const summary = {...layout, version, versionTag, contentSize}, isAtEnd = main.place?.edges.includes('end')
    const content = contentOf(summary, this.rightToLeft)
    // The window may have to move, or a pinned header, of which the rects say nothing.
    if (isAtEnd || !contains(content, intersection(main.visible, this.content)) || content[0] !== this.content[0] ||
      this.snapshot.elements.some(({pinRange}) => pinRange)) return false
    Object.assign(this, {layout: summary, content, isSummaryOld: true})
    for (const region of regions) region.pass(summary)
    this.emit()
    return true
  }

  /** Every region asks again whether it is current. */
  refresh() {
    for (const region of this.regions.values()) {
      // What a change of this page makes is told by its answer.
      region.isStale ||= !this.#opening || region.version !== this.layout?.version || !this.isChanging && region.version < this.newest
      region.ask()
    }
  }

  count() { this.sections.count(this.snapshot.elements) }

  // MARK: Changes

  /** Sends a change when those before it are done. The place is that of the version that it changes. */
  change(method, path, body, {isQuiet = false, headers = {}, again = false} = {}) {
    this.revive()
    this.#changing++
    const result = this.#changes.then(async () => {
      await this.opened()
      for (const region of this.regions.values()) region.cancel()
      try {
        return await this.#make(method, path, body, isQuiet, {headers, again})
      } catch (reason) {
        this.isGone(reason)
        throw reason
      }
    }).finally(() => { if (!--this.#changing && !this.isClosed) this.refresh() })
    this.#changes = result.then(() => {}, () => {})
    return result
  }

  async #make(method, path, body, isQuiet, how) {
    const {main} = this, {id} = this.layout, rect = main.rectOfChange
    const request = (rect) => this.send(method, `/layouts/${id}${path}${rect ? `?rect=${rect}` : ''}`, {body, ...how})
    const {transitions: steps, ...summary} = await request(rect).then((answer) => answer.kind === 'outline' ? withRows(answer) : answer, (reason) => {
      // Too much has changed there for transitions.
      if (rect && reason.status === 400) return request(null)
      throw reason
    })
    if (id !== this.layout.id) return summary
    // Another change may have come between.
    const isNext = steps && !this.lacks(steps, true) && summary.version === main.version + (summary.invalidated === false ? 0 : 1)
    // What is visible and what is known change together, so that nobody draws the one without the other.
    const learnt = isNext && await this.sections.learn(grown(main.expected(steps), this.overscan), summary).catch(() => null)
    if (id !== this.layout.id) return summary
    const change = isNext && learnt !== null && main.apply(steps, rect, summary, learnt)
    if (change) {
      this.emit(isQuiet ? null : change)
    } else if (!main.visible || !main.id) {
      this.take(summary)
      this.emit()
    } else {
      main.isStale = true
      main.isQuiet ||= isQuiet
    }
    return summary
  }

  resize(size) {
    this.bounds = sidesOf(size)
    const {options, layout, bounds} = this
    const given = typeof options.layout === 'object' && options.layout.bounds || {}
    if (this.#resizing || !this.#fit || !layout || layout.kind === 'tree' ||
      !Object.keys(bounds).some((name) => !(name in given) && layout.bounds[name] !== bounds[name])) return
    // While one change of the size is under way, only the last of those that follow matters.
    const sent = this.#resizing = bounds
    return this.change('PATCH', '', {bounds: {...bounds, ...given}}, {isQuiet: true, again: true}).catch(() => {}).then(() => {
      this.#resizing = null
      if (sent !== this.bounds) return this.resize(this.bounds)
    })
  }

  /** Tries again after a failure, and asks whether the layout has changed. */
  retry() {
    this.revive()
    if (this.isFailed) this.setStatus(this.layout ? 'ready' : 'opening')
    this.connection.wake()
    for (const region of this.regions.values()) region.outdate()
    this.refresh()
  }

  isSettled() {
    return !this.isChanging &&
      [...this.regions.values()].every(({pending, isStale, known}) => known && !pending && !isStale)
  }

  // MARK: Life

  close() {
    this.#closing.abort(new DOMException('The store is closed.', 'AbortError'))
    this.#unfollow()
    this.#unfollow = () => {}
    for (const region of this.regions.values()) region.cancel()
  }

  /** A store that was closed is used again. */
  revive() {
    if (!this.isClosed) return
    this.#closing = new AbortController()
    if (!this.layout) this.#opening = null
    this.follow()
    for (const region of this.regions.values()) region.isStale ||= Boolean(region.id)
  }
}

/**
 * What is known of a layout. It asks for what is missing as `show` is told what is visible.
 * @param {import('./layoutd.js').StoreOptions} options
 * @returns {import('./layoutd.js').Store}
 */
export function createStore(options) {
  const state = new State(options)
  const opened = () => {
    state.revive()
    return state.opened()
  }
  const ask = async (path, signal) => {
    await opened()
    return state.get(path, signal).catch(async (reason) => {
      if (!state.isGone(reason)) throw reason
      await state.opened()
      state.refresh()
      return state.get(path, signal)
    })
  }
  return {
    getSnapshot: () => state.snapshot,
    subscribe(listener) {
      state.listeners.add(listener)
      return () => { state.listeners.delete(listener) }
    },
    show(rect, anchor, section = -1) {
      state.revive()
      state.region(section).show(rect, anchor)
    },
    view(size, section = -1, beyond = state.beyond) {
      state.beyond = beyond
      state.region(section).resize(size)
    },
    visible: (section = -1) => state.regions.get(section)?.visible ?? null,
    reading: (section = -1) => state.regions.get(section)?.place?.item ?? null,
    hide(section) {
      state.regions.get(section)?.cancel()
      state.regions.delete(section)
    },
    update: (updates, how) => state.change('POST', '/updates', {updates}, how),
    measured: (sizes, how) => state.change('POST', '/measurements', {sizes}, {again: true, ...how}),
    hasEstimates: () => state.hasEstimates,
    fold: (body, how) => state.change('POST', '/folds', body, how),
    patch: (body, how) => state.change('PATCH', '', body, how),
    open: (layout) => state.show(layout),
    set: (options) => state.set(options),
    arrange: (arrange, how) => state.change('PATCH', '', {arrange}, how),
    find: ask,
    trace: (cells, since, signal) => opened().then(() => trace(state, cells, since, signal)),
    section: (index) => state.sections.known.get(index),
    resize: (size) => state.resize(size),
    async locate(place) {
      const {item, id, ordinal, section, key, from, upTo} = place
      if (place !== 'end' && (item ?? id ?? ordinal ?? section ?? key) === undefined)
        throw new TypeError('A place has an item, id, ordinal, section or key; in scrollTo, it may be a point `at` or "end".')
      if (place === 'end') return opened().then(() => ({get frame() { return state.content }}))
      return ask(item ? `/items/${item.join('/')}` : ordinal !== undefined ? `/items?ordinal=${ordinal}`
        : id !== undefined ? `/items?id=${encodeURIComponent(id)}`
        : key !== undefined ? `/items?key=${encodeURIComponent(key)}&${upTo === undefined ? 'from' : 'upTo'}=${encodeURIComponent(upTo ?? from)}`
          : typeof section === 'string' ? `/sections?id=${encodeURIComponent(section)}` : `/sections/${section}`)
    },
    marks: (count) => ask(`/sections?marks=${count}`),
    async counts() {
      await state.opened()
      return (state.isSummaryOld ? await state.get('') : state.layout).counts
    },
    ids({from, to, section} = {}) {
      const name = (place) => encodeURIComponent(Array.isArray(place) ? place.join() : place)
      state.revive()
      return state.ids(section !== undefined ? `&section=${section}`
        : from !== undefined ? `&from=${name(from)}&to=${name(to)}` : '')
    },
    ordinal: (element) => state.sections.ordinal(element),
    isSettled: () => state.isSettled(),
    refresh: () => state.retry(),
    close: () => state.close(),
  }
}
