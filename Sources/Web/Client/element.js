// <layoutd-view>: a layout as a custom element, for plain pages and for Vue, Svelte, Lit …
//
//   <layoutd-view server="http://localhost:8080" layout="QqV…" data follow></layoutd-view>
//
// An option of `mount` that is a text or a flag is an attribute and a property; `render` is a property,
// and so is `options`, for all others; a later one leaves the place as it is. Callbacks are events: `range`, `start`, `end`, `below`, `status`.
// Without `render`, a cell is a copy of the <template> in the element; {{title}} in its text or an
// attribute stands for what the item's data says, {{id}} for its id. Scripts, styles and `on…` stay as
// they are, and an address that is none of a page is left out: data come from other people.

import {mount} from './layoutd.js'

const FLAGS = ['measure', 'follow', 'parts', 'data', 'text', 'find', 'fonts', 'scrubber']
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
  /** Of which server and layout the view is, and where the reader was when it ended. */
  #shown = {}
  #place
  #own = Object.fromEntries(Object.entries(CALLBACKS).map(([type, name]) => [name, (...detail) => {
    this.#given.options?.[name]?.(...detail)
    this.dispatchEvent(new CustomEvent(type, {detail: detail.length > 1 ? detail : detail[0]}))
  }]))
  #fill = (element) => {
    const template = this.querySelector(':scope > template')
    return template ? filled(template, element) : document.createTextNode(element.id ?? '')
  }

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
    if (value === undefined) delete this.#given[name]
    else this.#given[name] = value
    this.#open()
  }

  attributeChangedCallback(name, _, value) { this[name] = FLAGS.includes(name) ? value !== null : value ?? undefined }
  connectedCallback() { this.#open() }
  disconnectedCallback() { this.#end() }

  #end() {
    this.#place = this.view?.snapshot() ?? this.#place
    this.view = this.view?.destroy() ?? null
  }

  /** Shows all that is given in this turn: in the view that there is, as far as that goes. */
  async #open() {
    if (this.#isDue) return
    this.#isDue = true
    await null
    this.#isDue = false
    const {options: others, ...given} = this.#given, {server, layout} = given
    if (!this.isConnected || server === undefined || layout === undefined) return
    const options = {render: this.#fill, ...others, ...given, ...this.#own}, shown = this.#shown
    this.#shown = {server, layout}
    const isOther = layout !== shown.layout
    if (this.view && !this.view.set(options).length) return isOther ? void this.view.show(layout).catch(() => {}) : undefined
    if (this.view) this.#end()
    const restore = server === shown.server && !isOther && this.#place
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block'
    this.view = mount(this, {...options, ...restore && {restore}})
  }
}

customElements.define('layoutd-view', LayoutdView)
