// The sections of a compositional layout as a list: kind, items, sizes, sideways, options.

import {SIZES, countOf} from './collection.js'
import {make} from './dom.js'
import {newSection} from './examples.js'
import * as format from './format.js'
import {OptionsForm} from './options.js'

/** How high a section is that begins to scroll sideways, in points. */
const SIDEWAYS = 120
const MOST_TIMES = 10_000

export class SectionList {
  constructor() {
    this.list = make('ol', {class: 'sections'})
    this.repeat = make('input', {id: 'repeat', type: 'number', min: 1, max: MOST_TIMES, step: 1})
    this.node = make('div', {class: 'section-list'},
      make('div', {class: 'label', id: 'sections-label'}, 'Sections, one below the other'), this.list,
      make('div', {class: 'pair'},
        make('button', {type: 'button', class: 'button', onclick: () => this.#add(newSection())}, 'Add a section'),
        make('div', {class: 'field inline'}, make('label', {for: 'repeat'}, 'All of them, times'), this.repeat)))
    this.list.setAttribute('aria-labelledby', 'sections-label')
    this.rows = []
    this.made = 0
  }

  setKinds(kinds) {
    this.kinds = kinds.filter(({form}) => form === 'sections')
  }

  show({pattern, repeat}) {
    this.rows = []
    this.list.replaceChildren()
    for (const section of pattern) this.#add(section)
    this.repeat.value = repeat
  }

  /** The sections as collection.js takes them. */
  get pattern() {
    return this.rows.map((row) => row.section)
  }

  /** What is wrong, in words; nothing where all is right. */
  get fault() {
    if (this.rows.length === 0) return 'A layout needs a section.'
    if (!this.repeat.checkValidity()) return `Times: ${this.repeat.validationMessage}`
    return this.rows.map((row, index) => row.fault && `Section ${index + 1}: ${row.fault}`).find(Boolean) ?? ''
  }

  get wanted() {
    return {pattern: this.pattern, repeat: Number(this.repeat.value)}
  }

  get count() {
    return countOf(this.wanted)
  }

  /**
   * Shows the faults of a problem at the options of sections. Returns those that belong to none.
   */
  showFaults(faults) {
    return faults.filter((fault) => {
      const section = /^\/sections\/(\d+)\//.exec(fault.pointer)?.[1]
      const row = section === undefined ? null : this.rows[Number(section) % this.rows.length]
      if (!row || row.form.showFaults([fault]).length > 0) return true
      return false
    })
  }

  #add(section) {
    const row = new Row(section, this.kinds, `section-${this.made += 1}`, {
      move: (by) => this.#move(row, by), remove: () => this.#remove(row)})
    this.rows.push(row)
    this.list.append(row.node)
  }

  #move(row, by) {
    const from = this.rows.indexOf(row), to = from + by
    if (to < 0 || to >= this.rows.length) return
    this.rows.splice(to, 0, ...this.rows.splice(from, 1))
    this.list.insertBefore(row.node, this.rows[to + 1]?.node ?? null)
    row.focusMover(by)
  }

  #remove(row) {
    const index = this.rows.indexOf(row)
    this.rows.splice(index, 1)
    row.node.remove()
    ;(this.rows[index] ?? this.rows[index - 1])?.kind.focus()
  }
}

class Row {
  constructor(section, kinds, prefix, {move, remove}) {
    this.kinds = kinds
    this.kind = make('select', {id: `${prefix}-kind`}, ...kinds.map(({name}) => make('option', {value: name}, name)))
    this.count = make('input', {id: `${prefix}-count`, inputMode: 'numeric', autocomplete: 'off'})
    this.sizes = make('select', {id: `${prefix}-sizes`}, ...Object.entries(SIZES).map(([value, {title}]) =>
      make('option', {value}, title)))
    this.sideways = make('input', {id: `${prefix}-sideways`, type: 'checkbox'})
    this.height = make('input', {id: `${prefix}-height`, type: 'number', min: 1, step: 'any', 'aria-label': 'Height, in points'})
    const options = make('div')
    this.form = new OptionsForm(options, () => {}, {prefix: `${prefix}-option`, scopes: ['kind', 'section']})
    const field = (title, input) => make('div', {class: 'field'}, make('label', {for: input.id}, title), input)
    const icon = (text, label, onclick) => make('button', {type: 'button', class: 'button icon', 'aria-label': label, onclick}, text)
    this.movers = {'-1': icon('↑', 'Move up', () => move(-1)), 1: icon('↓', 'Move down', () => move(1))}
    this.node = make('li', {class: 'section'},
      make('div', {class: 'section-head'}, field('Kind', this.kind), field('Items', this.count),
        this.movers[-1], this.movers[1], icon('×', 'Remove this section', remove)),
      make('div', {class: 'field inline'}, make('label', {for: this.sizes.id}, 'Sizes of items'), this.sizes),
      make('div', {class: 'sideways'},
        make('label', {class: 'check'}, this.sideways, make('span', {}, 'Scrolls sideways')), this.height,
        make('span', {class: 'unit', 'aria-hidden': 'true'}, 'points high')),
      make('details', {class: 'section-options'}, make('summary', {}, 'Options'), options))
    this.sideways.addEventListener('change', () => { this.height.disabled = !this.sideways.checked })
    this.kind.addEventListener('change', () => this.form.show(this.#kind, {}))
    this.kind.value = section.kind
    this.count.value = format.count(section.count)
    this.sizes.value = section.sizes
    this.sideways.checked = Boolean(section.sideways)
    this.height.value = section.sideways ?? SIDEWAYS
    this.height.disabled = !section.sideways
    this.form.show(this.#kind, section.options)
  }

  get #kind() {
    return this.kinds.find(({name}) => name === this.kind.value)
  }

  get section() {
    return {kind: this.kind.value, count: format.parseCount(this.count.value), sizes: this.sizes.value,
      sideways: this.sideways.checked ? Number(this.height.value) : null, options: this.form.values}
  }

  get fault() {
    const count = format.parseCount(this.count.value)
    if (!Number.isInteger(count) || count < 0) return 'Items must be a whole number from 0.'
    if (this.sideways.checked && (!this.height.checkValidity() || !this.height.value)) return 'The height must be a number above 0.'
    return this.form.isValid ? '' : 'An option is not right.'
  }

  focusMover(by) {
    this.movers[by].focus()
  }
}
