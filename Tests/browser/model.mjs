// A server of lists in memory, as plain as can be, for tests of the store. Answers come when `pump` lets them.

/** The same numbers from the same seed. */
export const dice = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

// How many versions before the current one it can compare.
const REMEMBERED = 64

const meets = ([, y, , height], [, top, , length]) => y < top + length && top < y + height

/** Items of a number that nobody else has, an id or none, and a height. */
export class ModelServer {
  #uid = 0
  #waiting = []
  #follower = null
  #told = 0
  asked = []
  versions = []

  constructor({count, hasIDs = () => true, heightOf = () => 20}) {
    this.hasIDs = hasIDs
    this.heightOf = heightOf
    this.versions.push(this.#version(Array.from({length: count}, () => this.item()), {width: 100, scale: 1}))
  }

  item(height = this.heightOf()) {
    const uid = this.#uid++
    return {uid, height, id: this.hasIDs(uid) ? `p${uid}` : undefined}
  }

  #version(items, {width, scale}) {
    let y = 0
    const at = new Map(), frames = items.map(({uid, height}, i) => {
      at.set(uid, i)
      // The same height for all widths would be no test of widths.
      const frame = [0, y, width, height * scale * (width > 250 ? 0.5 : 1)]
      y += frame[3]
      return frame
    })
    return {items, width, scale, frames, at, height: y}
  }

  get now() { return this.versions.at(-1) }
  get number() { return this.versions.length }

  element(version, i) {
    const {items, frames} = version
    return {category: 'cell', indexPath: [0, i], frame: frames[i], zIndex: 0, ...items[i].id && {id: items[i].id}}
  }

  change(update) {
    const {items, width, scale} = this.now, next = {items: [...items], width, scale}
    update(next)
    this.versions.push(this.#version(next.items, next))
    if (this.#follower) this.#waiting.push(() => this.#tell())
    // A long walk does not keep them all.
    delete this.versions[this.number - 2 - REMEMBERED]
  }

  summary() {
    const {items, width, height} = this.now
    return {id: 'A', kind: 'list', version: this.number, bounds: {width}, contentSize: {width, height},
      counts: {sections: 1, cells: items.length, supplementary: 0, decorations: 0}}
  }

  /** The indexes of what meets a rect. */
  #shown({frames}, rect) {
    const found = []
    let low = 0, high = frames.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (frames[middle][1] + frames[middle][3] <= rect[1]) low = middle + 1
      else high = middle
    }
    for (; low < frames.length && frames[low][1] < rect[1] + rect[3]; low++) if (meets(frames[low], rect)) found.push(low)
    return found
  }

  #transitions(before, now, rect) {
    const uids = new Set([...this.#shown(before, rect).map((i) => before.items[i].uid),
      ...this.#shown(now, rect).map((i) => now.items[i].uid)])
    const steps = {appearing: [], disappearing: [], moving: []}
    for (const uid of uids) {
      const i = before.at.get(uid), k = now.at.get(uid)
      const from = i === undefined ? undefined : this.element(before, i), to = k === undefined ? undefined : this.element(now, k)
      if (!from) steps.appearing.push({to})
      else if (!to) steps.disappearing.push({from})
      else if (JSON.stringify(from) !== JSON.stringify(to)) steps.moving.push({from, to})
    }
    return steps
  }

  #problem(status, type, retryAfter) { return {status, body: {type: `/problems/${type}`}, retryAfter} }

  #answer(method, url, text) {
    const {pathname, searchParams: query} = new URL(url), rectOf = (name) => query.get(name)?.split(',').map(Number)
    if (method === 'PATCH' || pathname.endsWith('/updates')) {
      const before = this.now, {updates, bounds, options} = JSON.parse(text)
      this.change((next) => {
        if (bounds) next.width = bounds.width
        if (options) next.scale = options.scale
        for (const update of updates ?? []) this.apply(next.items, update)
      })
      const rect = rectOf('rect')
      return {body: {...this.summary(), ...rect && {transitions: this.#transitions(before, this.now, rect)}}}
    }
    const {now} = this
    if (pathname.endsWith('/elements')) {
      let rect = rectOf('rect')
      const anchor = query.get('anchor')
      if (anchor !== null) {
        const i = /^\d+,\d+$/.test(anchor) ? Number(anchor.split(',')[1]) : now.items.findIndex(({id}) => id === anchor)
        if (!now.items[i]) return this.#problem(404, 'no-such-element')
        rect = [rect[0], rect[1] + now.frames[i][1], rect[2], rect[3]]
      }
      const known = rectOf('known'), since = Number(query.get('since')), wantsSteps = query.get('transitions') === 'true'
      const old = this.versions[since - 1], isForgotten = since && this.number - since > REMEMBERED
      const isReset = since && (isForgotten || known && !wantsSteps && old !== now)
      const shown = this.#shown(now, rect).filter((i) => isReset || !known || !meets(now.frames[i], known))
      return {body: {id: 'A', version: this.number, ...query.get('summary') && {summary: this.summary()}, rect, elements: shown.map((i) => this.element(now, i)),
        ...isReset ? {reset: true} : wantsSteps && {transitions: this.#transitions(old, now, rect)}}}
    }
    if (query.has('id')) {
      const found = query.getAll('id').map((id) => now.items.findIndex((item) => item.id === id)).filter((i) => i >= 0)
      const elements = found.map((i) => this.element(now, i))
      return query.getAll('id').length > 1 ? {body: {id: 'A', version: this.number, elements}} : elements.length ? {body: elements[0]}
        : this.#problem(404, 'no-such-element')
    }
    const [, i] = /\/items\/0\/(\d+)$/.exec(pathname) ?? []
    if (i === undefined) return {body: this.summary()}
    return now.items[i] ? {body: this.element(now, Number(i))} : this.#problem(404, 'no-such-element')
  }

  apply(items, {insert, delete: gone, move, set}) {
    if (insert) items.splice(insert.at, 0, ...Array.from({length: insert.count}, () => this.item()))
    if (gone) items.splice(gone.at, gone.count)
    if (move) items.splice(move.to, 0, ...items.splice(move.from, 1))
    if (set && items[set.at]) items[set.at] = {...items[set.at], height: set.height}
  }

  /** For `createStore`. */
  fetch = (url, {method, body, signal}) => url.includes('/events') ? this.#events() : new Promise((resolve, reject) => {
    this.asked.push(url)
    const stop = () => reject(signal.reason)
    signal?.addEventListener('abort', stop)
    this.#waiting.push(() => {
      const {status = 200, body: answer} = this.#answer(method, url, body)
      this.#waiting.push(() => {
        signal?.removeEventListener('abort', stop)
        resolve(new Response(JSON.stringify(answer), {status}))
      })
    })
  })

  /** Tells who follows of the newest version, and where it differs from the one that was told before. */
  #tell() {
    const {number, now} = this, before = this.versions[this.#told - 1]
    if (this.#told === number) return
    const frames = [], of = (version, uid) => {
      const i = version.at.get(uid)
      return i === undefined ? undefined : this.element(version, i)
    }
    for (const uid of new Set([...before?.at.keys() ?? [], ...now.at.keys()])) {
      const pair = [before && of(before, uid), of(now, uid)]
      if (JSON.stringify(pair[0]) !== JSON.stringify(pair[1])) frames.push(...pair.filter(Boolean).map(({frame}) => frame))
    }
    const top = Math.min(...frames.map(([, y]) => y)), end = Math.max(...frames.map(([, y, , height]) => y + height))
    this.#say({layout: 'A', version: number, contentSize: {width: now.width, height: now.height},
      ...before ? {invalidatedRects: frames.length ? [[0, Math.floor(top), 400, Math.ceil(end) - Math.floor(top)]] : []}
        : {recovered: false}})
  }

  #say(event) {
    this.#told = event.version
    this.#follower.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
  }

  #events() {
    return new Response(new ReadableStream({start: (controller) => {
      this.#follower = controller
      this.#say({layout: 'A', version: this.number, recovered: false, contentSize: {width: 100, height: this.now.height}})
    }}))
  }

  get isIdle() { return !this.#waiting.length }

  /** Lets one of the waiting requests arrive, or one of the answers. */
  pump(roll) {
    const [next] = this.#waiting.splice(Math.floor(roll() * this.#waiting.length), 1)
    next?.()
  }
}
