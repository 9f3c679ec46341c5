// What is known of sections: where those near the window are, and how many items come before them.

import {contains, grown, intersection} from './rects.js'
import {isHierarchy, isHorizontal, tagOf} from './geometry.js'
import {isCell} from './elements.js'

// Whoever follows counts items again when nothing has changed for so many milliseconds.
const CALM = 1000

export class Sections {
  known = new Map()
  #rect = null
  #tag = null
  #starts = new Map([[0, 0]])
  /** The starts of the version before, until they are counted again. */
  #before = new Map()
  #isCounting = false
  #timer = null

  constructor(store) { this.store = store }

  /** The layout has another version, or is another one. */
  forget(isOther) {
    if (isOther) this.#before = new Map()
    else if (this.#starts.size > 1) this.#before = this.#starts
    this.#starts = new Map([[0, 0]])
    this.#tag = null
  }

  /** Whether all that is known is of a version. */
  isOf(summary) { return this.#tag === tagOf(summary) }

  /** Another version has the same sections. */
  keep(summary) {
    this.#tag = tagOf(summary)
    this.#starts = new Map([[0, 0], ...this.#before])
  }

  /**
   * Asks for the sections near a rect, if they matter and are not known.
   * @returns {Promise<{sections: Map, rect: any, tag: any} | undefined>} what `take` takes over
   */
  async learn(rect, summary, signal) {
    const {kind, counts, arrange, versionTag = summary.version} = summary
    // What was known of a layout that scrolled sideways is no longer so.
    if (isHierarchy(summary) || kind !== 'compositional' && counts.sections < 2 && !arrange && !isHorizontal(summary))
      return this.known.size ? {rect, tag: null, sections: new Map()} : undefined
    if (this.#tag === versionTag && contains(this.#rect, intersection(rect, this.store.content))) return
    const wide = grown(rect, 2), answers = await this.store.getPages(`/sections?rect=${wide}`, signal)
    return {rect: wide, tag: versionTag, sections: new Map(answers.flatMap(({sections}) =>
      sections.map((section) => [section.section, Object.freeze(section)])))}
  }

  take({sections, rect, tag}) {
    this.known = sections
    this.#rect = rect
    this.#tag = tag
  }

  /** How many items come before a cell, once it is known. */
  ordinal({indexPath: [section, item], row}) {
    if (row) return
    const start = this.#starts.get(section) ?? this.#before.get(section)
    return start === undefined ? undefined : start + item
  }

  /** Learns how many items come before the sections that are shown, at once if nobody knows what it was before. */
  count(elements) {
    clearTimeout(this.#timer)
    const cells = elements.filter(isCell), isKnown = ({indexPath: [section]}) => this.#before.has(section)
    if (!this.store.options.follow || !cells.every(isKnown)) return this.#ask(cells)
    this.#timer = setTimeout(() => this.#ask(this.store.snapshot.elements.filter(isCell)), CALM)
  }

  async #ask(cells) {
    if (this.#isCounting || !this.store.layout || this.store.isClosed || this.store.layout.kind === 'outline') return
    this.#isCounting = true
    const counted = this.#starts
    try {
      for (const {indexPath: [section, item]} of cells) {
        if (counted !== this.#starts) break
        if (counted.has(section)) continue
        const {items, hidden = 0} = this.known.get(section - 1) ?? {}, start = counted.get(section - 1) + items - hidden
        counted.set(section, isNaN(start) ? (await this.store.get(`/items/${section}/${item}`)).ordinal - item : start)
        this.store.emit()
      }
    } catch { /* The next answer tries again. */ }
    this.#isCounting = false
  }
}
