// The types of react.js.

import type {CSSProperties, ReactElement, ReactNode} from 'react'
import type {LayoutElement, Section, View, ViewOptions} from './layoutd.js'

export interface LayoutProperties extends Omit<ViewOptions, 'render' | 'release' | 'flush'> {
  /** A cell, header or decoration. `section` is what is known of its section. */
  render: (element: LayoutElement, section?: Section) => ReactNode
  /** An answer of `GET /layouts/{id}/elements`, for a first screen that a server renders. */
  first?: {elements: readonly any[]}
  /** Gets the view when it is there. */
  onView?: (view: View) => void
  className?: string
  style?: CSSProperties
}

/** Shows a layout. It needs a height by its style or class. */
export function Layout(properties: LayoutProperties): ReactElement
