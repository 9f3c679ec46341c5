// The form of a kind's options, made from what the server says of them at /kinds.

import {Field, brokenName} from './field.js'
import {make} from './dom.js'

const SCOPES = [
  ['kind', 'Options of this kind', true],
  ['section', 'Headers, insets, backgrounds', false],
  ['layout', 'The whole layout', false],
]

/** Fields for options. */
export class OptionsForm {
  /**
   * @param onChange Called after each change by hand that leaves all fields valid.
   * @param onDraft Called while such a change is under way; by default, nobody hears of it.
   * @param prefix What the ids of the fields begin with.
   */
  constructor(container, onChange, {onDraft = () => {}, prefix = 'option', scopes = SCOPES.map(([scope]) => scope)} = {}) {
    this.container = container
    this.onChange = onChange
    this.onDraft = onDraft
    this.prefix = prefix
    this.scopes = scopes
    this.fields = []
  }

  /** Shows the options of a kind with these values. */
  show(kind, values = {}) {
    const known = new Set(SCOPES.map(([scope]) => scope))
    const others = kind.options.map(({scope}) => scope).filter((scope) => !known.has(scope))
    const scopes = [...SCOPES, ...[...new Set(others)].map((scope) => [scope, scope, false])]
      .filter(([scope]) => !known.has(scope) || this.scopes.includes(scope))
    this.fields = kind.options.filter(({scope}) => scopes.some(([one]) => one === scope)).map((option) =>
      new Field(option, this.prefix, (field) => this.#changed(field), () => this.onDraft(this)))
    this.container.replaceChildren(...scopes.map(([scope, title, isOpen]) => {
      const fields = this.fields.filter((field) => field.option.scope === scope)
      return fields.length === 0 ? '' : make('details', {open: isOpen, class: 'options'},
        make('summary', {}, title), make('div', {class: 'fields'}, ...withLegends(fields)))
    }))
    this.setValues(values)
  }

  setValues(values) {
    for (const field of this.fields) field.value = at(values, field.option.name)
  }

  /** Says how large the layout is, in points, to the fields that draw it. */
  setAround(bounds) {
    if (!bounds) return
    for (const {editor} of this.fields) editor?.setAround({height: 600, ...bounds})
  }

  get isValid() {
    return this.fields.map((field) => field.check()).every(Boolean)
  }

  /** What differs from the defaults, as the member `options` of a body. */
  get values() {
    return nested(this.fields.filter((field) => field.isGiven)
      .map((field) => [field.option.name, field.value]))
  }

  /** What to send so that options that were given as `before` become those of the form. */
  changesSince(before) {
    return nested(this.fields
      .filter((field) => JSON.stringify(at(before, field.option.name)) !== JSON.stringify(field.given))
      .map((field) => [field.option.name, field.given ?? null]))
  }

  /** Shows the faults of a problem at their fields. Returns those that belong to none. */
  showFaults(faults) {
    return faults.filter(({pointer, detail}) => {
      const path = pointer.split('/options/')[1]?.replaceAll('/', '.') ?? ''
      const field = this.fields.find(({option: {name}}) => path === name || path.startsWith(name + '.'))
      field?.say(detail)
      field?.reveal()
      return !field
    })
  }

  #changed(field) {
    // Of two options that exclude each other, the one that was given last counts.
    if (field.check() && field.isGiven) {
      for (const other of this.fields) if (field.excludes(other) || other.excludes(field)) other.value = undefined
    }
    if (this.isValid) this.onChange(this)
  }
}

/** Fields of one object, such as contentInset, in a row of their own. */
function withLegends(fields) {
  const rows = [], objects = new Map()
  for (const field of fields) {
    const [object, member] = field.option.name.split('.')
    if (!member) {
      rows.push(field.row)
    } else if (objects.has(object)) {
      objects.get(object).append(field.row)
    } else {
      const row = make('fieldset', {class: 'object'}, make('legend', {}, ...brokenName(object)), field.row)
      objects.set(object, row)
      rows.push(row)
    }
  }
  return rows
}

/**
 * The options that are the kind's own, without the members of objects; or those that all kinds
 * have.
 */
const namesOf = (kind, isOwn) => new Set(kind.options.filter(({scope}) => (scope === 'kind') === isOwn)
  .map(({name}) => name.split('.')[0]))
const only = (names, values) => Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))

/**
 * Options for a kind that lays out what had `others`: its own, and those that belong to no kind.
 */
export const optionsOf = (kind, own = {}, others = {}) =>
  ({...only(namesOf(kind, false), others), ...only(namesOf(kind, true), own),
    // What items are made of stays with them.
    ...others.card && namesOf(kind, true).has('card') ? {card: others.card} : {}})

/** The change to a kind with these options. Its own that they leave out get their defaults. */
export const changeTo = (kind, options) => ({kind: kind.name,
  options: {...Object.fromEntries([...namesOf(kind, true)].map((name) => [name, null])), ...options}})

/** The value at a dotted name. */
const at = (values, name) => name.split('.').reduce((value, member) => value?.[member], values)

/** [["contentInset.top", 4]] → {contentInset: {top: 4}} */
function nested(entries) {
  const object = {}
  for (const [name, value] of entries) {
    const members = name.split('.'), last = members.pop()
    let place = object
    for (const member of members) place = place[member] ??= {}
    place[last] = value
  }
  return object
}
