// The types of layoutd.js.

/** x, y, width, height in points. */
export type Rect = [x: number, y: number, width: number, height: number]
export type IndexPath = [section: number, item: number]
export interface Size { width: number, height: number }

/** A cell, a header, a line of a tree … `key` names the same element in every snapshot. */
export interface LayoutElement {
  readonly category: 'cell' | 'supplementary' | 'decoration'
  /** Not for cells. */
  readonly kind?: string
  readonly indexPath: IndexPath
  readonly frame: Rect
  readonly zIndex: number
  readonly id?: string
  /** How many items come before it; only of a cell that was located. */
  readonly ordinal?: number
  /** Where a pinned header or footer may be, along the scroll direction. */
  readonly pinRange?: [low: number, high: number]
  /** Of a pinned row of an outline: how far below the edge it is pinned. */
  readonly pinOffset?: number
  /** A node or header that is folded, and how many nodes or items that hides. */
  readonly folded?: true
  readonly hidden?: number
  /** In a tree or outline, of a node that has children, and of its connector. The others follow the first. */
  readonly firstChild?: IndexPath
  readonly childCount?: number
  /** Of at most 100. */
  readonly children?: IndexPath[]
  /** The parts of its card that are there, if the client asks for them (`parts`). */
  readonly parts?: readonly PlacedPart[]
  /** What its item's `data` says, if the client asks for that (`data`). */
  readonly data?: JSONValue
  /** The texts of its item by their names, if the client asks for them (`text`). */
  readonly text?: Readonly<Record<string, string>>
  /** A text of its card may have other lines here, so its height is a guess. */
  readonly estimated?: true
  /** The cell is lower than its card, which has a greatest height. */
  readonly cut?: true
  readonly key: string
}

/** A part of a card. `part` is its index in the `parts` of the card; `frame` is relative to the cell. */
export interface PlacedPart {
  readonly part: number
  readonly frame: Rect
  /** Of a text: where each line begins, in UTF-16 units. */
  readonly lines?: readonly number[]
  /** Of a text: how wide its longest line is. */
  readonly width?: number
  /** Of a text that `maxLines` cuts: the first character that is in no line, in UTF-16 units. */
  readonly end?: number
  /** `maxLines` cuts the text. */
  readonly cut?: true
}

export interface Section {
  readonly section: number
  readonly id?: string
  readonly kind: string
  readonly items: number
  readonly frame: Rect
  /** Where its cells lie. Of a section that scrolls sideways, it is as wide as its content. */
  readonly body: Rect
}

/** Where a section begins. */
export interface Mark { readonly section: number, readonly id?: string, readonly y: number, readonly items: number }

/** What the server says of a layout. */
export interface Summary {
  readonly id: string
  readonly kind: string
  readonly version: number
  readonly versionTag?: string
  readonly bounds?: {width: number, height?: number}
  readonly contentSize: Size
  readonly scrollDirection?: 'vertical' | 'horizontal'
  readonly counts: {sections: number, cells: number, supplementary: number, decorations: number}
  readonly memoryBytes?: number
  readonly createdAt?: string
  readonly expiresAt?: string
  readonly views?: number
  readonly invalidated?: boolean
  readonly invalidatedRect?: Rect | null
}

/** What a change did. `shift` is how far `visible` moved. */
export interface Transitions {
  appearing: LayoutElement[]
  disappearing: LayoutElement[]
  moving: {from: LayoutElement, to: LayoutElement}[]
  shift: [x: number, y: number]
}

export type Status = 'opening' | 'ready' | 'busy' | 'slow' | 'offline' | 'gone' | 'unauthorized' | 'tooLarge' | 'failed'

/** What is known of a layout. It never changes. */
export interface Snapshot {
  readonly status: Status
  readonly error: Error | null
  readonly layout: Summary | null
  /** The rect of all there is. */
  readonly content: Rect
  /** Whether a horizontal layout begins at the right. */
  readonly rightToLeft: boolean
  readonly elements: readonly LayoutElement[]
  /** The version that the elements are of. */
  readonly version: number
  readonly visible: Rect | null
  /** Where elements are known. */
  readonly covered: Rect | null
  readonly sections: ReadonlyMap<number, Section>
  readonly transitions: Transitions | null
}

export type JSONValue = string | number | boolean | null | JSONValue[] | {[name: string]: JSONValue | undefined}
export type Options = {[name: string]: JSONValue | undefined}
/** What `prepare` takes, with its kind. */
export interface Body {
  kind: string
  bounds?: {width?: number, height?: number}
  options?: Options
  sections?: object[]
  nodes?: object
  root?: object | object[]
}
/** A part of a card that is a text, in CSS pixels. */
export interface TextPart {
  /** The name of the text in the item's `text`. */
  text: string
  font: string | string[]
  size: number
  lineHeight: number
  /** 1 to 1000, for variable fonts; 400 by default. */
  weight?: number
  letterSpacing?: number
  language?: string
  whiteSpace?: 'normal' | 'preLine' | 'preWrap'
  wordBreak?: 'normal' | 'breakAll' | 'keepAll'
  maxLines?: number
}
export type CardPart = TextPart | {media: true, bleed?: boolean, height?: number, text?: undefined} | {height: number, text?: undefined}
/** The option `card`: what cells are made of, from the top. */
export interface Card {
  parts: CardPart[]
  padding?: number | {top?: number, left?: number, bottom?: number, right?: number}
  spacing?: number
  leading?: number
  trailing?: number
  minimumHeight?: number
  maximumHeight?: number
}
/** A view of a layout, as wide as the window: `viewOf` is the id of the layout. */
export interface ViewBody extends Change { viewOf: string }
/** The id of a layout, what to prepare, or a view to make. */
export type Source = string | Body | ViewBody
/** One of these; with a `key`, the first cell whose value is at least `from` or at most `upTo`. */
export interface Target { item?: IndexPath, id?: string, ordinal?: number, section?: number | string, key?: string, from?: number | string, upTo?: number | string }
/**
 * What stays in place: `part` of its frame (0 is the start, 1 the end) stands at the same part of what is visible,
 * `offset` points from there. Without an offset, it stays where it is.
 */
export interface Anchor { element: LayoutElement, part?: [x: number, y: number], offset?: [x: number, y: number] }
/** From one item to another, both included, in either order; or a section; or, if empty, all. An item by its id or index path. */
export interface IDRange { from?: string | IndexPath, to?: string | IndexPath, section?: number }
/** How large a cell was measured along the scroll direction; null takes that away. */
export interface Measurement { at?: IndexPath, id?: string, height?: number | null, width?: number | null }
/** An update as in the page on changes, such as `{delete: {at: [0, 3]}}`. */
export type Update = {[name: string]: object}
export interface Change {
  kind?: string
  bounds?: {width?: number, height?: number}
  options?: Options
  arrange?: Arrangement | null
  folded?: Folded | null
}
/** A node or an item, or a section. */
export type Reference = {id: string} | {at: IndexPath} | {section: number | string}
/** From which depth nodes are folded, or sections with 0, and which are not so. */
export interface Folded { from?: number | null, fold?: Reference[], unfold?: Reference[] }
/** What folds and unfolds; in this order. */
export interface Folds { from?: number | null, fold?: Reference[], unfold?: Reference[], levels?: number, reveal?: Reference[] }
/** What items are sorted by; `descending` turns it round. */
export interface KeyOrder {
  key: string
  order?: 'ascending' | 'descending'
}
/** What the key of an item must be: `from` ≤ key < `to`, one of `in`, or with `not` the contrary. */
export interface KeyCondition {
  key: string
  from?: number | string
  to?: number | string
  in?: (number | string)[]
  not?: boolean
}
/** Which items a view shows, in which order and sections: by their keys, or by their ids. */
export type Arrangement = {where?: KeyCondition[], groupBy?: KeyOrder, sortBy?: KeyOrder[]} |
  {ids: string[]} | {sections: {id?: string, ids: string[]}[]}
export interface How {
  /** Without transitions. */
  isQuiet?: boolean
  headers?: Record<string, string>
}

export interface StoreOptions {
  server: string
  /** A function is called again when the layout is gone, with the id that it had. */
  layout: Source | ((gone?: string) => Source | Promise<Source>)
  authorization?: string | (() => string | undefined | Promise<string | undefined>)
  /** How much more than what is visible is asked for, on each side, as a share of it. Default 0.5. */
  overscan?: number
  /** Whether the layout follows the size of the window. Default: true, but false for an id. */
  fit?: boolean
  /** The height of bands, in points. Default: no bands. */
  bands?: number
  /** Whether changes by others appear by themselves: the first at once, those of the next milliseconds together, by default 250. */
  follow?: boolean | {every?: number}
  /** What happens at the edges. Default `start`. */
  keep?: 'start' | 'always' | 'end'
  /** Whether a layout to prepare marks cells whose heights are guesses. */
  measure?: boolean
  /** Whether cells come with the `parts` of their cards. Default: whether the `layout` to prepare has a card. */
  parts?: boolean
  /** Whether cells come with the `data` of their items, in the same answer as their frames. */
  data?: boolean
  /** Whether cells come with the `text` of their items. */
  text?: boolean
  fetch?: typeof fetch
  bounds?: Partial<Size>
  /** Parts of core.js. `createStore` and `mount` of layoutd.js have all. */
  with?: readonly object[]
}

/** What is known of a layout. Its functions need no `this`. */
export interface Store {
  /** The same object until something changes. */
  getSnapshot(this: void): Snapshot
  /** Calls `listener` after each change. Returns what ends that. */
  subscribe(this: void, listener: () => void): () => void
  /**
   * The reader has scrolled there. What is missing is asked for.
   * @param anchor what stays in place from now on; by default, what is read
   * @param section one that scrolls sideways
   */
  show(this: void, rect: Rect, anchor?: Anchor, section?: number): void
  /**
   * The window has another size; what is read stays in place.
   * @param beyond how far it can be scrolled beyond the content, where that is a part of a page
   */
  view(this: void, size: Size, section?: number, beyond?: [before: number, after: number]): void
  /** What is visible, of all or of a section that scrolls sideways. */
  visible(this: void, section?: number): Rect | null
  /** The item that stays in place, if one is known. */
  reading(this: void, section?: number): LayoutElement | null
  /** Forgets a section that scrolled sideways. */
  hide(this: void, section: number): void
  /** Shows another layout. Items with the same ids keep their cells and the place. */
  open(this: void, layout: StoreOptions['layout']): Promise<void>
  /** Other options from now on: `authorization`, `fetch`, `follow`, `keep` and `overscan` of them. */
  set(this: void, options: Omit<StoreOptions, 'layout'>): void
  /** Changes items, sections or nodes. */
  update(this: void, updates: Update[], how?: How): Promise<Summary>
  /** Says how large cells were measured, in this layout alone. */
  measured(this: void, sizes: Measurement[], how?: How): Promise<Summary>
  /** Folds and unfolds nodes or sections, in this layout alone. */
  fold(this: void, folds: Folds, how?: How): Promise<Summary>
  /** Whether cells whose heights are guesses are `estimated`. */
  hasEstimates(this: void): boolean
  /** Changes bounds, options or the kind. */
  patch(this: void, change: Change, how?: How): Promise<Summary>
  /** Shows the items of a view in another order, filtered or grouped; null: as the collection has them. */
  arrange(this: void, arrangement: Arrangement | null, how?: How): Promise<Summary>
  /** Asks for `/find?…` of the layout; see `View.find`. */
  find(this: void, path: string, signal?: AbortSignal): Promise<{id: string, version: number, count: number, matches: TextMatch[], [name: string]: unknown}>
  /**
   * Where cells of the version `since` stand now: the first of them that are still there, and more if they are near
   * it. Nothing if none is there.
   */
  trace(this: void, cells: Pick<LayoutElement, 'indexPath' | 'frame' | 'id'>[], since: number | string, signal?: AbortSignal):
    Promise<{id: string, version: number, versionTag?: string, summary?: Summary, cells: Pick<LayoutElement, 'indexPath' | 'frame' | 'id'>[]} | null>
  /** A section, if it is near the window and there are several, or the view is arranged. */
  section(this: void, index: number): Section | undefined
  /** Lays the content out in other bounds, if the layout fits its window. */
  resize(this: void, size: Partial<Size>): Promise<void> | undefined
  /** The rect of all there is, once it is known. */
  locate(this: void, place: 'end'): Promise<{frame: Rect}>
  /** The section of a place. */
  locate(this: void, place: {section: number | string}): Promise<Section>
  /** The cell of a place. */
  locate(this: void, place: {item: IndexPath} | {id: string} | {ordinal: number}): Promise<Omit<LayoutElement, 'key'>>
  /** Where sections begin, of so many equal stretches of the content the first that begins there. */
  marks(this: void, count: number): Promise<{count: number, marks: Mark[], [name: string]: unknown}>
  /** How many elements there are now, also if others have changed that where nothing is shown. */
  counts(this: void): Promise<Summary['counts']>
  /** Which items the cells of a range show, loaded or not; null for items without an id. */
  ids(this: void, range?: IDRange): Promise<(string | null)[]>
  /** How many items come before a cell, once it is known. */
  ordinal(this: void, element: LayoutElement): number | undefined
  /** Whether all that is visible is known and no request is under way. */
  isSettled(this: void): boolean
  /** Asks whether the layout has changed, or tries again after a failure. */
  refresh(this: void): void
  /** Ends what is under way. A store that is used again goes on. */
  close(this: void): void
}

/** What `createStore` is for where there is no DOM. */
export function createStore(options: StoreOptions): Store

export interface ViewOptions extends StoreOptions {
  /**
   * The content of an element. It may change the `node` that it gave for another element, and return it.
   * `section` is what is known of the element's section: the id of a group, for its header.
   */
  render: (element: LayoutElement, node?: Node, section?: Section) => Node
  /**
   * Whether rendered cells are measured. Of a layout that is prepared here, and of cells that have `parts`, only the
   * `estimated` ones are, and those that were measured before.
   */
  measure?: boolean
  /** A content leaves the page, and what it held can be let go. `render` may be given it once more. */
  release?: (node: Node, element: LayoutElement) => void
  /** All that is new was rendered, and is going to be measured. */
  flush?: () => void
  /** Where a reader was: what `View.snapshot` gave. */
  restore?: Place
  /** `page`: the container is a part of the page, as high as the content, and the page scrolls up and down. */
  scroller?: 'page'
  /** How much bars cover at the top and bottom: what is scrolled to, pinned headers and the scrubber keep away from them. */
  scrollPadding?: {top?: number, bottom?: number}
  /** Other cells are in sight. */
  onRange?: (range: {first: LayoutElement, last: LayoutElement}) => void
  /** The start is less than a screen away: time to load what comes before. Once for each size of the content. */
  onStart?: () => void
  /** The end is less than a screen away. */
  onEnd?: () => void
  /** So many cells are behind the last one that was seen, since the reader was at the end; 0 when she is there again. */
  onBelow?: (count: number) => void
  onStatus?: (status: Status, error: Error | null) => void
  animate?: boolean
  /** Whether Ctrl+F opens a bar that looks through all texts, loaded or not. */
  find?: boolean
  /** A bar beside the content to go to sections, with a bubble that names them: by their ids, or as a function says. */
  scrubber?: boolean | ((mark: Mark) => string)
  /**
   * Makes the server's fonts known to the page by their names, and waits for some before anything is drawn:
   * `true` for those of the cards in `layout`, or their names.
   */
  fonts?: boolean | string[]
  /** Whether nodes and headers fold by a click, and by the keys of a tree. */
  folding?: boolean
  /** What the layout is for assistive technology. Default `list`, or `tree` for nodes that fold; a header is a heading in a list. */
  role?: 'list' | 'grid' | 'tree'
  /** What of an element the layout does not know: in a tree, and as far as another role has it. */
  describe?: (element: LayoutElement) => {level?: number, expanded?: boolean, selected?: boolean} | null | undefined
  /** The name of the list for assistive technology. */
  label?: string
  /** What the user is told, by status; `measuring` if measured sizes are refused. */
  messages?: Partial<Record<Status | 'measuring', string>>
}

/**
 * The content of a cell that has a card: each part where it was measured, each text in the CSS in which it was.
 * `options` is the `card` of the layout or section. `content` gives the text of a part, or a node for a picture.
 * `node` is what an earlier call returned for another cell.
 */
export function card(element: LayoutElement, options: Card, content: (part: CardPart, index: number) => string | Node | null | undefined,
  node?: Node): HTMLElement

export interface ScrollTarget extends Target {
  /** A point of the content. */
  at?: [x: number, y: number]
  align?: 'start' | 'center' | 'end' | 'nearest'
  behavior?: ScrollBehavior
}
/** Where a scroll has landed. */
export interface Landed {
  element: Omit<LayoutElement, 'key'> | Section | {frame: Rect} | null
  visible: Rect
  isInterrupted: boolean
}

/** Where a text is, by the server. */
export interface TextMatch {
  readonly number: number
  readonly id?: string
  readonly indexPath: IndexPath
  readonly frame: Rect
  readonly name: string
  /** Where it begins in the text, and how long it is. */
  readonly range: [start: number, length: number]
  /** It is in what is folded, in the element that says so. */
  readonly hidden?: true
  readonly foldedIn?: {readonly id?: string, readonly indexPath: IndexPath}
}
/** A text that is looked for. It keeps up with changes, and ends with `close`. */
export interface Found {
  /** How many matches there are; null before that is known. */
  readonly count: number | null
  /** Which one of them is shown, from 1; 0 for none. */
  readonly number: number
  readonly match: TextMatch | null
  /** The version of the layout that this is of. */
  readonly version: number | null
  /** Where matches are along the content: where a stretch begins, and how many there are. */
  readonly marks: [start: number, count: number][]
  /** Is called when any of these is another. */
  onChange: ((found: Found) => void) | null
  /** Scrolls to the next match, around the end. */
  next(): Promise<TextMatch | null>
  previous(): Promise<TextMatch | null>
  close(): void
}

/** Where a reader is: an item, and how far from its leading edge the window begins; and the corner of the window. */
export interface Place {
  layout?: string
  id?: string
  item?: IndexPath
  offset?: [x: number, y: number]
  at: [x: number, y: number]
  isAtStart: boolean
  isAtEnd: boolean
}

export interface View {
  readonly store: Store
  /** Scrolls there, or to the very end. The promise says where that is once it is settled. */
  scrollTo(target: ScrollTarget | 'end'): Promise<Landed>
  /** Which items the cells of a range show, loaded or not: a selection beyond what is in sight. */
  ids(range?: IDRange): Promise<(string | null)[]>
  /** Shows the items of a view in another order, filtered or grouped, animated. What is read stays in its place. */
  arrange(arrangement: Arrangement | null): Promise<Summary>
  /** Folds a node or a section, or all from a depth on. */
  fold(what: Reference | {from: number | null}): Promise<Summary>
  unfold(what: Reference, how?: {levels?: number}): Promise<Summary>
  /** Unfolds what an item is hidden in, and scrolls to it. */
  reveal(id: string): Promise<Landed>
  /** Looks for a text in all cells, loaded or not, goes to the first match from here on, and marks what is rendered. */
  find(text: string, how?: {name?: string, exact?: boolean}): Found
  /** Shows another layout, animated. Items with the same ids keep their cells, and the reader her place. */
  show(layout: StoreOptions['layout']): Promise<void>
  /** Where the reader is, to be kept as JSON: for the option `restore` after a reload or a return. */
  snapshot(): Place
  readonly isAtEnd: boolean
  /** What is visible now. */
  readonly visible: Rect
  /**
   * These are the options from now on, but for the layout; cells and the place stay. What `describe` says is looked at
   * again. It returns the names of others that only `mount` takes.
   */
  set(options: Omit<ViewOptions, 'layout'>): string[]
  /** Ends it and empties the container. */
  destroy(): void
}

/** Shows a layout in an element, which needs a size. */
export function mount(container: HTMLElement, options: ViewOptions): View

/** The answer was no success. The message is the first of the `errors` in the problem, or its `detail`. */
export class LayoutError extends Error {
  constructor(status: number, problem: Problem | null)
  readonly status: number
  /** The problem document (RFC 9457), if there is one. */
  readonly problem: Problem | null
}
export interface Problem {
  type?: string
  title?: string
  status?: number
  detail?: string
  errors?: {pointer: string, detail: string}[]
}
