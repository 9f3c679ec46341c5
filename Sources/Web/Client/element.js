// <layoutd-view>: a layout as a custom element, for plain pages and for Vue, Svelte, Lit …
//
//   <layoutd-view server="http://localhost:8080" layout="QqV…" data follow></layoutd-view>
//
// Each option of `mount` is an attribute or a property: `measure`, `.layout = {kind: 'list', …}`,
// `.render = (element, node) => …`. Callbacks are events: `range`, `start`, `end`, `below`, `status`.
// Without `render`, a cell is a copy of the <template> in the element; {{title}} in its text or an
// attribute stands for what the item's data says, {{id}} for its id.

import {mount} from './layoutd.js'

const FLAGS = ['measure', 'follow', 'parts', 'data', 'find', 'fonts']
const TEXTS = ['server', 'layout', 'authorization', 'keep', 'label']
const OTHERS = ['render', 'release', 'overscan', 'bands', 'fit', 'animate', 'messages', 'restore', 'fetch']
const NAMES = [...FLAGS, ...TEXTS, ...OTHERS]

/** A copy of a template with what an element says. */
export function filled(template, {data, id}) {
  const copy = template.content.cloneNode(true).firstElementChild
  const fill = (text) => text.replace(/{{\s*(\w+)\s*}}/g, (_, name) => (name === 'id' ? id : data?.[name]) ?? '')
  for (const node of [copy, ...copy.querySelectorAll('*')]) {
    for (const attribute of node.attributes) attribute.value = fill(attribute.value)
    for (const child of node.childNodes) if (child.nodeType === 3) child.data = fill(child.data)
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
    for (const name of NAMES) {
      // A framework may have set a property before the element was defined.
      const early = Object.hasOwn(this, name) ? this[name] : undefined
      delete this[name]
      Object.defineProperty(this, name, {get: () => this.#given[name], set: (value) => this.#set(name, value)})
      if (early !== undefined) this.#given[name] = early
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
  disconnectedCallback() { this.#close() }

  /** Opens the view with all that is given in this turn. */
  #open() {
    if (this.#isDue || !this.isConnected) return
    this.#isDue = true
    queueMicrotask(() => {
      this.#isDue = false
      const {server, layout} = this.#given, template = this.querySelector('template')
      if (!this.isConnected || server === undefined || layout === undefined) return
      this.#close()
      if (getComputedStyle(this).display === 'inline') this.style.display = 'block'
      const tell = (name) => (...detail) => this.dispatchEvent(new CustomEvent(name, {detail: detail.length > 1 ? detail : detail[0]}))
      this.view = mount(this, {render: (element) => template ? filled(template, element) : document.createTextNode(element.id ?? ''),
        ...this.#given, onRange: tell('range'), onStart: tell('start'), onEnd: tell('end'), onBelow: tell('below'), onStatus: tell('status')})
    })
  }

  #close() {
    this.view?.destroy()
    this.view = null
  }
}

customElements.define('layoutd-view', LayoutdView)
