// The layout that is open, in one pane or two: what it is, how it is scrolled, how it is changed.
//
// The tools are about the pane that is in use. Items belong to the collection, so they are changed
// by the first pane, which has it; the second pane has a view.

import {calmly} from './calm.js'
import {Divider} from './divider.js'
import {make, pairs, byID} from './dom.js'
import * as format from './format.js'
import {Minimap, setSpectrum} from './minimap.js'
import {Pane} from './pane.js'
import {SecondPane} from './second.js'
import {measured, newItem} from './edits.js'
import {askForFile, authorization, base, isLive, onLive} from './server.js'

/** How many cells in sight are measured at once. */
const MEASURED = 200
/** How long it stands what was said of something done, in milliseconds. */
const SAID = 8_000

export class Stage {
  /**
   * @param hooks `onMove(id, rect)` after each scroll, `onProblem(error)`, `onFine()` when the
   *   server answers again, `onUse(opened)` when another pane is in use, `onKind(pane, name)` when
   *   somebody else has changed the kind, `chooseKind(name)` when the person wants another kind in
   *   the pane in use, `onShown()` when anything else about what is shown is another.
   */
  constructor(hooks) {
    this.hooks = hooks
    this.minimap = new Minimap(byID('minimap'), byID('place'), (x, y) => this.used.jump(x, y))
    setSpectrum(byID('minimap'))
    new Divider(byID('divider'), byID('panes'))
    this.pane = new Pane(byID('pane'), {
      onMove: () => this.#moved(this.pane),
      onProblem: (error) => hooks.onProblem(error),
      onSelect: (count) => this.#saySelected(count),
      onFine: () => hooks.onFine(),
      onPreparedAgain: () => this.say('The server had forgotten this layout. It is prepared again.'),
      onSummary: (isAnother) => {
        this.#took(this.pane)
        // The view has ended with the collection. There can be a view of this one.
        if (isAnother) this.second.askAgain()
      },
    })
    this.second = new SecondPane({
      onMove: () => this.#moved(this.second),
      onSelect: (count) => this.#saySelected(count),
      onPreparedAgain: () => this.say('The server had forgotten the view. There is another one.'),
      onSummary: () => this.#took(this.second),
    }, this.pane)
    this.used = this.pane
    this.sides = new Map([[this.pane, byID('first-side')], [this.second, byID('second-side')]])
    for (const [pane, side] of this.sides) {
      for (const name of ['pointerdown', 'focusin']) side.addEventListener(name, () => calmly('use', () => this.#use(pane)))
      side.querySelector('select').addEventListener('change', ({target: {value}}) => {
        this.#use(pane)
        hooks.chooseKind(value)
      })
    }
    byID('lay-out-as').addEventListener('change', ({target: {value}}) => hooks.chooseKind(value))
    byID('picture').addEventListener('click', (event) => this.#savePicture(event))
    byID('second-pane').addEventListener('click', () => this.toggleSecond())
    byID('close-second').addEventListener('click', () => {
      this.#closeSecond()
      byID('second-pane').focus()
    })
    byID('insert').addEventListener('click', () => this.insert())
    byID('delete').addEventListener('click', () => this.deleteFirst())
    byID('measure').addEventListener('click', () => this.measure())
    byID('go').addEventListener('submit', (event) => {
      event.preventDefault()
      this.go(format.parseCount(byID('go-item').value))
      // The next number takes its place, whether or not there is such an item.
      byID('go-item').select()
    })
    for (const [box, name] of [['show-outlines', 'outlines'], ['show-paths', 'paths']]) {
      const apply = () => byID('window').classList.toggle(name, byID(box).checked)
      byID(box).addEventListener('change', apply)
      apply()
    }
    onLive(() => this.#showLive())
  }

  /** The kinds that there are. */
  setKinds(kinds) {
    this.kinds = kinds
  }

  /** The width that a layout of this page should have, in points. */
  get bounds() {
    return this.pane.bounds
  }

  /** What is said of the layout in the pane in use, see `open`. */
  get opened() {
    return this.used.opened
  }

  /**
   * Opens a layout in the first pane. If there is a second one, it gets a view of it.
   *
   * @param summary What prepare or `GET /layouts/{id}` answered.
   * @param opened `{kind, options, sentence, rect, prepareAgain, milliseconds, fitsWindow,
   *   isView}`; `prepareAgain` is absent for layouts of others, which keep their bounds. Items of a
   *   view cannot be changed. `wanted` is what collection.js made the items of, and `isEdited` says
   *   that they were changed since; `origins` is what another pane knows of the same items.
   */
  open(summary, opened) {
    this.pane.open(summary, opened)
    this.used = this.pane
    this.showOpened()
    this.#showLive()
    if (this.isDouble) this.#openSecond()
  }

  /** Shows what is said of the layouts: names, kinds, figures, what one may do. */
  showOpened() {
    calmly(this, () => {
      for (const [pane, side] of this.sides) {
        side.toggleAttribute('data-used', pane === this.used)
        if (pane.opened) this.#showHead(pane, side)
      }
      this.#showTools()
      this.#showFigures()
      this.hooks.onShown()
    })
  }

  /** Asks the server again, at once. */
  askAgain() {
    for (const pane of this.sides.keys()) pane.askAgain()
  }

  toggleSecond() {
    return this.isDouble ? this.#closeSecond() : this.#openSecond()
  }

  async #openSecond() {
    this.#setDouble(true)
    try {
      if (!await this.second.openBeside(this.kinds)) return
      this.showOpened()
      this.say('Two panes show one collection. What is changed in one appears in the other.')
    } catch (error) {
      calmly('close', () => this.#closeSecond())
      this.hooks.onProblem(error)
    }
  }

  #closeSecond() {
    this.second.close()
    this.#setDouble(false)
    this.#use(this.pane)
    this.say('')
  }

  /** Each pane has its kind above it when there are two. */
  #setDouble(isDouble) {
    this.isDouble = isDouble
    byID('panes').toggleAttribute('data-double', isDouble)
    for (const id of ['second-side', 'divider', 'first-head']) byID(id).hidden = !isDouble
    byID('second-pane').setAttribute('aria-pressed', String(isDouble))
  }

  /** The tools are about this pane now. */
  #use(pane) {
    if (pane === this.used || !pane.opened) return
    this.used = pane
    this.showOpened()
    this.#moved(pane)
    this.hooks.onUse(pane.opened)
  }

  async insert() {
    const {kind} = this.opened
    const insert = kind.form === 'forest'
      ? {insertNode: {parent: [0, 0], at: 0, node: {}}}
      : {insert: {at: [0, 0], items: newItem(kind.name, this.used.rect)}}
    if (await this.#update([insert])) this.say('One item is inserted at [0, 0].')
  }

  async deleteFirst() {
    const [first] = this.used.cellsInSight
    if (!first) return this.say('There is no cell in sight.')
    const path = first.indexPath
    const update = this.opened.kind.form === 'forest' ? {deleteNode: {at: path}} : {delete: {at: path}}
    if (await this.#update([update])) this.say(`The item at [${path.join(', ')}] is deleted.`)
  }

  async measure() {
    const updates = this.used.cellsInSight.slice(0, MEASURED)
      .map(({indexPath}) => measured(this.opened.kind.name, indexPath)).filter(Boolean)
    if (updates.length === 0) return this.say('There is no cell in sight.')
    if (await this.#update(updates)) this.say(`${updates.length} items in sight have new sizes.`)
  }

  /** Scrolls to the item of a number that counts through all sections. */
  async go(ordinal) {
    if (!Number.isInteger(ordinal) || ordinal < 0) {
      return this.say('The number of an item is a whole number from 0.')
    }
    try {
      const {indexPath} = await this.used.goTo(ordinal)
      this.say(`Item ${format.count(ordinal)} is at [${indexPath.join(', ')}].`)
    } catch (error) {
      if (error.status === 404 && /element/.test(error.type)) this.say(error.message)
      else this.hooks.onProblem(error)
    }
  }

  async #update(updates) {
    try {
      await this.pane.update(updates)
      this.pane.opened.isEdited = true
      if (!isLive) this.second.askAgain()
      return true
    } catch (error) {
      this.hooks.onProblem(error)
      return false
    }
  }

  /** A pane has another version. */
  #took(pane) {
    const {opened, summary} = pane
    opened.milliseconds = null
    this.showOpened()
    if (summary.kind !== opened.kind.name && !pane.patching) this.hooks.onKind(pane, summary)
  }

  #moved(pane) {
    const {rect, content, summary} = pane
    if (!content?.[3] || !rect?.[3]) return
    if (pane === this.pane) this.hooks.onMove(summary.id, rect)
    if (pane !== this.used) return
    this.minimap.show(content, rect)
    const {axis} = byID('minimap').dataset
    if (byID('window').dataset.axis !== axis) calmly('axis', () => { byID('window').dataset.axis = axis })
    byID('picture').href = `${base}/layouts/${summary.id}/picture?rect=${rect}`
    byID('picture').download = `layoutd-${summary.kind}.svg`
  }

  /** A link cannot send the key, so that the page saves what it asks for itself. */
  async #savePicture(event) {
    if (!authorization()) return
    event.preventDefault()
    try {
      const url = URL.createObjectURL(await askForFile(byID('picture').href.slice(base.length)))
      make('a', {href: url, download: byID('picture').download}).click()
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    } catch (error) {
      this.hooks.onProblem(error)
    }
  }

  #showTools() {
    const {kind, sentence} = this.opened, {isView} = this.pane.opened
    byID('stage-title').textContent = kind.name
    byID('stage-sentence').textContent = sentence
    this.#showKinds(byID('lay-out-as'), kind)
    byID('insert').disabled = byID('delete').disabled = Boolean(isView)
    const hasSizes = Boolean(measured(kind.name, [0, 0]))
    byID('measure').disabled = isView || !hasSizes
    byID('read-only').hidden = !isView
    byID('no-sizes').hidden = isView || hasSizes
    for (const id of ['insert', 'delete', 'measure']) {
      const reason = isView ? 'read-only' : id === 'measure' && !hasSizes && 'no-sizes'
      if (reason) byID(id).setAttribute('aria-describedby', reason)
      else byID(id).removeAttribute('aria-describedby')
    }
    byID('go').hidden = kind.form === 'forest'
  }

  /**
   * The kinds that the same items can be laid out by. A list that a person has open stays as it is.
   */
  #showKinds(select, kind) {
    const kinds = (this.kinds ?? []).filter(({form}) => form === kind.form)
    if (kinds.map(({name}) => name).join() !== [...select.options].map(({value}) => value).join()) {
      select.replaceChildren(...kinds.map(({name}) => make('option', {value: name}, name)))
    }
    select.value = kind.name
    select.disabled = kinds.length < 2
  }

  /** What stands above a pane: its kind, and how wide its layout is. */
  #showHead({opened: {kind}, summary}, side) {
    this.#showKinds(side.querySelector('select'), kind)
    const {bounds, contentSize} = summary
    side.querySelector('.width').textContent = `${format.count(bounds?.width ?? contentSize.width)} pt`
    if (side === byID('second-side')) byID('second-link').href = `#id=${summary.id}`
  }

  #showLive() {
    calmly('live', () => {
      byID('live').textContent = isLive ? 'Live' : 'Not live'
      byID('live').dataset.is = isLive ? 'on' : 'off'
      byID('not-live').hidden = isLive
    })
  }

  #showFigures() {
    const {summary: {counts, contentSize, memoryBytes, version}, opened: {milliseconds}} = this.used
    const isWide = contentSize.width > contentSize.height * 4
    const length = isWide ? contentSize.width : contentSize.height
    byID('figures').replaceChildren(...pairs([
      ['cells', format.count(counts.cells)],
      [isWide ? 'long' : 'high', format.onScreen(length),
        make('span', {class: 'visually-hidden'}, ` on a screen, ${format.count(length)} points`)],
      ['on the server', format.bytes(memoryBytes)],
      milliseconds ? ['prepared in', format.milliseconds(milliseconds)] : ['version', format.count(version)]]))
    byID('go-item').placeholder = counts.cells > 0 ? `0 to ${format.count(counts.cells - 1)}` : ''
  }

  #saySelected(count) { this.say(`${format.count(count)} selected.${count === 1 ? ' Shift and a click select all from here on.' : ''}`) }

  /** Says in words what is under way or done. */
  say(text) {
    clearTimeout(this.saying)
    byID('said').textContent = text
    if (text) this.saying = setTimeout(() => { byID('said').textContent = '' }, SAID)
  }
}
