// The panel beside the layout: it folds away, and has tabs.

import {byID} from './dom.js'

/** Narrower windows show the panel over the layout, folded at first. */
const beside = matchMedia('(min-width: 1000px)')

export class Panel {
  /** @param onTab Called with the tab that is shown. */
  constructor(onTab) {
    this.onTab = onTab
    this.tabs = [...document.querySelectorAll('[role=tab]')]
    byID('fold').addEventListener('click', () => this.fold(this.isOpen, true))
    byID('fold-away').addEventListener('click', () => this.fold(true, true))
    byID('panel').addEventListener('keydown', ({key}) => key === 'Escape' && !beside.matches && this.fold(true, true))
    beside.addEventListener('change', () => this.fold(!beside.matches))
    for (const tab of this.tabs) {
      tab.addEventListener('click', () => this.#show(tab))
      tab.addEventListener('keydown', (event) => this.#key(event))
    }
    this.fold(!beside.matches)
    this.#show(this.tabs[0])
  }

  get isOpen() {
    return !byID('panel').hidden
  }

  /** @param isFolded Whether it is to go. @param byHand Then the focus follows. */
  fold(isFolded, byHand = false) {
    byID('panel').hidden = isFolded
    byID('app').toggleAttribute('data-folded', isFolded)
    byID('fold').setAttribute('aria-expanded', String(!isFolded))
    if (!byHand) return
    if (isFolded) byID('fold').focus()
    else if (!beside.matches) byID('panel').focus()
  }

  #show(shown) {
    for (const tab of this.tabs) {
      tab.setAttribute('aria-selected', String(tab === shown))
      tab.tabIndex = tab === shown ? 0 : -1
      byID(tab.getAttribute('aria-controls')).hidden = tab !== shown
    }
    this.onTab(shown)
  }

  #key(event) {
    const at = this.tabs.indexOf(event.target), last = this.tabs.length - 1
    const to = {ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last}[event.key]
    if (to === undefined) return
    event.preventDefault()
    this.tabs[to].focus()
    this.#show(this.tabs[to])
  }
}
