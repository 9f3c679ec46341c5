// Where the reader has come to: what is in sight, the ends of the content, and what is new below.

import {meets} from './rects.js'
import {inDocumentOrder, isCell} from './elements.js'
import {tagOf} from './geometry.js'

// So many cells may take over from the last one that was seen.
const MOST = 100

export class Arriving {
  #view
  #range = ''
  #status = ''
  /** By the name of a callback, the content at whose end it was called. */
  #told = new Map()
  /** The last cell that was seen since the reader was at the end, those before it, and the version that they are of. */
  #last = null
  #below = 0
  #counted = ''
  #isCounting = false
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
    if (view.isShown) return this.#arrived(seen)
    if (!this.#isDue) requestAnimationFrame(() => {
      this.#isDue = false
      if (!view.isEnded) this.drawn()
    })
    this.#isDue = true
  }

  /** All that is in sight is known. */
  #arrived(seen) {
    const view = this.#view, {onStart, onEnd, onBelow} = view.options, {visible} = view.main
    // Who opens a page at its end was never at its start.
    if (view.landing.isUnderWay) return
    const {main} = view, i = view.mainAxis(), length = visible[i + 2]
    const [before, after] = main.distances(i).map((distance, at) => distance - (i ? main.beyond[at] : 0))
    this.#tell(onStart, 'start', before < length)
    this.#tell(onEnd, 'end', after < length)
    if (onBelow) this.#look(seen.at(-1), view.ends().isAtEnd)
  }

  /** Calls once for each content, as soon as its end is less than a screen away. */
  #tell(call, name, isNear) {
    const {content} = this.#view.look(), now = isNear ? `${content}` : ''
    if (this.#told.get(name) === now) return
    this.#told.set(name, now)
    if (isNear) call?.()
  }

  /** A cell is the last one in sight: the last that was seen, if it is behind the one that was. */
  #look(seen, isAtEnd) {
    const view = this.#view, {layout, version, elements} = view.look(), last = this.#last
    const isBehind = last?.version === version && last.id === layout.id && seen && inDocumentOrder(seen, last.cells[0]) > 0
    if (seen && (isAtEnd || isBehind)) {
      const cells = elements.filter((one) => isCell(one) && inDocumentOrder(one, seen) <= 0).sort(inDocumentOrder).reverse().slice(0, MOST)
      this.#last = {id: layout.id, version, versionTag: version === layout.version ? tagOf(layout) : version, cells}
    }
    if (isAtEnd) this.#tellBelow(0)
    else if (this.#last) this.#count()
  }

  #tellBelow(count) {
    if (count !== this.#below) this.#view.options.onBelow(this.#below = count)
  }

  /** Asks how many cells are behind the last one that was seen. */
  async #count() {
    const view = this.#view, {store} = view, {layout: {id}, version} = view.look(), last = this.#last
    const state = `${id} ${version} ${last.cells[0].indexPath}`
    if (this.#isCounting || state === this.#counted) return
    this.#counted = state
    this.#isCounting = true
    try {
      const now = last.id === id && last.version === version ? last : await store.trace(last.cells, tagOf(last))
      // The reader may have come further meanwhile, or to the end.
      if (this.#last === last && !view.isEnded) {
        const [{indexPath}] = (this.#last = now ?? last).cells, {sections, cells} = now?.summary?.counts ?? await store.counts()
        const ordinal = sections > 1 ? (await store.locate({item: indexPath})).ordinal : indexPath[1]
        if (!view.ends().isAtEnd) this.#tellBelow(cells - 1 - ordinal)
      }
    } catch { /* The next version tries again. */ }
    this.#isCounting = false
    if (!view.isEnded) this.drawn()
  }

  /** Something is known that was not before. */
  changed() {
    const {options, look} = this.#view, {status, error} = look()
    if (status === this.#status) return
    this.#status = status
    options.onStatus?.(status, error)
  }
}
