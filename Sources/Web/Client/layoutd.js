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
 *   rightToLeft: boolean, elements: readonly Element[], visible: Rect | null, covered: Rect | null,
 *   sections: ReadonlyMap<number, Section>, transitions: Transitions | null}} Snapshot Never changes.
 * @typedef {{kind: string, bounds?: {width?: number, height?: number}, options?: object,
 *   sections?: object[], [member: string]: any}} Body What `prepare` takes, with its kind.
 * @typedef {string | Body} Source The id of a layout, or what to prepare.
 * @typedef {{item?: IndexPath, id?: string, ordinal?: number, section?: number | string}} Place
 * @typedef {{key?: string, element: Element, part?: [number, number], offset?: [number, number]}} Anchor
 * @typedef {{server: string, layout: Source | ((gone?: string) => Source | Promise<Source>),
 *   authorization?: string | (() => string | Promise<string>), overscan?: number, fit?: boolean,
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
    const main = regions.get(-1)
    snapshot = Object.freeze({status, error, layout, content, rightToLeft,
      elements: Object.freeze(elements.sort(inDocumentOrder)), visible: main?.visible ?? null,
      covered: main?.covered ?? null, sections, transitions})
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
      const response = await fetch(server + path, {method, signal, body: body && JSON.stringify(body),
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
    if (typeof source === 'string') summary = await send('GET', `/layouts/${source}`)
    else {
      const {kind, ...body} = source
      if (fit && kind !== 'tree') body.bounds = {...bounds, ...body.bounds}
      summary = await send('POST', `/layouts/${kind}/prepare`, {body, again: true})
    }
    await take(summary)
    setStatus('ready')
    emit()
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
    return () => { sections = found; sectionsKnown = wide }
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
        await opened()
        if (isLate()) return
        while (!await fetchAndApply(rect, signal, isLate)) if (isLate()) return
      } catch (reason) {
        if (isLate() || signal.aborted) return
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
      const learning = section < 0 && learnSections(rect, signal)
      if (learning) learning.catch(() => {})
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
        id: answer.id, isStale: false})
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
  function change(method, path, body, headers) {
    changing++
    const result = changes.then(async () => {
      await opened()
      const main = regions.get(-1), rect = main?.id === layout.id && main.known
      main?.pending?.abort()
      if (main) main.pending = null
      try {
        const {transitions: steps, ...summary} = await send(method,
          `/layouts/${layout.id}${path}${rect ? `?rect=${rect}` : ''}`, {body, headers})
        const isNext = steps && summary.version - main.version <= 1
        await take(summary)
        if (isNext) main.apply(steps, summary.version)
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
    /** Changes items, sections or nodes. @param {object[]} updates @param {Record<string, string>} [headers] */
    update: (updates, headers) => change('POST', '/updates', {updates}, headers),
    /** Changes bounds, options or the kind. @param {object} body */
    patch: (body) => change('PATCH', '', body),
    /** Lays the content out in other bounds, if the layout fits its viewer. @param {{width: number, height: number}} size */
    resize(size) {
      bounds = size
      const given = typeof options.layout === 'object' && options.layout.bounds || {}
      if (fit && layout && layout.kind !== 'tree' &&
        ['width', 'height'].some((name) => !(name in given) && layout.bounds[name] !== size[name]))
        return store.patch({bounds: {...size, ...given}}).catch(() => {})
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
  content = /** @type {Rect} */ ([0, 0, 0, 0])
  isFlipped = false
  anchor = null

  constructor(view, scroller, section) {
    this.view = view
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

  onScroll() { if (this.sync()) this.view.update(this) }

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
      this.view.update(this)
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
  const div = () => document.createElement('div')
  if (getComputedStyle(container).position === 'static') container.style.position = 'relative'
  const scroller = styled(div(), {position: 'absolute', inset: '0', scrollbarGutter: 'stable', outlineOffset: '-2px'})
  scroller.setAttribute('role', 'list')
  scroller.setAttribute('aria-label', options.label ?? 'Items')
  scroller.tabIndex = -1
  const notice = styled(div(), {position: 'absolute', insetInline: '0', bottom: '0', zIndex: 2})
  notice.setAttribute('role', 'status')
  container.append(scroller, notice)

  const store = createStore({...options, bounds: {width: scroller.clientWidth, height: scroller.clientHeight}})
  const layers = new Map(), holes = []
  let current = null, isMeasuring = false, landing = 0, isClosed = false

  const view = {update}
  const main = new Layer(view, scroller, -1)
  layers.set(-1, main)

  function update(layer) {
    if (layer.axes[0].view && layer.axes[1].view) {
      store.show(layer.visible, layer.anchor ?? undefined, layer.section)
      draw(layer)
    }
  }

  function draw(layer) {
    const {elements, covered, sections, content, transitions} = store.getSnapshot(), {visible} = layer
    layer.placeWindow()
    const shown = AXES.reduce((rect, i) => {
      rect[i] -= visible[i + 2] / 2
      rect[i + 2] *= 2
      return rect
    }, [...visible])
    const isSideways = (section) => {
      const body = sections.get(section)?.body
      return body && (body[0] < content[0] || body[0] + body[2] > content[0] + content[2])
    }
    const wanted = new Map()
    for (const element of elements) {
      const {category, key, indexPath: [section], frame} = element
      const owner = category === 'cell' && isSideways(section) ? section : -1
      if (owner === layer.section && meets(sweptFrame(element), shown)) wanted.set(key, element)
    }
    for (const [key, {element, node}] of layer.records)
      if (node.contains(document.activeElement)) wanted.set(key, wanted.get(key) ?? element)
    const free = [...layer.records].filter(([key]) => !wanted.has(key)).map(([key, record]) => {
      layer.records.delete(key)
      return record
    })
    const records = [...wanted.values()].sort(inDocumentOrder).map((element) => {
      let record = layer.records.get(element.key)
      if (!record) layer.records.set(element.key, record = free.pop() ?? {node: div(), element: null, content: null})
      show(layer, record, element)
      return record
    })
    for (const {node} of free) {
      observer?.unobserve(node)
      node.remove()
    }
    layer.isMoved = false
    let next = layer.window.firstChild
    for (const {node} of records) {
      if (node === next) next = next.nextSibling
      else if (node.contains(document.activeElement) && node.parentNode) {
        while (next !== node) {
          const after = next.nextSibling
          layer.window.append(next)
          next = after
        }
        next = node.nextSibling
      } else layer.window.insertBefore(node, next)
    }
    if (layer === main) drawHoles(covered, visible)
  }

  const sweptFrame = ({frame, pinRange}) => {
    if (!pinRange) return frame
    const i = pinAxis(), swept = /** @type {Rect} */ ([...frame]), [from, to] = pinRange
    swept[i] = from
    swept[i + 2] += to - from
    return swept
  }
  const pinAxis = () => main.axes[0].length > main.axes[0].view ? 0 : 1

  function show(layer, record, element) {
    const {node} = record, isSame = record.element === element
    if (!isSame || layer.isMoved) {
      layer.place(node, element.frame)
      if (measure && element.category === 'cell') node.style.height = ''
      node.style.zIndex = element.zIndex
    }
    if (!isSame) {
      const {frame, ...rest} = element, {frame: before, ...old} = record.element ?? {}
      record.element = element
      if (!same(rest, old)) {
        const content = render(element, record.content)
        if (content !== record.content) node.replaceChildren(content)
        record.content = content
        if (element.category === 'decoration') node.setAttribute('aria-hidden', 'true')
        else {
          node.removeAttribute('aria-hidden')
          node.setAttribute('role', 'listitem')
        }
      }
    }
    const ordinal = element.category === 'cell' ? store.ordinal(element) : undefined
    if (record.ordinal !== ordinal) {
      record.ordinal = ordinal
      node.setAttribute('aria-posinset', ordinal + 1)
      node.setAttribute('aria-setsize', store.getSnapshot().layout.counts.cells)
    }
  }

  function drawHoles(covered, visible) {
    const around = [visible[0], visible[1] - visible[3], visible[2], 3 * visible[3]]
    const parts = !covered ? [visible] : difference(intersection(around, main.content), covered)
    while (holes.length < parts.length) {
      const hole = styled(div(), {opacity: '.1', zIndex: -2,
        background: 'repeating-linear-gradient(currentColor 0 40px, transparent 40px 48px)'})
      hole.className = 'layoutd-placeholder'
      hole.setAttribute('aria-hidden', 'true')
      holes.push(hole)
    }
    holes.forEach((hole, i) => {
      hole.hidden = !parts[i]
      if (parts[i]) {
        main.place(hole, parts[i])
        main.area.append(hole)
      }
    })
  }

  let observer = null

  /**
   * Scrolls to an item or a section. The promise says where it landed, once that is settled.
   * @param {Place & {align?: 'start' | 'center' | 'end' | 'nearest', behavior?: ScrollBehavior}} place
   */
  async function scrollTo({align = 'start', behavior = 'auto', ...place}) {
    const turn = ++landing, element = await store.locate(place)
    const part = {start: 0, center: 0.5, end: 1, nearest: 0}[align]
    main.anchor = {element, part: [part, part], offset: [0, 0]}
    main.moveTo([...AXES.map((i) => element.frame[i] + part * (element.frame[i + 2] - main.visible[i + 2])), ...main.visible.slice(2)])
    update(main)
    while (turn === landing && !store.isSettled()) await new Promise(requestAnimationFrame)
    return {element, visible: main.visible, isInterrupted: turn !== landing}
  }

  function onChange() {
    const {layout, content, rightToLeft, visible, status, error} = store.getSnapshot()
    const message = messages[status] ?? ''
    notice.textContent = message && error?.status >= 400 && status !== 'busy' ? `${message} ${error.message}` : message
    const before = main.visible
    main.measure(content, rightToLeft, scroller.clientWidth, scroller.clientHeight)
    if (visible) main.moveBy(AXES.map((i) => visible[i] - before[i]))
    update(main)
  }

  const resizing = new ResizeObserver(() => {
    store.resize({width: scroller.clientWidth, height: scroller.clientHeight})
    onChange()
  })
  store.subscribe(onChange)
  resizing.observe(scroller)
  onChange()

  return {
    store,
    scrollTo,
    destroy() {
      isClosed = true
      resizing.disconnect()
      store.close()
      scroller.remove()
      notice.remove()
    },
  }
}
