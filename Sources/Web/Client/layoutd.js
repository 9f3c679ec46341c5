/**
 * The browser client of layoutd. `createStore` knows what a layout shows and needs no DOM;
 * `mount` shows it in an element. Documentation/browser.md says how to use them.
 */

/**
 * x, y, width, height in points.
 * @typedef {[number, number, number, number]} Rect
 * @typedef {[section: number, item: number]} IndexPath
 * @typedef {{category: 'cell' | 'supplementary' | 'decoration', kind?: string, indexPath: IndexPath,
 *   frame: Rect, zIndex: number, id?: string, ordinal?: number, pinRange?: [number, number],
 *   children?: IndexPath[], key: string}} Element `key` names the same element in every snapshot.
 * @typedef {{id: string, kind: string, version: number, bounds?: {width: number, height?: number},
 *   contentSize: {width: number, height: number},
 *   counts: {sections: number, cells: number, supplementary: number, decorations: number},
 *   [member: string]: any}} Summary
 * @typedef {{section: number, id?: string, kind: string, items: number, frame: Rect, body: Rect}} Section
 * @typedef {{appearing: Element[], disappearing: Element[], moving: {from: Element, to: Element}[],
 *   shift: [number, number]}} Transitions What a change did; `shift` is how far `visible` moved.
 * @typedef {'opening' | 'ready' | 'busy' | 'offline' | 'gone' | 'unauthorized' | 'tooLarge' | 'failed'} Status
 * @typedef {{status: Status, error: Error | null, layout: Summary | null, content: Rect,
 *   rightToLeft: boolean, elements: readonly Element[], version: number, visible: Rect | null,
 *   covered: Rect | null, sections: ReadonlyMap<number, Section>, transitions: Transitions | null}} Snapshot Never changes.
 * @typedef {{kind: string, bounds?: {width?: number, height?: number}, options?: object,
 *   sections?: object[], [member: string]: any}} Body What `prepare` takes, with its kind.
 * @typedef {string | Body} Source The id of a layout, or what to prepare.
 * @typedef {{item?: IndexPath, id?: string, ordinal?: number, section?: number | string}} Place
 * @typedef {{key?: string, element: Element, part?: [number, number], offset?: [number, number]}} Anchor
 * @typedef {{server: string, layout: Source | ((gone?: string) => Source | Promise<Source>),
 *   authorization?: string | (() => string | Promise<string>), overscan?: number, fit?: boolean, fetch?: typeof fetch,
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

const AXES = [0, 1]
const clamp = (value, low, high) => Math.max(low, Math.min(value, high))
const contains = (a, b) => AXES.every((i) => a[i] <= b[i] && b[i] + b[i + 2] <= a[i] + a[i + 2])
// A length of 0 is a point, as on the server.
const meets = (a, b) => AXES.every((i) => {
  const [p, l, q, m] = [a[i], a[i + 2], b[i], b[i + 2]]
  return (l ? q < p + l : q <= p) && (m ? p < q + m : p <= q)
})
const intersection = (a, b) => {
  const at = AXES.map((i) => Math.max(a[i], b[i]))
  const size = AXES.map((i) => Math.max(0, Math.min(a[i] + a[i + 2], b[i] + b[i + 2]) - at[i]))
  return /** @type {Rect} */ ([...at, ...size])
}
const moved = (rect, [x, y]) => /** @type {Rect} */ ([rect[0] + x, rect[1] + y, rect[2], rect[3]])
/** The parts of a that are not in b. */
const difference = (a, b) => {
  const [x, y, w, h] = a, [left, top, width, height] = intersection(a, b)
  return [[x, y, w, top - y], [x, top + height, w, y + h - top - height],
    [x, top, left - x, height], [left + width, top, x + w - left - width, height]]
    .filter((rect) => rect[2] > 0 && rect[3] > 0)
}
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)
const pathKey = ({category, kind = '', indexPath}) => `${category[0]}${kind}/${indexPath}`
const orderOf = ({category, kind}) =>
  category === 'decoration' ? 0 : category === 'cell' ? 2 : kind === 'header' ? 1 : 3
const inDocumentOrder = (a, b) => a.indexPath[0] - b.indexPath[0] || orderOf(a) - orderOf(b) ||
  a.indexPath[1] - b.indexPath[1]

/** The key under which a map has an element: by id, or by index path for the second of an id. */
function keyIn(map, element) {
  const key = element.id === undefined ? undefined : `#${element.id}`
  const holder = key && map.get(key)
  return key && (!holder || same(holder.indexPath, element.indexPath)) ? key : pathKey(element)
}

/** Adds an element; one that is the same as before stays the same object. */
function add(map, element, before = map) {
  const key = keyIn(map, element), old = before.get(key)
  element = {...element, key}
  map.set(key, old && same(old, element) ? old : Object.freeze(element))
  return map.get(key)
}

/**
 * What is known of a layout. It asks for what is missing as `show` is told what is visible.
 * @param {StoreOptions} options
 */
export function createStore(options) {
  const server = options.server.replace(/\/$/, ''), overscan = options.overscan ?? 0.5
  const request = options.fetch ?? globalThis.fetch.bind(globalThis)
  const listeners = new Set(), regions = new Map(), closing = new AbortController()
  /** @type {Summary | null} */
  let layout = null
  /** @type {Rect} */
  let content = [0, 0, 0, 0]
  let rightToLeft = false, fit = options.fit, bounds = options.bounds, opening = null
  let status = /** @type {Status} */ ('opening'), error = null, transitions = null
  let changes = Promise.resolve(), changing = 0, roundTrip = 50, wake = () => {}
  let sections = new Map(), sectionsKnown = null, starts = new Map([[0, 0]]), counting = false
  /** @type {Snapshot} */
  let snapshot

  function emit() {
    const elements = [...new Map([...regions.values()].flatMap(({elements}) => [...elements])).values()]
    snapshot = Object.freeze({status, error, layout, content, rightToLeft,
      elements: Object.freeze(elements.sort(inDocumentOrder)), version: main.version,
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

  function fail(reason) {
    if (closing.signal.aborted) return
    const code = reason.status
    setStatus(code === 401 || code === 403 ? 'unauthorized' : code === 404 ? 'gone'
      : code === 413 ? 'tooLarge' : 'failed', reason)
  }

  const isFailed = () => error && status !== 'busy' && status !== 'offline'
  const isGone = (reason) => reason.status === 404 && /no-such-layout/.test(reason.problem?.type)

  /** Sends a request. Waits while the server is busy, and while it is away if that is safe. */
  async function send(method, path, {body, signal = closing.signal, headers = {}, again = !body} = {}) {
    for (let failures = 0; ; failures++) {
      const {authorization} = options, started = performance.now()
      const key = typeof authorization === 'function' ? await authorization() : authorization
      const response = await request(server + path, {method, signal, body: body && JSON.stringify(body),
        headers: {...body && {'Content-Type': 'application/json'}, ...key && {Authorization: key}, ...headers},
      }).catch((reason) => {
        if (signal.aborted || !again) throw reason
        setStatus('offline', reason)
      })
      if (response?.ok) {
        const answer = response.status === 204 ? null : await response.json()
        roundTrip += (Math.min(performance.now() - started, 2000) - roundTrip) / 4
        if (status === 'offline' || status === 'busy') setStatus(layout ? 'ready' : 'opening')
        return answer
      }
      let wait = Math.min(250 * 2 ** failures, 8000)
      if (response) {
        const problem = await response.json().catch(() => null)
        const reason = new LayoutError(response.status, problem)
        if (response.status !== 503) throw reason
        wait = 1000 * (Number(response.headers.get('Retry-After')) || 1)
        setStatus('busy', reason)
      }
      await new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, wait)
        wake = () => { clearTimeout(timer); resolve() }
        signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason) }, {once: true})
      })
    }
  }

  const get = (path, signal) => send('GET', `/layouts/${layout.id}${path}`, {signal})

  /** Takes a summary over. The content of a horizontal layout may lie to the left of 0. */
  async function take(summary, signal) {
    const {kind, contentSize: {width, height}} = summary
    let x = 0
    if (kind !== 'tree' && width > summary.bounds?.width && summary.counts.sections) {
      const {frame} = await send('GET', `/layouts/${summary.id}/sections/0`, {signal})
      rightToLeft = frame[0] < 0
      x = rightToLeft ? frame[0] + frame[2] - width : 0
    }
    if (layout?.version !== summary.version || layout.id !== summary.id) {
      starts = new Map([[0, 0]])
      sectionsKnown = null
    }
    layout = summary
    content = [x, 0, width, height]
  }

  async function open(gone) {
    let {layout: source} = options
    if (typeof source === 'function') source = await source(gone)
    else if (gone && typeof source === 'string') throw new LayoutError(404, {detail: 'The layout is gone.'})
    fit = options.fit ?? typeof source !== 'string'
    let summary
    const used = bounds
    if (typeof source === 'string') summary = await send('GET', `/layouts/${source}`)
    else {
      const {kind, ...body} = source
      if (fit && kind !== 'tree') body.bounds = {...bounds, ...body.bounds}
      summary = await send('POST', `/layouts/${kind}/prepare`, {body, again: true})
    }
    await take(summary)
    status = 'ready'
    error = null
    emit()
    if (used !== bounds) store.resize(bounds)
  }

  const opened = (gone) => opening = (!opening || gone ? open(gone) : opening)
    .catch((reason) => { opening = null; fail(reason); throw reason })

  /** The sections that meet a rect, if they matter and are not known yet. */
  async function learnSections(rect, signal) {
    const {kind, counts} = layout
    if (kind === 'tree' || kind !== 'compositional' && counts.sections < 2) return
    if (sectionsKnown && contains(sectionsKnown, intersection(rect, content))) return
    const wide = [content[0], rect[1] - 2 * rect[3], content[2], 5 * rect[3]]
    if (content[2] > layout.bounds?.width) [wide[0], wide[2]] = [rect[0] - 2 * rect[2], 5 * rect[2]]
    const found = new Map()
    for (let path = `/layouts/${layout.id}/sections?rect=${wide}`; path;) {
      const answer = await send('GET', path, {signal})
      for (const section of answer.sections) found.set(section.section, Object.freeze(section))
      path = answer.next
    }
    return () => {
      for (const [index, region] of regions) {
        // What scrolls sideways moves with its section.
        const from = sections.get(index)?.body, to = found.get(index)?.body
        const way = from && to ? to[1] - from[1] : 0
        if (!way) continue
        const before = region.elements
        region.elements = new Map()
        for (const element of before.values()) add(region.elements, {...element, frame: moved(element.frame, [0, way])})
        region.visible = moved(region.visible, [0, way])
        region.known = null
      }
      sections = found
      sectionsKnown = wide
    }
  }

  /** Learns how many items come before the sections that are shown. */
  async function count() {
    if (counting || !layout) return
    counting = true
    const {version} = layout
    try {
      for (const {category, indexPath: [section, item]} of snapshot.elements) {
        if (category !== 'cell' || starts.has(section)) continue
        const before = starts.get(section - 1), items = sections.get(section - 1)?.items
        if (layout.kind !== 'tree' && before !== undefined && items !== undefined)
          starts.set(section, before + items)
        else {
          const {ordinal} = await get(`/items/${section}/${item}`)
          if (layout.version !== version) return
          starts.set(section, ordinal - item)
        }
        emit()
      }
    } catch { /* The next answer tries again. */ } finally { counting = false }
  }

  /** A part of the content that scrolls: all of it, or a section that scrolls sideways. */
  function makeRegion(section) {
    /** @type {any} */
    const region = {elements: new Map(), visible: null, covered: null, known: null, version: 0, id: '',
      anchors: [], pending: null, isStale: false}
    let speed = [0, 0], time = 0
    const limits = () => section < 0 ? content : [...region.visible.slice(0, 2), 1e300, 1e300]

    /** Which elements are read: those whose place is kept. */
    const readElements = () => {
      const {visible, elements} = region
      const cells = [...elements.values()].filter(({category, frame}) => category === 'cell' && meets(frame, visible))
      const isWhole = ({frame}) => AXES.every((i) => !scrolls(i) || frame[i] >= visible[i])
      return [...cells.filter(isWhole), ...cells.filter((cell) => !isWhole(cell))].slice(0, 32)
        .map((element) => anchorOf({element}))
    }
    const scrolls = (i) => section >= 0 ? i === 0 : content[i + 2] > region.visible[i + 2]
    const anchorOf = ({element, part = [rightToLeft ? 1 : 0, 0], offset}) => ({element, part,
      offset: offset ?? AXES.map((i) => region.visible[i] - lineOf(element.frame, region.visible, part, i))})
    const lineOf = (frame, visible, part, i) => frame[i] + part[i] * (frame[i + 2] - visible[i + 2])
    /** Where what was visible is after its anchor has got another frame. */
    const keptAt = ({offset, part, fixed}, frame) => {
      const {visible} = region
      return /** @type {Rect} */ ([...AXES.map((i) => {
        const isAtStart = i === 0 && rightToLeft ? visible[0] + visible[2] >= content[0] + content[2]
          : visible[i] <= content[i]
        return scrolls(i) && (fixed || !isAtStart) ? lineOf(frame, visible, part, i) + offset[i] : visible[i]
      }), visible[2], visible[3]])
    }
    const grown = (rect, share) => /** @type {Rect} */ (AXES.reduce((grown, i) => {
      if (!scrolls(i)) return grown
      const ahead = Math.min(Math.abs(speed[i]) * (roundTrip + 300), 6 * rect[i + 2]) * share
      const margin = overscan * rect[i + 2] * share
      grown[i] -= margin + (speed[i] < 0 ? ahead : 0)
      grown[i + 2] += 2 * margin + ahead
      return grown
    }, [...rect]))

    region.show = (visible, fixed) => {
      const now = performance.now(), before = region.visible, passed = now - time
      time = now
      if (before && passed > 0) speed = AXES.map((i) => {
        const way = visible[i] - before[i]
        return passed > 200 || Math.abs(way) > 10 * visible[i + 2] ? 0 : (speed[i] + way / passed) / 2
      })
      region.visible = visible
      region.anchors = fixed ? [{...anchorOf(fixed), fixed: true}] : null
      region.ask()
    }

    region.ask = () => {
      const {visible, known, pending} = region
      if (!visible || changing || isFailed() || closing.signal.aborted) return
      if (pending) {
        if (contains(pending.rect, intersection(visible, limits()))) return
        pending.abort()
      }
      const isCovered = known && contains(known, intersection(grown(visible, 1 / 3), limits()))
      if (!isCovered || region.isStale) load(grown(visible, 1))
    }

    async function load(rect) {
      const pending = region.pending = Object.assign(new AbortController(), {rect}), {signal} = pending
      const isLate = () => region.pending !== pending
      let isLost = false
      try {
        const isFirst = !layout
        await opened()
        if (isLate()) return
        // How far the content goes was not known before.
        if (isFirst) pending.rect = rect = grown(region.visible, 1)
        while (!await fetchAndApply(rect, signal, isLate)) if (isLate()) return
      } catch (reason) {
        if (isLate() || signal.aborted || !layout) return
        if (isGone(reason)) { isLost = true; region.known = null }
        else if (reason.status === 410) region.known = null
        else fail(reason)
      } finally {
        if (!isLate()) {
          region.pending = null
          if (isLost) opened(layout.id).then(region.ask, () => {})
          else region.ask()
          count()
        }
      }
    }

    async function fetchAndApply(rect, signal, isLate) {
      const {known, version, id} = region
      const isNew = !known || id !== layout.id
      const anchors = region.anchors ??= readElements()
      const query = isNew ? '' : `&known=${known}&since=${version}`
      const learning = section < 0 ? learnSections(rect, signal) : undefined
      learning?.catch(() => {})
      const answers = []
      for (let path = `/layouts/${layout.id}/elements?rect=${rect}${query}`; path; path = answers.at(-1).next)
        answers.push(await send('GET', path, {signal}))
      const learnt = await learning
      const [answer] = answers
      if (answer.version < layout.version && answer.id === layout.id) return false
      const summary = answer.version > layout.version ? await get('', signal) : null
      const isFresh = isNew || answer.reset, elements = new Map()
      if (!isFresh) for (const [key, element] of region.elements)
        if (!element.pinRange && meets(element.frame, known) && meets(element.frame, rect)) elements.set(key, element)
      for (const {elements: some} of answers) for (const element of some) add(elements, element, region.elements)
      let {visible} = region
      if (isFresh && anchors.length) {
        const found = await find(anchors, elements, signal)
        if (isLate()) return true
        if (found) visible = keptAt(found[0], found[1].frame)
        if (!contains(rect, intersection(visible, limits()))) {
          // What was read is elsewhere now: ask there, and show both at once.
          region.known = null
          region.pending.rect = grown(visible, 1)
          return fetchAndApply(region.pending.rect, signal, isLate)
        }
      }
      if (isLate()) return true
      if (summary) await take(summary, signal)
      learnt?.()
      const isNews = isFresh || elements.size !== region.elements.size || visible !== region.visible ||
        [...elements].some(([key, element]) => region.elements.get(key) !== element)
      Object.assign(region, {elements, visible, known: rect, covered: rect, version: answer.version,
        id: answer.id, isStale: false, anchors: anchors[0]?.fixed ? anchors : null})
      if (section < 0 && (summary || answer.version !== layout.version)) refresh()
      if (isNews || summary || learnt) emit()
      return true
    }

    /** The first anchor that is still there, with its element. */
    async function find(anchors, elements, signal) {
      for (const anchor of anchors) {
        const element = elements.get(anchor.element.key)
        if (element) return [anchor, element]
      }
      const ids = anchors.flatMap(({element}) => element.id === undefined ? [] : `id=${encodeURIComponent(element.id)}`)
      const path = ids.length ? `?${ids.join('&')}` : `/${anchors[0].element.indexPath.join('/')}`
      const answer = await get(`/items${path}`, signal).catch((reason) => {
        if (reason.status !== 404 && reason.status !== 422 || isGone(reason)) throw reason
        return {elements: []}
      })
      const [element] = answer.elements ?? [answer]
      return element && [anchors.find((anchor) => anchor.element.id === element.id) ?? anchors[0], element]
    }

    /** Takes over what a change did to the elements that are held. */
    region.apply = ({appearing, disappearing, moving}, version) => {
      const before = region.elements, elements = new Map(before), anchors = region.anchors ?? readElements()
      const withKey = (element) => before.get(keyIn(before, element)) ?? {...element, key: keyIn(before, element)}
      const gone = disappearing.map(({from}) => withKey(from))
      const from = moving.map(({from}) => withKey(from))
      for (const {key} of [...gone, ...from]) elements.delete(key)
      const to = moving.map(({to}) => add(elements, to, before)), come = appearing.map(({to}) => add(elements, to, before))
      let shift = [0, 0]
      for (const anchor of anchors) {
        const {key} = anchor.element, index = from.findIndex((element) => element.key === key)
        const element = index < 0 ? elements.get(key) : to[index]
        if (!element) continue
        const visible = keptAt(anchor, element.frame)
        shift = AXES.map((i) => visible[i] - region.visible[i])
        region.visible = visible
        region.covered = moved(region.covered, shift)
        anchor.element = element
        break
      }
      Object.assign(region, {elements, version})
      transitions = {appearing: come, disappearing: gone, shift, moving: from.map((from, i) => ({from, to: to[i]}))}
    }
    regions.set(section, region)
    return region
  }

  /** Every region asks again whether it is current. */
  function refresh() {
    for (const region of regions.values()) {
      region.isStale ||= region.version !== layout?.version
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
        await take(summary)
        if (rect) (await learnSections(rect))?.()
        if (isNext) main.apply(steps, summary.version)
        if (isQuiet) transitions = null
        emit()
        return summary
      } catch (reason) {
        if (isGone(reason)) opened(layout.id).then(refresh, () => {})
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
     * @param {object[]} updates @param {{isQuiet?: boolean, headers?: Record<string, string>}} [how] quiet: without transitions
     */
    update: (updates, how) => change('POST', '/updates', {updates}, how),
    /** Changes bounds, options or the kind. @param {object} body @param {{isQuiet?: boolean}} [how] */
    patch: (body, how) => change('PATCH', '', body, how),
    /** Lays the content out in other bounds, if the layout fits its viewer. @param {{width: number, height: number}} size */
    resize(size) {
      bounds = size
      const given = typeof options.layout === 'object' && options.layout.bounds || {}
      if (fit && layout && layout.kind !== 'tree' &&
        ['width', 'height'].some((name) => !(name in given) && size[name] > 0 && layout.bounds[name] !== size[name]))
        return store.patch({bounds: {...size, ...given}}, {isQuiet: true}).catch(() => {})
    },
    /** The cell or the section of a place. @param {Place} place @returns {Promise<any>} */
    async locate({item, id, ordinal, section}) {
      await opened()
      if (section !== undefined)
        return get(typeof section === 'string' ? `/sections?id=${encodeURIComponent(section)}` : `/sections/${section}`)
      return get(item ? `/items/${item.join('/')}`
        : id === undefined ? `/items?ordinal=${ordinal}` : `/items?id=${encodeURIComponent(id)}`)
    },
    /** How many items come before a cell, once it is known. @param {Element} element @returns {number | undefined} */
    ordinal({indexPath: [section, item]}) {
      const start = starts.get(section)
      return start === undefined ? undefined : start + item
    },
    /** Whether all that is visible is known and no request is under way. */
    isSettled: () => !changing && [...regions.values()].every(({pending, isStale, known}) => known && !pending && !isStale),
    /** Asks whether the layout has changed, or tries again after a failure. */
    refresh() {
      if (isFailed()) setStatus(layout ? 'ready' : 'opening')
      wake()
      for (const region of regions.values()) region.isStale = true
      refresh()
    },
    close() {
      closing.abort()
      for (const {pending} of regions.values()) pending?.abort()
      listeners.clear()
    },
  }
  return store
}

// Chromium cuts elements at 33,554,428 px, and loses quarter points above 4,194,304.
const AREA = 4e6
// So much at both ends of the area is content of the same length; between them, it is compressed.
const END = 1e5
const styled = (node, style) => Object.assign(node.style, style) && node

/** One direction of a scroller: where the browser's scroll position is in the content. */
class Axis {
  length = 0 // of the content
  view = 0 // what is visible of it
  position = 0 // in the browser's area
  shift = 0 // from there to the content
  origin = 0 // where in the area the window element is

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
    const way = position - this.position
    if (!way) return false
    this.position = position
    if (this.isScaled && (isDragged || Math.abs(way) > Math.max(1.5 * this.view, this.area / this.view / 2)))
      this.shift = Math.round(this.map(position, this.areaEnd, this.end) - position)
    const at = !this.isScaled && position >= this.areaEnd - 1 ? this.end
      : !this.isScaled && position <= 0 ? 0 : clamp(this.at, 0, this.end)
    this.shift = at - position
    return this.isScaled && !isDragged && (position < this.view || position > this.areaEnd - this.view)
      && Math.abs(this.positionOf(at) - position) > 1
  }
}

/** A scroller with its nodes: the whole view, or a section that scrolls sideways. */
class Layer {
  axes = [new Axis(), new Axis()]
  records = new Map()
  content = [0, 0, 0, 0]
  isFlipped = false
  anchor = null

  constructor(update, scroller, section) {
    this.update = update
    this.section = section
    this.scroller = styled(scroller, {overflow: 'auto', overflowAnchor: 'none'})
    this.area = styled(document.createElement('div'), {position: 'relative', overflow: 'clip'})
    this.window = styled(document.createElement('div'), {position: 'absolute'})
    this.area.append(this.window)
    scroller.append(this.area)
    scroller.addEventListener('scroll', () => this.onScroll(), {passive: true})
    scroller.addEventListener('scrollend', () => { this.isDragged = false; this.settle() })
    // What is pressed beside the content is the scroll bar.
    scroller.addEventListener('pointerdown', ({target, offsetX, offsetY}) => {
      this.isDragged = target === scroller &&
        (offsetX >= scroller.clientWidth || offsetY >= scroller.clientHeight)
    })
  }

  get visible() {
    const [x, y] = this.axes, [left, top, width] = this.content
    return /** @type {Rect} */ ([this.isFlipped ? left + width - x.at - x.view : left + x.at, top + y.at, x.view, y.view])
  }

  /** The content has another size, or so much of it is visible. */
  measure(content, isFlipped, width, height) {
    Object.assign(this, {content, isFlipped})
    this.scroller.dir = isFlipped ? 'rtl' : ''
    AXES.forEach((i) => {
      const axis = this.axes[i], name = i ? 'height' : 'width'
      axis.length = content[i + 2]
      axis.view = i ? height : width
      if (axis.area !== axis.styledArea) this.area.style[name] = `${axis.styledArea = axis.area}px`
    })
  }

  /** Shows the content from a point on, exactly. */
  moveTo([x, y, width]) {
    const [left, top, length] = this.content
    const to = [this.isFlipped ? left + length - x - width : x - left, y - top]
    this.axes.forEach((axis, i) => {
      const at = clamp(to[i], 0, axis.end), near = axis.position + at - axis.at
      const isNear = Math.abs(at - axis.at) < axis.view && near > axis.view && near < axis.areaEnd - axis.view
      const position = Math.round(axis.isScaled && isNear ? near : axis.positionOf(at))
      if (position !== axis.position) this.scrollAxis(i, position)
      axis.position = this.positions()[i]
      axis.shift = at - axis.position
    })
  }

  positions() { return [Math.abs(this.scroller.scrollLeft), this.scroller.scrollTop] }
  scrollAxis(i, position) {
    if (i) this.scroller.scrollTop = position
    else this.scroller.scrollLeft = this.isFlipped ? -position : position
  }

  /** Takes over where the browser has scrolled to. Says whether that is somewhere else. */
  sync() {
    const positions = this.positions(), isElsewhere = this.axes.some(({position}, i) => position !== positions[i])
    const isOff = this.axes.map((axis, i) => axis.scrolled(positions[i], this.isDragged))
    if (isOff.some(Boolean)) this.moveTo(this.visible)
    if (isElsewhere && !this.isSmooth) this.anchor = null
    return isElsewhere
  }

  onScroll() { if (this.sync()) this.update(this) }

  /** Moves the content under the view. */
  moveBy(shift) {
    this.sync()
    this.moveTo(moved(this.visible, shift))
  }

  /** The scroll bar shows the truth again. */
  settle() {
    for (const [i, axis] of this.axes.entries()) {
      const position = Math.round(axis.positionOf(axis.at))
      if (!axis.isScaled || Math.abs(position - axis.position) <= 1) continue
      const {at} = axis
      this.scrollAxis(i, position)
      axis.position = this.positions()[i]
      axis.shift = at - axis.position
      this.update(this)
    }
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
    styled(this.window, {top: `${y}px`, [this.isFlipped ? 'right' : 'left']: `${x}px`})
  }

  /** The frame in the window element. */
  frameIn([x, y, width, height]) {
    const [left, top, length] = this.content, [{origin}, {origin: originY}] = this.axes
    return [(this.isFlipped ? left + length - x - width : x - left) - origin, y - top - originY, width, height]
  }

  place(node, frame) {
    const [x, y, width, height] = this.frameIn(frame)
    styled(node, {position: 'absolute', top: `${y}px`, [this.isFlipped ? 'right' : 'left']: `${x}px`,
      width: `${width}px`, height: `${height}px`})
  }
}

/**
 * Shows a layout in an element, which needs a size.
 * @param {HTMLElement} container
 * @param {StoreOptions & {render: (element: Element, node?: Node) => Node, measure?: boolean,
 *   animate?: boolean, label?: string, messages?: Partial<Record<Status, string>>}} options
 *   `render` may change the `node` that it gave for another element, and return it.
 */
export function mount(container, options) {
  const {render, measure = false, animate = true} = options
  const messages = {offline: 'The server does not answer. Trying again.', busy: 'The server is busy. Trying again.',
    gone: 'This layout is gone.', unauthorized: 'The server needs a key.', tooLarge: 'This layout is too large.',
    failed: 'This layout cannot be shown.', ...options.messages}
  const div = (attributes = {}, style = {}) => {
    const node = styled(document.createElement('div'), style)
    for (const name in attributes) node.setAttribute(name, attributes[name])
    return node
  }
  if (getComputedStyle(container).position === 'static') container.style.position = 'relative'
  const scroller = div({role: 'list', 'aria-label': options.label ?? 'Items', tabindex: -1},
    {position: 'absolute', inset: '0', scrollbarGutter: 'stable', outlineOffset: '-2px'})
  const notice = div({role: 'status'}, {position: 'absolute', insetInline: '0', bottom: '0', zIndex: 2})
  container.append(scroller, notice)
  const main = new Layer(update, scroller, -1), layers = new Map([[-1, main]]), holes = []
  const store = createStore({...options, bounds: {width: scroller.clientWidth, height: scroller.clientHeight}})
  const measured = new Map()
  let current = null, isSending = false, landing = 0

  const mainAxis = () => main.axes[0].length > main.axes[0].view ? 0 : 1
  const axisOf = (layer) => layer === main ? mainAxis() : 0
  const hasFocus = ({node}) => node.matches(':focus-within')
  const recordAt = (node) => {
    for (const {records} of layers.values())
      for (const record of records.values())
        if (record.node.contains(node) && record.element.category === 'cell') return record
  }
  const recordOf = (key) => {
    for (const {records} of layers.values()) if (records.has(key)) return records.get(key)
  }

  /** The body of a section that scrolls sideways, with the insets at both ends. */
  function sideways(section) {
    const {sections, content: [left, , width]} = store.getSnapshot(), body = sections.get(section)?.body
    if (!body || main.axes[0].length > main.axes[0].view) return
    const [x, y, length, height] = body, before = x - left, after = left + width - x - length
    if (before < 0) return {content: [x - after, y, length + 2 * after, height], isFlipped: true}
    if (after < 0) return {content: [left, y, length + 2 * before, height], isFlipped: false}
  }

  function update(layer) {
    const {visible} = layer
    if (!visible[2] || !visible[3]) return
    store.show(visible, layer.anchor ?? undefined, layer.section)
    draw(layer)
  }

  const sweptFrame = ({frame, pinRange}) => {
    if (!pinRange) return frame
    const i = mainAxis(), swept = [...frame]
    swept[i] = pinRange[0]
    swept[i + 2] += pinRange[1] - pinRange[0]
    return swept
  }

  function draw(layer) {
    const {elements} = store.getSnapshot(), {visible, records} = layer, wanted = new Map()
    layer.placeWindow()
    const shown = [...AXES.map((i) => visible[i] - visible[i + 2] / 2), 2 * visible[2], 2 * visible[3]]
    for (const element of elements) {
      const [section] = element.indexPath, side = element.category === 'cell' && sideways(section)
      if (side && layer === main) {
        const frame = [...main.content.slice(0, 1), side.content[1], main.content[2], side.content[3]], key = `sideways/${section}`
        if (meets(frame, shown)) wanted.set(key, {category: 'cell', key, indexPath: [section, 0], frame, zIndex: 0, side})
      } else if ((side ? section : -1) === layer.section && meets(sweptFrame(element), shown)) wanted.set(element.key, element)
    }
    for (const [key, record] of records) if (!wanted.has(key) && hasFocus(record)) wanted.set(key, record.element)
    const free = []
    for (const [key, record] of records) if (!wanted.has(key)) {
      records.delete(key)
      if (record.element.pinRange || record.element.side) drop(record)
      else free.push(record)
    }
    let next = layer.window.firstChild
    for (const element of [...wanted.values()].sort(inDocumentOrder)) {
      let record = records.get(element.key)
      if (record && !record.element.pinRange !== !element.pinRange) drop(record, record = undefined)
      if (!record) {
        record = !element.pinRange && !element.side && free.pop() || {node: div({role: 'listitem'})}
        records.set(element.key, record)
      }
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
    if (layer === main) {
      drawHoles()
      const first = recordOf(current) ?? [...records.values()].find(({element}) => element.category === 'cell' && meets(element.frame, visible))
      if (first && first.node.tabIndex !== 0) first.node.tabIndex = 0
    }
  }

  function drop({node, element}) {
    observer.unobserve(node)
    node.remove()
    if (!element.side) return
    layers.delete(element.indexPath[0])
    store.hide(element.indexPath[0])
  }

  function showSide(record, {indexPath: [section], frame, side}) {
    let layer = layers.get(section)
    if (!layer) {
      const inner = div({role: 'list', 'aria-label': `Section ${section + 1}`, tabindex: 0}, {height: '100%'})
      record.node.append(inner)
      layers.set(section, layer = new Layer(update, inner, section))
    }
    layer.measure(side.content, side.isFlipped, frame[2], frame[3])
    layer.moveTo(layer.visible)
    update(layer)
  }

  function show(layer, record, element) {
    const {node, element: before} = record, {category, key, frame, zIndex, pinRange, kind} = element, isSame = before === element
    if (!isSame || layer.isMoved) {
      const i = mainAxis(), place = pinRange ? sweptFrame(element) : frame
      if (pinRange) {
        // What is pinned sticks in the part of the range that is near.
        const near = main.visible[i] - 1e5, end = Math.min(place[i] + place[i + 2], near + 2e5 + main.visible[i + 2])
        place[i] = Math.max(place[i], near)
        place[i + 2] = end - place[i]
        record.inner ??= node.appendChild(div())
        const isFirst = (kind === 'header') !== layer.isFlipped
        styled(node, {display: 'flex', flexDirection: i ? 'column' : 'row', pointerEvents: 'none',
          justifyContent: kind === 'header' ? 'flex-start' : 'flex-end'})
        styled(record.inner, {position: 'sticky', flex: 'none', pointerEvents: 'auto', width: `${frame[2]}px`,
          height: `${frame[3]}px`, [i ? isFirst ? 'top' : 'bottom' : isFirst ? 'left' : 'right']: '0'})
      }
      layer.place(node, place)
      node.style.zIndex = zIndex
      if (measure && category === 'cell' && !element.side) node.style[axisOf(layer) ? 'height' : 'width'] = 'max-content'
    }
    if (!isSame && !element.side) {
      const withoutFrame = (element) => ({...element, frame: 0, pinRange: 0, ordinal: 0})
      record.element = element
      if (!before || !same(withoutFrame(before), withoutFrame(element))) {
        const content = render(element, record.content)
        if (content !== record.content) (record.inner ?? node).replaceChildren(record.content = content)
        if (category === 'decoration' || kind === 'connector') node.setAttribute('aria-hidden', 'true')
        else node.removeAttribute('aria-hidden')
        if (measure && category === 'cell' && key !== before?.key) {
          record.size = undefined
          observer.unobserve(node)
          observer.observe(node)
        }
      }
    }
    record.element = element
    if (element.side) return
    if (category !== 'cell') node.removeAttribute('tabindex')
    else if (key !== current || node.tabIndex) node.tabIndex = key === current ? 0 : -1
    const ordinal = category === 'cell' ? store.ordinal(element) : undefined, {layout} = store.getSnapshot()
    const total = ordinal === undefined ? undefined : layout.counts.cells
    if (record.ordinal !== ordinal || record.total !== total) {
      Object.assign(record, {ordinal, total})
      for (const [name, value] of [['posinset', ordinal + 1], ['setsize', total]])
        if (total) node.setAttribute(`aria-${name}`, value)
        else node.removeAttribute(`aria-${name}`)
    }
  }

  /** Shows where frames are not known yet. */
  function drawHoles() {
    const {covered} = store.getSnapshot(), {visible, content} = main
    const around = [...AXES.map((i) => visible[i] - visible[i + 2]), 3 * visible[2], 3 * visible[3]]
    const parts = covered ? difference(intersection(around, content), covered) : [visible]
    while (holes.length < parts.length) {
      holes.push(main.area.appendChild(div({class: 'layoutd-placeholder', 'aria-hidden': true}, {zIndex: -2,
        background: 'repeating-linear-gradient(#8882 0 40px, #0000 40px 48px)'})))
    }
    holes.forEach((hole, i) => {
      if (hole.hidden !== !parts[i]) hole.hidden = !parts[i]
      if (parts[i]) {
        main.window.contains(hole) || main.window.append(hole)
        main.place(hole, parts[i])
      }
    })
  }

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
    const updates = [], {version} = store.getSnapshot()
    for (const layer of layers.values())
      for (const {element, size} of layer.records.values()) {
        const i = axisOf(layer), length = size?.[i]
        if (length === undefined || element.side || Math.abs(length - element.frame[i + 2]) < 0.02 || measured.get(element.key) === length) continue
        measured.set(element.key, length)
        updates.push({set: {at: element.indexPath, items: [{width: null, height: null, aspectRatio: null, [i ? 'height' : 'width']: length}]}})
      }
    if (!updates.length) return
    isSending = true
    try {
      await store.update(updates, {isQuiet: true, headers: {'If-Match': `"${version}"`}})
    } catch (reason) {
      if (reason.status === 412) {
        // Somebody else was faster: the index paths may be others now.
        measured.clear()
        store.refresh()
      }
    }
    isSending = false
    sendMeasured()
  }

  const frames = async (isDone) => { while (!isDone()) await new Promise(requestAnimationFrame) }
  /** Waits until all is known and measured, or somebody scrolls elsewhere. */
  async function settled(turn) {
    let still = 0
    await frames(() => turn !== landing || (still = store.isSettled() && !isSending ? still + 1 : 0) > (measure ? 3 : 1))
  }

  /** Where a part of the visible rect lies on the same part of a frame. */
  const aligned = (frame, parts, {visible} = main) => [...AXES.map((i) =>
    frame[i] + parts[i] * (frame[i + 2] - visible[i + 2])), visible[2], visible[3]]

  const nearest = ({frame, indexPath}) => AXES.map((i) => {
    const pinned = (kind) => Math.max(0, ...store.getSnapshot().elements.filter((element) => i === mainAxis() &&
      element.pinRange && element.kind === kind && element.indexPath[0] === indexPath[0]).map((element) => element.frame[i + 2]))
    const {visible} = main, low = frame[i] - pinned('header'), high = frame[i] + frame[i + 2] + pinned('footer') - visible[i + 2]
    return low < visible[i] ? low : high > visible[i] ? Math.min(high, low) : visible[i]
  })

  /**
   * Scrolls to an item, a section or a point of the content. The promise says where it landed, once that is settled.
   * @param {Place & {at?: [number, number], align?: 'start' | 'center' | 'end' | 'nearest', behavior?: ScrollBehavior}} place
   * @returns {Promise<{element: Element, visible: Rect, isInterrupted: boolean}>}
   */
  async function scrollTo({align = 'start', behavior = 'auto', ...place}) {
    const turn = ++landing, found = place.at ? {frame: [...place.at, 0, 0]} : await store.locate(place)
    if (turn === landing) await land(found, align, behavior, turn)
    return {element: found, visible: main.visible, isInterrupted: turn !== landing}
  }

  async function land(found, align, behavior, turn) {
    const {frame, indexPath = [found.section, 0]} = found, part = {start: 0, center: 0.5, end: 1, nearest: 0}[align]
    const parts = AXES.map((i) => i === 0 && main.isFlipped ? 1 - part : part)
    const side = sideways(indexPath[0])
    let to = align === 'nearest' ? [...nearest({frame, indexPath}), ...main.visible.slice(2)] : aligned(frame, parts)
    if (behavior === 'smooth' && !isCalm()) {
      const way = AXES.map((i) => to[i] - main.visible[i])
      main.moveBy(way.map((way, i) => way - clamp(way, -2 * main.visible[i + 2], 2 * main.visible[i + 2])))
      update(main)
      const rest = AXES.map((i) => to[i] - main.visible[i])
      main.isSmooth = true
      scroller.scrollBy({left: rest[0], top: rest[1], behavior})
      let still = 0, before
      await frames(() => {
        still = before === `${main.visible}` ? still + 1 : 0
        before = `${main.visible}`
        return still > 8 || turn !== landing
      })
      main.isSmooth = false
      if (turn !== landing) return
    }
    main.moveTo(to)
    const {visible} = main
    main.anchor = found.indexPath && align !== 'nearest' ? {element: keyed(found), part: parts, offset: [0, 0]} : null
    update(main)
    await settled(turn)
    const layer = layers.get(indexPath[0])
    if (layer && turn === landing) {
      layer.moveTo(aligned(frame, parts, layer))
      update(layer)
      await settled(turn)
    }
  }

  const keyed = (element) => ({...element, key: keyIn(new Map(store.getSnapshot().elements.map((one) => [one.key, one])), element)})
  const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

  async function focus(element, turn) {
    if (!recordOf(element.key)) return
    current = element.key
    recordOf(current).node.focus({preventScroll: true})
    main.moveTo([...nearest(element), ...main.visible.slice(2)])
    update(main)
  }

  async function onKey(event) {
    const {key, target} = event, record = recordAt(target), i = mainAxis()
    if (!record || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey ||
      target.closest('input, textarea, select, [contenteditable]')) return
    const arrow = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, -1], ArrowDown: [1, 1]}[key]
    const page = {PageUp: -1, PageDown: 1}[key], {cells} = store.getSnapshot().layout.counts
    const ordinal = {Home: 0, End: cells - 1}[key]
    if (!arrow && !page && ordinal === undefined) return
    event.preventDefault()
    const turn = ++landing
    const go = async (place, align) => {
      const found = keyed(await store.locate(place))
      if (turn === landing) await land(found, align, 'auto', turn)
      if (turn === landing) focus(found)
    }
    if (ordinal !== undefined) return go({ordinal}, key === 'Home' ? 'start' : 'end')
    const cells_ = () => store.getSnapshot().elements.filter(({category, key}) => category === 'cell' && recordOf(key))
    if (page) {
      const frame = moved(record.element.frame, AXES.map((axis) => axis === i ? page * 0.9 * main.visible[i + 2] : 0))
      main.moveBy(AXES.map((axis) => axis === i ? page * 0.9 * main.visible[i + 2] : 0))
      main.anchor = null
      update(main)
      await settled(turn)
      const way = (element) => Math.hypot(...AXES.map((i) => element.frame[i] - frame[i]))
      const [best] = cells_().sort((a, b) => way(a) - way(b))
      if (best && turn === landing) focus(best)
      return
    }
    if (!meets(record.element.frame, main.visible)) await land(record.element, 'nearest', 'auto', turn)
    const [axis, sign] = arrow, boxOf = ({key}) => {
      const {left, top, right, bottom} = recordOf(key).node.getBoundingClientRect()
      return [[left, right], [top, bottom]]
    }
    const from = boxOf(record.element), way = (element) => {
      const to = boxOf(element), along = sign > 0 ? to[axis][0] - from[axis][1] : from[axis][0] - to[axis][1]
      const across = to[1 - axis][0] + to[1 - axis][1] - from[1 - axis][0] - from[1 - axis][1]
      return along < -1 ? Infinity : along + Math.abs(across)
    }
    const [best] = cells_().map((element) => ({element, way: way(element)})).filter(({way}) => way < Infinity).sort((a, b) => a.way - b.way)
    if (best) focus(best.element)
    else if (axis === i) go({ordinal: store.ordinal(record.element) + sign}, 'nearest').catch(() => {})
  }

  scroller.addEventListener('keydown', onKey)
  scroller.addEventListener('focusin', ({target}) => {
    const record = recordAt(target)
    if (!record || record.element.key === current) return
    if (recordOf(current)) recordOf(current).node.tabIndex = -1
    current = record.element.key
    record.node.tabIndex = 0
  })
  for (const name of ['wheel', 'pointerdown']) scroller.addEventListener(name, () => { landing++; main.isSmooth = false }, {passive: true})

  /** Moves, shows and hides what a change moved, brought and took. */
  function play({appearing, disappearing, moving, shift}) {
    const isShown = animate && !isCalm(), timing = {duration: 250, easing: 'ease-in-out'}
    const records = moving.map(({from}) => {
      for (const layer of layers.values()) if (layer.records.has(from.key)) {
        const record = layer.records.get(from.key)
        layer.records.delete(from.key)
        return {layer, record}
      }
    })
    moving.forEach(({to}, i) => records[i]?.layer.records.set(to.key, records[i].record))
    for (const {key} of disappearing) {
      const record = recordOf(key)
      if (!record) continue
      for (const {records} of layers.values()) records.delete(key)
      if (!isShown) { drop(record); continue }
      record.node.leaving = true
      record.node.animate({opacity: 0}, timing).finished.then(() => drop(record), () => {})
    }
    if (isShown) return () => {
      for (const {key} of appearing) recordOf(key)?.node.animate({opacity: [0, 1]}, timing)
      for (const {from, to} of moving) {
        if (to.pinRange) continue
        const [x, y] = AXES.map((i) => from.frame[i] + shift[i] - to.frame[i])
        const [, , width, height] = from.frame, isSized = width !== to.frame[2] || height !== to.frame[3]
        recordOf(to.key)?.node.animate([{transform: `translate(${x}px, ${y}px)`,
          ...isSized && {width: `${width}px`, height: `${height}px`}}, {}], timing)
      }
    }
  }

  function onChange() {
    const {layout, content, rightToLeft, visible, status, error, transitions} = store.getSnapshot()
    const message = messages[status] ?? '', text = message && error?.status >= 400 && status !== 'busy' ? `${message} ${error.message}` : message
    if (notice.textContent !== text) notice.textContent = text
    styled(notice, {padding: text && '8px 12px', background: 'Canvas', color: 'CanvasText', borderTop: text && '1px solid'})
    const before = main.visible
    scroller.style.scrollbarGutter = layout && content[2] > layout.bounds?.width ? 'auto' : 'stable'
    main.measure(content, rightToLeft, scroller.clientWidth, scroller.clientHeight)
    if (visible) main.moveBy(AXES.map((i) => visible[i] - before[i]))
    const animateAll = transitions && play(transitions)
    update(main)
    animateAll?.()
  }

  const resizing = new ResizeObserver(() => {
    store.resize({width: scroller.clientWidth, height: scroller.clientHeight})
    main.measure(main.content, main.isFlipped, scroller.clientWidth, scroller.clientHeight)
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
