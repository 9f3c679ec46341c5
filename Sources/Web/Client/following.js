// Streams of events. All that a page follows of a server comes on one stream, for browsers open six
// connections to a host. Of a page that nobody looks at, the stream ends until it is seen again.

import {pauseAfter, LayoutError} from './connection.js'
import {rest, varied} from './pauses.js'

// The server says something every 15 seconds.
const SILENCE = 40_000
const LONGEST_PAUSE = 30_000
// The server takes no more on one stream.
const MOST_LAYOUTS = 64

const feeds = []
const page = globalThis.document

const within = (time, promise) => {
  let timer
  const late = new Promise((_, reject) => { timer = setTimeout(reject, time) })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** The fields of a message, by name. */
export const fieldsOf = (message) => Object.fromEntries(message.split('\n').flatMap((line) => {
  const [, name, value] = /^(\w+): ?(.*)/.exec(line) ?? []
  return name ? [[name, value]] : []
}))

class Feed {
  listeners = new Map()
  stream = new AbortController()

  constructor(connection) { this.connection = connection }

  takes(id) {
    const ids = new Set(this.listeners.values())
    return ids.size < MOST_LAYOUTS || ids.has(id)
  }

  /** Begins the stream anew, for other layouts. */
  async connect() {
    this.stream.abort()
    const {signal} = this.stream = new AbortController()
    const state = {last: undefined, retry: 2000, failures: 0}
    // Stores that begin to follow at the same time begin one stream.
    await null
    while (this.listeners.size && !signal.aborted) {
      try {
        // Who is seen is woken.
        while (page?.hidden) await rest(SILENCE, signal)
        await this.#read(state, signal)
      } catch (reason) {
        // Who is refused stays away longer; a server that comes back is heard of at once.
        state.failures += reason instanceof LayoutError ? 1 : 0
      }
      if (signal.aborted) return
      const time = state.failures ? Math.min(state.retry * state.failures, LONGEST_PAUSE)
        : Math.min(state.retry, pauseAfter(9))
      await rest(varied(time), signal).catch(() => {})
    }
  }

  async #read(state, ending) {
    const reading = new AbortController(), {signal} = reading, stop = () => reading.abort()
    ending.addEventListener('abort', stop)
    page?.addEventListener('visibilitychange', stop)
    try {
      const {base, fetch} = this.connection, query = [...new Set(this.listeners.values())].map((id) => `layout=${id}`)
      const response = await fetch(`${base}/events?${query.join('&')}`, {signal, headers: {
        Accept: 'text/event-stream', ...state.last && {'Last-Event-ID': state.last}, ...await this.connection.key()}})
      // None of the layouts is there, or all have ended.
      if (response.status === 404 || response.status === 204)
        for (const listener of [...this.listeners.keys()]) listener({reason: 'unknown'})
      if (!response.ok || !response.body) throw new LayoutError(response.status, null)
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      signal.addEventListener('abort', () => { reader.cancel().catch(() => {}) })
      for (let text = '', part; !signal.aborted && !(part = await within(SILENCE, reader.read())).done;) {
        const messages = (text + part.value).split('\n\n')
        text = messages.pop()
        for (const message of messages) this.#hear(message, state)
      }
    } finally {
      ending.removeEventListener('abort', stop)
      page?.removeEventListener('visibilitychange', stop)
      stop()
    }
  }

  #hear(message, state) {
    const {id, retry, data} = fieldsOf(message), event = data && JSON.parse(data)
    state.failures = 0
    state.last = id ?? state.last
    state.retry = Number(retry ?? state.retry)
    for (const [listener, layout] of [...this.listeners]) if (event?.layout === layout) listener(event)
  }
}

/**
 * Hears of new versions of a layout.
 * @param {import('./connection.js').Connection} connection
 * @param {string} id @param {(event: {version?: number, reason?: string}) => void} listener
 * @returns {() => void} ends it
 */
export function follow(connection, id, listener) {
  const isSame = ({connection: {base, authorization, fetch}}) =>
    base === connection.base && authorization === connection.authorization && fetch === connection.fetch
  let feed = feeds.find((feed) => isSame(feed) && feed.takes(id))
  if (!feed) feeds.push(feed = new Feed(connection))
  feed.listeners.set(listener, id)
  feed.connect()
  return () => {
    feed.listeners.delete(listener)
    if (feed.listeners.size) return void feed.connect()
    feed.stream.abort()
    feeds.splice(feeds.indexOf(feed), 1)
  }
}
