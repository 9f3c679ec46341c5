// The kinds as small pictures to choose from.

import {calmly} from './calm.js'
import {make} from './dom.js'
import {exampleOf} from './examples.js'
import {picture} from './picture.js'

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

  /** Draws the pictures, one after the other, so that they keep nobody waiting. */
  async draw() {
    for (const {frame, kind} of this.buttons.values()) {
      frame.replaceChildren(await picture(kind, exampleOf(kind)))
    }
  }

  mark(name) {
    calmly(this, () => {
      for (const [each, {button}] of this.buttons) button.setAttribute('aria-pressed', String(each === name))
      this.buttons.get(name)?.button.scrollIntoView({block: 'nearest', inline: 'nearest'})
    })
  }
}
