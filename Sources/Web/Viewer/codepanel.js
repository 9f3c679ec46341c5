// The code for what is on the screen, in the language of one's choice, to be copied.

import {calmly} from './calm.js'
import {languages} from './code.js'
import {byID, make} from './dom.js'

export class CodePanel {
  /**
   * `shown()` gives what is on the screen, or null. It is asked only while the code is in sight.
   */
  constructor(shown) {
    this.shown = shown
    this.language = 'curl'
    this.turn = 0
    byID('language').append(...Object.entries(languages).map(([value, [title]]) =>
      make('label', {}, make('input', {type: 'radio', name: 'language', value, checked: value === this.language,
        onchange: () => { this.language = value; this.update() }}), make('span', {}, title))))
    byID('copy').addEventListener('click', () => this.#copy())
  }

  /** Shows the code anew, if something about it has changed. */
  async update() {
    const shown = byID('code-tab').hidden ? null : this.shown()
    if (!shown) return
    const turn = this.turn += 1, [, code] = languages[this.language]
    const [text, note] = await code(shown)
    if (turn !== this.turn) return
    calmly(this, () => {
      const notes = [note, shown.isEdited ? 'Changes that were made to the items since are not in it.' : ''].filter(Boolean).join(' ')
      byID('code').dataset.language = this.language
      if (byID('code').textContent !== text) byID('code').textContent = text
      if (byID('code-note').textContent !== notes) byID('code-note').textContent = notes
    })
  }

  async #copy() {
    // Only pages of https and of this machine may use the clipboard.
    const isCopied = await navigator.clipboard?.writeText(byID('code').textContent).then(() => true, () => false)
    if (!isCopied) getSelection().selectAllChildren(byID('code'))
    byID('copy').textContent = isCopied ? 'Copied' : 'Selected'
    setTimeout(() => calmly(byID('copy'), () => { byID('copy').textContent = 'Copy' }), 1500)
  }
}
