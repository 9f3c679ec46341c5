// What the last query asked and got, and how long those before it took.

import {make, pairs} from './dom.js'
import * as format from './format.js'
import {onExchange} from './server.js'

const KEPT = 48

export class QueryPanel {
  constructor(container) {
    this.path = make('code', {}, make('span', {class: 'whose'}), make('span', {class: 'what'}))
    this.figures = make('dl', {class: 'got'})
    this.bars = make('div', {class: 'bars', 'aria-hidden': 'true'})
    this.times = []
    this.due = false
    container.append(
      make('div', {class: 'query-path', tabIndex: 0, role: 'region', 'aria-label': 'The last query'}, this.path),
      this.figures, this.bars)
    onExchange((exchange) => {
      // The client asks in CBOR for what is shown, this page in JSON for its pictures of the kinds.
      if (!/\/elements\?/.test(exchange.path) || !/cbor/.test(exchange.type)) return
      this.last = exchange
      this.times.push(exchange.milliseconds)
      if (this.times.length > KEPT) this.times.shift()
      this.#showSoon()
    })
  }

  /** At most once for each frame: while someone scrolls, several answers come. */
  #showSoon() {
    if (this.due) return
    this.due = true
    requestAnimationFrame(() => {
      this.due = false
      this.#show()
    })
  }

  #show() {
    const {path, elements, bytes, milliseconds} = this.last
    const [whose, what] = path.split(/(?=\/elements)/)
    this.path.firstChild.textContent = `GET ${whose}`
    this.path.lastChild.textContent = what
    this.figures.replaceChildren(...pairs([
      ['elements', format.count(elements)], ['received', format.bytes(bytes)], ['time', format.milliseconds(milliseconds)]]))
    const longest = Math.max(...this.times, 8)
    while (this.bars.childElementCount < this.times.length) this.bars.append(make('i'))
    this.times.forEach((time, index) => {
      this.bars.children[index].style.height = `${Math.max(4, time / longest * 100)}%`
    })
  }
}
