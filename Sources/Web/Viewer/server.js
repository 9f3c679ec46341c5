// The requests of this page: to one server, with its key, each one measured.

import {decode} from '../client/cbor.js'

/** The server that this page came from. */
export const base = new URL('../', import.meta.url).href.replace(/\/$/, '')

/** What a server answers instead of what was asked: RFC 9457. */
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body.detail ?? body.title ?? `The server answered ${status}.`)
    this.status = status
    this.type = body.type
    this.title = body.title
    this.faults = body.errors ?? []
    this.retryAfter = retryAfter
  }
}

/** Nobody answers. */
export class Unreachable extends Error {}

let key = ''
const fetchOfBrowser = globalThis.fetch.bind(globalThis)
const listeners = new Set()

/** Uses a key for all further requests. It is kept in memory only. */
export function useKey(text) {
  key = text
}

/**
 * Calls `listener({method, path, status, type, elements, bytes, milliseconds})` after each request.
 */
export function onExchange(listener) {
  listeners.add(listener)
}

/** Whether a stream tells this page what others change. */
export let isLive = true
const liveListeners = new Set()

/** Calls `listener(isLive)` when that changes. */
export function onLive(listener) {
  liveListeners.add(listener)
}

function setLive(isSo) {
  if (isSo === isLive) return
  isLive = isSo
  for (const listener of liveListeners) listener(isSo)
}

/** The field that shows the key, if there is one. */
export const authorization = () => key && `Bearer ${key}`

/**
 * `fetch`, measured. Milliseconds are from the request to the last byte, bytes are
 * those of the body after decompression.
 */
async function measuredFetch(input, init) {
  const request = new Request(input, init), begin = performance.now()
  const isStream = /event-stream/.test(request.headers.get('Accept'))
  const response = await fetchOfBrowser(request).catch((error) => {
    if (error.name === 'AbortError') throw error
    if (isStream) setLive(false)
    throw new Unreachable(error.message)
  })
  // A stream has no end to measure. 404 is news, too: none of the layouts is there.
  if (isStream) setLive(response.ok || response.status === 404)
  else report(request, response.clone(), begin)
  return response
}

// The client asks by the fetch of the page, and shall be measured, too.
globalThis.fetch = measuredFetch

async function report(request, response, begin) {
  try {
    const content = await response.arrayBuffer()
    const exchange = {
      method: request.method, path: request.url.slice(base.length), status: response.status,
      type: response.headers.get('Content-Type'), bytes: content.byteLength, milliseconds: performance.now() - begin,
      elements: /cbor/.test(response.headers.get('Content-Type')) ? decode(content).elements?.x.length ?? 0
        : new TextDecoder().decode(content).split('"category":').length - 1,
    }
    for (const listener of listeners) listener(exchange)
  } catch {
    // The request was given up. Who sent it hears of that.
  }
}

/** The bytes of an answer. Throws a `Problem`, or `Unreachable`. */
export async function askForFile(path) {
  const response = await measuredFetch(base + path, {headers: key ? {Authorization: authorization()} : {}})
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})), 1)
  return response.blob()
}

/** Sends a request and reads JSON. Throws a `Problem`, or `Unreachable`. */
export async function ask(path, {method = 'GET', body, headers = {}, signal, keepalive} = {}) {
  const isText = typeof body === 'string' || body instanceof Blob
  const response = await measuredFetch(base + path, {
    method, signal, keepalive,
    headers: {
      ...body === undefined ? {} : {'Content-Type': 'application/json'},
      ...key ? {Authorization: authorization()} : {}, ...headers},
    body: body === undefined || isText ? body : JSON.stringify(body),
  })
  const isJSON = /json/.test(response.headers.get('Content-Type') ?? '')
  const answer = isJSON ? await response.json() : {}
  if (!response.ok) {
    throw new Problem(response.status, answer, Number(response.headers.get('Retry-After')) || 1)
  }
  return answer
}
