/**
 * The browser client of layoutd. `createStore` knows what a layout shows and needs no DOM; `mount`
 * shows it in an element. Documentation/browser.md says how to use them, layoutd.d.ts has the types.
 */

export {LayoutError} from './connection.js'
export {createStore} from './store.js'
export {card} from './card.js'
export {mount} from './view.js'
