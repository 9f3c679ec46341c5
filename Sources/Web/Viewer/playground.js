// The form that describes a collection: kind, items, sizes, seed, options.

import {SIZES} from './collection.js'
import {make} from './dom.js'
import * as format from './format.js'
import {OptionsForm} from './options.js'

const MOST_ITEMS = 1_000_000_000
const COUNTS = [['1 thousand', 1e3], ['1 million', 1e6], ['10 million', 1e7], ['1,000 million', 1e9]]

export class Playground {
  /**
   * `prepare(kind, wanted)` is called for another collection, `change(options)` when only options
   * differ, `choose(kind)` when another kind is chosen.
   */
  constructor(form, {prepare, change, choose}) {
    this.form = form
    this.kindSelect = make('select', {id: 'kind', onchange: () =>
      choose(this.kinds.find(({name}) => name === this.kindSelect.value))})
    this.count = make('input', {id: 'count', inputMode: 'numeric', autocomplete: 'off'})
    this.sections = make('input', {id: 'sections', type: 'number', min: 1, max: 10_000, step: 1})
    this.sizes = make('select', {id: 'sizes'}, ...Object.entries(SIZES).map(([value, {title}]) =>
      make('option', {value}, title)))
    this.seed = make('input', {id: 'seed', type: 'number', min: 0, max: 4_294_967_295, step: 1})
    this.sectionsText = make('textarea', {id: 'sections-text', rows: 10, spellcheck: false})
    this.fault = make('p', {class: 'fault', role: 'alert', hidden: true})
    this.button = make('button', {class: 'button primary wide'}, 'Prepare')
    this.optionsPlace = make('div')
    this.options = new OptionsForm(this.optionsPlace, () => change(this.options))

    const field = (title, input, ...more) =>
      make('div', {class: 'field'}, make('label', {for: input.id}, title), input, ...more)
    const counts = make('div', {class: 'chips', role: 'group', 'aria-label': 'Usual numbers of items'},
      ...COUNTS.map(([title, count]) => make('button', {type: 'button', class: 'chip', onclick: () => {
        this.count.value = format.count(count)
      }}, title)))
    this.countRow = field('Items', this.count, counts)
    this.sectionsRow = field('Sections', this.sections)
    this.sizesRow = field('Sizes of items', this.sizes)
    this.seedRow = field('Seed', this.seed)
    this.textRow = field('Sections, as JSON', this.sectionsText)
    form.append(
      field('Kind', this.kindSelect),
      this.countRow,
      make('div', {class: 'pair'}, this.sectionsRow, this.seedRow),
      this.sizesRow, this.textRow, this.fault, this.button,
      make('p', {class: 'hint'}, 'Options apply at once. A number that is left empty has its default.'),
      this.optionsPlace)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (this.#check()) prepare(this.kind, this.wanted)
    })
    this.count.addEventListener('blur', () => {
      const count = format.parseCount(this.count.value)
      if (Number.isInteger(count)) this.count.value = format.count(count)
    })
  }

  setKinds(kinds) {
    this.kinds = kinds
    this.kindSelect.replaceChildren(...kinds.map(({name}) => make('option', {value: name}, name)))
  }

  /** Shows a kind, with options that are given, and what is said of its items, if anything. */
  show(kind, options, {count, sections, sizes, seed, sectionsText} = {}) {
    this.kind = kind
    this.kindSelect.value = kind.name
    this.options.show(kind, options)
    if (count !== undefined) this.count.value = format.count(count)
    this.sections.value = sections ?? (this.sections.value || 1)
    this.sizes.value = sizes ?? (this.sizes.value || 'none')
    this.seed.value = seed ?? (this.seed.value || 1)
    if (sectionsText !== undefined) this.sectionsText.value = sectionsText
    const isText = kind.form === 'compositional'
    this.countRow.hidden = isText
    this.textRow.hidden = !isText
    this.sectionsRow.hidden = this.sizesRow.hidden = kind.form !== 'sections'
    this.seedRow.hidden = isText
    this.say('')
  }

  /** What the form describes; `bounds` are for who knows the window. */
  get wanted() {
    return {
      options: this.options.values, count: format.parseCount(this.count.value),
      sections: Number(this.sections.value), sizes: this.sizes.value, seed: Number(this.seed.value),
      sectionsText: this.sectionsText.value}
  }

  setBusy(isBusy) {
    this.button.disabled = isBusy
    this.button.textContent = isBusy ? 'Preparing…' : 'Prepare'
  }

  say(text) {
    this.fault.textContent = text
    this.fault.hidden = !text
  }

  /** Shows the faults of a problem; true if all have found their fields. */
  showProblem(problem) {
    if (problem.status !== 422 && problem.status !== 400) return false
    const others = this.options.showFaults(problem.faults)
    if (others.length > 0) this.say(others.map(({pointer, detail}) => `${pointer}: ${detail}`).join('\n'))
    else if (problem.faults.length === 0) this.say(problem.message)
    return true
  }

  #check() {
    const {count, sections, sectionsText} = this.wanted
    const isText = this.kind.form === 'compositional'
    let fault = ''
    if (isText) {
      try {
        JSON.parse(sectionsText)
      } catch (error) {
        fault = `The sections are no JSON: ${error.message}`
      }
    } else if (!Number.isInteger(count) || count < 0 || count > MOST_ITEMS) {
      fault = `Items must be a whole number from 0 to ${format.count(MOST_ITEMS)}.`
    } else if (!this.sectionsRow.hidden && !this.sections.checkValidity()) {
      fault = `Sections: ${this.sections.validationMessage}`
    } else if (!this.seed.checkValidity()) {
      fault = `Seed: ${this.seed.validationMessage}`
    }
    this.say(fault)
    return this.options.isValid && !fault
  }
}

/** What an example says of its items, as the playground would. */
export function describe(kind, body) {
  const sections = body.sections ?? []
  const count = sections.reduce((sum, {items}) => sum + itemCount(items), 0)
  const columns = sections[0]?.items
  const sizes = typeof columns !== 'object' ? 'none'
    : 'x' in columns ? 'frames' : 'height' in columns ? 'heights'
      : 'aspectRatio' in columns ? 'ratios' : 'width' in columns ? 'widths' : 'none'
  return {
    count: kind.form === 'forest' ? itemCount(body.nodes) : count,
    sections: Math.max(1, sections.length), sizes, seed: 1,
    sectionsText: kind.form === 'compositional' ? JSON.stringify(sections.slice(0, 3), null, 1) : '',
  }
}

function itemCount(items) {
  if (typeof items === 'number') return items
  return Array.isArray(items) ? items.length : Object.values(items ?? {})[0]?.length ?? 0
}

