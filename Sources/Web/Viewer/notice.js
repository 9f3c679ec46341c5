// What went wrong, and what one can do about it.

import {NoID} from './address.js'
import {calmly} from './calm.js'
import {make} from './dom.js'
import {Unreachable, authorization, useKey} from './server.js'

export class Notice {
  constructor(container) {
    this.container = container
  }

  clear() {
    this.reason = null
    calmly(this, () => {
      this.container.hidden = true
      this.container.replaceChildren()
    })
  }

  /**
   * Shows an error. `actions` has what the person may do: `again` tries the same once more,
   * `prepare` prepares what was there.
   */
  show(error, {again, prepare} = {}) {
    const [reason, title, text, ...controls] = this.#words(error, again, prepare)
    if (reason === this.reason && reason === 'gone') return
    this.reason = reason
    calmly(this, () => {
      this.container.dataset.reason = reason
      this.container.replaceChildren(
        make('div', {}, make('strong', {}, title), make('p', {}, text)),
        make('div', {class: 'notice-actions'}, ...controls.filter(Boolean)))
      this.container.hidden = false
    })
  }

  #words(error, again, prepare) {
    const button = (title, action) => action
      && make('button', {type: 'button', class: 'button primary', onclick: () => action()}, title)
    if (error instanceof Unreachable) {
      return ['gone', 'The server does not answer', 'This page asks again every few seconds. What you see is what it already had.',
        button('Ask now', again)]
    }
    if (error instanceof NoID) {
      return ['lost', 'This address names no layout', 'What stands after id= is not the id of a layout. Nothing was asked for.',
        button('Prepare an example', prepare)]
    }
    switch (error.status) {
    case 401:
      return ['key', ...authorization() ? ['This key is wrong', 'The server does not know it. Try another one.']
        : ['This server wants a key', 'It is kept in this page only, until you close it.'], this.#keyForm(again)]
    case 404:
      return ['lost', 'This layout is gone', 'It was deleted, or nobody used it, or it had to make room.',
        button('Prepare an example', prepare)]
    case 408:
      return ['slow', 'The connection is too slow for the server', 'This page sends it again, with growing pauses.',
        button('Send again now', again)]
    case 413:
      return ['large', error.title ?? 'Too large', error.message]
    case 503:
    case 429:
      return ['busy', 'The server has too much to do', 'This page asks again soon.',
        button('Ask now', again)]
    default:
      return ['refused', error.title ?? 'The server refuses this', error.message]
    }
  }

  #keyForm(again) {
    const input = make('input', {id: 'key', type: 'password', autocomplete: 'off', required: true})
    return make('form', {class: 'key', onsubmit: (event) => {
      event.preventDefault()
      useKey(input.value)
      this.clear()
      again?.()
    }}, make('label', {for: 'key'}, 'Key'), input, make('button', {class: 'button primary'}, 'Use it'))
  }
}
