// A picture of a group that one changes by hand: dividers to drag, items to split, copy and take
// away.

import {make} from './dom.js'
import {FIRST, changed, dragged, heightened, partAt, placed, sizeOf, split, without} from './group.js'
import {paint} from './palette.js'

/**
 * The most that the picture is high, in pixels, and how far an arrow key moves a divider, in
 * points.
 */
const HIGHEST = 280, STEP = 8

export class GroupEditor {
  /** @param onChange Called with the group: `onChange(group, isDone)`; not done while one drags. */
  constructor(onChange) {
    this.onChange = onChange
    this.around = {width: 800, height: 600}
    this.canvas = make('div', {class: 'group-canvas'})
    this.grip = make('div', {class: 'group-grip', role: 'separator', tabIndex: 0, 'aria-orientation': 'horizontal',
      'aria-label': 'Height of the group'})
    this.#makeDraggable(this.grip, 'height', (group, by) => heightened(group, this.around, by))
    this.tools = make('div', {class: 'group-tools', role: 'group', 'aria-label': 'The chosen item'},
      this.splitAcross = this.#button('Split ⇔', 'Two items side by side', () => split(this.group, this.chosen, 'horizontal')),
      this.splitDown = this.#button('Split ⇕', 'Two items, one below the other', () => split(this.group, this.chosen, 'vertical')),
      this.removal = this.#button('Remove', 'Take the item away', () => without(this.group, this.chosen) ?? this.group))
    this.copies = make('input', {type: 'number', min: 1, max: 100, step: 1, 'aria-label': 'Copies of the chosen item'})
    this.spacing = make('input', {type: 'number', min: 0, step: 1, 'aria-label': 'Spacing of its group'})
    this.copies.addEventListener('change', () => this.#setNumber(this.copies, (number) =>
      changed(this.group, this.chosen, ({count, ...item}) => number > 1 ? {...item, count: number} : item)))
    this.spacing.addEventListener('change', () => this.#setNumber(this.spacing, (number) =>
      changed(this.group, this.chosen.slice(0, -1), (group) => ({...group, spacing: number}))))
    this.node = make('div', {class: 'group-editor', role: 'group', 'aria-label': 'Pattern of the group'},
      this.canvas, this.grip, this.tools,
      make('div', {class: 'group-numbers'},
        make('label', {}, make('span', {}, 'Copies'), this.copies), make('label', {}, make('span', {}, 'Spacing'), this.spacing)))
  }

  /** Shows a group; null shows what one may begin with. */
  show(group) {
    this.group = group?.subitems?.length > 0 ? group : FIRST
    this.#draw()
  }

  /** Says how large the section is that the group is for, in points. */
  setAround(around) {
    if (around.width === this.around.width && around.height === this.around.height) return
    this.around = around
    if (this.group) this.#draw()
  }

  #button(text, title, change) {
    return make('button', {type: 'button', class: 'button', title, onclick: () => this.#take(change(), true)}, text)
  }

  #setNumber(input, change) {
    if (input.value !== '' && input.checkValidity()) this.#take(change(Number(input.value)), true)
    else this.#draw()
  }

  #take(group, isDone) {
    this.group = group
    this.#draw()
    this.onChange(group, isDone)
  }

  #draw() {
    const {group, around} = this, size = sizeOf(group, around)
    const {parts, dividers} = placed(group, size)
    this.chosen = parts.find(({path}) => String(path) === String(this.chosen))?.path ?? parts[0]?.path ?? []
    this.canvas.style.aspectRatio = `${size.width} / ${Math.max(size.height, 1)}`
    this.canvas.style.maxWidth = `${Math.max(40, HIGHEST * size.width / Math.max(size.height, 1))}px`
    const nodes = new Map([...this.canvas.children].map((node) => [node.dataset.key, node]))
    const kept = [
      ...parts.map((part, index) => this.#part(part, index, nodes, size)),
      ...dividers.map((divider) => this.#divider(divider, nodes, size))]
    // Nodes that stay keep the focus and the pointer; the Tab key goes through the items in order.
    for (const [key, node] of nodes) if (!kept.includes(node)) { node.remove(); nodes.delete(key) }
    let next = this.canvas.firstChild
    for (const node of kept) {
      if (node === next) next = next.nextSibling
      else this.canvas.insertBefore(node, next)
    }
    this.canvas.classList.toggle('is-empty', parts.length === 0)
    this.grip.setAttribute('aria-valuenow', size.height.toFixed(0))
    this.grip.setAttribute('aria-valuemax', String(Math.ceil(Math.max(size.height, around.height))))
    this.grip.setAttribute('aria-valuetext', `${size.height.toFixed(0)} points`)
    const item = partAt(group, this.chosen)
    this.copies.value = item.count ?? 1
    this.spacing.value = partAt(group, this.chosen.slice(0, -1)).spacing ?? 0
    this.removal.disabled = without(group, this.chosen) === null
  }

  #part({path, copies, x, y, width, height}, index, nodes, size) {
    const key = `part ${path} ${copies}`, isFirst = copies.every((copy) => copy === 0)
    const node = nodes.get(key) ?? make('button', {type: 'button', class: 'group-part', tabIndex: isFirst ? 0 : -1,
      onclick: () => { this.chosen = node.path; this.#draw() }})
    node.dataset.key = key
    node.path = path
    node.textContent = String(index)
    node.setAttribute('aria-label', `Item ${index} of the group`)
    node.setAttribute('aria-pressed', String(String(path) === String(this.chosen)))
    paint(node, [0, index])
    place(node, {x, y, width, height}, size)
    return node
  }

  #divider({path, index, copies, axis, x, y, length}, nodes, size) {
    const key = `divider ${path} ${index} ${copies}`, isFirst = copies.every((copy) => copy === 0)
    let node = nodes.get(key)
    if (!node) {
      node = make('div', {class: 'group-divider', role: 'separator', tabIndex: isFirst ? 0 : -1})
      node.dataset.key = key
      if (!isFirst) node.setAttribute('aria-hidden', 'true')
      this.#makeDraggable(node, axis, (group, by) => dragged(group, sizeOf(group, this.around), path, index, by))
    }
    node.dataset.axis = axis
    node.setAttribute('aria-orientation', axis === 'width' ? 'vertical' : 'horizontal')
    node.setAttribute('aria-label', `Divider after part ${[...path, index].map((each) => each + 1).join('.')}`)
    place(node, axis === 'width' ? {x, y, width: 0, height: length} : {x, y, width: length, height: 0}, size)
    const share = axis === 'width' ? x / size.width : y / size.height
    node.setAttribute('aria-valuenow', (share * 100).toFixed(0))
    return node
  }

  /** Lets a node be dragged along an axis. `change(group, points)` is what becomes of the group. */
  #makeDraggable(node, axis, change) {
    const at = ({clientX, clientY}) => axis === 'width' ? clientX : clientY
    const drag = (event) => {
      const scale = this.canvas.clientWidth / sizeOf(this.dragging.group, this.around).width
      return change(this.dragging.group, (at(event) - this.dragging.begin) / scale)
    }
    node.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return
      event.preventDefault()
      node.focus()
      node.setPointerCapture(event.pointerId)
      this.dragging = {begin: at(event), group: this.group}
    })
    node.addEventListener('pointermove', (event) => {
      if (this.dragging && node.hasPointerCapture(event.pointerId)) this.#take(drag(event), false)
    })
    node.addEventListener('pointerup', (event) => {
      if (!this.dragging) return
      const group = drag(event), isMoved = at(event) !== this.dragging.begin
      this.dragging = null
      if (isMoved) this.#take(group, true)
    })
    node.addEventListener('pointercancel', () => { this.dragging = null })
    node.addEventListener('keydown', (event) => {
      const way = {width: {ArrowLeft: -STEP, ArrowRight: STEP}, height: {ArrowUp: -STEP, ArrowDown: STEP}}[axis][event.key]
      if (!way) return
      event.preventDefault()
      this.#take(change(this.group, way), true)
    })
  }
}

/** Puts a node where a box of a group of a size is. */
function place({style}, {x, y, width, height}, size) {
  style.left = `${x / size.width * 100}%`
  style.top = `${y / size.height * 100}%`
  style.width = `${width / size.width * 100}%`
  style.height = `${height / size.height * 100}%`
}
