// What assistive technology is told: a list, a grid with rows and columns, or a tree with levels.

import {isCell} from './elements.js'
import {isHierarchy} from './geometry.js'
import {attributed, div} from './dom.js'

const CELLS = {list: 'listitem', grid: 'gridcell', tree: 'treeitem'}
const OTHERS = {list: 'listitem', grid: 'gridcell', tree: 'none'}
const PLACE = ['role', 'aria-posinset', 'aria-setsize', 'aria-level', 'aria-expanded', 'aria-selected', 'aria-colindex']
// What a page may say of an element of a role.
const SAID = {list: ['level'], grid: ['expanded', 'selected'], tree: ['level', 'expanded', 'selected']}

let nodes = 0

export class Roles {
  #view
  #role
  /** Beside the cells, with rows that own them: cells that scroll cannot stand in rows. */
  #grid = null
  #rows = []

  constructor(view) {
    const {role = view.options.folding && isHierarchy(Object(view.options.layout)) ? 'tree' : 'list'} = view.options
    this.#view = view
    this.#role = role
    if (role === 'grid') view.scroller.append(this.#grid = div({'aria-rowcount': -1}))
    this.name()
  }

  name() { attributed(this.#grid ?? this.#view.scroller, {role: this.#role, 'aria-label': this.#view.options.label ?? 'Items'}) }

  /** What the page says of an element. */
  #said(element) {
    const said = element.side ? {} : this.#view.options.describe?.(element) ?? {}
    return Object.fromEntries(SAID[this.#role].filter((name) => said[name] !== undefined).map((name) => [`aria-${name}`, `${said[name]}`]))
  }

  /** Says of a node what it shows. */
  describe(record, element) {
    if (this.#view.folding && element.kind === 'header' && record.content instanceof Element)
      attributed(record.content, {role: 'button', tabindex: 0, 'aria-expanded': String(!element.folded)})
    const {node, inner} = record, now = this.#of(element), box = element.kind === 'header' && this.#ofHeader(element)
    const said = JSON.stringify([now, box])
    if (record.place === said) return
    if (box && inner) attributed(inner, box)
    record.place = said
    for (const name of PLACE) if (!(name in now)) node.removeAttribute(name)
    attributed(node, now)
    if (this.#role === 'grid') node.id ||= `layoutd-${++nodes}`
  }

  #of(element) {
    const ofCell = isCell(element), isHeader = element.kind === 'header' && this.#role === 'grid'
    const role = isHeader ? 'rowheader' : ofCell ? CELLS[this.#role] : OTHERS[this.#role]
    if (role === 'none' || !ofCell && !isHeader) return {role}
    return {role, ...this.#placeOf(element), ...this.#said(element)}
  }

  /** Where an item is among the others, as far as the layout says it. */
  #placeOf(element) {
    const {store, look} = this.#view, {layout, elements} = look()
    if (this.#role === 'list') {
      const ordinal = store.ordinal(element)
      return ordinal === undefined ? {} : {'aria-posinset': ordinal + 1, 'aria-setsize': layout.counts.cells}
    }
    if (this.#role === 'grid' || !isHierarchy(layout)) return {}
    const {indexPath: [depth, at], childCount, folded} = element
    const parent = elements.find(({category, indexPath: [level], firstChild: [, first] = [], childCount: count}) =>
      category === 'cell' && level === depth - 1 && first <= at && at < first + count)
    const isOpen = folded ? 'false' : childCount && 'true'
    return {'aria-level': depth + 1, ...isOpen && {'aria-expanded': isOpen},
      ...parent && {'aria-posinset': at - parent.firstChild[1] + 1, 'aria-setsize': parent.childCount}}
  }

  /** The role of the box in the node of a header. */
  #ofHeader(element) { return this.#role === 'list' ? {role: 'heading', 'aria-level': 2, ...this.#said(element)} : {} }

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
