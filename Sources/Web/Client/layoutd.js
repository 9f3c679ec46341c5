/**
 * The browser client of layoutd with all its parts. `createStore` knows what a layout shows and needs
 * no DOM; `mount` shows it in an element. Documentation/browser.md says how to use them, layoutd.d.ts
 * has the types. Bundlers take parts from core.js.
 */

import * as core from './core.js'

const {animation, arriving, find, folding, following, fonts, keyboard, measuring, page, scrubber} = core

export const {LayoutError, card} = core
export const createStore = (options) => core.createStore({with: [following], ...options})
export const mount = (container, options) =>
  core.mount(container, {with: [animation, arriving, find, folding, following, fonts, keyboard, measuring, page, scrubber], ...options})
