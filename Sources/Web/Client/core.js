/**
 * The browser client in parts, for bundlers: `createStore` and `mount` have those that they are given
 * with the option `with`.
 *
 *     import {keyboard, measuring, mount} from '/client/core.js'
 *     mount(container, {server, layout, render, with: [keyboard, measuring], measure: true})
 */

import {Arriving} from './arriving.js'
import {Find, FindBar} from './find.js'
import {Keyboard} from './keyboard.js'
import {Measuring} from './measuring.js'
import {Folding} from './folding.js'
import {follow} from './following.js'
import {Page} from './page.js'
import {Scrubber} from './scrubber.js'
import {fontsOfCards, loadFonts} from './fonts.js'
import {play} from './animation.js'

export {LayoutError} from './connection.js'
export {createStore} from './store.js'
export {card} from './card.js'
export {mount} from './view.js'

/** Changes are animated. */
export const animation = {play}
/** `onRange`, `onStart`, `onEnd`, `onBelow`, `onStatus`. */
export const arriving = {Arriving}
/** `view.find`, and the option `find`. */
export const find = {Find, FindBar}
/** The option `folding`. */
export const folding = {Folding}
/** The option `follow`. */
export const following = {follow}
/** The option `fonts`. */
export const fonts = {fontsOfCards, loadFonts}
/** Arrows, pages, Home and End. */
export const keyboard = {Keyboard}
/** The option `measure`. */
export const measuring = {Measuring}
/** `scroller: 'page'`. */
export const page = {Page}
/** The option `scrubber`. */
export const scrubber = {Scrubber}
