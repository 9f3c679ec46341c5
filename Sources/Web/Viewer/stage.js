// The layout that is open: what it is, how it is scrolled, how it is changed.

import {make, pairs, byID} from './dom.js'
import * as format from './format.js'
import {Minimap, setSpectrum} from './minimap.js'
import {Pane} from './pane.js'
import {measured, newItem} from './edits.js'
import {authorization, base} from './server.js'

/** How many cells in sight are measured at once. */
const MEASURED = 200

export class Stage {
  /**
   * @param hooks `onMove(id, rect)` after each scroll, `onProblem(error)`, `onFine()` when the server
   *   answers again.
   */
  constructor(hooks) {
    this.hooks = hooks
    this.minimap = new Minimap(byID('minimap'), byID('place'), (x, y) => this.pane.jump(x, y))
    setSpectrum(byID('minimap'))
    this.pane = new Pane(byID('pane'), {
      onMove: () => this.#moved(),
      onProblem: (error) => hooks.onProblem(error),
      onFine: () => hooks.onFine(),
      onPreparedAgain: () => this.#say('The server had forgotten this layout. It is prepared again.'),
      onSummary: (summary) => this.#took(summary),
    })
    byID('insert').addEventListener('click', () => this.insert())
    byID('delete').addEventListener('click', () => this.deleteFirst())
    byID('measure').addEventListener('click', () => this.measure())
    byID('go').addEventListener('submit', (event) => {
      event.preventDefault()
      this.go(format.parseCount(byID('go-item').value))
    })
    for (const [box, name] of [['show-outlines', 'outlines'], ['show-paths', 'paths']]) {
      const apply = () => byID('window').classList.toggle(name, byID(box).checked)
      byID(box).addEventListener('change', apply)
      apply()
    }
  }

  /** The width that a layout of this page should have, in points. */
  get bounds() {
    return this.pane.bounds
  }

  /**
   * Opens a layout.
   *
   * @param summary What prepare or `GET /layouts/{id}` answered.
   * @param opened `{kind, sentence, lines, rect, prepareAgain, milliseconds, fitsWindow}`; `lines` is
   *   where the lines of a tree go, `prepareAgain` is absent for layouts of others, which keep their
   *   bounds.
   */
  open(summary, opened) {
    this.summary = summary
    this.opened = opened
    this.#showTools()
    this.#showFigures()
    this.pane.open(summary, opened)
  }

  /** Applies a change of kind or options, animated. Throws what the server refuses. */
  patch(change) {
    return this.pane.patch(change)
  }

  /** Draws the lines of a tree in another direction. */
  showLines(lines) {
    this.pane.showLines(lines)
  }

  /** Another kind lays out the same collection now. */
  showKind(kind, sentence) {
    Object.assign(this.opened, {kind, sentence})
    this.#showTools()
  }

  async insert() {
    const {kind} = this.opened
    const insert = kind.form === 'forest'
      ? {insertNode: {parent: [0, 0], at: 0, node: {}}}
      : {insert: {at: [0, 0], items: newItem(kind.name, this.pane.rect)}}
    if (await this.#update([insert])) this.#say('One item is inserted at [0, 0].')
  }

  async deleteFirst() {
    const [first] = this.pane.cellsInSight
    if (!first) return this.#say('There is no cell in sight.')
    const path = first.indexPath
    const update = this.opened.kind.form === 'forest' ? {deleteNode: {at: path}} : {delete: {at: path}}
    if (await this.#update([update])) this.#say(`The item at [${path.join(', ')}] is deleted.`)
  }

  async measure() {
    const updates = this.pane.cellsInSight.slice(0, MEASURED)
      .map(({indexPath}) => measured(this.opened.kind.name, indexPath)).filter(Boolean)
    if (updates.length === 0) return this.#say('There is no cell in sight.')
    if (await this.#update(updates)) this.#say(`${updates.length} items in sight have new sizes.`)
  }

  /** Scrolls to the item of a number that counts through all sections. */
  async go(ordinal) {
    if (!Number.isInteger(ordinal) || ordinal < 0) {
      return this.#say('The number of an item is a whole number from 0.')
    }
    try {
      const {indexPath} = await this.pane.goTo(ordinal)
      this.#say(`Item ${format.count(ordinal)} is at [${indexPath.join(', ')}].`)
    } catch (error) {
      if (error.status === 404 && /element/.test(error.type)) this.#say(error.message)
      else this.hooks.onProblem(error)
    }
  }

  async #update(updates) {
    try {
      await this.pane.update(updates)
      return true
    } catch (error) {
      this.hooks.onProblem(error)
      return false
    }
  }

  /** There is another version. */
  #took(summary) {
    this.summary = summary
    this.opened.milliseconds = null
    this.#showFigures()
  }

  #moved() {
    const {rect, content} = this.pane
    if (!content?.[3] || !rect?.[3]) return
    this.minimap.show(content, rect)
    byID('window').dataset.axis = byID('minimap').dataset.axis
    byID('picture').href = `${base}/layouts/${this.summary.id}/picture?rect=${rect}`
    // A link cannot send the key.
    byID('picture').hidden = Boolean(authorization())
    this.hooks.onMove(this.summary.id, rect)
  }

  #showTools() {
    const {kind, sentence} = this.opened
    byID('stage-title').textContent = kind.name
    byID('stage-sentence').textContent = sentence
    byID('kind-toggle').disabled = kind.form !== 'sections'
    for (const input of byID('kind-toggle').querySelectorAll('input')) {
      input.checked = input.value === kind.name
    }
    byID('measure').disabled = !measured(kind.name, [0, 0])
    byID('go').hidden = kind.form === 'forest'
  }

  #showFigures() {
    const {counts, contentSize, memoryBytes, version} = this.summary
    const {milliseconds} = this.opened
    const isWide = contentSize.width > contentSize.height * 4
    const length = isWide ? contentSize.width : contentSize.height
    byID('figures').replaceChildren(...pairs([
      ['cells', format.count(counts.cells)],
      [isWide ? 'long' : 'high', format.onScreen(length),
        make('span', {class: 'visually-hidden'}, ` on a screen, ${format.count(length)} points`)],
      ['on the server', format.bytes(memoryBytes)],
      milliseconds ? ['prepared in', format.milliseconds(milliseconds)] : ['version', format.count(version)]]))
  }

  #say(text) {
    byID('said').textContent = text
  }
}
