// What Ctrl+F would look for, over all that is not loaded: a search, and the bar for it.

import {attributed, div, styled} from './dom.js'
import {same} from './elements.js'
import {tagOf} from './geometry.js'
import {end} from './rects.js'

const BLANKS = '[ \\t\\n\\r]'
// Ticks beside the scroll bar.
const TICKS = 200
// So many matches are known: if the current one goes, one of them takes over.
const NEXT = 20
// A cell may have more.
const MOST = 1000
// Others may change the layout faster than anybody can ask.
const MOST_TURNS = 6
// After the last letter, in milliseconds.
const PAUSE = 120
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
  #view
  #query
  #expression
  /** The version of the layout that the match is of. */
  #of = null
  /** Who takes over if the match goes: those behind it, then those before it, the nearest first. */
  #others = []
  #work = Promise.resolve()
  #isDue = false
  #life = new AbortController()
  #marked = NAMES.map(() => [])

  constructor(view, text, {name, exact = false} = {}) {
    this.#view = view
    this.#expression = expression(text, exact)
    this.#query = `/find?text=${encodeURIComponent(text)}${name === undefined ? '' : `&name=${encodeURIComponent(name)}`}${exact ? '&exact=true' : ''}&marks=${TICKS}`
    view.finds.add(this)
    const {signal} = this.#life
    signal.addEventListener('abort', view.store.subscribe(() => this.#follow()))
    view.life.signal.addEventListener('abort', () => this.close(), {signal})
    // If that fails, `next` tries again and says why.
    this.next().catch(() => this.onChange?.(this))
  }

  get isClosed() { return this.#life.signal.aborted }
  get version() { return this.#of?.version ?? null }

  next() { return this.#go(1) }
  previous() { return this.#go(-1) }

  close() {
    this.#life.abort()
    this.#view.finds.delete(this)
    this.mark()
  }

  async #go(way) {
    await this.#then(() => this.#ask(way))
    // Whoever does not follow learns here that there is another version.
    const {look, store, options} = this.#view
    if (!options.follow && this.version > look().version) store.refresh()
    await this.#show()
    this.mark()
    return this.match
  }

  /** Brings the match into sight. Others may have deleted what stood at its place. */
  async #show(turns = MOST_TURNS) {
    const {match} = this, {landing, store} = this.#view
    if (!match || this.isClosed) return
    const {version} = match.hidden ? await store.fold({reveal: [{at: match.indexPath}]}) : this
    const isThere = await landing.scrollTo({item: match.indexPath, align: 'nearest'}, version).catch((reason) => {
      if (!turns || !reason.problem?.type?.endsWith('no-such-element')) throw reason
    })
    if (isThere) return
    await this.#then(() => this.#ask(0))
    await this.#show(turns - 1)
  }

  /** Does one thing after the other: each counts from the match that the one before has found. */
  #then(work) {
    const done = this.#work.then(() => this.isClosed ? null : work())
    this.#work = done.catch(() => {})
    return done
  }

  /** Another version has other matches. */
  #follow() {
    if (this.#isDue || !this.#isOld()) return
    this.#isDue = true
    this.#then(() => {
      this.#isDue = false
      return this.#ask(0)
    }).catch(() => {})
  }

  /** Whether the view has come further than the match. */
  #isOld() {
    const {layout, version} = this.#view.look()
    return this.#of && layout && (layout.id !== this.#of.id || version > this.#of.version)
  }

  /** Takes over the current match as it is now, or with `way` 1 the next one, with -1 the one before. */
  async #ask(way) {
    const {store} = this.#view, {match} = this, {signal} = this.#life
    let place = match && {...this.#of, cells: [match]}, isOld = this.#isOld(), limit = NEXT
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      if (match && isOld) place = await store.trace([match, ...this.#others], tagOf(this.#of), signal)
      const from = place?.cells[0] ?? match ?? store.reading()
      // Behind the last one there is none.
      const isLast = match && !place && this.number === this.count, isBack = way < 0 || isLast
      const answer = await this.#find(limit, isBack, isLast ? undefined : from?.indexPath)
      isOld = place && tagOf(place) !== tagOf(answer)
      const found = !isOld && this.#chosen(answer, place?.cells[0], way)
      if (found !== false) return this.#take(answer, found, isBack)
      if (!isOld) limit = MOST
    }
  }

  /** Others may have deleted the place from which it begins, and all behind it. */
  #find(limit, isBack, from) {
    const query = `${this.#query}&limit=${limit}${isBack ? '&back=true' : ''}${from ? `&from=${from}` : ''}`
    return this.#view.store.find(query, this.#life.signal).catch((reason) => {
      if (from && reason.problem?.type?.endsWith('no-such-element')) return this.#find(limit, true)
      throw reason
    })
  }

  /**
   * Which match of an answer is taken over; false if the answer has too few of them.
   * @param cell the current match as it is now, or another one that takes over from it
   */
  #chosen({matches, count}, cell, way) {
    const {match} = this, [first] = matches
    if (!first || !match && !way) return null
    if (!match || !cell) return first
    const isIn = (one) => same(one.indexPath, cell.indexPath)
    const isGone = cell.number !== match.number, isBehind = cell.number > match.number
    let at = matches.findIndex((one) => isIn(one) && one.name === cell.name && same(one.range, cell.range))
    if (at < 0 && matches.every(isIn) && matches.length < count) return false
    // What has another text now is the same while it has matches.
    if (at < 0) at = way && !isIn(first) ? -1 : 0
    if (!isGone || isBehind !== way > 0) at += Math.abs(way)
    if (isGone && !isBehind && !way && matches[at + 1]?.number > matches[at].number) at++
    return at < matches.length || matches.length === count ? matches[Math.max(0, at) % count] : false
  }

  #take({id, version, versionTag, count, matches, marks}, match, isBack) {
    const {number} = Object.assign(this, {count, marks, match, number: match?.number ?? 0}), at = matches.indexOf(match)
    const [before, behind] = [matches.slice(0, at).reverse(), matches.slice(at + 1)]
    this.#of = {id, version, versionTag}
    this.#others = [...(isBack ? before : behind).filter((one) => one.number > number),
      ...(isBack ? behind : before).filter((one) => one.number < number)]
    this.onChange?.(this)
    this.#follow()
  }

  /** Marks what is rendered, without a change of the page. */
  mark() {
    const {highlights} = globalThis.CSS ?? {}
    if (!highlights) return
    const ranges = NAMES.map(() => [])
    if (!this.isClosed) for (const {node, element} of this.#view.ofCells())
      ranges[Number(same(element.indexPath, this.match?.indexPath))].push(...this.#rangesIn(node))
    NAMES.forEach((name, i) => {
      // Other searches mark in the same names.
      if (!highlights.has(name)) highlights.set(name, new Highlight())
      const highlight = highlights.get(name)
      for (const range of this.#marked[i]) highlight.delete(range)
      for (const range of ranges[i]) highlight.add(range)
    })
    this.#marked = ranges
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
const bars = []

/** The bar that Ctrl+F opens, and the ticks beside the scroll bar. */
export class FindBar {
  #view
  #bar
  #input
  #said
  #ticks
  #found = null
  #before = null
  /** What waits for the last letter. */
  #timer = null

  constructor(view) {
    this.#view = view
    bars.push(this)
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
    this.#bar.append(this.#input, this.#said, button('Previous match', '↑', () => this.#go(true)),
      button('Next match', '↓', () => this.#go(false)), button('Close', '×', () => this.close()))
    view.frame.append(this.#bar, this.#ticks)
    this.#input.addEventListener('input', () => this.#typed())
    this.#bar.addEventListener('keydown', (event) => this.#pressed(event))
    document.addEventListener('keydown', this.#opened)
    // A page may forbid style elements.
    sheet ??= new CSSStyleSheet()
    sheet.replaceSync('::highlight(layoutd-match) {background: #ffe58a; color: #000} ::highlight(layoutd-current-match) {background: #ff9f43; color: #000}')
    if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.unshift(sheet)
  }

  /** The first Ctrl+F is ours, a second one the browser's. Of several bars, that of the view with the focus opens. */
  #opened = (event) => {
    const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    const path = event.composedPath(), hasFocus = (bar) => path.includes(bar.#view.container)
    const isSeen = (bar) => bar.#view.container.checkVisibility?.() ?? true
    if (!isFind || event.defaultPrevented || (bars.find(hasFocus) ?? bars.find(isSeen)) !== this ||
      !this.#bar.hidden && path.includes(this.#bar)) return
    event.preventDefault()
    this.#before ??= document.activeElement
    this.#bar.hidden = false
    this.#bar.style.display = 'flex'
    this.#input.focus()
    this.#input.select()
  }

  #pressed(event) {
    // Enter and Escape end what an input method composes.
    if (event.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') this.close()
    else if (event.key === 'Enter' && event.target === this.#input) this.#go(event.shiftKey)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  #go(isBack) {
    if (this.#timer) this.#look()
    else (isBack ? this.#found?.previous() : this.#found?.next())?.catch(() => {})
  }

  /** Looks for the text when nobody has typed for a while. What was looked for before does not matter any more. */
  #typed() {
    this.#found?.close()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), PAUSE)
  }

  #look() {
    clearTimeout(this.#timer)
    this.#timer = null
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
    clearTimeout(this.#timer)
    this.#timer = null
    this.#tell()
    this.#bar.hidden = true
    this.#bar.style.display = 'none'
    this.#before?.focus?.()
    this.#before = null
  }

  destroy() {
    this.close()
    bars.splice(bars.indexOf(this), 1)
    document.removeEventListener('keydown', this.#opened)
    this.#bar.remove()
    this.#ticks.remove()
  }
}
