// A layout in the flow of a page, which scrolls up and down.

import {div} from './dom.js'

export class Page {
  port = document.scrollingElement
  #view

  constructor(view) {
    const {container, padding: {top, bottom}} = view, covered = top + bottom
    this.#view = view
    this.root = container.appendChild(div({}, {overflow: 'clip', minHeight: '4em'}))
    // What stands still in the window while the content scrolls, as far as the content goes.
    this.frame = this.root.appendChild(div({}, {position: 'sticky', top: `${top}px`, height: `calc(100vh - ${covered}px)`,
      marginBottom: `calc(${covered}px - 100vh)`, pointerEvents: 'none', zIndex: 2}))
  }

  /** Calls when the window has another size, or anything else in the page. */
  observe(observer, resized) {
    observer.observe(document.body)
    addEventListener('resize', resized, {signal: this.#view.life.signal})
  }

  /** How much of the page comes before and after the content. The store learns it, too. */
  beyond() {
    const {port} = this, {store, size, main: {area, beyond}} = this.#view
    const {top, height} = area.getBoundingClientRect(), before = top + port.scrollTop
    const after = port.scrollHeight > port.clientHeight ? port.scrollHeight - before - height : 0
    if (Math.abs(before - beyond[0]) < 1 && Math.abs(after - beyond[1]) < 1) return beyond
    store.view(size, -1, [before, after])
    return [before, after]
  }

  destroy() {
    this.port.style.overflowAnchor = ''
    this.root.remove()
  }
}
