// A window on a layout, scrolled by the client.

import {LayoutError, mount} from '../client/layoutd.js'
import {make} from './dom.js'
import {elementNode} from './element.js'
import {authorization, base, Problem} from './server.js'

/** Statuses of the client that a person should know of. */
const TROUBLES = new Set(['offline', 'busy', 'gone', 'unauthorized', 'tooLarge', 'failed'])
/** The page has a place of its own for messages. */
const NO_MESSAGES = Object.fromEntries([...TROUBLES].map((status) => [status, '']))

export class Pane {
  /**
   * @param hooks `onMove()` when another rect is in sight, `onSummary(summary)` when there is another
   *   version, `onPreparedAgain()` when the layout was gone, `onProblem(error)` and `onFine()` when the server fails and answers again.
   */
  constructor(container, hooks) {
    this.container = container
    this.hooks = hooks
    // Scrolling is told to nobody above the scroller, but whoever captures hears of it.
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

  /** Shows a layout, at a rect if there is one. See `Stage.open`. */
  open(summary, {rect, prepareAgain, fitsWindow, lines}) {
    this.view?.destroy()
    this.summary = summary
    this.trouble = null
    this.start = rect
    this.showLines(lines)
    this.view = mount(this.container, {
      server: base, authorization, fit: fitsWindow, follow: true, messages: NO_MESSAGES, label: `Elements of a ${summary.kind}`,
      layout: prepareAgain ? async (gone) => gone ? this.#preparedAgain(prepareAgain) : summary.id : summary.id,
      render: (element, node) => this.#render(element, node),
    })
    this.view.store.subscribe(() => this.#changed())
  }

  /** Says where the lines of a tree go: a direction, 'none', or nothing for other kinds. */
  showLines(lines) {
    if (lines) this.container.dataset.tree = lines
    else delete this.container.dataset.tree
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

  /** Scrolls to the cell of a number and gives it. */
  async goTo(ordinal) {
    const {element} = await ours(this.view.scrollTo({ordinal, align: 'center'}))
    return element
  }

  patch(change) { return ours(this.view.store.patch(change)) }
  update(updates) { return ours(this.view.store.update(updates)) }

  /** Asks the server again, at once. */
  askAgain() { this.view.store.refresh() }

  async #preparedAgain(prepareAgain) {
    const {id} = await prepareAgain()
    this.hooks.onPreparedAgain()
    return id
  }

  #render(element, node) {
    const {frame: [x, y, width, height], kind, category} = element, isDown = /down|up/.test(this.container.dataset.tree)
    const [left, top, contentWidth, contentHeight] = this.content
    const {style} = this.container
    if (kind === 'connector') style.setProperty('--half-gap', `${Math.min(width, height) / 2}px`)
    else if (category === 'cell') style.setProperty('--half-item', `${(isDown ? width : height) / 2}px`)
    return elementNode(element, contentHeight >= contentWidth
      ? (y + height / 2 - top) / contentHeight : (x + width / 2 - left) / contentWidth, node)
  }

  #changed() {
    const {status, error, layout} = this.view.store.getSnapshot()
    if (layout && this.start) {
      const [x, y] = this.start
      this.start = null
      this.jump(x, y)
    }
    if (layout && (layout.version !== this.summary.version || layout.id !== this.summary.id)) {
      this.summary = layout
      this.hooks.onSummary(layout)
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

const ours = (promise) => promise.catch((error) => { throw asProblem(error) })
