// Rendered cells are measured, and the sizes that differ are sent to the server.

import {axesOf} from './geometry.js'
import {isMeasurable, same} from './elements.js'
import {reflowed} from './reflow.js'

// A difference that nobody sees.
const FINE = 0.02

export class Measuring {
  isSending = false
  #view
  /** Lengths by key, as they were sent last. */
  #sent = new Map()
  /** The layout that they were sent to: one that is prepared again knows none of them. */
  #sentTo = null
  /** A version that was not current any more. */
  #late = null
  #isRefused = false
  #isDue = false
  #observer

  constructor(view) {
    this.#view = view
    this.#observer = new ResizeObserver((entries) => this.#measured(entries))
  }

  observe(node) { this.#observer.observe(node) }
  unobserve(node) { this.#observer.unobserve(node) }
  disconnect() { this.#observer.disconnect() }

  #measured(entries) {
    const view = this.#view, changed = new Set()
    for (const {target, borderBoxSize: [{blockSize, inlineSize}]} of entries) {
      const record = view.recordAt(target)
      if (record?.node !== target || same(record.size, [inlineSize, blockSize])) continue
      record.size = [inlineSize, blockSize]
      changed.add(view.layerOf(record))
    }
    // Before anything is painted.
    for (const layer of changed) if (layer) view.cells.draw(layer)
    this.send()
  }

  /** Measures what is new in a layer. Says whether anything is not as its frame says. */
  measure(layer) {
    const i = this.#view.axisOf(layer)
    const fresh = [...layer.records.values()].filter(({element, size}) => !size && isMeasurable(element))
    for (const record of fresh) {
      const {width, height} = record.node.getBoundingClientRect()
      record.size = [width, height]
    }
    return fresh.some(({element, size}) => Math.abs(size[i] - element.frame[i + 2]) >= FINE)
  }

  /** The records of a layer that have another length than their frames say. */
  #differing(layer) {
    const i = this.#view.axisOf(layer)
    return [...layer.records.values()].filter(({element, size}) =>
      isMeasurable(element) && size && Math.abs(size[i] - element.frame[i + 2]) >= FINE)
  }

  /** Where the elements of a layer stand by the lengths that are measured; nothing if all are as the server says. */
  frames(layer, elements) {
    const i = this.#view.axisOf(layer), keys = new Set(elements.map(({key}) => key))
    const lengths = new Map(this.#differing(layer).filter(({element: {key}}) => keys.has(key))
      .map(({element, size}) => [element.key, size[i]]))
    return lengths.size ? reflowed(elements, lengths, i, this.#view.store.reading(layer.section)?.key) : null
  }

  /** Sends the sizes that differ, all in one request. */
  async send() {
    const view = this.#view, {version, layout} = view.look()
    if (this.isSending || this.#isRefused || view.isEnded || !layout) return
    if (this.#late !== null && (this.#late === version || !view.store.isSettled())) {
      if (!this.#isDue) requestAnimationFrame(() => { this.#isDue = false; this.send() })
      this.#isDue = true
      return
    }
    this.#late = null
    if (this.#sentTo !== layout.id) this.#sent.clear()
    this.#sentTo = layout.id
    const updates = []
    for (const layer of view.layers.values()) for (const {element, size} of this.#differing(layer)) {
      const i = view.axisOf(layer), length = size[i]
      if (this.#sent.get(element.key) === length) continue
      this.#sent.set(element.key, length)
      updates.push({set: {at: element.indexPath,
        items: [{width: null, height: null, aspectRatio: null, [i ? 'height' : 'width']: length}]}})
    }
    if (!updates.length || axesOf(layout).length > 1) return
    this.isSending = true
    try {
      const {versionTag = version} = layout, tag = version === layout.version ? versionTag : version
      await view.store.update(updates, {isQuiet: true, headers: {'If-Match': `"${tag}"`}})
    } catch (reason) {
      if (!view.isEnded) this.#failed(reason, version)
    }
    this.isSending = false
    this.send()
  }

  #failed(reason, version) {
    if (reason.status === 412) {
      // Somebody else was faster, and the index paths may be others now. They are sent again when
      // the other version is here.
      this.#sent.clear()
      this.#late = version
      this.#view.store.refresh()
      return
    }
    if (reason.name === 'AbortError') return
    console.warn(`layoutd: measured sizes were refused: ${reason.message}`)
    this.#isRefused = true
    this.#view.tell('measuring')
  }
}
