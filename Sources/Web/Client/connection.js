// Requests to the server, repeated while it is busy or away.

import {decode, elementsOf} from './cbor.js'
import {rest, varied} from './pauses.js'

/** The answer was no success. `problem` is the problem document (RFC 9457), if there is one. */
export class LayoutError extends Error {
  /** @param {number} status @param {any} problem */
  constructor(status, problem) {
    const {errors: [fault] = [], detail, title = `The server answered ${status}.`} = problem ?? {}
    super(fault ? `${fault.pointer} ${fault.detail}` : detail ?? title)
    this.name = 'LayoutError'
    this.status = status
    this.problem = problem
  }
}

// Below, compressing takes longer than sending.
const GZIP_FROM = 8192
// Bodies of this size are sent again less and less often.
const LARGE = 65_536
// A server that is there again is asked within this time.
const LONGEST = 2000
const LONGEST_FOR_LARGE = 60_000

const ownFetch = (...request) => globalThis.fetch(...request)

/** What an answer says, in CBOR or in JSON. */
async function read(response) {
  if (!/cbor/.test(response.headers.get('Content-Type'))) return response.json()
  const answer = decode(await response.arrayBuffer())
  return answer.elements ? {...answer, elements: elementsOf(answer.elements)} : answer
}

const gzipped = (text) =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).blob()

/** How long to wait after so many failures, in milliseconds. */
export const pauseAfter = (failures, length = 0) =>
  Math.min(250 * 2 ** (failures - 1), length < LARGE ? LONGEST : LONGEST_FOR_LARGE)

/**
 * The path of the service in an address that it gives, which begins with the folder where clients
 * reach it.
 */
const below = (address) => address?.slice(address.lastIndexOf('/layouts/', address.indexOf('?')))

export class Connection {
  /** How long an answer takes, in milliseconds. */
  roundTrip = 50
  #wakers = new Set()
  #takesGzip = typeof CompressionStream === 'function'

  /**
   * @param {import('./layoutd.js').StoreOptions} options
   * @param {{onWaiting: (status: 'busy' | 'slow' | 'offline', reason: any) => void, onAnswer: () => void}} hooks
   */
  constructor(options, hooks) {
    const {server} = options
    // Without a scheme, an address would be a path of this page, or its host a scheme that nobody knows.
    if (!/^([a-z][\w+.-]*:\/\/|[/.]|$)/i.test(server)) throw new TypeError(`server must be an address such as http://localhost:8080, was ${server}.`)
    this.base = server.replace(/\/$/, '')
    this.take(options)
    this.hooks = hooks
  }

  /** Takes over what may become another. */
  take({authorization, fetch = ownFetch}) { Object.assign(this, {authorization, fetch}) }

  /** The field with the key, if there is one. */
  async key() {
    const {authorization} = this
    const key = typeof authorization === 'function' ? await authorization() : authorization
    return key ? {Authorization: key} : {}
  }

  /** Tries again at once what waits. */
  wake() { for (const wake of [...this.#wakers]) wake() }

  async #encoded(text) {
    if (!text || text.length < GZIP_FROM || !this.#takesGzip) return {body: text}
    return {body: await gzipped(text), coding: {'Content-Encoding': 'gzip'}}
  }

  /**
   * Sends a request. Waits while the server is busy, and while it is away if that is safe.
   * @param {string} method @param {string} path
   * @param {{body?: object, signal?: AbortSignal, headers?: object, again?: boolean}} [how]
   *   `again`: it is safe to send it again after a failure of the network
   */
  async send(method, path, {body, signal, headers, again = !body} = {}) {
    const text = body && JSON.stringify(body)
    let sent = await this.#encoded(text)
    for (let failures = 1; ; failures++) {
      const started = performance.now(), key = await this.key()
      let time = varied(pauseAfter(failures, text?.length))
      try {
        const response = await this.fetch(this.base + path, {method, signal, body: sent.body, headers: {
          Accept: 'application/cbor, application/json;q=0.9',
          ...text && {'Content-Type': 'application/json'}, ...sent.coding, ...key, ...headers}})
        if (response.ok) {
          const answer = await read(response)
          this.roundTrip += (Math.min(performance.now() - started, 2000) - this.roundTrip) / 4
          this.hooks.onAnswer()
          return answer
        }
        const reason = new LayoutError(response.status, await response.json().catch(() => null))
        if (reason.status === 415 && sent.coding) {
          this.#takesGzip = false
          sent = {body: text}
          continue
        }
        if (reason.status === 408 && again) this.hooks.onWaiting('slow', reason)
        else if (reason.status === 503) {
          // No earlier than the server says, and not all together.
          time += 1000 * (Number(response.headers.get('Retry-After')) || 1)
          this.hooks.onWaiting('busy', reason)
        } else throw reason
      } catch (reason) {
        if (signal?.aborted || !again || reason instanceof LayoutError) throw reason
        this.hooks.onWaiting('offline', reason)
      }
      await rest(time, signal, this.#wakers)
    }
  }

  /** All pages of an answer. */
  async pages(path, signal) {
    const answers = []
    for (; path; path = below(answers.at(-1).next)) answers.push(await this.send('GET', path, {signal}))
    return answers
  }
}
