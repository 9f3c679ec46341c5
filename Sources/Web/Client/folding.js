// What can fold opens and closes by a click and by the keys of WAI-ARIA's tree.

import {closest} from './keyboard.js'
import {isCell} from './elements.js'

const INTERACTIVE = 'a, button, input, textarea, select, label, summary, [contenteditable]'
const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter', ' ']

/** Whether an element is a row or a header that is folded, or can be. */
export const isOpenable = ({category, kind, folded, childCount}) => Boolean(folded) || (category === 'cell' ? childCount > 0 : kind === 'header')

/** How a request names an element. */
const referenceTo = (element) => isCell(element) ? {at: element.indexPath} : {section: element.indexPath[0]}

export class Folding {
  #view

  constructor(view) {
    this.#view = view
    const {scroller, life: {signal}} = view
    scroller.addEventListener('click', (event) => this.#clicked(event), {signal})
    // Before the arrows of any other view.
    scroller.addEventListener('keydown', (event) => this.#onKey(event), {signal, capture: true})
  }

  /** Folds what is open, and the reverse. It stays where it is on the screen. */
  async toggle(element) {
    const view = this.#view, {main, store} = view, {frame, pinRange, pinOffset = 0} = element, i = view.mainAxis()
    const at = [...frame]
    if (pinRange) at[i] = Math.min(Math.max(main.visible[i] + view.padding.top + pinOffset, pinRange[0]), pinRange[1])
    store.show(main.visible, {element, part: [0, 0], offset: [0, 1].map((axis) => main.visible[axis] - at[axis])})
    try {
      await store.fold({[element.folded ? 'unfold' : 'fold']: [referenceTo(element)]})
    } catch (reason) {
      // A section without items, or what is gone by now, has nothing to open.
      if (![404, 409, 422].includes(reason.status)) throw reason
    }
  }

  #recordAt(target) { return this.#view.allRecords().find(({node, element}) => isOpenable(element) && node.contains(target)) }

  #clicked({target, defaultPrevented}) {
    const record = this.#recordAt(target)
    if (!record || defaultPrevented || target.closest(INTERACTIVE) || !getSelection()?.isCollapsed) return
    this.toggle(record.element).catch(() => {})
  }

  #onKey(event) {
    const view = this.#view, {key, target} = event, header = this.#recordAt(target), record = view.recordAt(target) ?? header
    const isOther = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || target.closest(INTERACTIVE)
    if (!record || isOther || event.defaultPrevented || !KEYS.includes(key)) return
    const {element} = record, {folded, firstChild} = element
    const does = key === 'Enter' || key === ' ' ? isOpenable(element) && (() => this.toggle(element))
      : !element.row && view.look().layout.kind !== 'tree' ? null
        : key === 'ArrowRight' ? () => folded ? this.toggle(element) : firstChild && this.#go({item: firstChild})
          : key === 'ArrowLeft' ? () => firstChild && isOpenable(element) ? this.toggle(element) : this.#toParent(element)
            : element.row && (() => this.#toNext(element, key === 'ArrowDown' ? 1 : -1))
    if (!does) return
    event.preventDefault()
    event.stopPropagation()
    Promise.resolve(does()).catch(() => {})
  }

  async #go(place, align = 'nearest') {
    const view = this.#view, {landing, store} = view, turn = landing.interrupt()
    const found = landing.withKey(await store.locate(place))
    if (turn === landing.turn) await landing.land(found, align, 'auto', turn)
    if (turn === landing.turn) view.keyboard?.focus(found)
  }

  #toParent({indexPath: [depth, at]}) {
    const parent = this.#view.look().elements.find(({category, indexPath: [level], firstChild, childCount}) =>
      category === 'cell' && level === depth - 1 && firstChild && firstChild[1] <= at && at < firstChild[1] + childCount)
    return parent && this.#go({item: parent.indexPath})
  }

  /** The row before or behind another one, which may not be known yet. */
  async #toNext(element, way) {
    const rows = this.#view.look().elements.filter((one) => isCell(one) && (one.frame[1] - element.frame[1]) * way > 0)
    const next = closest(rows, ({frame}) => Math.abs(frame[1] - element.frame[1]))
    if (next) return this.#go({item: next.indexPath})
    const {ordinal} = await this.#view.store.locate({item: element.indexPath})
    if (ordinal + way >= 0) return this.#go({ordinal: ordinal + way})
  }
}
