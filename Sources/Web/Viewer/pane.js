// A window on a layout, scrolled by the client.

import {LayoutError, mount} from '../client/layoutd.js'
import {hasData} from './collection.js'
import {make} from './dom.js'
import {elementNode} from './element.js'
import {Origins} from './origins.js'
import {postNode} from './post.js'
import {authorization, base, Problem, Unreachable} from './server.js'

/** Statuses of the client that a person should know of. */
const TROUBLES = new Set(['offline', 'busy', 'slow', 'gone', 'unauthorized', 'tooLarge', 'failed'])

export class Pane {
  /**
   * @param hooks `onMove()` when another rect is in sight, `onSummary(isAnother)` when there is
   *   another version or another layout, `onPreparedAgain()` when the layout was gone,
   *   `onProblem(error)` and `onFine()` when the server fails and answers again, `onSelect(count)`
   *   when so many items are selected.
   * @param messages What the pane itself says of each trouble. Without, the page has a place for
   *   that.
   */
  constructor(container, hooks, messages = {}) {
    this.container = container
    this.hooks = hooks
    this.messages = {...Object.fromEntries([...TROUBLES].map((status) => [status, ''])), ...messages}
    this.patching = 0
    // Scrolling is told to nobody above the scroller, but whoever captures hears of it.
    container.addEventListener('click', ({target, shiftKey}) => this.#select(target.closest('.element'), shiftKey))
    container.addEventListener('keydown', ({target, key, shiftKey}) => {
      if (key === 'Enter') this.#select(target.closest('[role=listitem]')?.querySelector('.element'), shiftKey)
    })
    container.addEventListener('scroll', () => this.#movedSoon(), {capture: true, passive: true})
  }

  /** The bounds of a layout that fits this window: what its scroller will leave. */
  get bounds() {
    const probe = make('div', {class: 'scroller'})
    this.container.append(probe)
    const {clientWidth: width, clientHeight: height} = probe
    probe.remove()
    return {width, height}
  }

  /** Shows a layout, at a rect or an item if there is one. See `Stage.open`. */
  open(summary, opened) {
    const {rect, item, prepareAgain, fitsWindow, posts} = opened
    this.close()
    this.summary = summary
    this.opened = opened
    this.trouble = this.found = this.selected = null
    this.origins = new Origins(opened.origins)
    this.start = rect ? () => this.jump(...rect) : item ? () => this.view.scrollTo({item}).catch(() => {}) : null
    this.showLines()
    this.view = mount(this.container, {
      server: base, authorization, fit: fitsWindow, follow: true, messages: this.messages, label: `Elements of a ${summary.kind}`,
      layout: prepareAgain ? async (gone) => gone ? this.#preparedAgain(prepareAgain) : summary.id : summary.id,
      parts: Boolean(posts), find: Boolean(posts), data: opened.hasData ?? hasData(opened.wanted),
      render: (element, node, section) => this.#render(element, node, section),
    })
    this.view.store.subscribe(() => this.#changed())
  }

  close() {
    this.view?.destroy()
    this.view = this.opened = this.summary = null
  }

  /** Says where the lines of a tree go: a direction, 'none', or nothing for other kinds. */
  showLines() {
    const {kind, options} = this.opened
    if (kind.form !== 'forest') delete this.container.dataset.tree
    else this.container.dataset.tree = options.connectors === false ? 'none' : options.direction ?? 'right'
  }

  /** What is in sight, in points of the content. */
  get rect() { return this.view?.visible ?? null }

  /** The whole content; it may begin to the left of 0. */
  get content() { return this.view?.store.getSnapshot().content ?? null }

  get cellsInSight() {
    const [left, top, width, height] = this.rect
    return this.view.store.getSnapshot().elements.filter(({category, frame: [x, y, w, h]}) =>
      category === 'cell' && x < left + width && left < x + w && y < top + height && top < y + h)
  }

  jump(x, y) {
    this.view.scrollTo({at: [x, y]})
    this.#movedSoon()
  }

  /** Scrolls to the cell of a number, outlines it and gives it. */
  async goTo(ordinal) {
    this.#outline(null)
    const {element} = await ours(this.view.scrollTo({ordinal, align: 'center'}))
    this.#outline(element.indexPath)
    return element
  }

  #outline(indexPath) {
    this.found = indexPath && String(indexPath)
    for (const node of this.container.querySelectorAll('.element')) node.classList.toggle('found', this.#isFound(node.element))
  }

  /** Selects an item; with Shift, all from the last one on, loaded or not. */
  async #select(node, hasShift) {
    if (node?.element?.category !== 'cell') return
    const to = node.element.indexPath, from = hasShift && this.selected ? this.selected.from : to
    this.selected = {from, to}
    this.#showSelected()
    const ids = await ours(this.view.ids({from, to})).catch((error) => this.hooks.onProblem(error))
    if (ids && this.selected?.to === to) this.hooks.onSelect(ids.length)
  }

  #showSelected() {
    for (const node of this.container.querySelectorAll('.element')) node.classList.toggle('selected', this.#isSelected(node.element))
  }

  #isSelected({category, indexPath}) {
    const {from, to} = this.selected ?? {}
    return category === 'cell' && Boolean(from) && isFrom(indexPath, from) !== isFrom(indexPath, to) ||
      [from, to].some((end) => String(end) === String(indexPath) && category === 'cell')
  }

  #isFound({category, indexPath}) { return category === 'cell' && String(indexPath) === this.found }

  /** Applies a change of kind or options, animated. Throws what the server refuses. */
  async patch(change) {
    this.patching += 1
    try {
      await ours(this.view.store.patch(change))
    } finally {
      this.patching -= 1
    }
    if (this.trouble) this.askAgain()
  }

  update(updates) { return ours(this.view.store.update(updates)) }

  /** Asks the server again, at once. */
  askAgain() { this.view?.store.refresh() }

  async #preparedAgain(prepareAgain) {
    const {view, hooks} = this
    while (true) {
      try {
        const {id} = await prepareAgain()
        hooks.onFine()
        hooks.onPreparedAgain()
        return id
      } catch (error) {
        if (view !== this.view || !(error instanceof Unreachable || error.status === 503)) throw error
        hooks.onProblem(error)
        await new Promise((resolve) => setTimeout(resolve, 1000 * (error.retryAfter ?? 2)))
      }
    }
  }

  #render(element, node, section) {
    this.#follow()
    const {frame: [, , width, height], kind, category} = element, isDown = /down|up/.test(this.container.dataset.tree)
    const {style} = this.container, {top = 20, bottom = 20, left = 20, right = 20} = this.opened.options.insets ?? {}
    const gap = isDown ? top + bottom : left + right
    if (kind === 'connector') style.setProperty('--half-gap', `${gap / 2}px`)
    else if (category === 'cell') style.setProperty('--half-item', `${(isDown ? width : height) / 2}px`)
    const {posts, options: {card}} = this.opened
    node = posts && card && element.parts ? postNode(element, card, posts.seed, node)
      // A photograph has its colour in any order.
      : elementNode(element, element.id ?? element.data?.title ?? this.origins.of(element.indexPath), this.summary.counts.sections === 1,
        node?.isPost ? undefined : node, section)
    node.element = element
    node.classList.toggle('pile', kind === 'connector' && (isDown ? height : width) > gap + 0.1)
    node.classList.toggle('found', this.#isFound(element))
    node.classList.toggle('selected', this.#isSelected(element))
    return node
  }

  /** Colours and the outline go where their items went. */
  #follow() {
    const snapshot = this.view?.store.getSnapshot()
    if (!snapshot?.transitions || snapshot.transitions === this.transitions) return
    this.transitions = snapshot.transitions
    // Other items may be there now.
    if (this.selected) queueMicrotask(() => this.#showSelected())
    this.selected = null
    this.origins.follow(snapshot)
    const gone = this.found && snapshot.transitions.moving.find(({from}) => this.#isFound(from))
    if (gone) this.found = String(gone.to.indexPath)
  }

  #changed() {
    const {status, error, layout} = this.view.store.getSnapshot(), {start} = this
    this.#follow()
    if (layout && start) {
      this.start = null
      start()
    }
    if (layout && layout !== this.summary && differ(layout, this.summary)) {
      const isAnother = layout.id !== this.summary.id
      this.summary = layout
      this.hooks.onSummary(isAnother)
    }
    const trouble = TROUBLES.has(status) ? status : null
    if (trouble && (trouble !== this.trouble || error !== this.error)) this.hooks.onProblem(asProblem(error))
    if (!trouble && this.trouble) this.hooks.onFine()
    this.trouble = trouble
    this.error = error
    this.#movedSoon()
  }

  /** At most once for each frame. */
  #movedSoon() {
    if (this.isDue) return
    this.isDue = true
    requestAnimationFrame(() => {
      this.isDue = false
      if (this.view) this.hooks.onMove()
    })
  }
}

/** The client's errors as those of this page. */
const asProblem = (error) => error instanceof LayoutError
  ? new Problem(error.status, error.problem ?? {}) : error

const isFrom = ([section, item], [other, first]) => section > other || section === other && item >= first

const ours = (promise) => promise.catch((error) => { throw asProblem(error) })

/** Other bounds that change no frame leave the version as it is. */
const differ = (one, other) => one.version !== other.version || one.id !== other.id
  || one.bounds?.width !== other.bounds?.width || one.bounds?.height !== other.bounds?.height
