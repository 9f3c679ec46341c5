// 200,000 photographs in React. The component gives the client an element; React keeps out of it.

import {createElement as h, useEffect, useRef, useState} from 'react'
import {createRoot} from 'react-dom/client'
import {mount} from './layoutd.js'

const RATIOS = [0.66, 0.75, 1, 1.33, 1.5, 1.78]
const ids = Array.from({length: 200_000}, (_, i) => `p${i}`)
const photographs = {id: ids, aspectRatio: ids.map((_, i) => RATIOS[i * 7919 % 6])}

function photograph({id, frame: [, , width, height]}, node = document.createElement('figure')) {
  node.dataset.id = id
  node.style.cssText = `margin: 0; height: 100%; background: hsl(${id.slice(1) % 360} 40% 60%)`
  node.textContent = `${id} ${Math.round(width)} × ${Math.round(height)}`
  return node
}

function Library({server, onView}) {
  const box = useRef(null), view = useRef(null), [columns, setColumns] = useState(4)
  useEffect(() => {
    const {current} = view.current = {current: mount(box.current, {server, render: photograph, follow: true,
      layout: {kind: 'waterfall', options: {columns: 4, placement: 'shortestColumn'}, sections: [{items: photographs}]}})}
    onView(current)
    return () => current.destroy()
  }, [server])
  const show = (count) => {
    setColumns(count)
    view.current.current.store.patch({options: {columns: count}})
  }
  return h('div', {style: {height: '100%', display: 'flex', flexDirection: 'column'}},
    h('header', null, `${columns} columns `,
      h('button', {onClick: () => show(columns + 1)}, 'More'), h('button', {onClick: () => show(columns - 1)}, 'Fewer')),
    h('main', {ref: box, style: {flex: 1, minHeight: 0}}))
}

export const open = (container, server) => new Promise((resolve) =>
  createRoot(container).render(h(Library, {server, onView: resolve})))
