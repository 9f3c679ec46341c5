// The kinds as small pictures to choose from.

import {calmly} from './calm.js'
import {make} from './dom.js'
import {exampleOf} from './examples.js'
import {picture} from './picture.js'
import {Problem, Unreachable} from './server.js'

/** Shows a button for each kind. `choose(kind)` is called with the one that is pressed. */
export class KindStrip {
  constructor(list, choose) {
    this.list = list
    this.choose = choose
    this.buttons = new Map()
  }

  show(kinds) {
    for (const kind of kinds) {
      const {sentence} = exampleOf(kind)
      const frame = make('span', {class: 'kind-picture'})
      const button = make('button', {type: 'button', class: 'kind', title: sentence, 'aria-pressed': 'false',
        onclick: () => this.choose(kind)}, frame, make('span', {class: 'kind-name'}, kind.name))
      this.buttons.set(kind.name, {button, frame, kind})
    }
    this.list.replaceChildren(...[...this.buttons.values()].map(({button}) => make('li', {}, button)))
  }

  /**
   * Draws the pictures that are not there, one after the other, so that they keep nobody waiting. What
   * the server does not give is left for the next time.
   */
  draw() {
    this.drawing ??= this.#drawMissing().finally(() => { this.drawing = null })
  }

  async #drawMissing() {
    for (const {frame, kind} of this.buttons.values()) {
      if (frame.firstChild) continue
      try {
        frame.replaceChildren(await picture(kind, exampleOf(kind)))
      } catch (error) {
        if (!(error instanceof Unreachable || error instanceof Problem)) throw error
        return
      }
    }
  }

  mark(name) {
    calmly(this, () => {
      for (const [each, {button}] of this.buttons) button.setAttribute('aria-pressed', String(each === name))
      this.buttons.get(name)?.button.scrollIntoView({block: 'nearest', inline: 'nearest'})
    })
  }
}
