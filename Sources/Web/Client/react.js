// A layout in React: <Layout server layout render={(element) => <Card …/>} style={{height: 600}}/>
//
// The cells are portals into the nodes that the client places, so they are part of the tree: context,
// state and events work. `first` is an answer of `GET …/elements`, for a first screen that a server
// renders. `onView` gets what `mount` returned. All other properties are options of `mount`; when
// `server` changes, the view is made anew, when `layout` changes, it shows that one.

import {createElement as h, useEffect, useLayoutEffect, useRef, useState} from 'react'
import {createPortal, flushSync} from 'react-dom'
import {mount} from './layoutd.js'

const useNow = typeof window === 'undefined' ? useEffect : useLayoutEffect

/** The cells of an answer, placed as the client places them. */
const screen = ({elements}, render) => elements.map((element) => {
  const {category, kind, indexPath, zIndex, frame: [left, top, width, height]} = element
  return h('div', {key: `${category} ${kind} ${indexPath}`, style: {position: 'absolute', left, top, width, height, zIndex}}, render(element))
})

export function Layout({server, layout, render, first, onView, className, style, ...options}) {
  const box = useRef(null), view = useRef(null), shown = useRef(layout), nodes = useRef(new Map())
  const [turn, setTurn] = useState(0)
  useNow(() => {
    const cells = nodes.current
    let isNew = false
    view.current = mount(box.current, {...options, server, layout: shown.current,
      render(element, node = document.createElement('div'), section) {
        node.style.display = 'contents'
        isNew = Boolean(cells.set(node, {element, section}))
        return node
      },
      release(node) { isNew = cells.delete(node) },
      // What is measured next must be in the page.
      flush() {
        if (isNew) flushSync(() => setTurn((turn) => turn + 1))
        isNew = false
      }})
    onView?.(view.current)
    return () => {
      view.current.destroy()
      view.current = null
      cells.clear()
    }
  }, [server])
  useNow(() => {
    if (shown.current === layout) return
    shown.current = layout
    view.current.show(layout)
  }, [layout])
  // The client owns what is in the box, so React has a box of its own beside it for the first screen.
  return h('div', {className, style: {position: 'relative', ...style}},
    first && !turn && h('div', {style: {position: 'absolute', inset: 0, overflow: 'hidden'}}, screen(first, render)),
    h('div', {ref: box, style: options.scroller === 'page' ? {} : {position: 'absolute', inset: 0}}),
    [...nodes.current].map(([node, {element, section}]) => createPortal(render(element, section), node, element.key)))
}
