// A layout in an element of a page.

import {createStore} from './store.js'
import {Connection, LayoutError} from './connection.js'
import {Layer} from './layer.js'
import {Cells} from './cells.js'
import {Roles} from './roles.js'
import {Landing} from './landing.js'
import {AXES, contains, intersection, moved} from './rects.js'
import {isCell, same} from './elements.js'
import {axesOf} from './geometry.js'
import {div, styled} from './dom.js'

const MESSAGES = {offline: 'The server does not answer. Trying again.', busy: 'The server is busy. Trying again.',
  slow: 'The connection is too slow for the server. Trying again.', gone: 'This layout is gone.',
  unauthorized: 'The server needs a key.', tooLarge: 'This layout is too large.', failed: 'This layout cannot be shown.',
  measuring: 'The sizes of items cannot be kept in this layout.'}

// What a view is made with. The other options may become others later.
const FIXED = 'server folding fit bands measure parts data text bounds fonts role scroller'.split(' ')
const OPTIONS = ('server layout authorization overscan fit bands follow folding keep measure parts data text fetch bounds ' +
  'with render release flush animate fonts label role describe messages find scrubber scroller scrollPadding restore onRange onStart onEnd onBelow onStatus').split(' ')

class View {
  layers = new Map()
  /** Searches, which mark what is drawn. */
  finds = new Set()
  isEnded = false
  isLoading = false
  life = new AbortController()
  #told = ''
  #hasWarned = false

  constructor(container, options) {
    const {measure = false, fonts, scroller} = options
    this.container = container
    this.#take(options)
    this.connection = new Connection(options, {onWaiting() {}, onAnswer() {}})
    const {Arriving, Folding, Keyboard, Measuring, Page, loadFonts, fontsOfCards} = this.parts = Object.assign({}, ...options.with ?? [])
    if (getComputedStyle(container).position === 'static') container.style.position = 'relative'
    this.page = scroller === 'page' ? new Page(this) : null
    const {root, frame, port} = this.page ?? {root: container, frame: container}
    this.scroller = div({tabindex: -1}, this.page ? {outline: 'none'}
      : {position: 'absolute', inset: '0', overflow: 'auto', scrollbarGutter: 'stable', outlineOffset: '-2px'})
    this.notice = div({role: 'status'}, {position: 'absolute', insetInline: '0', bottom: '0', zIndex: 2})
    this.frame = frame
    root.append(this.scroller)
    frame.append(this.notice)
    this.store = createStore({...options, bounds: this.size})
    this.look = this.store.getSnapshot
    if (fonts) this.#load(loadFonts(this.connection, fonts !== true ? fonts
      : typeof options.layout === 'object' ? fontsOfCards(options.layout) : [], this.life.signal))
    this.main = this.addLayer(this.scroller, -1, port)
    this.landing = new Landing(this)
    this.arriving = Arriving && new Arriving(this)
    this.measuring = measure ? new Measuring(this) : null
    this.roles = new Roles(this)
    this.cells = new Cells(this)
    this.folding = options.folding && Folding ? new Folding(this) : null
    this.keyboard = Keyboard && new Keyboard(this)
    for (const name of ['wheel', 'pointerdown']) this.main.listen(name, () => this.landing.interrupt())
    this.#addBars()
    this.end = this.store.subscribe(() => this.#changed())
    this.resizing = new ResizeObserver(() => this.#resized())
    this.resizing.observe(this.scroller)
    this.page?.observe(this.resizing, () => this.#resized())
    this.#changed()
    this.scrolled(this.main)
    // If that fails, the status says so.
    if (options.restore) this.landing.restore(options.restore).catch(() => {})
  }

  #take(options) {
    const {render, animate = true, messages, scrollPadding: {top = 0, bottom = 0} = {}} = options
    const unknown = Object.keys(options).filter((name) => !OPTIONS.includes(name))
    if (unknown.length) console.warn(`layoutd: mount has no option ${unknown.join(', ')}.`)
    Object.assign(this, {options, render, isAnimated: animate, messages: {...MESSAGES, ...messages}, padding: {top, bottom}})
  }

  #addBars() {
    const {find, scrubber} = this.options, {FindBar, Scrubber} = this.parts
    if (!find) this.bar = void this.bar?.destroy()
    else this.bar ??= new FindBar(this)
    if (!scrubber) this.scrubber = void this.scrubber?.destroy()
    else this.scrubber ??= new Scrubber(this, typeof scrubber === 'function' ? (mark) => this.options.scrubber(mark) : undefined)
  }

  /** These are the options from now on, but for the layout. @returns {string[]} which others it cannot take over */
  set(given) {
    const before = this.options, kept = Object.fromEntries([...FIXED, 'layout', 'with'].map((name) => [name, before[name]]))
    this.#take({...given, ...kept})
    this.store.set(this.options)
    this.connection.take(given)
    this.#addBars()
    this.#tellStatus()
    this.roles.name()
    if (before.render !== given.render) this.cells.renderAgain(before.release)
    if (before.describe || given.describe || !same(before.scrollPadding, given.scrollPadding))
      for (const layer of this.layers.values()) layer.isMoved = true
    this.redraw(this.main)
    return FIXED.filter((name) => !same(before[name], given[name]))
  }

  /** Nothing is drawn before the fonts are there: it would be measured in others. */
  #load(loaded) {
    this.isLoading = true
    loaded.catch((reason) => {
      if (!this.isEnded) console.warn(`layoutd: fonts were not loaded: ${reason.message}`)
    }).then(() => {
      this.isLoading = false
      this.#changed()
    })
  }

  get size() {
    const {scroller, page} = this
    return {width: scroller.clientWidth, height: (page?.port ?? scroller).clientHeight}
  }

  addLayer(scroller, section, port) {
    const layer = new Layer(this, scroller, section, port)
    this.layers.set(section, layer)
    return layer
  }

  /** The axis along which the layout scrolls. */
  mainAxis() {
    const {layout} = this.look(), axes = layout ? axesOf(layout) : [1]
    return axes.length > 1 ? this.main.axes[0].length > this.main.axes[0].view ? 0 : 1 : axes[0]
  }
  /** Whether the reader is at the ends of the content: scroll positions are whole pixels of the device. */
  ends() {
    const [before, after] = this.main.distances(this.mainAxis())
    return {isAtStart: before <= 1, isAtEnd: after <= 1}
  }
  axisOf(layer) { return layer.section < 0 ? this.mainAxis() : 0 }
  allRecords() { return [...this.layers.values()].flatMap(({records}) => [...records.values()]) }
  recordOf = (key) => [...this.layers.values()].map(({records}) => records.get(key)).find(Boolean)
  layerOf({element}) { return [...this.layers.values()].find(({records}) => records.has(element.key)) }
  ofCells() { return this.allRecords().filter(({element}) => isCell(element) && !element.side) }
  recordAt(node) { return this.ofCells().find((record) => record.node.contains(node)) }

  /** Whether all that is in sight is known and drawn. */
  get isShown() {
    const {main, isLoading} = this, look = this.look(), {covered, content} = look
    return !isLoading && main.drawn === look && Boolean(covered) && contains(covered, intersection(main.visible, content))
  }

  /** The reader has scrolled, or was sent somewhere. @param anchor what stays in place from now on */
  scrolled(layer, anchor) {
    const {visible, section} = layer
    if (!visible[2] || !visible[3] || this.isEnded) return
    this.store.show(visible, anchor, section)
    this.redraw(layer)
  }

  redraw(layer) {
    const {visible: [, , width, height]} = layer
    if (!width || !height || !this.look().layout || this.isEnded || this.isLoading) return
    this.cells.draw(layer)
    for (const found of this.finds) found.mark()
    if (layer !== this.main) return
    this.arriving?.drawn()
    this.scrubber?.drawn()
  }

  /** Shows what the store says is visible, and what the reader has scrolled meanwhile. */
  #follow() {
    const {main} = this, {content, rightToLeft} = this.look(), before = main.visible
    const way = main.sync() ? AXES.map((i) => main.visible[i] - before[i]) : null
    main.measure(content, rightToLeft, this.size, this.page?.beyond())
    const visible = this.store.visible()
    if (!visible) return
    main.moveTo(way ? moved(visible, way) : visible)
    if (way) this.scrolled(main)
  }

  #changed() {
    if (this.isEnded) return
    const {layout, content, transitions} = this.look()
    this.#tellStatus()
    this.arriving?.changed()
    const gutter = layout && content[2] > layout.bounds?.width ? 'auto' : 'stable'
    if (this.scroller.style.scrollbarGutter !== gutter) this.scroller.style.scrollbarGutter = gutter
    this.#follow()
    const animateAll = transitions && this.parts.play?.(this, transitions)
    this.redraw(this.main)
    animateAll?.()
    this.measuring?.send()
  }

  /** The container has another size. The place stays. */
  #resized() {
    const {size, main} = this
    if ((!size.width || !size.height) && !this.#hasWarned && this.scroller.checkVisibility?.()) {
      this.#hasWarned = true
      console.warn('layoutd: the container has no size, so nothing can be shown.', this.container)
    }
    const isFirst = !this.store.visible()
    if (main.sync()) this.scrolled(main)
    this.store.view(size)
    this.store.resize(size)
    this.#follow()
    if (isFirst) this.scrolled(main)
    else this.redraw(main)
  }

  /** Says something that is no status. */
  tell(name) {
    this.#told = this.messages[name]
    this.#tellStatus()
  }

  #tellStatus() {
    const {status, error} = this.look(), {notice} = this, message = this.messages[status] || this.#told
    const isAnswer = message && !['busy', 'slow'].includes(status) && error instanceof LayoutError
    const text = isAnswer ? `${message} ${error.message}` : message
    if (notice.textContent === text) return
    notice.textContent = text
    styled(notice, {padding: text && '8px 12px', borderTop: text && '1px solid', background: 'Canvas', color: 'CanvasText'})
  }

  destroy() {
    this.isEnded = true
    this.life.abort()
    this.landing.interrupt()
    this.bar?.destroy()
    this.scrubber?.destroy()
    this.resizing.disconnect()
    this.measuring?.disconnect()
    this.end()
    this.store.close()
    for (const record of this.allRecords()) this.cells.drop(record)
    this.scroller.remove()
    this.notice.remove()
    this.page?.destroy()
  }
}

/**
 * Shows a layout in an element, which needs a size.
 * @param {HTMLElement} container @param {import('./layoutd.js').ViewOptions} options
 * @returns {import('./layoutd.js').View}
 */
export function mount(container, options) {
  const view = new View(container, options)
  return {
    store: view.store,
    scrollTo: (target) => view.landing.scrollTo(target),
    show: (layout) => view.store.open(layout),
    snapshot: () => view.landing.snapshot(),
    get isAtEnd() { return view.ends().isAtEnd },
    ids: (range) => view.store.ids(range),
    arrange: (arrangement) => view.store.arrange(arrangement),
    fold: (what) => view.store.fold('from' in what ? what : {fold: [what]}),
    unfold: (what, {levels = 1} = {}) => view.store.fold({unfold: [what], levels}),
    async reveal(id) {
      const {version} = await view.store.fold({reveal: [{id}]})
      return view.landing.scrollTo({id}, version)
    },
    find: (text, how) => new view.parts.Find(view, text, how),
    get visible() { return view.main.visible },
    set: (options) => view.set(options),
    destroy: () => view.destroy(),
  }
}
