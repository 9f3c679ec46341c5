// Nodes move, appear and fade after a change.

import {AXES, end} from './rects.js'
import {isCalm} from './dom.js'

const TIMING = {duration: 250, easing: 'ease-in-out'}

/**
 * Gives records the keys that their elements have now, and lets go of what is gone.
 * @returns {() => void} what starts the animation, once all is drawn
 */
export function play(view, {appearing, disappearing, moving, shift}) {
  const isShown = view.isAnimated && !isCalm(), {layers, cells, recordOf} = view
  const taken = (key) => {
    for (const {records} of layers.values()) {
      const record = records.get(key)
      if (records.delete(key)) return {records, record}
    }
  }
  const from = moving.map(({from}) => taken(from.key))
  moving.forEach(({to}, i) => {
    if (!from[i]) return
    const {records, record} = from[i], other = records.get(to.key)
    // Of items without ids, another one had this key, of which nobody says where it is now.
    if (other) cells.drop(other)
    records.set(to.key, record)
  })
  for (const {key} of disappearing) {
    const record = taken(key)?.record
    if (!record) continue
    view.keyboard?.willGo(record)
    if (!isShown) cells.drop(record)
    else {
      record.node.leaving = true
      record.node.animate({opacity: 0}, TIMING).finished.then(() => cells.drop(record), () => {})
    }
  }
  return () => {
    if (!isShown) return
    for (const {key} of appearing) recordOf(key)?.node.animate({opacity: [0, 1]}, TIMING)
    for (const {from: {frame}, to} of moving) {
      if (to.pinRange) continue
      const record = recordOf(to.key), isFlipped = record && view.layerOf(record)?.isFlipped
      // From right to left, nodes hang at their right edges.
      const edge = (rect, i) => !i && isFlipped ? end(rect, i) : rect[i]
      const [x, y] = AXES.map((i) => edge(frame, i) + shift[i] - edge(to.frame, i)), [, , width, height] = frame
      const isSized = width !== to.frame[2] || height !== to.frame[3]
      record?.node.animate([{transform: `translate(${x}px, ${y}px)`,
        ...isSized && {width: `${width}px`, height: `${height}px`}}, {}], TIMING)
    }
  }
}
