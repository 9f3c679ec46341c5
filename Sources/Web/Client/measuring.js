// Rendered cells are measured, and what they are found to be is sent to the server.
//
// In a layout that this page has prepared, the server marks the cells whose heights are guesses, and
// just these are measured. In others, all cells are.

import {axesOf} from './geometry.js'
import {isMeasurable, same} from './elements.js'
import {reflowed} from './reflow.js'

// A difference that nobody sees.
const FINE = 0.02

export class Measuring {
  isSending = false
  #view
  /** By key, the length that was sent last, and the version that has it. */
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

  /** Whether a cell is measured: also one that was, for it may grow. */
  isMeasured(element) {
    return isMeasurable(element) && (!this.#view.store.hasEstimates() || Boolean(element.estimated) || this.#sent.has(element.key))
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
    const fresh = [...layer.records.values()].filter(({element, size}) => !size && this.isMeasured(element))
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
      this.isMeasured(element) && size && Math.abs(size[i] - element.frame[i + 2]) >= FINE)
  }

  /** Where the elements of a layer stand by the lengths that are measured; nothing if all are as the server says. */
  frames(layer, elements) {
    const i = this.#view.axisOf(layer), keys = new Set(elements.map(({key}) => key))
    const lengths = new Map(this.#differing(layer).filter(({element: {key}}) => keys.has(key))
      .map(({element, size}) => [element.key, size[i]]))
    return lengths.size ? reflowed(elements, lengths, i, this.#view.store.reading(layer.section)?.key) : null
  }

  /** Sends the sizes that the server does not know, all in one request. */
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
    const sizes = [], sent = []
    for (const layer of view.layers.values()) for (const {element, size} of layer.records.values()) {
      const i = view.axisOf(layer), length = size?.[i], before = this.#sent.get(element.key)
      if (!size || !this.isMeasured(element)) continue
      const isGuess = view.store.hasEstimates() && element.estimated
      if (!isGuess && Math.abs(length - element.frame[i + 2]) < FINE) continue
      // Where the layout has rounded a length, it is not sent again; where the server has lost it, it is.
      if (before?.length === length && !(element.estimated && version > before.version)) continue
      sent.push([element.key, length])
      sizes.push({at: element.indexPath, [i ? 'height' : 'width']: length})
    }
    if (!sizes.length || axesOf(layout).length > 1) return
    for (const [key, length] of sent) this.#sent.set(key, {length, version: Infinity})
    this.isSending = true
    try {
      const {versionTag = version} = layout, tag = version === layout.version ? versionTag : version
      const answer = await view.store.measured(sizes, {isQuiet: true, headers: {'If-Match': `"${tag}"`}})
      for (const [key, length] of sent) this.#sent.set(key, {length, version: answer.version})
    } catch (reason) {
      for (const [key] of sent) this.#sent.set(key, {})
      if (!view.isEnded) this.#failed(reason, version)
    }
    this.isSending = false
    this.send()
  }

  #failed(reason, version) {
    if (reason.status === 412) {
      // Somebody else was faster, and the index paths may be others now. They are sent again when
      // the other version is here.
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
