// A layout in React: <Layout server layout render={(element) => <Card …/>} style={{height: 600}}/>
//
// The cells are portals into the nodes that the client places, so they are part of the tree: context,
// state and events work. `first` is an answer of `GET …/elements`, for a first screen that a server
// renders. `onView` gets what `mount` returned. All other properties are options of `mount`, those of
// the last rendering. When `server` changes, the view is made anew, when `layout` says another one, it
// shows that.

import {createElement as h, useEffect, useLayoutEffect, useRef, useState} from 'react'
import {createPortal, flushSync} from 'react-dom'
import {mount} from './layoutd.js'
import {same} from './elements.js'

const useNow = typeof window === 'undefined' ? useEffect : useLayoutEffect

/** The cells of an answer, placed as the client places them. */
const screen = ({elements}, render) => elements.map((element) => {
  const {category, kind, indexPath, zIndex, frame: [left, top, width, height]} = element
  return h('div', {key: `${category} ${kind} ${indexPath}`, style: {position: 'absolute', left, top, width, height, zIndex}}, render(element))
})

export function Layout(properties) {
  const {server, layout, render, first, onView, className, style, ...options} = properties
  const box = useRef(null), view = useRef(null), latest = useRef(properties), shown = useRef(layout)
  const [turn, setTurn] = useState(0)
  const [cells] = useState(() => new Map())
  const [{own, within}] = useState(() => {
    let keys = 0, isNew = false, isWithin = false
    const again = () => setTurn((turn) => turn + 1)
    const isMoved = (before, now) =>
      view.current.store.getSnapshot().transitions?.moving.some(({from, to}) => from.key === before && to.key === now)
    const own = {
      // A node that showed another element would hand its state on.
      render(element, node, section) {
        const before = cells.get(node), {key} = element
        const isSame = before && (before.element.key === key || isMoved(before.element.key, key))
        if (!isSame) node = Object.assign(document.createElement('div'), {style: 'display: contents'})
        cells.set(node, {element, section, key: isSame ? before.key : ++keys})
        isNew = true
        return node
      },
      release(node) { if (cells.delete(node)) again() },
      // What is measured next must be in the page.
      flush() {
        if (isNew) isWithin ? again() : flushSync(again)
        isNew = false
      }}
    // Within an effect, React renders at once by itself.
    return {own, within(effect) {
      isWithin = true
      try { return effect() } finally { isWithin = false }
    }}
  })
  useNow(() => { latest.current = properties })
  useNow(() => {
    const {layout} = latest.current
    view.current = within(() => mount(box.current, {...options, ...own, server,
      layout: typeof layout === 'function' ? (gone) => latest.current.layout(gone) : layout}))
    shown.current = layout
    latest.current.onView?.(view.current)
    return () => {
      view.current.destroy()
      view.current = null
      cells.clear()
    }
  }, [server])
  useNow(() => {
    const fixed = within(() => view.current.set({...options, ...own, server}))
    if (fixed.length) console.warn(`layoutd: ${fixed.join(', ')} cannot become another while a layout is shown.`)
    if (shown.current === layout || same(shown.current, layout)) return
    shown.current = layout
    // If that fails, the status says so.
    view.current.show(layout).catch(() => {})
  })
  // The client owns what is in the box, so React has a box of its own beside it for the first screen.
  return h('div', {className, style: {position: 'relative', ...style}},
    first && !turn && h('div', {style: {position: 'absolute', inset: 0, overflow: 'hidden'}}, screen(first, render)),
    h('div', {ref: box, style: options.scroller === 'page' ? {} : {position: 'absolute', inset: 0}}),
    [...cells].map(([node, {element, section, key}]) => createPortal(render(element, section), node, key)))
}
