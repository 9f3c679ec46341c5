// Rendered cells are measured, and what they are found to be is sent to the server.
//
// In a layout that this page has prepared, the server marks the cells whose heights are guesses, and
// just these are measured. In others, all cells are.

import {axesOf} from './geometry.js'
import {breaksAlike, isMeasurable, same} from './elements.js'
import {reflowed} from './reflow.js'

// A difference that nobody sees.
const FINE = 0.02

export class Measuring {
  isSending = false
  #view
  /** By key, what cells are found to be: those in sight, and others until the server has answered. */
  #sizes = new Map()
  /** By key, the length that was sent last, and the version that has it. */
  #sent = new Map()
  /** The layout that they were sent to: one that is prepared again knows none of them. */
  #sentTo = null
  /** A version that was not current any more. */
  #late = null
  /** Cells whose ids are those of no item any more, or of several. */
  #unnamed = new Set()
  /** Whether the next sizes go by place: the server tells one such cell at a time, and there may be many. */
  #goesByPlace = false
  #isRefused = false
  #isDue = false
  #observer

  constructor(view) {
    this.#view = view
    this.#observer = new ResizeObserver((entries) => this.#measured(entries))
  }

  /** Whether the layout takes sizes: a tree, which scrolls both ways, does not. */
  #isTaken() {
    const {layout} = this.#view.look()
    return Boolean(layout) && !this.#isRefused && axesOf(layout).length < 2
  }

  /** Whether a cell is measured: also one that was, for it may grow. */
  isMeasured(element) {
    return this.#isTaken() && isMeasurable(element) && (!this.#view.store.hasEstimates() || Boolean(element.estimated) ||
      Boolean(element.parts) && !breaksAlike || this.#sent.has(element.key))
  }

  observe(node) { this.#observer.observe(node) }
  unobserve(node) { if (node) this.#observer.unobserve(node) }
  disconnect() { this.#observer.disconnect() }

  /** The style of the box in a cell that is as long as its content, whatever the cell is. */
  styleOf(element, i) {
    const [, , width, height] = element.frame
    return this.isMeasured(element) ? {display: 'flow-root', boxSizing: 'border-box', width: i ? `${width}px` : 'max-content',
      height: i ? 'auto' : `${height}px`} : {display: 'contents'}
  }

  #measured(entries) {
    const view = this.#view, changed = new Set()
    for (const {target} of entries) {
      const record = view.recordAt(target), layer = record?.inner === target && view.layerOf(record)
      if (layer && this.#take(record, view.axisOf(layer))) changed.add(layer)
    }
    // Before anything is painted.
    for (const layer of changed) view.cells.draw(layer)
    this.send()
  }

  /**
   * Measures a cell in its own points, however its page is scaled. Says whether it is another size than
   * before. What is hidden has none.
   */
  #take(record, i) {
    const {element, frame, inner} = record, cross = frame[3 - i], length = parseFloat(getComputedStyle(inner)[i ? 'height' : 'width'])
    const size = {axis: i, cross, length, at: element.indexPath}
    if (!cross || isNaN(length) || same(size, record.size)) return false
    this.#sizes.set(element.key, record.size = size)
    return true
  }

  /** Whether a size is an element's: an id of several items names another one after a jump. */
  #isOf(size, {key, indexPath}) { return size && (!this.#goesByPlace && !this.#unnamed.has(key) || same(size.at, indexPath)) }

  /** Measures what is new in a layer. Says whether anything is not as its frame says. */
  measure(layer) {
    const i = this.#view.axisOf(layer), fresh = [...layer.records.values()].filter((record) =>
      !this.#isOf(record.size, record.element) && this.isMeasured(record.element) && this.#take(record, i))
    return fresh.some(({element}) => this.#unknown(element, i) !== undefined)
  }

  /** How long a cell is, if the frames are of a version that does not have that. */
  #unknown(element, i) {
    const {frame, key, estimated} = element, size = this.#sizes.get(key), before = this.#sent.get(key)
    if (!this.#isOf(size, element) || size.axis !== i || size.cross !== frame[3 - i] || !this.isMeasured(element)) return
    const {length} = size
    const {version} = this.#view.look(), isGuess = estimated && this.#view.store.hasEstimates()
    if (!isGuess && Math.abs(length - frame[i + 2]) < (element.parts && !estimated ? 1 : FINE)) return
    // The layout may have rounded a length, or made all of a row as long; if it has lost one, it is estimated again.
    if (before?.length === length && version >= before.version && !(estimated && version > before.version)) return
    return length
  }

  /** Where the elements of a layer stand by the lengths that are measured; nothing if all are as the server says. */
  frames(layer, elements) {
    const i = this.#view.axisOf(layer), lengths = new Map()
    for (const [key, {size}] of layer.records) if (size) this.#sizes.set(key, size)
    for (const element of elements) {
      const length = this.#unknown(element, i)
      if (length !== undefined) lengths.set(element.key, length)
    }
    return lengths.size ? reflowed(elements, lengths, i, this.#view.store.reading(layer.section)?.key) : null
  }

  /** Sends the sizes that the server does not know, all in one request: by ids, where there are any. */
  async send() {
    const view = this.#view, {version, layout, elements} = view.look()
    if (this.isSending || view.isEnded || !this.#isTaken()) return
    if (this.#late !== null && (this.#late === version || !view.store.isSettled())) {
      if (!this.#isDue) requestAnimationFrame(() => { this.#isDue = false; this.send() })
      this.#isDue = true
      return
    }
    this.#late = null
    if (this.#sentTo !== layout.id) for (const known of [this.#sent, this.#unnamed]) known.clear()
    this.#sentTo = layout.id
    const named = [], placed = [], held = new Map(elements.map((element) => [element.key, element]))
    for (const [key] of this.#sizes) {
      const element = held.get(key), before = this.#sent.get(key), i = element && view.axisOf(view.layers.get(element.indexPath[0]) ?? view.main)
      const length = element && this.#unknown(element, i)
      if (length === undefined) {
        if (!view.recordOf(key)) this.#sizes.delete(key)
      } else if (before?.length !== length || version >= before.version) {
        const {id, indexPath} = element, size = {[i ? 'height' : 'width']: length}
        const isNamed = key === `#${id}` && !this.#unnamed.has(key) && !this.#goesByPlace
        if (isNamed) named.push({key, length, size: {id, ...size}})
        else placed.push({key, length, size: {at: indexPath, ...size}})
      }
    }
    const sent = named.length ? named : placed
    this.#goesByPlace = false
    if (!sent.length) return
    for (const {key, length} of sent) this.#sent.set(key, {length, version: Infinity})
    this.isSending = true
    try {
      const {versionTag = version} = layout, tag = version === layout.version ? versionTag : version
      // An index path is that of another item as soon as somebody changes the layout.
      const headers = sent === placed ? {'If-Match': `"${tag}"`} : {}
      const answer = await view.store.measured(sent.map(({size}) => size), {isQuiet: true, headers})
      for (const {key, length} of sent) this.#sent.set(key, {length, version: answer.version})
    } catch (reason) {
      for (const {key} of sent) this.#sent.set(key, {})
      if (!view.isEnded) this.#failed(reason, version, sent)
    }
    this.isSending = false
    this.send()
  }

  #failed(reason, version, sent) {
    if (reason.name === 'AbortError') return
    const wrong = (reason.problem?.errors ?? []).map(({pointer}) => /^\/sizes\/(\d+)\/id$/.exec(pointer)?.[1])
    const isOfIDs = wrong.length > 0 && wrong.every(Boolean)
    if (isOfIDs) for (const i of wrong) this.#unnamed.add(sent[i].key)
    this.#goesByPlace = isOfIDs
    if (isOfIDs || reason.status !== 422) {
      // Items were deleted or share an id, somebody else was faster, or the layout is gone. What is left is sent
      // again when the current version is here.
      this.#late = isOfIDs ? -1 : version
      if (isOfIDs) this.#draw()
      this.#view.store.refresh()
      return
    }
    console.warn(`layoutd: measured sizes were refused: ${reason.message}`)
    this.#isRefused = true
    this.#draw()
    this.#view.tell('measuring')
  }

  #draw() { for (const layer of this.#view.layers.values()) this.#view.cells.draw(layer) }
}
