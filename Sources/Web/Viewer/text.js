// The lines of a text: the server's beside the browser's.

import {make} from './dom.js'
import {loadFont} from './fonts.js'
import {ask} from './server.js'
import {texts} from './texts.js'

const COUNT = 300
const WIDTHS = [180, 320, 505.5]
const BLANK = /[ \t\n\r]/
const EXAMPLE = 'The pier at Harrow Point was rebuilt twice before anyone measured the tide. Most of the 24 boats leave at ' +
  '6:30 in the morning and are back by noon, even on well-known rainy days. Today’s tide is at https://example.org/tide?x=1, ' +
  'and “high water” comes late.'

/** Where each line of a node begins that shows one text: UTF-16 indexes of what is laid out first in it. */
export function startsOf(node) {
  const {firstChild} = node, starts = [], range = new Range()
  let line = -Infinity
  for (let at = 0; firstChild && at < firstChild.length;) {
    const length = firstChild.data.codePointAt(at) > 0xffff ? 2 : 1
    range.setStart(firstChild, at)
    range.setEnd(firstChild, at + length)
    const box = range.getClientRects()[0]
    // Blanks that hang or collapse belong to the line before.
    if (box && !BLANK.test(firstChild.data[at]) && box.top > line + box.height / 2) {
      starts.push(at)
      line = box.top
    }
    at += length
  }
  if (starts.length) starts[0] = 0
  return starts
}

/** The CSS that a style stands for. */
const styleOf = ({font, size, lineHeight}, width) =>
  `font: normal 400 ${size}px/${lineHeight}px "${font}"; letter-spacing: 0px; white-space: normal; overflow-wrap: break-word; ` +
  `unicode-bidi: plaintext; text-spacing-trim: space-all; font-optical-sizing: none; text-rendering: geometricPrecision; width: ${width}px`

const same = (one, other) => one.length === other.length && one.every((value, i) => value === other[i])

export class TextPanel {
  #node
  #turn = 0
  #isFilled = false

  constructor(node) {
    this.#node = node
    const number = (id, value, min) => make('input', {id, type: 'number', value, min, step: 'any'})
    this.font = make('select', {id: 'text-font'})
    this.size = number('text-size', 16, 1)
    this.lineHeight = number('text-line-height', 24, 1)
    this.width = number('text-width', 260, 1)
    this.text = make('textarea', {id: 'text-text', rows: 4})
    this.text.value = EXAMPLE
    this.shown = make('div')
    this.box = make('div', {class: 'text-shown', tabIndex: 0, role: 'region', 'aria-label': 'The text, as this browser shows it'}, this.shown)
    this.lines = make('ol', {class: 'text-lines'})
    this.verdict = make('p', {role: 'status'})
    this.rate = make('p', {role: 'status', id: 'text-rate'})
    this.button = make('button', {type: 'button', class: 'button wide', onclick: () => this.#compareMany()}, `Compare ${COUNT} texts`)
    for (const input of [this.font, this.size, this.lineHeight, this.width, this.text]) input.addEventListener('input', () => this.#compare())
  }

  /** The tab is shown: fonts are asked for. */
  async show() {
    if (this.#isFilled) return
    this.#isFilled = true
    const hint = make('p', {class: 'hint', role: 'status'}, 'Asking which fonts the server has …')
    this.#node.replaceChildren(hint)
    let fonts
    try {
      ({fonts} = await ask('/fonts'))
    } catch (error) {
      this.#isFilled = false
      hint.textContent = `It is not known which fonts the server has. Open this tab again to ask once more. (${error.message})`
      return
    }
    if (!fonts.length) {
      hint.textContent = 'This server has no fonts. Install some, or say with --fonts where they are.'
      return
    }
    this.urls = new Map(fonts.map(({name, url}) => [name, url]))
    this.font.append(...fonts.map(({name}) => make('option', {value: name}, name)))
    this.font.value = ['inter-regular', 'opensans-regular', 'dejavusans'].find((name) => this.urls.has(name)) ?? fonts[0].name
    const field = (title, input) => make('div', {class: 'field'}, make('label', {for: input.id}, title), input)
    this.#node.replaceChildren(
      make('p', {class: 'hint'}, 'The server breaks a text into lines. Compare them with those of this browser, in the same font.'),
      field('Font', this.font), make('div', {class: 'pair'}, field('Size', this.size), field('Line height', this.lineHeight)),
      field('Width', this.width), field('Text', this.text), this.verdict,
      make('p', {class: 'label'}, 'The lines of the server'), this.lines,
      make('p', {class: 'label'}, 'The text in this browser'), this.box, this.button, this.rate)
    await this.#compare()
  }

  get #style() { return {font: this.font.value, size: Number(this.size.value), lineHeight: Number(this.lineHeight.value)} }

  #load(name) { return loadFont({name, url: this.urls.get(name)}) }

  async #compare() {
    const turn = ++this.#turn, style = this.#style, width = Number(this.width.value), text = this.text.value
    try {
      const [answer] = await Promise.all([ask('/text/measure', {method: 'POST',
        body: {...style, width, texts: [text], lines: true}}), this.#load(style.font)])
      if (turn !== this.#turn) return
      const [{starts: [server], estimated}] = answer.texts
      this.shown.style.cssText = styleOf(style, width)
      this.shown.lang = 'en'
      this.shown.textContent = text
      const browser = startsOf(this.shown)
      this.lines.replaceChildren(...server.map((start, i) => make('li', {class: browser[i] === start ? '' : 'differs'},
        text.slice(start, server[i + 1]).trim())))
      this.verdict.textContent = `Server: ${server.length} ${server.length === 1 ? 'line' : 'lines'}. This browser: ${browser.length}. ` +
        (estimated ? 'The server only estimates this text.' : same(server, browser) ? 'Each begins at the same place.' : 'The lines differ. Those underlined begin elsewhere in this browser.')
    } catch (error) {
      if (turn === this.#turn) this.verdict.textContent = error.message
    }
  }

  /** Compares many texts at several widths, and says how often the lines are the same. */
  async #compareMany() {
    const style = this.#style, all = texts(COUNT), box = make('div', {class: 'text-probe', 'aria-hidden': 'true'})
    this.button.disabled = true
    document.body.append(box)
    try {
      await this.#load(style.font)
      let count = 0, counts = 0, starts = 0, estimated = 0
      for (const language of new Set(all.map((one) => one.language))) {
        const some = all.filter((one) => one.language === language).map(({text}) => text)
        const answer = await ask('/text/measure', {method: 'POST', body: {...style, language, width: WIDTHS, texts: some, lines: true}})
        box.lang = language
        for (const [i, one] of answer.texts.entries()) {
          if (one.estimated) { estimated += 1; continue }
          for (const [k, width] of WIDTHS.entries()) {
            box.style.cssText = styleOf(style, width)
            box.textContent = some[i]
            const browser = startsOf(box)
            count += 1
            counts += browser.length === one.lines[k]
            starts += same(browser, one.starts[k])
          }
        }
      }
      const share = (part) => `${part} of ${count}${count ? ` (${(100 * part / count).toFixed(2)} %)` : ''}`
      this.rate.textContent = `${COUNT - estimated} texts, each at ${WIDTHS.length} widths. As many lines: ${share(counts)}. ` +
        `Every line begins at the same place: ${share(starts)}. ` +
        `${estimated} other texts have characters that this font lacks. This browser: ${navigator.userAgent}`
    } catch (error) {
      this.rate.textContent = error.message
    }
    box.remove()
    this.button.disabled = false
  }
}
