// What assistive technology is told: a list, a grid with rows and columns, or a tree with levels.

import {isCell} from './elements.js'
import {attributed, div} from './dom.js'

const CELLS = {list: 'listitem', grid: 'gridcell', tree: 'treeitem'}
const OTHERS = {list: 'listitem', grid: 'gridcell', tree: 'none'}
const PLACE = ['role', 'aria-posinset', 'aria-setsize', 'aria-level', 'aria-expanded', 'aria-colindex']

let nodes = 0

export class Roles {
  #view
  #role
  /** Beside the cells, with rows that own them: cells that scroll cannot stand in rows. */
  #grid = null
  #rows = []

  constructor(view, role = 'list', label) {
    this.#view = view
    this.#role = role
    const named = {role, 'aria-label': label}
    if (role !== 'grid') return void attributed(view.scroller, named)
    view.scroller.append(this.#grid = div({...named, 'aria-rowcount': -1}))
  }

  /** Says of a node what it shows. */
  describe(record, element) {
    const {node} = record, ofCell = isCell(element), now = this.#of(element, ofCell), said = JSON.stringify(now)
    if (record.place === said) return
    record.place = said
    for (const name of PLACE) if (!(name in now)) node.removeAttribute(name)
    attributed(node, now)
    if (this.#role === 'grid') node.id ||= `layoutd-${++nodes}`
  }

  #of(element, ofCell) {
    const {store, look} = this.#view, isHeader = element.kind === 'header' && this.#role === 'grid'
    const role = isHeader ? 'rowheader' : ofCell ? CELLS[this.#role] : OTHERS[this.#role]
    if (!ofCell || this.#role === 'grid') return {role}
    if (this.#role === 'list') {
      const ordinal = store.ordinal(element)
      return {role, ...ordinal !== undefined && {'aria-posinset': ordinal + 1, 'aria-setsize': look().layout.counts.cells}}
    }
    const {indexPath: [depth, at], childCount} = element
    const parent = look().elements.find(({category, indexPath: [level], firstChild: [, first] = [], childCount: count}) =>
      category === 'cell' && level === depth - 1 && first <= at && at < first + count)
    return {role, 'aria-level': depth + 1, ...childCount && {'aria-expanded': 'true'},
      ...parent && {'aria-posinset': at - parent.firstChild[1] + 1, 'aria-setsize': parent.childCount}}
  }

  /** The role of the box in the node of a header. */
  ofHeader() { return this.#role === 'list' ? {role: 'heading', 'aria-level': 2} : {} }

  /** Cells of one line are a row, and so is a header. @param records in the order of the document */
  arrange({section}, records) {
    if (!this.#grid || section >= 0) return
    const lines = new Map(), i = this.#view.mainAxis()
    for (const {node, element, frame} of records) {
      if (node.getAttribute('aria-hidden')) continue
      const line = `${element.indexPath[0]} ${element.kind} ${frame[i]}`, row = lines.get(line) ?? lines.set(line, []).get(line)
      node.setAttribute('aria-colindex', row.push(node.id))
    }
    const owned = [...lines.values()]
    while (this.#rows.length > owned.length) this.#rows.pop().remove()
    owned.forEach((ids, at) => {
      const row = this.#rows[at] ??= div({role: 'row'})
      if (!row.parentNode) this.#grid.append(row)
      if (row.getAttribute('aria-owns') !== ids.join(' ')) row.setAttribute('aria-owns', ids.join(' '))
    })
  }
}
