// What is known of sections: where those near the window are, and how many items come before them.

import {contains, grown, intersection} from './rects.js'
import {isHorizontal} from './geometry.js'
import {isCell} from './elements.js'

export class Sections {
  known = new Map()
  #rect = null
  #tag = null
  #starts = new Map([[0, 0]])
  #isCounting = false

  constructor(store) { this.store = store }

  /** The layout has another version. */
  forget() {
    this.#starts = new Map([[0, 0]])
    this.#tag = null
  }

  /**
   * Asks for the sections near a rect, if they matter and are not known.
   * @returns {Promise<{sections: Map, rect: any, tag: any} | undefined>} what `take` takes over
   */
  async learn(rect, summary, signal) {
    const {kind, counts, arrange, versionTag = summary.version} = summary
    // What was known of a layout that scrolled sideways is no longer so.
    if (kind === 'tree' || kind !== 'compositional' && counts.sections < 2 && !arrange && !isHorizontal(summary))
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
  ordinal({indexPath: [section, item]}) {
    const start = this.#starts.get(section)
    return start === undefined ? undefined : start + item
  }

  /** Learns how many items come before the sections that are shown. */
  async count(elements) {
    if (this.#isCounting || !this.store.layout) return
    this.#isCounting = true
    const counted = this.#starts
    try {
      for (const {indexPath: [section, item]} of elements.filter(isCell)) {
        if (counted !== this.#starts) break
        if (counted.has(section)) continue
        const start = counted.get(section - 1) + this.known.get(section - 1)?.items
        counted.set(section, isNaN(start) ? (await this.store.get(`/items/${section}/${item}`)).ordinal - item : start)
        this.store.emit()
      }
    } catch { /* The next answer tries again. */ }
    this.#isCounting = false
  }
}
