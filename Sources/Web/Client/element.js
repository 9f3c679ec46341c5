// <layoutd-view>: a layout as a custom element, for plain pages and for Vue, Svelte, Lit …
//
//   <layoutd-view server="http://localhost:8080" layout="QqV…" data follow></layoutd-view>
//
// An option of `mount` that is a text or a flag is an attribute and a property; `render` is a property,
// and so is `options`, for all others. Callbacks are events: `range`, `start`, `end`, `below`, `status`.
// Without `render`, a cell is a copy of the <template> in the element; {{title}} in its text or an
// attribute stands for what the item's data says, {{id}} for its id. Scripts, styles and `on…` stay as
// they are, and an address that is none of a page is left out: data come from other people.

import {mount} from './layoutd.js'

const FLAGS = ['measure', 'follow', 'parts', 'data', 'find', 'fonts', 'scrubber']
const TEXTS = ['server', 'layout', 'authorization', 'keep', 'label', 'scroller']
const CALLBACKS = {range: 'onRange', start: 'onStart', end: 'onEnd', below: 'onBelow', status: 'onStatus'}

const ADDRESSES = ('action background by cite codebase data formaction from href imagesrcset longdesc ping poster src srcset to ' +
  'values xlink:href').split(' ')
/** What in these would be code or style, and not data. */
const isCode = ({localName}, name = '') => /^(script|style)$/.test(localName) || /^(on|style$|srcdoc$)/.test(name)
/** Whether an address leads to a page, and runs nothing. */
const isPage = (address) => !URL.canParse(address) || /^(https?|mailto):$/.test(new URL(address).protocol)

/** A copy of a template with what an element says. */
export function filled(template, {data, id}) {
  const copy = template.content.cloneNode(true).firstElementChild
  const own = {...typeof data === 'object' && data, id}
  const say = (name) => Object.hasOwn(own, name) ? own[name] ?? '' : ''
  const text = (value) => typeof value === 'object' ? JSON.stringify(value) : value
  for (const node of [copy, ...copy.querySelectorAll('*')])
    for (const part of [...node.attributes, ...node.childNodes]) {
      const name = part.name?.toLowerCase(), before = part.nodeValue
      if (!before?.includes('{{') || isCode(node, name)) continue
      part.nodeValue = before.replace(/{{\s*([^{}]+?)\s*}}/g, (_, name) => text(say(name)))
      if (ADDRESSES.includes(name) && !isPage(part.nodeValue)) node.removeAttributeNode(part)
    }
  return copy
}

export class LayoutdView extends HTMLElement {
  static observedAttributes = [...FLAGS, ...TEXTS]
  /** What `mount` returned, while the element is in a page. */
  view = null
  #given = {}
  #isDue = false

  constructor() {
    super()
    for (const name of [...FLAGS, ...TEXTS, 'render', 'options']) {
      // A framework may have set a property before the element was defined.
      if (Object.hasOwn(this, name)) this.#given[name] = this[name]
      Object.defineProperty(this, name, {get: () => this.#given[name], set: (value) => this.#set(name, value)})
    }
  }

  #set(name, value) {
    if (this.#given[name] === value) return
    this.#given[name] = value
    if (name === 'layout' && this.view && value !== undefined) this.view.show(value)
    else this.#open()
  }

  attributeChangedCallback(name, _, value) { this[name] = FLAGS.includes(name) ? value !== null : value ?? undefined }
  connectedCallback() { this.#open() }
  disconnectedCallback() { this.view = this.view?.destroy() ?? null }

  /** Opens the view with all that is given in this turn. */
  async #open() {
    if (this.#isDue) return
    this.#isDue = true
    await null
    this.#isDue = false
    const {options, ...given} = this.#given, template = this.querySelector('template'), callbacks = {}
    if (!this.isConnected || given.server === undefined || given.layout === undefined) return
    this.view?.destroy()
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block'
    for (const [type, name] of Object.entries(CALLBACKS)) callbacks[name] = (...detail) =>
      this.dispatchEvent(new CustomEvent(type, {detail: detail.length > 1 ? detail : detail[0]}))
    this.view = mount(this, {render: (element) => template ? filled(template, element) : document.createTextNode(element.id ?? ''),
      ...options, ...given, ...callbacks})
  }
}

customElements.define('layoutd-view', LayoutdView)
