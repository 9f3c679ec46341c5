/**
 * The browser client of layoutd. `createStore` knows what a layout shows and needs no DOM;
 * `mount` shows it in an element. Documentation/browser.md says how to use them.
 */

import {decode, elementsOf} from './cbor.js'

/**
 * x, y, width, height in points.
 * @typedef {[number, number, number, number]} Rect
 * @typedef {[section: number, item: number]} IndexPath
 * @typedef {{category: 'cell' | 'supplementary' | 'decoration', kind?: string, indexPath: IndexPath,
 *   frame: Rect, zIndex: number, id?: string, ordinal?: number, pinRange?: [number, number],
 *   children?: IndexPath[], key: string}} Element `key` names the same element in every snapshot.
 * @typedef {{id: string, kind: string, version: number, versionTag?: string, bounds?: {width: number, height?: number},
 *   contentSize: {width: number, height: number},
 *   counts: {sections: number, cells: number, supplementary: number, decorations: number},
 *   [member: string]: any}} Summary
 * @typedef {{section: number, id?: string, kind: string, items: number, frame: Rect, body: Rect}} Section
 * @typedef {{appearing: Element[], disappearing: Element[], moving: {from: Element, to: Element}[],
 *   shift: [number, number]}} Transitions What a change did; `shift` is how far `visible` moved.
 * @typedef {'opening' | 'ready' | 'busy' | 'offline' | 'gone' | 'unauthorized' | 'tooLarge' | 'failed'} Status
 * @typedef {{status: Status, error: Error | null, layout: Summary | null, content: Rect,
 *   rightToLeft: boolean, elements: readonly Element[], version: number, visible: Rect | null,
 *   covered: Rect | null, sections: ReadonlyMap<number, Section>,
 *   transitions: Transitions | null}} Snapshot Never changes.
 * @typedef {{kind: string, bounds?: {width?: number, height?: number}, options?: object,
 *   sections?: object[], [member: string]: any}} Body What `prepare` takes, with its kind.
 * @typedef {string | Body} Source The id of a layout, or what to prepare.
 * @typedef {{item?: IndexPath, id?: string, ordinal?: number, section?: number | string}} Place
 * @typedef {{key?: string, element: Element, part?: [number, number], offset?: [number, number]}} Anchor
 * @typedef {{server: string, layout: Source | ((gone?: string) => Source | Promise<Source>),
 *   authorization?: string | (() => string | Promise<string>), overscan?: number, fit?: boolean,
 *   bands?: number, follow?: boolean,
 *   fetch?: typeof fetch,
 *   bounds?: {width: number, height: number}}} StoreOptions
 */

/** The answer was no success. `problem` is the problem document (RFC 9457), if there is one. */
export class LayoutError extends Error {
  /** @param {number} status @param {any} problem */
  constructor(status, problem) {
    super(problem?.detail ?? problem?.title ?? `The server answered ${status}.`)
    this.name = 'LayoutError'
    this.status = status
    this.problem = problem
  }
}

/** What an answer says, in CBOR or in JSON. */
async function read(response) {
  if (!/cbor/.test(response.headers.get('Content-Type'))) return response.json()
  const answer = decode(await response.arrayBuffer())
  return answer.elements ? {...answer, elements: elementsOf(answer.elements)} : answer
}

/** Names a version and its history. */
const tagOf = ({version, versionTag = version}) => versionTag

// MARK: Rects

const AXES = [0, 1]
/** The sides of a size that are there: a hidden element has none. */
const sidesOf = (size = {}) => Object.fromEntries(Object.entries(size).filter(([, length]) => length > 0))
const clamp = (value, low, high) => Math.max(low, Math.min(value, high))
const rectOf = (at, length) => /** @type {Rect} */ ([at(0), at(1), length(0), length(1)])
const end = (rect, i) => rect[i] + rect[i + 2]
const contains = (a, b) => AXES.every((i) => a[i] <= b[i] && end(b, i) <= end(a, i))
// A length of 0 is a point, as on the server.
const beginsWithin = (b, a, i) => a[i + 2] ? b[i] < end(a, i) : b[i] <= a[i]
const meets = (a, b) => AXES.every((i) => beginsWithin(a, b, i) && beginsWithin(b, a, i))
const intersection = (a, b) => {
  const at = (i) => Math.max(a[i], b[i])
  return rectOf(at, (i) => Math.max(0, Math.min(end(a, i), end(b, i)) - at(i)))
}
const moved = (rect, way) => rectOf((i) => rect[i] + way[i], (i) => rect[i + 2])
/** A rect with so much of its size more on each side. */
const grown = (rect, share) => rectOf((i) => rect[i] - share * rect[i + 2], (i) => (1 + 2 * share) * rect[i + 2])
/** The parts of a that are not in b. */
const difference = (a, b) => {
  const [x, y, w, h] = a, [left, top, width, height] = intersection(a, b)
  return [[x, y, w, top - y], [x, top + height, w, y + h - top - height],
    [x, top, left - x, height], [left + width, top, x + w - left - width, height]]
    .filter((rect) => rect[2] > 0 && rect[3] > 0)
}

// MARK: Elements

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)
const isCell = ({category}) => category === 'cell'
const orderOf = ({category, kind}) =>
  category === 'decoration' ? 0 : category === 'cell' ? 2 : kind === 'header' ? 1 : 3
const inDocumentOrder = (a, b) => a.indexPath[0] - b.indexPath[0] || orderOf(a) - orderOf(b) ||
  a.indexPath[1] - b.indexPath[1]

/** The element with its key in a map: its id, or its index path for the second of an id. */
function keyed(map, element) {
  const {category, kind = '', indexPath, id} = element, byID = `#${id}`, holder = map.get(byID)
  const key = id === undefined || holder && !same(holder.indexPath, indexPath)
    ? `${category[0]}${kind}/${indexPath}` : byID
  return {...element, key}
}

/** Adds an element; one that is the same as before stays the same object. */
function add(map, element, before = map) {
  element = keyed(map, element)
  const old = before.get(element.key)
  if (old && same(old, element)) element = old
  map.set(element.key, Object.freeze(element))
  return element
}

// MARK: Following

const feeds = []
const ownFetch = (...request) => globalThis.fetch(...request)
// The server says something every 15 seconds.
const SILENCE = 40_000

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))
const within = (time, promise) => {
  let timer
  const late = new Promise((_, reject) => { timer = setTimeout(reject, time) })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/**
 * Hears of new versions of a layout. All that a page follows of a server comes on one stream, for browsers
 * open six connections to a host.
 * @param {StoreOptions} options @param {typeof fetch} request @param {() => Promise<object>} headers
 * @param {string} id @param {(event: {version?: number, reason?: string}) => void} listener
 */
function follow({server, authorization}, request, headers, id, listener) {
  const key = {server, authorization, request}
  let feed = feeds.find((one) => Object.keys(key).every((name) => one[name] === key[name]))
  if (!feed) feeds.push(feed = {...key, listeners: new Map(), stream: new AbortController()})
  const {listeners} = feed

  async function connect() {
    feed.stream.abort()
    const {signal} = feed.stream = new AbortController()
    let last, retry = 2000, failures = 0, reader
    const tell = (message) => {
      const fields = message.split('\n').map((line) => /^(\w*): ?(.*)/.exec(line)?.slice(1) ?? [])
      const {id: eventID, retry: time, data} = Object.fromEntries(fields), event = data && JSON.parse(data)
      failures = 0
      last = eventID ?? last
      retry = Number(time ?? retry)
      for (const [listener, id] of listeners) if (event?.layout === id) listener(event)
    }
    const end = () => { reader?.cancel().catch(() => {}) }
    signal.addEventListener('abort', end)
    // Stores that begin to follow at the same time begin one stream.
    await null
    while (listeners.size && !signal.aborted) {
      const query = [...new Set(listeners.values())].map((id) => `layout=${id}`).join('&')
      try {
        const response = await request(`${server.replace(/\/$/, '')}/events?${query}`,
          {signal, headers: {Accept: 'text/event-stream', ...last && {'Last-Event-ID': last}, ...await headers()}})
        // None of the layouts is there.
        if (response.status === 404) for (const listener of [...listeners.keys()]) listener({reason: 'unknown'})
        reader = response.ok ? response.body.pipeThrough(new TextDecoderStream()).getReader() : null
        for (let text = '', part; reader && !signal.aborted && !(part = await within(SILENCE, reader.read())).done;) {
          const messages = (text + part.value).split('\n\n')
          text = messages.pop()
          messages.forEach(tell)
        }
      } catch { /* The stream begins again. */ }
      end()
      if (!signal.aborted) await pause(retry * Math.min(++failures, 15))
    }
  }

  listeners.set(listener, id)
  connect()
  return () => {
    listeners.delete(listener)
    connect()
  }
}

// MARK: The store

/**
 * What is known of a layout. It asks for what is missing as `show` is told what is visible.
 * @param {StoreOptions} options
 */
export function createStore(options) {
  const {overscan = 0.5, bands = 0, fetch: request = ownFetch} = options
  const listeners = new Set(), regions = new Map(), closing = new AbortController()
  let layout = /** @type {Summary | null} */ (null), content = /** @type {Rect} */ ([0, 0, 0, 0])
  let rightToLeft = false, fit = options.fit, bounds = sidesOf(options.bounds), opening = null, lost
  let newest = 0, unfollow = () => {}, resizing = null
  let status = /** @type {Status} */ ('opening'), error = null, transitions = null
  let changes = Promise.resolve(), changing = 0, roundTrip = 50, wake = () => {}
  let sections = new Map(), sectionsKnown = null, starts = new Map(), counting = false
  let snapshot = /** @type {Snapshot} */ (null)

  function emit() {
    const elements = new Map([...regions.values()].flatMap((region) => [...region.elements]))
    snapshot = Object.freeze({status, error, layout, content, rightToLeft,
      elements: Object.freeze([...elements.values()].sort(inDocumentOrder)), version: main.version,
      visible: main.visible, covered: main.covered, sections, transitions})
    transitions = null
    for (const listener of listeners) listener()
  }

  function setStatus(next, reason = null) {
    if (status === next && error === reason) return
    status = next
    error = reason
    emit()
  }

  const fail = (reason) => closing.signal.aborted || setStatus(
    {401: 'unauthorized', 403: 'unauthorized', 404: 'gone', 413: 'tooLarge'}[reason.status] ?? 'failed', reason)
  const isWaiting = () => status === 'busy' || status === 'offline'
  const isFailed = () => error && !isWaiting()

  // MARK: Requests

  async function keyHeader() {
    const {authorization} = options, key = typeof authorization === 'function' ? await authorization() : authorization
    return key ? {Authorization: key} : {}
  }

  /** Sends a request. Waits while the server is busy, and while it is away if that is safe. */
  async function send(method, path, {body, signal = closing.signal, headers, again = !body} = {}) {
    for (let wait = 250; ; wait = Math.min(2 * wait, 8000)) {
      const started = performance.now(), key = await keyHeader()
      let time = wait
      try {
        const response = await request(options.server.replace(/\/$/, '') + path, {
          method, signal, body: body && JSON.stringify(body),
          headers: {Accept: 'application/cbor, application/json;q=0.9',
            ...body && {'Content-Type': 'application/json'}, ...key, ...headers}})
        if (response.ok) {
          const answer = await read(response)
          roundTrip += (Math.min(performance.now() - started, 2000) - roundTrip) / 4
          if (isWaiting()) setStatus(layout ? 'ready' : 'opening')
          return answer
        }
        const reason = new LayoutError(response.status, await response.json().catch(() => null))
        if (reason.status !== 503) throw reason
        time = 1000 * (Number(response.headers.get('Retry-After')) || 1)
        setStatus('busy', reason)
      } catch (reason) {
        if (signal.aborted || !again || reason instanceof LayoutError) throw reason
        setStatus('offline', reason)
      }
      await new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, time)
        wake = () => { clearTimeout(timer); resolve() }
        signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason) }, {once: true})
      })
    }
  }

  const get = (path, signal) => send('GET', `/layouts/${layout.id}${path}`, {signal})
  /** All pages of an answer. */
  async function getPages(path, signal) {
    const answers = []
    for (path = `/layouts/${layout.id}${path}`; path; path = answers.at(-1).next)
      answers.push(await send('GET', path, {signal}))
    return answers
  }

  /** Whether the layout is gone. If so, it is opened again by who needs it next. */
  function isGone({status, problem}) {
    const isSo = status === 404 && /no-such-layout/.test(problem?.type)
    if (isSo) lose()
    return isSo
  }
  function lose() {
    if (lost !== layout?.id) opening = null
    lost = layout?.id
  }

  // MARK: The layout

  const isHorizontal = () => layout.kind !== 'tree' && layout.contentSize.width > layout.bounds.width

  /** Takes a summary over. */
  function take(summary) {
    if (layout?.version !== summary.version || layout.id !== summary.id) {
      starts = new Map([[0, 0]])
      sectionsKnown = null
    }
    layout = summary
    const {contentSize: {width, height}} = layout
    rightToLeft &&= isHorizontal()
    content = [rightToLeft ? layout.bounds.width - width : 0, 0, width, height]
  }

  async function open() {
    let {layout: source} = options, summary
    const gone = layout?.id, used = bounds
    if (typeof source === 'function') source = await source(gone)
    else if (gone && typeof source === 'string') throw new LayoutError(404, {detail: 'Only its id is known.'})
    fit = options.fit ?? typeof source !== 'string'
    if (typeof source === 'string') summary = await send('GET', `/layouts/${source}`)
    else {
      const {kind, ...body} = source
      if (fit && kind !== 'tree') body.bounds = {...bounds, ...body.bounds}
      summary = await send('POST', `/layouts/${kind}/prepare`, {body, again: true})
    }
    if (options.follow && summary.id !== gone) {
      unfollow()
      newest = 0
      unfollow = follow(options, request, keyHeader, summary.id, ({version, reason}) => {
        if (reason) lose()
        newest = version ?? newest
        refresh()
      })
    }
    take(summary)
    status = 'ready'
    error = null
    emit()
    if (used !== bounds) store.resize(bounds)
  }

  const opened = () => opening ??= open().catch((reason) => {
    opening = null
    fail(reason)
    throw reason
  })

  /** Asks for the sections near a rect, if they matter and are not known. Gives what takes them over. */
  async function learnSections(rect, signal) {
    const {kind, counts} = layout
    if (kind === 'tree' || kind !== 'compositional' && counts.sections < 2 && !isHorizontal() ||
      sectionsKnown && contains(sectionsKnown, intersection(rect, content))) return
    const wide = grown(rect, 2), answers = await getPages(`/sections?rect=${wide}`, signal)
    const found = new Map(answers.flatMap(({sections}) =>
      sections.map((section) => [section.section, Object.freeze(section)])))
    return () => {
      for (const [index, region] of regions) {
        const way = found.get(index)?.body[1] - sections.get(index)?.body[1]
        if (way) region.moveBy([0, way])
      }
      sections = found
      sectionsKnown = wide
      rightToLeft = isHorizontal() && [...found.values()].some(({frame: [x]}) => x < 0)
      take(layout)
    }
  }

  /** Learns how many items come before the sections that are shown. */
  async function count() {
    if (counting || !layout) return
    counting = true
    const counted = starts
    try {
      for (const {indexPath: [section, item]} of snapshot.elements.filter(isCell)) {
        if (counted !== starts) break
        if (counted.has(section)) continue
        const start = counted.get(section - 1) + sections.get(section - 1)?.items
        counted.set(section, isNaN(start) ? (await get(`/items/${section}/${item}`)).ordinal - item : start)
        emit()
      }
    } catch { /* The next answer tries again. */ }
    counting = false
  }

  // MARK: Regions

  /** A part of the content that scrolls: all of it, or a section that scrolls sideways. */
  function makeRegion(section) {
    /** @type {any} */
    const region = {elements: new Map(), visible: null, covered: null, known: null, version: 0, id: '',
      anchors: null, pending: null, isStale: false}
    let speed = [0, 0], time = 0
    const scrolls = (i) => section >= 0 ? i === 0 : content[i + 2] > region.visible[i + 2]
    /** The part of a rect that there can be elements in. */
    const inside = (rect) => intersection(rect, section < 0 ? content : [...region.visible.slice(0, 2), 1e300, 1e300])

    // What is read stays where it is: the place is kept as an element and an offset from it.

    /** Where a part of the visible length lies on the same part of a frame. */
    const lineOf = (frame, part, i) => frame[i] + part[i] * (frame[i + 2] - region.visible[i + 2])
    const anchorOf = ({element, part = [rightToLeft ? 1 : 0, 0], offset}) => ({element, part,
      offset: offset ?? AXES.map((i) => region.visible[i] - lineOf(element.frame, part, i))})
    /** The cells that are read, those first that are seen from their start on. */
    const readCells = () => {
      const {visible} = region, isCut = ({frame}) => AXES.some((i) => scrolls(i) && frame[i] < visible[i])
      return [...region.elements.values()].filter((element) => isCell(element) && meets(element.frame, visible))
        .sort((a, b) => isCut(a) - isCut(b)).slice(0, 32).map((element) => anchorOf({element}))
    }
    /** What is visible once an anchor has another frame. At the very start, what is new is seen. */
    const keptAt = ({offset, part, isFixed}, frame) => {
      const {visible} = region
      const isAtStart = (i) => !i && rightToLeft ? end(visible, i) >= end(content, i) : visible[i] <= content[i]
      return rectOf((i) => scrolls(i) && (isFixed || !isAtStart(i)) ? lineOf(frame, part, i) + offset[i]
        : visible[i], (i) => visible[i + 2])
    }
    /** The first anchor that is still there, with its element. */
    async function find(anchors, elements, signal) {
      const held = anchors.find(({element}) => elements.has(element.key))
      if (held) return [held, elements.get(held.element.key)]
      const ids = anchors.flatMap(({element: {id}}) => id === undefined ? [] : `id=${encodeURIComponent(id)}`)
      const path = ids.length ? `?${ids.join('&')}` : `/${anchors[0].element.indexPath.join('/')}`
      const answer = await get(`/items${path}`, signal).catch((reason) => {
        if (reason.status !== 404 || isGone(reason)) throw reason
        return {elements: []}
      })
      const [element] = answer.elements ?? [answer]
      return element && [anchors.find((anchor) => anchor.element.id === element.id) ?? anchors[0], element]
    }

    /** What to ask for: more around what is visible, most of it where the way goes. */
    const wanted = (share) => {
      const {visible} = region, margin = (i) => scrolls(i) ? overscan * visible[i + 2] * share : 0
      // Enough until the answer after the next one is there.
      const ahead = (i) => !scrolls(i) ? 0
        : share * Math.min(Math.abs(speed[i]) * (2 * roundTrip + 250), 8 * visible[i + 2])
      return rectOf((i) => visible[i] - margin(i) - (speed[i] < 0 ? ahead(i) : 0),
        (i) => visible[i + 2] + 2 * margin(i) + ahead(i))
    }

    region.show = (visible, anchor) => {
      const now = performance.now(), before = region.visible, passed = now - time
      time = now
      if (before && passed > 0) speed = AXES.map((i) => {
        const way = visible[i] - before[i]
        return passed > 200 || Math.abs(way) > 10 * visible[i + 2] ? 0 : (speed[i] + way / passed) / 2
      })
      region.visible = visible
      region.anchors = anchor ? [{...anchorOf(anchor), isFixed: true}] : null
      region.ask()
    }

    region.ask = () => {
      const {visible, known, pending} = region
      if (!visible || changing || isFailed() || closing.signal.aborted) return
      if (pending) {
        if (contains(pending.rect, inside(visible))) return
        roundTrip = clamp(performance.now() - pending.started, roundTrip, 2000)
        pending.abort()
      }
      if (region.isStale || !known || !contains(known, inside(wanted(0.5)))) load(wanted(1))
    }

    async function load(rect) {
      const pending = region.pending = Object.assign(new AbortController(), {rect, started: performance.now()})
      const isLate = () => region.pending !== pending
      try {
        const isFirst = !layout
        await opened()
        // How far the content goes was not known before.
        if (isFirst) pending.rect = wanted(1)
        while (!isLate() && !await fetchAndApply(pending, isLate));
      } catch (reason) {
        if (isLate() || pending.signal.aborted || !layout) return
        // The layout has another version by now.
        if (reason.status === 410) await get('').then((summary) => {
          take(summary)
          region.isStale = true
        }, () => { region.known = null })
        else if (isGone(reason)) region.known = null
        else fail(reason)
      } finally {
        if (!isLate()) {
          region.pending = null
          region.ask()
          count()
        }
      }
    }

    /** The bands that a rect meets. Who asks for bands asks for the same as others, so that caches have it. */
    function bandsOf(rect) {
      const part = inside(rect), [columns, rows] = AXES.map((i) => {
        if (!scrolls(i)) return [[content[i], content[i + 2]]]
        const first = Math.floor(part[i] / bands), count = Math.ceil(end(part, i) / bands) - first
        return Array.from({length: Math.max(1, count)}, (_, k) => [(first + k) * bands, bands])
      })
      return columns.flatMap(([x, width]) => rows.map(([y, height]) => /** @type {Rect} */ ([x, y, width, height])))
    }

    /** Says whether there is no more to ask. */
    async function fetchAndApply(pending, isLate) {
      const {signal} = pending, {known, version, id} = region, isNew = !known || id !== layout.id
      const inBands = bands && section < 0 ? bandsOf(pending.rect) : []
      if (inBands.length) {
        const [first, last] = [inBands[0], inBands.at(-1)]
        pending.rect = rectOf((i) => first[i], (i) => end(last, i) - first[i])
      }
      const {rect} = pending
      const anchors = region.anchors ??= readCells()
      const questions = inBands.length && (isNew || version === layout.version && !region.isStale)
        ? inBands.filter((band) => isNew || !contains(known, band))
          .map((band) => `${band}&version=${tagOf(layout)}&f=cbor`)
        : [isNew ? rect : `${rect}&known=${known}&since=${region.tag}&transitions=true`]
      const [learnt, ...pages] = await Promise.all([section < 0 ? learnSections(rect, signal) : undefined,
        ...questions.map((question) => getPages(`/elements?rect=${question}`, signal))])
      const answers = pages.flat()
      const [answer] = answers
      if (answer.id !== layout.id) return false
      if (answer.version < layout.version) {
        // It is late, or the server has lost a version.
        take(await get('', signal))
        return false
      }
      const summary = answer.version > layout.version ? await get('', signal) : null
      const isFresh = isNew || answer.reset, held = new Map()
      if (!isFresh) for (const [key, element] of region.elements)
        if (!element.pinRange && meets(element.frame, known) && meets(element.frame, rect)) held.set(key, element)
      const change = !isFresh && Object.values(answer.transitions ?? {}).some(({length}) => length)
        ? changed(answer.transitions, held, anchors) : null
      const elements = change?.elements ?? held
      for (const element of answers.flatMap(({elements}) => elements)) add(elements, element, region.elements)
      const found = isFresh && anchors.length && await find(anchors, elements, signal)
      if (isLate()) return true
      const visible = found ? keptAt(found[0], found[1].frame) : change?.visible ?? region.visible
      if (isFresh && !contains(rect, inside(visible))) {
        // What was read is elsewhere now: ask there, and show both at once.
        region.known = null
        pending.rect = grown(visible, overscan)
        return false
      }
      if (summary) take(summary)
      learnt?.()
      Object.assign(region, {elements, visible, known: rect, covered: change ? moved(rect, change.steps.shift) : rect,
        version: answer.version, tag: tagOf(answer), id: answer.id, isStale: answer.version < newest,
        anchors: anchors[0]?.isFixed ? anchors : null})
      transitions = change?.steps ?? null
      if (section < 0 && (summary || answer.version !== layout.version)) refresh()
      emit()
      return true
    }

    /** What a change makes of elements that are held, and of what is visible. */
    function changed({appearing, disappearing, moving}, held, anchors) {
      const before = region.elements, elements = new Map(held)
      const take = ({from}) => {
        const {key} = keyed(before, from), element = before.get(key) ?? {...from, key}
        elements.delete(key)
        return element
      }
      const gone = disappearing.map(take), from = moving.map(take)
      const [to, come] = [moving, appearing].map((steps) => steps.map(({to}) => add(elements, to, before)))
      let {visible} = region
      for (const anchor of anchors) {
        const {key} = anchor.element, moved = from.findIndex((element) => element.key === key)
        const element = to[moved] ?? elements.get(key)
        if (!element) continue
        visible = keptAt(anchor, element.frame)
        anchor.element = element
        break
      }
      return {elements, visible, steps: {appearing: come, disappearing: gone,
        moving: from.map((from, i) => ({from, to: to[i]})), shift: AXES.map((i) => visible[i] - region.visible[i])}}
    }

    /** Takes over what a change did where all is known. */
    region.apply = (answer, summary) => {
      const {elements, visible, steps} = changed(answer, region.elements, region.anchors ?? readCells())
      Object.assign(region, {elements, visible, version: summary.version, tag: tagOf(summary),
        covered: moved(region.covered, steps.shift)})
      transitions = steps
    }

    /** The section has moved, and what it shows with it. */
    region.moveBy = (way) => {
      const before = region.elements
      region.elements = new Map()
      for (const element of before.values()) add(region.elements, {...element, frame: moved(element.frame, way)})
      region.visible = moved(region.visible, way)
      region.known = null
    }

    regions.set(section, region)
    return region
  }

  /** Every region asks again whether it is current. */
  function refresh() {
    for (const region of regions.values()) {
      region.isStale ||= !opening || region.version !== layout?.version || region.version < newest
      region.ask()
    }
  }

  /** @returns {Promise<Summary>} */
  function change(method, path, body, {isQuiet = false, headers = {}} = {}) {
    changing++
    const result = changes.then(async () => {
      await opened()
      const rect = main.id === layout.id && main.known
      main.pending?.abort()
      main.pending = null
      try {
        const {transitions: steps, ...summary} = await send(method,
          `/layouts/${layout.id}${path}${rect ? `?rect=${rect}` : ''}`, {body, headers})
        const isNext = steps && summary.version - main.version <= 1
        take(summary)
        if (rect) (await learnSections(rect))?.()
        if (isNext) main.apply(steps, summary)
        if (isQuiet) transitions = null
        emit()
        return summary
      } catch (reason) {
        isGone(reason)
        throw reason
      }
    }).finally(() => { if (!--changing) refresh() })
    changes = result.then(() => {}, () => {})
    return result
  }

  const main = makeRegion(-1)
  emit()
  const store = {
    /** @returns {Snapshot} the same object until something changes */
    getSnapshot: () => snapshot,
    /** Calls `listener` after each change. @param {() => void} listener @returns {() => void} ends it */
    subscribe(listener) {
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    },
    /**
     * Says what is visible. What is missing is asked for.
     * @param {Rect} rect @param {Anchor} [anchor] what stays in place; by default what is read
     * @param {number} [section] of one that scrolls sideways
     */
    show(rect, anchor, section = -1) { (regions.get(section) ?? makeRegion(section)).show(rect, anchor) },
    /** Forgets a section that scrolled sideways. @param {number} section */
    hide(section) {
      regions.get(section)?.pending?.abort()
      regions.delete(section)
    },
    /**
     * Changes items, sections or nodes.
     * @param {object[]} updates
     * @param {{isQuiet?: boolean, headers?: Record<string, string>}} [how] quiet: without transitions
     */
    update: (updates, how) => change('POST', '/updates', {updates}, how),
    /** Changes bounds, options or the kind. @param {object} body @param {{isQuiet?: boolean}} [how] */
    patch: (body, how) => change('PATCH', '', body, how),
    /**
     * Lays the content out in other bounds, if the layout fits its viewer.
     * @param {{width: number, height: number}} size
     * @returns {Promise<void> | undefined} what ends once the layout has them
     */
    resize(size) {
      bounds = sidesOf(size)
      const given = typeof options.layout === 'object' && options.layout.bounds || {}
      if (resizing || !fit || !layout || layout.kind === 'tree' ||
        !Object.keys(bounds).some((name) => !(name in given) && layout.bounds[name] !== bounds[name])) return
      // While one change of the size is under way, only the last of those that follow matters.
      const sent = resizing = bounds
      return store.patch({bounds: {...bounds, ...given}}, {isQuiet: true}).catch(() => {}).then(() => {
        resizing = null
        if (sent !== bounds) return store.resize(bounds)
      })
    },
    /** The cell or the section of a place. @param {Place} place @returns {Promise<any>} */
    async locate({item, id, ordinal, section}) {
      await opened()
      return get(item ? `/items/${item.join('/')}` : ordinal !== undefined ? `/items?ordinal=${ordinal}`
        : id !== undefined ? `/items?id=${encodeURIComponent(id)}`
          : typeof section === 'string' ? `/sections?id=${encodeURIComponent(section)}` : `/sections/${section}`)
    },
    /** How many items come before a cell, once it is known. @param {Element} element @returns {number | undefined} */
    ordinal({indexPath: [section, item]}) {
      const start = starts.get(section)
      return start === undefined ? undefined : start + item
    },
    /** Whether all that is visible is known and no request is under way. */
    isSettled: () => !changing &&
      [...regions.values()].every(({pending, isStale, known}) => known && !pending && !isStale),
    /** Asks whether the layout has changed, or tries again after a failure. */
    refresh() {
      if (isFailed()) setStatus(layout ? 'ready' : 'opening')
      wake()
      for (const region of regions.values()) region.isStale = true
      refresh()
    },
    close() {
      closing.abort()
      unfollow()
      for (const {pending} of regions.values()) pending?.abort()
      listeners.clear()
    },
  }
  return store
}

// MARK: Scrollers

// Chromium cuts elements at 33,554,428 px, and loses quarter points above 4,194,304.
const AREA = 4e6
// So much at both ends of the area is content of the same length; between them, it is compressed.
const END = 1e5
const styled = (node, style) => Object.assign(node.style, style) && node
/** Gives attributes to a node, and takes those without a value. */
const attributed = (node, attributes) => {
  for (const name in attributes)
    if (attributes[name] === undefined) node.removeAttribute(name)
    else node.setAttribute(name, attributes[name])
  return node
}
const div = (attributes, style) => styled(attributed(document.createElement('div'), attributes), style)

/** One direction of a scroller: where the browser's scroll position is in the content. */
class Axis {
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

  /** The browser has scrolled. Says whether its position must be corrected. */
  scrolled(position, isDragged) {
    const {isScaled, areaEnd, end, view} = this, way = position - this.position
    if (!way) return false
    this.position = position
    if (isScaled && (isDragged || Math.abs(way) > Math.max(1.5 * view, this.area / view / 2)))
      this.shift = Math.round(this.map(position, areaEnd, end) - position)
    const at = isScaled ? clamp(this.at, 0, end) : position >= areaEnd - 1 ? end : position
    this.shift = at - position
    return isScaled && !isDragged && (position < view || position > areaEnd - view) &&
      Math.abs(this.positionOf(at) - position) > 1
  }
}

/** A scroller with its nodes: the whole view, or a section that scrolls sideways. */
class Layer {
  axes = [new Axis(), new Axis()]
  records = new Map()
  content = [0, 0, 0, 0]
  isFlipped = false
  anchor = null
  area = div({}, {position: 'relative', overflow: 'clip'})
  window = div({}, {position: 'absolute'})

  constructor(update, scroller, section) {
    this.update = update
    this.section = section
    this.scroller = styled(scroller, {overflow: 'auto', overflowAnchor: 'none'})
    this.area.append(this.window)
    scroller.append(this.area)
    scroller.addEventListener('scroll', () => { if (this.sync()) update(this) }, {passive: true})
    scroller.addEventListener('scrollend', () => { this.isDragged = false; this.settle() })
    // What is pressed beside the content is the scroll bar.
    scroller.addEventListener('pointerdown', ({target, offsetX, offsetY}) => {
      this.isDragged = target === scroller && (offsetX >= scroller.clientWidth || offsetY >= scroller.clientHeight)
    })
  }

  get visible() {
    const [x, y] = this.axes, [, top] = this.content
    return /** @type {Rect} */ ([this.left(x.at, x.view), top + y.at, x.view, y.view])
  }
  /** The x of something from its distance to the start, or the reverse. */
  left(at, width) { return this.isFlipped ? end(this.content, 0) - at - width : this.content[0] + at }
  start(x, width) { return this.isFlipped ? end(this.content, 0) - x - width : x - this.content[0] }

  /** The content has another size, or so much of it is visible. */
  measure(content, isFlipped, width, height) {
    Object.assign(this, {content, isFlipped})
    this.scroller.dir = isFlipped ? 'rtl' : ''
    this.axes.forEach((axis, i) => {
      axis.length = content[i + 2]
      axis.view = i ? height : width
      if (axis.area !== axis.styledArea) this.area.style[i ? 'height' : 'width'] = `${axis.styledArea = axis.area}px`
    })
  }

  positions() { return [Math.abs(this.scroller.scrollLeft), this.scroller.scrollTop] }

  /** Lets the browser scroll an axis, and shows the same as before by the shift. */
  scrollAxis(i, position, at) {
    const axis = this.axes[i]
    if (position !== axis.position) {
      if (i) this.scroller.scrollTop = position
      else this.scroller.scrollLeft = this.isFlipped ? -position : position
    }
    axis.position = this.positions()[i]
    axis.shift = at - axis.position
  }

  /** Shows the content from a point on, exactly. */
  moveTo([x, y, width]) {
    const to = [this.start(x, width), y - this.content[1]]
    this.axes.forEach((axis, i) => {
      const at = clamp(to[i], 0, axis.end), near = axis.position + at - axis.at
      const isNear = Math.abs(at - axis.at) < axis.view && near > axis.view && near < axis.areaEnd - axis.view
      this.scrollAxis(i, Math.round(axis.isScaled && isNear ? near : axis.positionOf(at)), at)
    })
  }

  /** Takes over where the browser has scrolled to. Says whether that is somewhere else. */
  sync() {
    const positions = this.positions(), isElsewhere = this.axes.some(({position}, i) => position !== positions[i])
    const isOff = this.axes.map((axis, i) => axis.scrolled(positions[i], this.isDragged))
    if (isOff.some(Boolean)) this.moveTo(this.visible)
    if (isElsewhere && !this.isSmooth) this.anchor = null
    return isElsewhere
  }

  /** Moves the content under the view. */
  moveBy(way) {
    this.sync()
    this.moveTo(moved(this.visible, way))
  }

  /** The scroll bar shows the truth again. */
  settle() {
    this.axes.forEach((axis, i) => {
      const position = Math.round(axis.positionOf(axis.at))
      if (!axis.isScaled || Math.abs(position - axis.position) <= 1) return
      this.scrollAxis(i, position, axis.at)
      this.update(this)
    })
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

// MARK: The view

const TIMING = {duration: 250, easing: 'ease-in-out'}
const MESSAGES = {offline: 'The server does not answer. Trying again.', busy: 'The server is busy. Trying again.',
  gone: 'This layout is gone.', unauthorized: 'The server needs a key.', tooLarge: 'This layout is too large.',
  failed: 'This layout cannot be shown.'}
const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Shows a layout in an element, which needs a size.
 * @param {HTMLElement} container
 * @param {StoreOptions & {render: (element: Element, node?: Node) => Node, measure?: boolean,
 *   animate?: boolean, label?: string, messages?: Partial<Record<Status, string>>}} options
 *   `render` may change the `node` that it gave for another element, and return it.
 */
export function mount(container, options) {
  const {render, measure = false, animate = true, label = 'Items'} = options
  const messages = {...MESSAGES, ...options.messages}
  if (getComputedStyle(container).position === 'static') container.style.position = 'relative'
  const scroller = div({role: 'list', 'aria-label': label, tabindex: -1},
    {position: 'absolute', inset: '0', scrollbarGutter: 'stable', outlineOffset: '-2px'})
  const notice = div({role: 'status'}, {position: 'absolute', insetInline: '0', bottom: '0', zIndex: 2})
  const holes = div({'aria-hidden': true})
  container.append(scroller, notice)
  const size = () => ({width: scroller.clientWidth, height: scroller.clientHeight})
  const store = createStore({...options, bounds: size()}), look = store.getSnapshot
  const main = new Layer(update, scroller, -1), layers = new Map([[-1, main]])
  let current = null, isSending = false, landing = 0

  const mainAxis = () => main.axes[0].length > main.axes[0].view ? 0 : 1
  const axisOf = (layer) => layer === main ? mainAxis() : 0
  const allRecords = () => [...layers.values()].flatMap(({records}) => [...records.values()])
  const recordOf = (key) => [...layers.values()].map(({records}) => records.get(key)).find(Boolean)
  const ofCells = () => allRecords().filter(({element}) => isCell(element) && !element.side)
  const recordAt = (node) => ofCells().find((record) => record.node.contains(node))
  const hasFocus = ({node}) => node.matches(':focus-within')

  function update(layer) {
    const {visible, anchor, section} = layer
    if (!visible[2] || !visible[3]) return
    store.show(visible, anchor ?? undefined, section)
    draw(layer)
  }

  // MARK: Nodes

  /** The body of a section that scrolls sideways, with the insets at both ends. */
  function sideways(section) {
    const {sections, content: [left, , width]} = look(), body = sections.get(section)?.body
    if (!body || !mainAxis()) return
    const [x, y, length, height] = body, before = x - left, after = left + width - x - length
    if (before < 0) return {content: [x - after, y, length + 2 * after, height], isFlipped: true}
    if (after < 0) return {content: [left, y, length + 2 * before, height], isFlipped: false}
  }

  /** Where an element may stand: what is pinned, anywhere in its range. */
  function sweptFrame({frame, pinRange}) {
    if (!pinRange) return frame
    const i = mainAxis(), swept = [...frame]
    swept[i] = pinRange[0]
    swept[i + 2] += pinRange[1] - pinRange[0]
    return swept
  }

  function draw(layer) {
    const {visible, records, section: own} = layer, wanted = new Map(), shown = grown(visible, 0.5)
    layer.placeWindow()
    for (let element of look().elements) {
      const [section] = element.indexPath, side = isCell(element) && sideways(section)
      if (side && layer === main) {
        const {content: [left, , width]} = main, [, y, , height] = side.content
        element = {category: 'cell', key: `sideways/${section}`, indexPath: [section, 0], zIndex: 0, side,
          frame: [left, y, width, height]}
      } else if ((side ? section : -1) !== own) continue
      if (meets(sweptFrame(element), shown)) wanted.set(element.key, element)
    }
    const free = []
    for (const [key, record] of records)
      if (wanted.has(key)) continue
      else if (hasFocus(record)) wanted.set(key, record.element)
      else {
        records.delete(key)
        if (record.element.pinRange || record.element.side) drop(record)
        else free.push(record)
      }
    let next = layer.window.firstChild
    for (const element of [...wanted.values()].sort(inDocumentOrder)) {
      let record = records.get(element.key)
      if (record && !record.element.pinRange !== !element.pinRange) drop(record, record = null)
      record ??= !element.pinRange && !element.side && free.pop() || {node: div({role: 'listitem'})}
      records.set(element.key, record)
      show(layer, record, element)
      const {node} = record
      while (next?.leaving) next = next.nextSibling
      if (node === next) next = next.nextSibling
      else if (!node.parentNode || !hasFocus(record)) layer.window.insertBefore(node, next)
      else {
        // What has the focus would lose it if it were moved, so the others are.
        for (let other = next; other !== node;) [other] = [other.nextSibling, layer.window.append(other)]
        next = node.nextSibling
      }
      if (element.side) showSide(record, element)
    }
    free.forEach(drop)
    layer.isMoved = false
    if (layer !== main) return
    drawHoles()
    const first = recordOf(current) ??
      [...records.values()].find(({element}) => isCell(element) && meets(element.frame, visible))
    if (first?.node.tabIndex) first.node.tabIndex = 0
  }

  function drop({node, element}) {
    observer.unobserve(node)
    node.remove()
    if (!element.side) return
    layers.delete(element.indexPath[0])
    store.hide(element.indexPath[0])
  }

  function showSide({node}, {indexPath: [section], frame, side}) {
    let layer = layers.get(section)
    if (!layer) {
      const inner = div({role: 'list', 'aria-label': `Section ${section + 1}`, tabindex: 0}, {height: '100%'})
      node.append(inner)
      layers.set(section, layer = new Layer(update, inner, section))
    }
    layer.measure(side.content, side.isFlipped, frame[2], frame[3])
    layer.moveTo(layer.visible)
    update(layer)
  }

  /** Shows an element in a node that may have shown another one. */
  function show(layer, record, element) {
    const {node, element: before} = record, {key, frame, zIndex, pinRange, kind, side} = element
    const isSame = before === element, ofCell = isCell(element)
    record.element = element
    if (!isSame || layer.isMoved) {
      if (pinRange) pin(record, element)
      else layer.place(node, frame)
      node.style.zIndex = zIndex
      if (measure && ofCell && !side) node.style[axisOf(layer) ? 'height' : 'width'] = 'max-content'
    }
    if (side) return
    const withoutFrame = (element) => ({...element, frame: 0, pinRange: 0, ordinal: 0})
    if (!isSame && (!before || !same(withoutFrame(before), withoutFrame(element)))) {
      const content = render(element, record.content)
      if (content !== record.content) (record.inner ?? node).replaceChildren(record.content = content)
      attributed(node, {'aria-hidden': element.category === 'decoration' || kind === 'connector' || undefined,
        tabindex: ofCell ? -1 : undefined})
      if (measure && ofCell && key !== before?.key) {
        record.size = null
        observer.unobserve(node)
        observer.observe(node)
      }
    }
    if (ofCell && node.tabIndex !== (key === current ? 0 : -1)) node.tabIndex = key === current ? 0 : -1
    const ordinal = ofCell ? store.ordinal(element) : undefined, total = look().layout.counts.cells
    if (record.place === `${ordinal}/${total}`) return
    record.place = `${ordinal}/${total}`
    attributed(node, ordinal === undefined ? {'aria-posinset': undefined, 'aria-setsize': undefined}
      : {'aria-posinset': ordinal + 1, 'aria-setsize': total})
  }

  /** A header or footer sticks in the part of its range that is near. */
  function pin(record, element) {
    const {frame: [, , width, height], kind} = element, i = mainAxis(), isHeader = kind === 'header'
    const range = sweptFrame(element), last = Math.min(end(range, i), main.visible[i] + main.visible[i + 2] + 1e5)
    range[i] = Math.max(range[i], main.visible[i] - 1e5)
    range[i + 2] = last - range[i]
    main.place(styled(record.node, {display: 'flex', flexDirection: i ? 'column' : 'row', pointerEvents: 'none',
      justifyContent: isHeader ? 'flex-start' : 'flex-end'}), range)
    record.inner ??= record.node.appendChild(div())
    styled(record.inner, {position: 'sticky', flex: 'none', pointerEvents: 'auto', width: `${width}px`,
      height: `${height}px`, [i ? isHeader ? 'top' : 'bottom' : isHeader === main.isFlipped ? 'right' : 'left']: '0'})
  }

  /** Shows where frames are not known yet. */
  function drawHoles() {
    const {covered} = look(), {visible, content} = main
    const parts = covered ? difference(intersection(grown(visible, 1), content), covered) : [visible]
    holes.replaceChildren(...parts.map((part) => main.place(div({class: 'layoutd-placeholder'}, {zIndex: -2,
      background: 'repeating-linear-gradient(#8882 0 40px, #0000 40px 48px)'}), part)))
    main.window.append(holes)
  }

  // MARK: Measuring

  const measured = new Map()
  const observer = new ResizeObserver((entries) => {
    for (const {target, borderBoxSize: [{blockSize, inlineSize}]} of entries) {
      const record = recordAt(target)
      if (record?.node === target) record.size = [inlineSize, blockSize]
    }
    sendMeasured()
  })

  /** Sends the sizes that differ, all in one request. */
  async function sendMeasured() {
    if (isSending) return
    const updates = [], {version, layout} = look()
    for (const layer of layers.values()) for (const {element, size} of layer.records.values()) {
      const i = axisOf(layer), length = size?.[i]
      if (!size || Math.abs(length - element.frame[i + 2]) < 0.02 || measured.get(element.key) === length) continue
      measured.set(element.key, length)
      const item = {width: null, height: null, aspectRatio: null, [i ? 'height' : 'width']: length}
      updates.push({set: {at: element.indexPath, items: [item]}})
    }
    if (!updates.length) return
    isSending = true
    try {
      const tag = version === layout.version ? tagOf(layout) : version
      await store.update(updates, {isQuiet: true, headers: {'If-Match': `"${tag}"`}})
    } catch (reason) {
      // If somebody else was faster, the index paths may be others now.
      if (reason.status === 412) {
        measured.clear()
        store.refresh()
      }
    }
    isSending = false
    sendMeasured()
  }

  // MARK: Scrolling to a place

  const frames = async (isDone) => { while (!isDone()) await new Promise(requestAnimationFrame) }
  /** Waits until something has been so for some frames, or somebody scrolls elsewhere. */
  const still = (turn, count, isStill) => {
    let frame = 0
    return frames(() => turn !== landing || (frame = isStill() ? frame + 1 : 0) > count)
  }
  const settled = (turn) => still(turn, measure ? 3 : 1, () => store.isSettled() && !isSending)

  /** What is visible if a part of it lies on the same part of a frame. */
  const aligned = (frame, parts, {visible} = main) =>
    rectOf((i) => frame[i] + parts[i] * (frame[i + 2] - visible[i + 2]), (i) => visible[i + 2])

  /** What is visible if no more is scrolled than necessary, with all of a frame between what is pinned. */
  const nearest = ({frame, indexPath}) => rectOf((i) => {
    const pinned = (kind) => Math.max(0, ...look().elements.filter((element) => i === mainAxis() && element.pinRange &&
      element.kind === kind && element.indexPath[0] === indexPath[0]).map((element) => element.frame[i + 2]))
    const {visible} = main, low = frame[i] - pinned('header'), high = end(frame, i) + pinned('footer') - visible[i + 2]
    return low < visible[i] ? low : high > visible[i] ? Math.min(high, low) : visible[i]
  }, (i) => main.visible[i + 2])

  const withKey = (element) => keyed(new Map(look().elements.map((one) => [one.key, one])), element)

  /**
   * Scrolls to an item, a section or a point of the content. The promise says where it landed, once that is settled.
   * @param {Place & {at?: [number, number], align?: 'start' | 'center' | 'end' | 'nearest',
   *   behavior?: ScrollBehavior}} place
   * @returns {Promise<{element: Element, visible: Rect, isInterrupted: boolean}>}
   */
  async function scrollTo({align = 'start', behavior = 'auto', ...place}) {
    const turn = ++landing, found = place.at ? {frame: [...place.at, 0, 0]} : await store.locate(place)
    if (turn === landing) await land(found, align, behavior, turn)
    return {element: found, visible: main.visible, isInterrupted: turn !== landing}
  }

  async function land(found, align, behavior, turn) {
    const {frame, indexPath = [found.section, 0]} = found, part = {center: 0.5, end: 1}[align] ?? 0
    const parts = AXES.map((i) => !i && main.isFlipped ? 1 - part : part)
    const to = align === 'nearest' ? nearest({frame, indexPath}) : aligned(frame, parts)
    if (behavior === 'smooth' && !isCalm()) {
      // No more than two screens are scrolled; what is further away is jumped to.
      const way = (i) => to[i] - main.visible[i]
      main.moveBy(AXES.map((i) => way(i) - clamp(way(i), -2 * main.visible[i + 2], 2 * main.visible[i + 2])))
      update(main)
      main.isSmooth = true
      scroller.scrollBy({left: way(0), top: way(1), behavior})
      let before
      await still(turn, 8, () => before === (before = `${main.visible}`))
      main.isSmooth = false
      if (turn !== landing) return
    }
    main.moveTo(to)
    main.anchor = found.indexPath && align !== 'nearest' ? {element: withKey(found), part: parts, offset: [0, 0]} : null
    update(main)
    await settled(turn)
    const layer = layers.get(indexPath[0])
    if (!layer || turn !== landing) return
    layer.moveTo(aligned(frame, parts, layer))
    update(layer)
    await settled(turn)
  }

  // MARK: Keyboard

  function focus(element) {
    const record = recordOf(element.key)
    if (!record) return
    current = element.key
    record.node.focus({preventScroll: true})
    main.moveTo(nearest(element))
    update(main)
  }

  /** The cell with the least distance to somewhere. */
  const closest = (distance) => ofCells().map((record) => ({...record, distance: distance(record)}))
    .filter(({distance}) => distance < Infinity).sort((a, b) => a.distance - b.distance)[0]?.element

  async function onKey(event) {
    const {key, target} = event, record = recordAt(target), i = mainAxis()
    const arrow = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, -1], ArrowDown: [1, 1]}[key]
    const page = {PageUp: -0.9, PageDown: 0.9}[key]
    const ordinal = {Home: 0, End: look().layout?.counts.cells - 1}[key]
    if (!record || !arrow && !page && ordinal === undefined || event.defaultPrevented ||
      event.ctrlKey || event.altKey || event.metaKey || event.shiftKey ||
      target.closest('input, textarea, select, [contenteditable]')) return
    event.preventDefault()
    const turn = ++landing, {element} = record
    const go = async (place, align) => {
      const found = withKey(await store.locate(place))
      if (turn === landing) await land(found, align, 'auto', turn)
      if (turn === landing) focus(found)
    }
    if (ordinal !== undefined) return go({ordinal}, ordinal ? 'end' : 'start')
    if (page) {
      const way = AXES.map((axis) => axis === i ? page * main.visible[i + 2] : 0), to = moved(element.frame, way)
      main.moveBy(way)
      main.anchor = null
      update(main)
      await settled(turn)
      const best = closest(({element: {frame}}) => Math.hypot(frame[0] - to[0], frame[1] - to[1]))
      if (best && turn === landing) focus(best)
      return
    }
    if (!meets(element.frame, main.visible)) await land(element, 'nearest', 'auto', turn)
    // The nearest in that direction, as it stands on the screen.
    const [axis, sign] = arrow, boxOf = ({node}) => {
      const {left, top, right, bottom} = node.getBoundingClientRect()
      return [[left, right], [top, bottom]]
    }
    const from = boxOf(recordOf(element.key)), middle = ([low, high]) => low + high
    const best = closest((record) => {
      const to = boxOf(record), along = sign > 0 ? to[axis][0] - from[axis][1] : from[axis][0] - to[axis][1]
      return along < -1 ? Infinity : along + Math.abs(middle(to[1 - axis]) - middle(from[1 - axis]))
    })
    if (best) focus(best)
    else if (axis === i) go({ordinal: store.ordinal(element) + sign}, 'nearest').catch(() => {})
  }

  scroller.addEventListener('keydown', onKey)
  scroller.addEventListener('focusin', ({target}) => {
    const record = recordAt(target)
    if (!record || record.element.key === current) return
    const before = recordOf(current)
    if (before) before.node.tabIndex = -1
    current = record.element.key
    record.node.tabIndex = 0
  })
  for (const name of ['wheel', 'pointerdown'])
    scroller.addEventListener(name, () => { landing++; main.isSmooth = false }, {passive: true})

  // MARK: Changes

  /** Moves, shows and hides what a change moved, brought and took. Gives what starts the animation. */
  function play({appearing, disappearing, moving, shift}) {
    const isShown = animate && !isCalm(), taken = (key) => {
      for (const {records} of layers.values()) {
        const record = records.get(key)
        if (records.delete(key)) return {records, record}
      }
    }
    const from = moving.map(({from}) => taken(from.key))
    moving.forEach(({to}, i) => from[i]?.records.set(to.key, from[i].record))
    for (const {key} of disappearing) {
      const record = taken(key)?.record
      if (record && isShown) {
        record.node.leaving = true
        record.node.animate({opacity: 0}, TIMING).finished.then(() => drop(record), () => {})
      } else if (record) drop(record)
    }
    return () => {
      if (!isShown) return
      for (const {key} of appearing) recordOf(key)?.node.animate({opacity: [0, 1]}, TIMING)
      for (const {from: {frame}, to} of moving) {
        if (to.pinRange) continue
        const [x, y] = AXES.map((i) => frame[i] + shift[i] - to.frame[i]), [, , width, height] = frame
        const isSized = width !== to.frame[2] || height !== to.frame[3]
        recordOf(to.key)?.node.animate([{transform: `translate(${x}px, ${y}px)`,
          ...isSized && {width: `${width}px`, height: `${height}px`}}, {}], TIMING)
      }
    }
  }

  function onChange() {
    const {layout, content, rightToLeft, visible, status, error, transitions} = look(), before = main.visible
    const message = messages[status] ?? ''
    const isTold = message && status !== 'busy' && error instanceof LayoutError
    const text = isTold ? `${message} ${error.message}` : message
    if (notice.textContent !== text) notice.textContent = text
    styled(notice, {padding: text && '8px 12px', borderTop: text && '1px solid', background: 'Canvas',
      color: 'CanvasText'})
    scroller.style.scrollbarGutter = layout && content[2] > layout.bounds?.width ? 'auto' : 'stable'
    main.measure(content, rightToLeft, size().width, size().height)
    if (visible) main.moveBy(AXES.map((i) => visible[i] - before[i]))
    const animateAll = transitions && play(transitions)
    update(main)
    animateAll?.()
  }

  const resizing = new ResizeObserver(() => {
    store.resize(size())
    main.measure(main.content, main.isFlipped, size().width, size().height)
    update(main)
  })
  store.subscribe(onChange)
  resizing.observe(scroller)
  onChange()

  return {
    store,
    scrollTo,
    /** What is visible now. @returns {Rect} */
    get visible() { return main.visible },
    /** Ends it and empties the container. */
    destroy() {
      landing++
      resizing.disconnect()
      observer.disconnect()
      store.close()
      scroller.remove()
      notice.remove()
    },
  }
}
