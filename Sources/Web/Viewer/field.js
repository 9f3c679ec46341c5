// The field of one option, made from what the server says of it at /kinds.

import {calmly} from './calm.js'
import {make} from './dom.js'
import {GroupEditor} from './groupeditor.js'

/** A name that may be broken between its words: "minimum|Column|Width". */
export const brokenName = (name) => name.split(/(?=[A-Z])/).flatMap((word, index) => index > 0 ? [make('wbr'), word] : [word])

/** What may stand in a box of JSON. */
const EXAMPLES = {card: `{"padding": 12, "spacing": 6, "parts": [
  {"text": "title", "font": "inter-regular",
   "size": 16, "lineHeight": 22}]}`}

const isNumber = ({type}) => type === 'number' || type === 'integer'

/** An option in a form. What is of an unknown type is a box of JSON. */
export class Field {
  /**
   * @param prefix What the ids of its nodes begin with.
   * @param changed Called after each change by hand.
   * @param draft Called while a change by hand is under way, such as a drag.
   */
  constructor(option, prefix, changed, draft) {
    this.option = option
    const id = `${prefix}-${option.name}`
    this.input = this.#makeInput(id)
    this.input.addEventListener('change', () => changed(this))
    this.message = make('p', {class: 'fault', id: `${id}-fault`, hidden: true})
    const label = make('label', {for: id}, ...brokenName(option.name.split('.').at(-1)))
    if (option.type === 'boolean') {
      this.row = make('div', {class: 'field boolean'}, this.input, label, this.message)
    } else if (option.type === 'group') {
      this.editor = new GroupEditor((value, isDone) => {
        this.input.value = JSON.stringify(value, null, 1)
        this.say('')
        if (isDone) changed(this)
        else draft(this)
      })
      this.input.addEventListener('change', () => this.#showInEditor())
      this.row = make('div', {class: 'field group-field'}, make('p', {class: 'label'}, ...brokenName(option.name)),
        this.editor.node, make('details', {}, make('summary', {}, 'As JSON'),
          make('div', {class: 'field'}, label, this.input)), this.message)
    } else {
      this.row = make('div', {class: `field ${isNumber(option) || option.type === 'choice' ? option.type : 'text'}`},
        label, this.input, this.message)
    }
  }

  #makeInput(id) {
    const {type, choices, minimum, exclusiveMinimum, maximum, default: initial} = this.option
    if (type === 'boolean') return make('input', {id, type: 'checkbox'})
    if (type === 'choice' && Array.isArray(choices)) {
      return make('select', {id}, ...choices.map((choice) => make('option', {value: choice}, choice)))
    }
    if (isNumber(this.option)) {
      return make('input', {id, type: 'number', step: type === 'integer' ? 1 : 'any',
        min: minimum ?? exclusiveMinimum ?? '', max: maximum ?? '', placeholder: initial ?? 'none'})
    }
    return make('textarea', {id, rows: 6, spellcheck: false, placeholder: EXAMPLES[this.option.name] ?? 'JSON'})
  }

  get #isChoice() { return this.input.tagName === 'SELECT' }

  /** What stands in the field; undefined where it is empty. Throws where it is no JSON. */
  get value() {
    if (this.option.type === 'boolean') return this.input.checked
    if (this.#isChoice) return this.input.value
    const text = this.input.value.trim()
    if (text === '') return undefined
    return isNumber(this.option) ? Number(text) : JSON.parse(text)
  }

  set value(value) {
    const {type, default: initial} = this.option
    if (!isNumber(this.option)) value ??= initial ?? undefined
    if (type === 'boolean') this.input.checked = value ?? false
    else if (this.#isChoice || isNumber(this.option)) this.input.value = value ?? ''
    else this.input.value = value === undefined ? '' : JSON.stringify(value, null, 1)
    this.#showInEditor()
    this.say('')
  }

  get isGiven() {
    const {value} = this
    return value !== undefined && JSON.stringify(value) !== JSON.stringify(this.option.default ?? undefined)
  }

  get given() {
    return this.isGiven ? this.value : undefined
  }

  /** Whether this option and another one cannot be given both. */
  excludes({option: {name}}) {
    return [this.option.excludes ?? []].flat().includes(name)
  }

  check() {
    const {exclusiveMinimum} = this.option
    let fault = this.input.validationMessage
    try {
      if (!fault && exclusiveMinimum !== undefined && this.value <= exclusiveMinimum) {
        fault = `Must be more than ${exclusiveMinimum}.`
      }
      void this.value
    } catch {
      fault = 'Must be JSON.'
    }
    this.say(fault)
    return !fault
  }

  say(text) {
    if (text === (this.fault ?? '')) return
    this.fault = text
    calmly(this, () => {
      this.message.textContent = text
      this.message.hidden = !text
      this.input.setAttribute('aria-invalid', String(Boolean(text)))
      if (text) this.input.setAttribute('aria-describedby', this.message.id)
      else this.input.removeAttribute('aria-describedby')
    })
  }

  reveal() {
    calmly(this.row, () => {
      for (let node = this.row; node; node = node.parentElement?.closest('details')) if (node.tagName === 'DETAILS') node.open = true
      const own = this.input.closest('details')
      if (own) own.open = true
      this.input.focus()
    })
  }

  #showInEditor() {
    if (!this.editor) return
    try {
      this.editor.show(this.value ?? null)
    } catch {
      // Half-written JSON. The box says so.
    }
  }
}
