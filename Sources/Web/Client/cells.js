// The nodes of what is in sight.

import {difference, end, grown, intersection, meets} from './rects.js'
import {inDocumentOrder, isCell, same} from './elements.js'
import {sidewaysContent} from './geometry.js'
import {attributed, div, styled} from './dom.js'

const HOLE = {background: 'repeating-linear-gradient(#8882 0 40px, #0000 40px 48px)'}

const MOST_SPARE = 100
// Of smaller cells, more are in sight.
const MOST_TURNS = 20

const hasFocus = ({node}) => node.matches(':focus-within')

/** The indexes of as many numbers as possible, none below 0, that rise. */
export function longestRise(numbers) {
  const lasts = [], before = [], found = new Set()
  numbers.forEach((number, i) => {
    let at = lasts.length
    while (at > 0 && numbers[lasts[at - 1]] > number) at--
    if (number < 0) return
    before[i] = lasts[at - 1]
    lasts[at] = i
  })
  for (let i = lasts.at(-1); i !== undefined; i = before[i]) found.add(i)
  return found
}

/** What needs a box of its own takes no node that another element has had. */
const hasOwnNode = ({pinRange, side, kind}) => Boolean(pinRange || side || kind === 'header')

const shownPart = (element) => ({...element, frame: 0, pinRange: 0, ordinal: 0})

export class Cells {
  #view
  #holes = div({'aria-hidden': true})
  #drawnHoles = ''
  #hasWarned = false

  constructor(view) { this.#view = view }

  /** The body of a section that scrolls sideways, if it does. */
  #sideways(section) {
    const {sections, content} = this.#view.look()
    return this.#view.mainAxis() ? sidewaysContent(sections.get(section), content) : undefined
  }

  /** Where an element may stand: what is pinned, anywhere in its range. */
  #swept({frame, pinRange}) {
    if (!pinRange) return frame
    const i = this.#view.mainAxis(), swept = [...frame]
    swept[i] = pinRange[0]
    swept[i + 2] += pinRange[1] - pinRange[0]
    return swept
  }

  /** The elements of a layer. A section that scrolls sideways is one element of the layer around it. */
  #elementsOf(layer) {
    const look = this.#view.look(), {elements, content: [left, , width]} = look, found = new Map()
    if (layer.found?.look === look) return layer.found.elements
    for (let element of elements) {
      const [section] = element.indexPath, side = isCell(element) && this.#sideways(section)
      if (side && layer.section < 0) {
        const [, y, , height] = side.content
        element = {category: 'cell', key: `sideways/${section}`, indexPath: [section, 0], zIndex: 0, side,
          frame: [left, y, width, height]}
      } else if ((side ? section : -1) !== layer.section) continue
      found.set(element.key, element)
    }
    layer.found = {look, elements: [...found.values()]}
    return layer.found.elements
  }

  /** Shows what a layer has in sight. What is new and measured is placed by its size before anything is painted. */
  draw(layer) {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      this.#drawOnce(layer)
      if (!this.#view.measuring?.measure(layer)) return
    }
  }

  #drawOnce(layer) {
    const view = this.#view, {visible, records} = layer, near = grown(visible, 0.5)
    layer.placeWindow()
    const elements = this.#elementsOf(layer), frames = view.measuring?.frames(layer, elements)
    const wanted = new Map()
    for (const element of elements) {
      const frame = !element.pinRange && frames?.get(element.key) || element.frame
      if (meets(element.pinRange ? this.#swept(element) : frame, near)) wanted.set(element.key, {element, frame})
    }
    // Most scrolls show what is there already, or a row more.
    const look = view.look(), isKnown = layer.drawn === look && !layer.isMoved && !frames && !layer.isReflowed
    Object.assign(layer, {drawn: look, isReflowed: Boolean(frames)})
    if (isKnown && wanted.size === records.size && [...records.keys()].every((key) => wanted.has(key))) {
      if (layer.section < 0) this.#drawHoles(layer)
      return
    }
    const free = []
    for (const [key, record] of records)
      if (wanted.has(key)) continue
      else if (hasFocus(record) && !record.isGone) wanted.set(key, {element: record.element, frame: record.frame})
      else {
        records.delete(key)
        if (hasOwnNode(record.element)) this.drop(record)
        else free.push(record)
      }
    let refocused = null
    const ordered = [...wanted.values()].sort((a, b) => inDocumentOrder(a.element, b.element))
    for (const {element, frame} of ordered) {
      let record = records.get(element.key)
      if (isKnown && record?.element === element) continue
      let hadFocus = false
      if (record && !record.element.pinRange !== !element.pinRange) {
        hadFocus = hasFocus(record)
        this.drop(record)
        record = null
      }
      record ??= !hasOwnNode(element) && (free.pop() ?? layer.spare.pop()) || {node: div()}
      records.set(element.key, record)
      this.#show(layer, record, element, frame)
      if (hadFocus) refocused = record.node
    }
    view.options.flush?.()
    const shown = ordered.map(({element}) => records.get(element.key))
    this.#arrange(layer, shown)
    refocused?.focus({preventScroll: true})
    view.roles.arrange(layer, shown)
    for (const {element} of ordered) if (element.side) this.#showSide(records.get(element.key), element)
    for (const record of free) {
      this.drop(record)
      // What comes next needs nodes, too.
      if (layer.spare.length < MOST_SPARE) layer.spare.push({...record, element: null, size: null, place: null, frame: null})
    }
    layer.isMoved = false
    if (layer.section >= 0) return
    this.#drawHoles(layer)
    view.keyboard?.keepReachable()
  }

  /** Brings nodes into the order of the document. A node that is moved would reload its frames and lose what is selected. */
  #arrange({window}, records) {
    const at = new Map([...window.childNodes].map((node, i) => [node, i])), focused = records.findIndex(hasFocus)
    const places = records.map(({node}) => at.get(node) ?? -1)
    // What has the focus stays, too.
    if (focused >= 0) places.forEach((place, i) => { if ((place - places[focused]) * (i - focused) < 0) places[i] = -1 })
    const kept = longestRise(places)
    for (let i = records.length - 1, next = this.#holes.parentNode === window ? this.#holes : null; i >= 0; next = records[i--].node)
      if (!kept.has(i)) window.insertBefore(records[i].node, next)
  }

  /** Renders all again, by another function. @param release what lets the contents go that there are */
  renderAgain(release) {
    for (const layer of this.#view.layers.values()) {
      layer.spare = []
      for (const record of layer.records.values()) {
        const {content, element} = record
        if (element.side) continue
        if (content) release?.(content, element)
        record.content = undefined
        this.#render(record, element, element)
      }
    }
  }

  drop({node, element, inner, content}) {
    const {measuring, layers, store, options} = this.#view
    measuring?.unobserve(inner)
    if (content) options.release?.(content, element)
    node.remove()
    if (!element.side) return
    layers.delete(element.indexPath[0])
    store.hide(element.indexPath[0])
  }

  #showSide({node}, {indexPath: [section], frame, side}) {
    const view = this.#view
    let layer = view.layers.get(section)
    const isNew = !layer
    if (isNew) {
      const inner = div({role: 'list', 'aria-label': `Section ${section + 1}`, tabindex: 0}, {height: '100%'})
      node.append(inner)
      layer = view.addLayer(inner, section)
    }
    layer.sync()
    layer.measure(side.content, side.isFlipped, {width: frame[2], height: frame[3]})
    const visible = view.store.visible(section)
    layer.moveTo(visible ?? [side.isFlipped ? end(side.content, 0) - frame[2] : side.content[0], frame[1], frame[2], frame[3]])
    if (visible) view.redraw(layer)
    else view.scrolled(layer)
  }

  /** Shows an element in a node that may have shown another one. */
  #show(layer, record, element, frame) {
    const view = this.#view, {measuring} = view
    const {node} = record, before = record.element ?? undefined, {key, zIndex, pinRange, side} = element
    const isSame = before === element, ofCell = isCell(element)
    if (!isSame || layer.isMoved || !same(record.frame, frame)) {
      if (pinRange) this.#pin(record, element)
      else layer.place(node, frame)
      // A row that stays in sight lies above those that pass.
      node.style.zIndex = ofCell && pinRange ? 1 : zIndex
      if (measuring && !pinRange && !side) styled(record.inner ??= node.appendChild(div()), measuring.styleOf(element, view.axisOf(layer)))
    }
    record.element = element
    record.frame = frame
    if (side) return view.roles.describe(record, element)
    if (!isSame && (!before || !same(shownPart(before), shownPart(element)))) this.#render(record, element, before)
    if (ofCell) {
      const tabIndex = key === view.keyboard?.current ? 0 : -1
      if (node.tabIndex !== tabIndex || !before) node.tabIndex = tabIndex
    }
    view.roles.describe(record, element)
  }

  #render(record, element, before) {
    const view = this.#view, {render, measuring, store, options} = view, {node} = record, ofCell = isCell(element)
    let content
    try {
      content = render(element, record.content, store.section(element.indexPath[0])) ?? undefined
      if (!content && !this.#hasWarned) console.warn('layoutd: render has returned nothing.', element)
      this.#hasWarned ||= !content
    } catch (error) {
      // This one stays empty, and the others stand.
      globalThis.reportError(error)
    }
    if (record.content && content !== record.content) options.release?.(record.content, before ?? element)
    if (element.kind === 'header') record.inner ??= node.appendChild(styled(div(), {display: 'contents'}))
    if (content !== record.content) (record.inner ?? node).replaceChildren((record.content = content) ?? '')
    const isHidden = element.category === 'decoration' || element.kind === 'connector'
    attributed(node, {'aria-hidden': isHidden || undefined, ...!ofCell && {tabindex: undefined}})
    const isMeasured = Boolean(ofCell && measuring?.isMeasured(element))
    if (element.key === before?.key && isMeasured === record.isMeasured) return
    Object.assign(record, {size: null, isMeasured})
    measuring?.unobserve(record.inner)
    if (isMeasured) measuring.observe(record.inner)
  }

  /** A header or footer sticks in the part of its range that is near. */
  #pin(record, element) {
    const {main} = this.#view, i = this.#view.mainAxis()
    const {frame: [, , width, height], kind, pinOffset = 0} = element, isHeader = kind !== 'footer'
    const range = this.#swept(element), last = Math.min(end(range, i), main.visible[i] + main.visible[i + 2] + 1e5)
    range[i] = Math.max(range[i], main.visible[i] - 1e5)
    range[i + 2] = last - range[i]
    main.place(styled(record.node, {display: 'flex', flexDirection: i ? 'column' : 'row', pointerEvents: 'none',
      justifyContent: isHeader ? 'flex-start' : 'flex-end'}), range)
    record.inner ??= record.node.appendChild(div())
    styled(record.inner, {position: 'sticky', flex: 'none', pointerEvents: 'auto', width: `${width}px`,
      height: `${height}px`, [i ? isHeader ? 'top' : 'bottom' : isHeader === main.isFlipped ? 'right' : 'left']:
        `${i ? this.#view.padding[isHeader ? 'top' : 'bottom'] + pinOffset : 0}px`})
  }

  /** Shows where frames are not known yet. */
  #drawHoles(layer) {
    const {covered} = this.#view.look(), {visible, content, axes} = layer
    const parts = covered ? difference(intersection(grown(visible, 1), content), covered) : [visible]
    const drawn = JSON.stringify([parts, axes.map(({origin}) => origin), layer.isFlipped])
    if (drawn !== this.#drawnHoles) {
      this.#drawnHoles = drawn
      this.#holes.replaceChildren(...parts.map((part) =>
        layer.place(div({class: 'layoutd-placeholder'}, {zIndex: -2, ...HOLE}), part)))
    }
    if (layer.window.lastChild !== this.#holes) layer.window.append(this.#holes)
  }
}
