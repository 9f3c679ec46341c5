// Where the reader has come to: what is in sight, the ends of the content, and what is new below.

import {meets} from './rects.js'
import {inDocumentOrder} from './elements.js'

export class Arriving {
  #view
  #range = ''
  #status = ''
  /** By the name of a callback, the content at whose end it was called. */
  #told = new Map()
  /** The last item when the reader was at the end. */
  #last = null
  #below = 0
  #counted = ''
  #isDue = false

  constructor(view) { this.#view = view }

  /** Something has been drawn. */
  drawn() {
    const view = this.#view, {onRange, onBelow} = view.options, {visible} = view.main
    if (!visible[2] || !view.look().layout) return
    const seen = onRange || onBelow ? view.ofCells().map(({element}) => element).filter(({frame}) => meets(frame, visible)).sort(inDocumentOrder) : []
    const first = seen[0], last = seen.at(-1), range = `${first?.key} ${last?.key}`
    if (onRange && first && range !== this.#range) onRange({first, last})
    this.#range = range
    if (view.isShown) return this.#arrived(last)
    if (!this.#isDue) requestAnimationFrame(() => {
      this.#isDue = false
      if (!view.isEnded) this.drawn()
    })
    this.#isDue = true
  }

  /** All that is in sight is known. */
  #arrived(last) {
    const view = this.#view, {onStart, onEnd, onBelow} = view.options, {visible} = view.main
    // Who opens a page at its end was never at its start.
    if (view.landing.isUnderWay) return
    const {main} = view, i = view.mainAxis(), length = visible[i + 2]
    const [before, after] = main.distances(i).map((distance, at) => distance - (i ? main.beyond[at] : 0))
    this.#tell(onStart, 'start', before < length)
    this.#tell(onEnd, 'end', after < length)
    if (onBelow) this.#count(last, view.ends().isAtEnd, onBelow)
  }

  /** Calls once for each content, as soon as its end is less than a screen away. */
  #tell(call, name, isNear) {
    const {content} = this.#view.look(), now = isNear ? `${content}` : ''
    if (this.#told.get(name) === now) return
    this.#told.set(name, now)
    if (isNear) call?.()
  }

  /** How many items have come behind the one that was the last. */
  async #count(last, isAtEnd, onBelow) {
    const {store, look} = this.#view, {layout: {id, version}} = look()
    if (isAtEnd) this.#last = last ?? this.#last
    const state = `${id} ${version} ${isAtEnd}`
    if (!this.#last || state === this.#counted) return
    this.#counted = state
    const place = this.#last.id === undefined ? {item: this.#last.indexPath} : {id: this.#last.id}
    const [{cells}, {ordinal}] = isAtEnd ? [{cells: 1}, {ordinal: 0}]
      : await Promise.all([store.counts(), store.locate(place)]).catch(() => [{}, {}])
    if (state !== this.#counted || ordinal === undefined) return
    const below = cells - 1 - ordinal
    if (below !== this.#below) onBelow(this.#below = below)
  }

  /** Something is known that was not before. */
  changed() {
    const {options, look} = this.#view, {status, error} = look()
    if (status === this.#status) return
    this.#status = status
    options.onStatus?.(status, error)
  }
}
