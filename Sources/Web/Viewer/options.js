// The form of a kind's options, made from what the server says of them at /kinds.

import {make} from './dom.js'

const SCOPES = [
  ['kind', 'Options of this kind', true],
  ['section', 'Headers, insets, backgrounds', false],
  ['layout', 'The whole layout', false],
]

/** Fields for options. `onChange` is called after each change by hand that leaves all fields valid. */
export class OptionsForm {
  constructor(container, onChange) {
    this.container = container
    this.onChange = onChange
    this.fields = []
  }

  /** Shows the options of a kind with these values. */
  show(kind, values = {}) {
    this.fields = kind.options.map((option) => new Field(option, () => this.#changed()))
    const groups = SCOPES.map(([scope, title, isOpen]) => {
      const fields = this.fields.filter((field) => field.option.scope === scope)
      return fields.length === 0 ? '' : make('details', {open: isOpen, class: 'options'},
        make('summary', {}, title), make('div', {class: 'fields'}, ...withLegends(fields)))
    })
    this.container.replaceChildren(...groups)
    this.setValues(values)
  }

  setValues(values) {
    for (const field of this.fields) field.value = at(values, field.option.name)
  }

  get isValid() {
    return this.fields.every((field) => field.check())
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

  #changed() {
    if (this.isValid) this.onChange()
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
      const row = make('fieldset', {class: 'object'}, make('legend', {}, object), field.row)
      objects.set(object, row)
      rows.push(row)
    }
  }
  return rows
}

class Field {
  constructor(option, changed) {
    this.option = option
    const id = `option-${option.name}`
    this.input = this.#makeInput(id)
    this.input.addEventListener('change', () => changed())
    this.message = make('p', {class: 'fault', id: `${id}-fault`, hidden: true})
    const label = make('label', {for: id}, option.name.split('.').at(-1))
    this.row = option.type === 'boolean'
      ? make('div', {class: 'field boolean'}, this.input, label, this.message)
      : make('div', {class: `field ${option.type}`}, label, this.input, this.message)
  }

  #makeInput(id) {
    const {type, choices, minimum, exclusiveMinimum, maximum, default: initial} = this.option
    switch (type) {
    case 'boolean':
      return make('input', {id, type: 'checkbox'})
    case 'choice':
      return make('select', {id}, ...choices.map((choice) => make('option', {value: choice}, choice)))
    case 'number':
    case 'integer':
      return make('input', {id, type: 'number', step: type === 'integer' ? 1 : 'any',
        min: minimum ?? exclusiveMinimum ?? '', max: maximum ?? '', placeholder: initial ?? 'none'})
    default:
      return make('textarea', {id, rows: 6, spellcheck: false, placeholder: 'JSON'})
    }
  }

  get value() {
    const {type} = this.option
    if (type === 'boolean') return this.input.checked
    if (type === 'choice') return this.input.value
    const text = this.input.value.trim()
    if (text === '') return undefined
    return type === 'number' || type === 'integer' ? Number(text) : JSON.parse(text)
  }

  set value(value) {
    const {type, default: initial} = this.option
    value ??= type === 'number' || type === 'integer' ? undefined : initial ?? undefined
    if (type === 'boolean') this.input.checked = value ?? false
    else if (type === 'choice') this.input.value = value ?? ''
    else if (typeof value === 'object') this.input.value = JSON.stringify(value, null, 1)
    else this.input.value = value ?? ''
    this.say('')
  }

  get isGiven() {
    const {value} = this
    return value !== undefined && value !== (this.option.default ?? undefined)
  }

  get given() {
    return this.isGiven ? this.value : undefined
  }

  check() {
    const {exclusiveMinimum} = this.option
    let fault = this.input.validationMessage
    try {
      if (!fault && exclusiveMinimum !== undefined && this.value <= exclusiveMinimum) {
        fault = `Must be more than ${exclusiveMinimum}.`
      }
    } catch {
      fault = 'Must be JSON.'
    }
    this.say(fault)
    return !fault
  }

  say(text) {
    this.message.textContent = text
    this.message.hidden = !text
    this.input.setAttribute('aria-invalid', String(Boolean(text)))
    if (text) this.input.setAttribute('aria-describedby', this.message.id)
    else this.input.removeAttribute('aria-describedby')
  }

  reveal() {
    const details = this.row.closest('details')
    if (details) details.open = true
    this.input.focus()
  }
}

/** The options that are the kind's own, without the members of objects; or those that all kinds have. */
const namesOf = (kind, isOwn) => new Set(kind.options.filter(({scope}) => (scope === 'kind') === isOwn)
  .map(({name}) => name.split('.')[0]))
const only = (names, values) => Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))

/** Options for a kind that lays out what had `others`: its own, and those that belong to no kind. */
export const optionsOf = (kind, own = {}, others = {}) =>
  ({...only(namesOf(kind, false), others), ...only(namesOf(kind, true), own)})

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
