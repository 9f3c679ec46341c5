// What the buttons send: items that each kind can lay out, sizes that each kind uses.

import {randomHeight, randomRatio} from './numbers.js'

const size = () => ({width: 40 + Math.floor(Math.random() * 120), height: 24 + Math.floor(Math.random() * 60)})

// The fields of an item that was measured, by kind. Kinds that use no sizes have no line.
const MEASURES = {
  list: () => ({height: Math.round(randomHeight(Math.random) / 2), aspectRatio: null}),
  waterfall: () => ({height: randomHeight(Math.random), width: null, aspectRatio: null}),
  flow: () => ({...size(), aspectRatio: null}),
  justified: () => ({aspectRatio: randomRatio(Math.random), width: null, height: null}),
  gallery: () => ({width: size().width + 60, height: null, aspectRatio: null}),
  frames: () => ({...size(), aspectRatio: null}),
  compositional: () => ({aspectRatio: randomRatio(Math.random), width: null, height: null}),
}

/** The update that gives the item at an index path a random size; null where sizes mean nothing. */
export function measured(kind, indexPath) {
  const fields = MEASURES[kind]?.()
  return fields ? {set: {at: indexPath, items: [fields]}} : null
}

/** One item for the top of a collection. */
export const newItem = (kind, [x, y]) => kind === 'frames' ? [{...size(), x: x + 20, y: y + 20}] : 1
