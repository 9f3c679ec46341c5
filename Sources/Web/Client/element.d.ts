// The types of element.js.

import type {LayoutElement, View, ViewOptions} from './layoutd.js'

/**
 * `<layoutd-view server layout>`. Options of `mount` that are texts or flags are attributes and properties, all others
 * stand in `options`; what is set later leaves cells and the place as they are. Callbacks are the events `range`, `start`, `end`, `below` and `status`, whose `detail` is what
 * the callback gets.
 */
export class LayoutdView extends HTMLElement {
  /** While the element is in a page. */
  readonly view: View | null
  server: ViewOptions['server'] | undefined
  layout: ViewOptions['layout'] | undefined
  render: ViewOptions['render'] | undefined
  options: Partial<ViewOptions> | undefined
  [option: string]: any
}

/** A copy of a template in which `{{name}}` is what the data of an element says, and `{{id}}` its id. */
export function filled(template: HTMLTemplateElement, element: Pick<LayoutElement, 'data' | 'id'>): Element

declare global {
  interface HTMLElementTagNameMap { 'layoutd-view': LayoutdView }
}
