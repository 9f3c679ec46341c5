// The form that describes a collection: items, sections, sizes, seed.

import {calmly} from './calm.js'
import {SIZES, countOf} from './collection.js'
import {make} from './dom.js'
import * as format from './format.js'
import {SectionList} from './sectionlist.js'

const MOST_ITEMS = 1_000_000_000
const COUNTS = [['1 thousand', 1e3], ['1 million', 1e6], ['10 million', 1e7], ['1,000 million', 1e9]]

export class Playground {
  /** `prepare(kind, wanted)` is called for another collection. */
  constructor(form, prepare) {
    this.count = make('input', {id: 'count', inputMode: 'numeric', autocomplete: 'off'})
    this.sections = make('input', {id: 'sections', type: 'number', min: 1, max: 10_000, step: 1})
    this.sizes = make('select', {id: 'sizes'}, ...Object.entries(SIZES).map(([value, {title}]) =>
      make('option', {value}, title)))
    this.seed = make('input', {id: 'seed', type: 'number', min: 0, max: 4_294_967_295, step: 1})
    this.list = new SectionList()
    this.fault = make('p', {class: 'fault', role: 'alert', hidden: true})
    this.button = make('button', {class: 'button primary wide'}, 'Prepare')

    const field = (title, input, ...more) =>
      make('div', {class: 'field'}, make('label', {for: input.id}, title), input, ...more)
    const counts = make('div', {class: 'chips', role: 'group', 'aria-label': 'Usual numbers of items'},
      ...COUNTS.map(([title, count]) => make('button', {type: 'button', class: 'chip', onclick: () => {
        this.count.value = format.count(count)
      }}, title)))
    this.countRow = field('Items', this.count, counts)
    this.sectionsRow = field('Sections', this.sections)
    this.sizesRow = field('Sizes of items', this.sizes)
    form.append(
      make('p', {class: 'hint'}, 'Prepares another collection, with the options as they are.'),
      this.countRow, this.list.node,
      make('div', {class: 'pair'}, this.sectionsRow, field('Seed', this.seed)),
      this.sizesRow, this.fault, this.button)
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
    this.list.setKinds(kinds)
  }

  /** Shows what items there are, and asks what of them makes sense for a kind. */
  show(kind, wanted) {
    this.kind = kind
    this.arePeople = wanted.arePeople
    const isList = kind.form === 'compositional'
    if (isList) this.list.show(wanted)
    else this.count.value = format.count(countOf(wanted))
    this.sections.value = wanted.sections ?? 1
    this.sizes.value = wanted.sizes ?? 'none'
    this.seed.value = wanted.seed ?? 1
    this.countRow.hidden = isList
    this.list.node.hidden = !isList
    this.sectionsRow.hidden = this.sizesRow.hidden = kind.form !== 'sections'
    this.say('')
  }

  /** What the form describes. */
  get wanted() {
    const seed = Number(this.seed.value)
    if (this.kind.form === 'compositional') return {...this.list.wanted, seed}
    return {count: format.parseCount(this.count.value), sections: Number(this.sections.value), sizes: this.sizes.value, seed,
      ...this.arePeople && {arePeople: true}}
  }

  setBusy(isBusy) {
    calmly(this.button, () => {
      this.button.disabled = isBusy
      this.button.textContent = isBusy ? 'Preparing…' : 'Prepare'
    })
  }

  say(text) {
    calmly(this, () => {
      this.fault.textContent = text
      this.fault.hidden = !text
    })
  }

  #check() {
    const isList = this.kind.form === 'compositional', count = countOf(this.wanted)
    const fault = isList && this.list.fault
      || (!Number.isInteger(count) || count < 0 || count > MOST_ITEMS
        ? `Items must be a whole number from 0 to ${format.count(MOST_ITEMS)}.` : '')
      || (!this.sectionsRow.hidden && !this.sections.checkValidity() && `Sections: ${this.sections.validationMessage}`)
      || (!this.seed.checkValidity() && `Seed: ${this.seed.validationMessage}`) || ''
    this.say(fault)
    return !fault
  }
}
