// What Ctrl+F would look for, over all that is not loaded: a search, and the bar for it.

import {attributed, div, styled} from './dom.js'
import {end} from './rects.js'

const BLANKS = '[ \\t\\n\\r]'
// Ticks beside the scroll bar.
const TICKS = 200
const NAMES = ['layoutd-match', 'layoutd-current-match']

/** An expression that finds in a page what the server finds: ignoring case is simple case folding there, too. */
const expression = (text, exact) => {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(exact ? literal : literal.replace(new RegExp(`${BLANKS}+`, 'g'), `${BLANKS}+`), exact ? 'gu' : 'giu')
}

/** A text that is looked for in a view. See `Found` in layoutd.d.ts. */
export class Find {
  count = null
  number = 0
  match = null
  marks = []
  onChange = null
  isClosed = false
  #view
  #query
  #expression
  #answer = null
  #turn = 0
  #isAsking = false
  #isBack = false
  #end

  constructor(view, text, {name, exact = false} = {}) {
    this.#view = view
    this.#expression = expression(text, exact)
    this.#query = `/find?text=${encodeURIComponent(text)}${name === undefined ? '' : `&name=${encodeURIComponent(name)}`}${exact ? '&exact=true' : ''}`
    this.#end = view.store.subscribe(() => this.#follow())
    const reading = view.store.reading()
    this.#ask(`${this.#query}&limit=1&marks=${TICKS}${reading ? `&from=${reading.indexPath}` : ''}`, true)
  }

  next() { return this.#go(false) }
  previous() { return this.#go(true) }

  close() {
    this.isClosed = true
    this.#turn++
    this.#end()
    for (const name of NAMES) globalThis.CSS?.highlights?.delete(name)
  }

  #go(isBack) {
    const {next, previous} = this.#answer ?? {}
    // The next of an answer that goes back lies before it.
    const link = isBack === this.#isBack ? next : previous
    // The only match is the next one, too.
    return link ? this.#ask(link.slice(link.indexOf('/find?')), true) : this.#show()
  }

  /** @param goes whether the view goes to the match */
  async #ask(path, goes) {
    const turn = ++this.#turn
    this.#isAsking = true
    const isBack = path.includes('&back=true')
    try {
      const answer = await this.#view.store.find(path)
      if (turn !== this.#turn) return this.match
      const {count, matches, marks = this.marks} = answer, {name, range, number} = this.match ?? {}
      const isSame = (one) => !goes && one.name === name && `${one.range}` === `${range}`
      const match = matches.find(isSame) ?? (goes || number ? matches[0] : null) ?? null
      this.#answer = answer
      this.#isBack = isBack
      Object.assign(this, {count, marks, match, number: match?.number ?? 0})
      this.#isAsking = false
      this.onChange?.(this)
      if (goes) await this.#show()
      this.#follow()
    } catch (reason) {
      if (turn !== this.#turn) return this.match
      this.#isAsking = false
      // The layout has another version by now. Its links begin at the cell that was told last.
      if (reason.status === 410 || reason.status === 404) return this.#ask(`${this.#query}&limit=1&marks=${TICKS}`, goes)
      throw reason
    }
    return this.match
  }

  async #show() {
    if (this.match) await this.#view.landing.scrollTo({item: this.match.indexPath, align: 'nearest'})
    this.mark()
    return this.match
  }

  /** Another version has other matches. The one that was told last stays, if it is still there. */
  #follow() {
    if (this.isClosed || this.#isAsking || !this.#answer) return
    const {version, layout} = this.#view.look()
    this.mark()
    if (!layout || version <= this.#answer.version && layout.id === this.#answer.id) return
    const from = this.match && (this.match.id ?? this.match.indexPath)
    this.#ask(`${this.#query}&limit=20&marks=${TICKS}${from ? `&from=${encodeURIComponent(from)}` : ''}`, false).catch(() => {})
  }

  /** Marks what is rendered, without a change of the page. */
  mark() {
    const highlights = globalThis.CSS?.highlights
    if (!highlights || this.isClosed) return
    const ranges = [[], []]
    for (const {node, element} of this.#view.ofCells()) {
      const isCurrent = `${element.indexPath}` === `${this.match?.indexPath}`
      ranges[Number(isCurrent)].push(...this.#rangesIn(node))
    }
    NAMES.forEach((name, i) => highlights.set(name, new Highlight(...ranges[i])))
  }

  #rangesIn(node) {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT), ranges = []
    while (walker.nextNode()) for (const {index, 0: {length}} of walker.currentNode.data.matchAll(this.#expression)) {
      const range = new Range()
      range.setStart(walker.currentNode, index)
      range.setEnd(walker.currentNode, index + length)
      ranges.push(range)
    }
    return ranges
  }
}

let sheet

/** The bar that Ctrl+F opens, and the ticks beside the scroll bar. */
export class FindBar {
  #view
  #bar
  #input
  #said
  #ticks
  #found = null
  #before = null

  constructor(view) {
    this.#view = view
    const button = (label, text, press) => {
      const made = attributed(document.createElement('button'), {type: 'button', 'aria-label': label})
      made.textContent = text
      made.addEventListener('click', press)
      return made
    }
    this.#bar = div({role: 'search', hidden: ''}, {position: 'absolute', insetBlockStart: '8px', insetInlineEnd: '24px',
      zIndex: 3, display: 'none', pointerEvents: 'auto', gap: '4px', alignItems: 'center', padding: '4px 8px', border: '1px solid', borderRadius: '6px',
      background: 'Canvas', color: 'CanvasText', font: '14px/1.4 system-ui, sans-serif'})
    this.#input = attributed(document.createElement('input'), {type: 'search', 'aria-label': 'Find', maxlength: 256})
    this.#said = div({'aria-live': 'polite'}, {minWidth: '6em'})
    this.#ticks = div({'aria-hidden': 'true'}, {position: 'absolute', insetBlock: '0', insetInlineEnd: '0', width: '6px', pointerEvents: 'none', zIndex: 1})
    this.#bar.append(this.#input, this.#said, button('Previous match', '↑', () => this.#found?.previous()),
      button('Next match', '↓', () => this.#found?.next()), button('Close', '×', () => this.close()))
    view.frame.append(this.#bar, this.#ticks)
    this.#input.addEventListener('input', () => this.#look())
    this.#bar.addEventListener('keydown', (event) => this.#pressed(event))
    document.addEventListener('keydown', this.#opened)
    // A page may forbid style elements.
    sheet ??= new CSSStyleSheet()
    sheet.replaceSync('::highlight(layoutd-match) {background: #ffe58a; color: #000} ::highlight(layoutd-current-match) {background: #ff9f43; color: #000}')
    if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.unshift(sheet)
  }

  /** The first Ctrl+F is ours, a second one the browser's. */
  #opened = (event) => {
    const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (!isFind || event.defaultPrevented || !this.#bar.hidden && this.#bar.contains(document.activeElement)) return
    event.preventDefault()
    this.#before ??= document.activeElement
    this.#bar.hidden = false
    this.#bar.style.display = 'flex'
    this.#input.focus()
    this.#input.select()
  }

  #pressed(event) {
    if (event.key === 'Escape') this.close()
    else if (event.key === 'Enter' && event.target === this.#input) event.shiftKey ? this.#found?.previous() : this.#found?.next()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  #look() {
    this.#found?.close()
    const text = this.#input.value
    this.#found = text ? new Find(this.#view, text) : null
    if (this.#found) this.#found.onChange = () => this.#tell()
    else this.#tell()
  }

  #tell() {
    const {count, number, marks} = this.#found ?? {marks: []}, {content} = this.#view.look(), axis = this.#view.mainAxis()
    const said = (value) => value.toLocaleString('en')
    this.#said.textContent = count === undefined ? '' : count ? `${said(number)} of ${said(count)}` : 'Nothing found'
    this.#ticks.replaceChildren(...axis ? marks.map(([start]) => styled(div({}, {position: 'absolute', insetInline: '0', height: '2px', background: '#d97706'}),
      {top: `${100 * (start - content[1]) / Math.max(1, end(content, 1) - content[1])}%`})) : [])
  }

  close() {
    this.#found?.close()
    this.#found = null
    this.#tell()
    this.#bar.hidden = true
    this.#bar.style.display = 'none'
    this.#before?.focus?.()
    this.#before = null
  }

  destroy() {
    this.#found?.close()
    document.removeEventListener('keydown', this.#opened)
    this.#bar.remove()
    this.#ticks.remove()
  }
}
