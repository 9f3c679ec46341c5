// A bar beside the content with a bubble that names the section: for fingers, pointers and keys.

import {clamp, end} from './rects.js'
import {attributed, div, styled} from './dom.js'

// As many stretches of the content have a name.
const MARKS = 200
const STEPS = {ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity}

export class Scrubber {
  #view
  #name
  /** The mark that a key has led to, and where the window was then: the last sections may be lower than a screen. */
  #chosen = null
  /** Where sections begin, of which version. */
  #marks = []
  #known = ''
  #bar = attributed(div({role: 'slider', tabindex: 0, 'aria-label': 'Sections', 'aria-orientation': 'vertical', 'aria-valuemin': 0}, {
    position: 'absolute', insetBlock: '0', insetInlineEnd: '16px', width: '28px', zIndex: 2, touchAction: 'none', cursor: 'ns-resize', display: 'none', pointerEvents: 'auto'}))
  #thumb = div({'aria-hidden': 'true'}, {position: 'absolute', insetInlineEnd: '4px', width: '8px', height: '40px', borderRadius: '4px',
    background: 'CanvasText', opacity: 0.5})
  #bubble = div({'aria-hidden': 'true'}, {position: 'absolute', insetInlineEnd: '36px', padding: '6px 12px', borderRadius: '6px', whiteSpace: 'nowrap',
    background: 'CanvasText', color: 'Canvas', font: '14px/1.4 system-ui, sans-serif', transform: 'translateY(-25%)', display: 'none'})

  /** @param view @param {(mark: {section: number, id?: string}) => string} [name] what the bubble says of a section */
  constructor(view, name = ({id, section}) => id ?? `${section + 1}`) {
    this.#view = view
    this.#name = name
    this.#bar.append(this.#thumb, this.#bubble)
    view.frame.append(this.#bar)
    const move = (event) => {
      if (!this.#bar.hasPointerCapture(event.pointerId)) return
      const {top, height} = this.#bar.getBoundingClientRect(), {content, length} = this.#content()
      this.#go(content + clamp((event.clientY - top) / height, 0, 1) * length)
    }
    this.#bar.addEventListener('pointerdown', (event) => {
      this.#bar.setPointerCapture(event.pointerId)
      this.#bubble.style.display = ''
      move(event)
    })
    this.#bar.addEventListener('pointermove', move)
    for (const name of ['pointerup', 'pointercancel', 'blur']) this.#bar.addEventListener(name, () => { this.#bubble.style.display = 'none' })
    this.#bar.addEventListener('keydown', (event) => {
      const step = STEPS[event.key]
      if (!step || event.ctrlKey || event.altKey || event.metaKey) return
      event.preventDefault()
      this.#bubble.style.display = ''
      const index = clamp(this.#here() + step, 0, this.#marks.length - 1)
      this.#go(this.#marks[index].y, index)
    })
  }

  /** Where the content begins, and how far it can be scrolled. */
  #content() {
    const {content} = this.#view.look(), {visible} = this.#view.main
    return {content: content[1], length: Math.max(1, end(content, 1) - content[1] - visible[3])}
  }

  /** The index of the mark of what is in sight. */
  #here() {
    const {visible: [, top]} = this.#view.main, {isAtStart, isAtEnd} = this.#view.ends(), {index, at} = this.#chosen ?? {}
    if (Math.abs(at - top) <= 1) return index
    return isAtEnd && !isAtStart ? this.#marks.length - 1 : Math.max(0, this.#marks.findLastIndex(({y}) => y <= top + 1))
  }

  #go(y, index) {
    const {landing, main} = this.#view
    landing.scrollTo({at: [main.visible[0], y]})
    this.#chosen = index === undefined ? null : {index, at: main.visible[1]}
    this.drawn()
  }

  /** Shows where the reader is. */
  drawn() {
    const view = this.#view, {layout} = view.look()
    if (this.#known !== `${layout.id} ${layout.version}`) this.#learn(layout)
    const mark = this.#marks[this.#here()]
    if (!mark) return
    const {content, length} = this.#content(), share = clamp((view.main.visible[1] - content) / length, 0, 1), name = this.#name(mark)
    for (const node of [this.#thumb, this.#bubble]) node.style.top = `calc(${share} * (100% - 40px))`
    if (this.#bubble.textContent !== name) this.#bubble.textContent = name
    attributed(this.#bar, {'aria-valuenow': this.#here(), 'aria-valuemax': this.#marks.length - 1, 'aria-valuetext': name})
  }

  async #learn({id, version}) {
    this.#known = `${id} ${version}`
    const {marks} = await this.#view.store.marks(MARKS).catch(() => ({marks: []}))
    if (this.#known !== `${id} ${version}`) return
    this.#marks = this.#view.mainAxis() ? marks : []
    this.#chosen = null
    styled(this.#bar, {display: this.#marks.length > 1 ? '' : 'none'})
    this.drawn()
  }

  destroy() { this.#bar.remove() }
}
