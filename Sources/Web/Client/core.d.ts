// The types of core.js.

export * from './layoutd.js'

/** What `createStore` and `mount` are given with the option `with`. */
export type Part = object
/** Changes are animated. */
export const animation: Part
/** `onRange`, `onStart`, `onEnd`, `onBelow`, `onStatus`. */
export const arriving: Part
/** `view.find`, and the option `find`. */
export const find: Part
/** The option `folding`. */
export const folding: Part
/** The option `follow`. */
export const following: Part
/** The option `fonts`. */
export const fonts: Part
/** Arrows, pages, Home and End. */
export const keyboard: Part
/** The option `measure`. */
export const measuring: Part
/** `scroller: 'page'`. */
export const page: Part
/** The option `scrubber`. */
export const scrubber: Part
