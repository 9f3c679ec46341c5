// The types: the examples of the pages compile in strict mode, and what is declared is what there is.

import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {test} from 'node:test'
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createStore} from '../../Sources/Web/Client/layoutd.js'

const client = new URL('../../Sources/Web/Client/', import.meta.url)
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const declarations = read('Sources/Web/Client/layoutd.d.ts')

/** Compiles a program beside the client in strict mode. Gives what the compiler says. */
function compiled(code, declared = '') {
  const folder = mkdtempSync(join(tmpdir(), 'layoutd-types-'))
  try {
    for (const name of ['layoutd.d.ts', 'layoutd.min.d.ts', 'core.d.ts', 'element.d.ts', 'react.d.ts']) cpSync(new URL(name, client), join(folder, name))
    writeFileSync(join(folder, 'page.ts'), code)
    writeFileSync(join(folder, 'declared.d.ts'), declared)
    execFileSync('tsc', ['--strict', '--noEmit', '--target', 'es2022', '--module', 'es2022', '--moduleResolution', 'node',
      '--lib', 'es2022,dom', join(folder, 'page.ts'), join(folder, 'declared.d.ts')], {encoding: 'utf8'})
    return ''
  } catch (error) {
    return error.stdout
  } finally {
    rmSync(folder, {recursive: true})
  }
}

test('the examples of the page compile in strict mode', () => {
  const page = read('Documentation/browser.md')
  const [, html] = /```html\n[^]*?<script type="module">\n([^]*?)<\/script>/.exec(page)
  const mounting = html.replace('http://localhost:8080/client/layoutd.js', './layoutd.js')
    .replace("document.getElementById('view')", "document.getElementById('view')!")
  const [, scrolling] = /## Scroll to a place\n[^]*?```js\n([^]*?)```/.exec(page)
  const [, changing] = /## Change what is shown\n[^]*?```js\n([^]*?)```/.exec(page)
  const [, cards] = /## Cards\n[^]*?```js\n([^]*?)```/.exec(page)
  const typed = cards.replace('http://localhost:8080/client/layoutd.js', './layoutd.js')
    .replace("document.getElementById('posts')", "document.getElementById('posts')!")
  assert.match(mounting, /mount\(/)
  assert.match(changing, /store\.patch\(/)
  assert.equal(compiled(`${mounting}\n${scrolling}\n${changing}`), '')
  assert.equal(compiled(typed), '')
})

test('bindings and parts have types', () => {
  // What React's own types would say.
  const react = "declare module 'react' { export type ReactNode = unknown; export interface ReactElement {} export interface CSSProperties { height?: string | number } }"
  assert.equal(compiled(`
    import {keyboard, measuring, mount} from './core.js'
    import type {Place, View} from './core.js'
    import './element.js'
    import {Layout} from './react.js'
    const view: View = mount(document.body, {server: '', layout: {viewOf: 'A', kind: 'list'}, render: () => document.createElement('p'),
      with: [keyboard, measuring], role: 'grid', scroller: 'page', scrollPadding: {top: 50}, scrubber: ({id, section}) => id ?? String(section),
      onRange: ({first, last}) => console.log(first.indexPath, last.id), onBelow: (count: number) => {}, onStatus: (status, error) => {}})
    const place: Place = JSON.parse(JSON.stringify(view.snapshot()))
    view.show({kind: 'grid', sections: [{items: 3}]}).then(() => view.isAtEnd)
    view.store.update([{insert: {at: [0, 'end'], items: 1}}])
    const element = document.createElement('layoutd-view')
    element.layout = 'A'
    element.view?.scrollTo('end')
    const options = {server: '', render: () => document.createElement('p')}
    const others: string[] = view.set({...options, role: 'tree', describe: ({data}) => ({level: 2, selected: data === 1}), label: 'Posts'})
    Layout({server: '', layout: 'A', restore: place, style: {height: 3}, render: (element, section) => section?.id ?? element.id})
  `, react), '')
})

test('what pages write has types', () => {
  // The short module has the same types.
  assert.equal(compiled(`
    import {card, createStore, LayoutError, mount} from './layoutd.min.js'
    import type {Card, LayoutElement, Rect, Snapshot, Status, View} from './layoutd.min.js'
    const store = createStore({server: '', layout: 'A', keep: 'always', bounds: {width: 300}})
    await store.patch({kind: 'grid'})
    await store.patch({options: {columns: 3, headerHeight: null}})
    const cell = await store.locate({id: 'p1'}), frame: Rect = cell.frame
    const {items} = await store.locate({section: 3})
    const end: () => void = store.subscribe(() => {})
    const {getSnapshot} = store, snapshot: Snapshot = getSnapshot(), status: Status = snapshot.status
    store.update([{insert: {at: [0, 0], items: [{id: 'kite'}]}}]).catch((error: unknown) => {
      if (error instanceof LayoutError) console.log(error.status, error.problem?.detail)
    })
    const view: View = mount(document.body, {server: '', layout: () => 'A', follow: true,
      render: (element: LayoutElement, node?: Node) => node ?? document.createTextNode(element.id ?? '')})
    const parts: Card = {padding: {top: 4}, parts: [{media: true, bleed: true}, {text: 'title', font: ['a', 'b'], size: 14, lineHeight: 20}]}
    const node: HTMLElement = card(cell as LayoutElement, parts, (part) => 'text' in part ? part.text : null)
    const [first] = (cell as LayoutElement).parts ?? [], lines: readonly number[] | undefined = first?.lines
    // The DOM's name is the DOM's.
    const body: Element = document.body
    console.log(node, lines, frame, items, end, status, view.visible[0], body.id)
    export {}
  `), '')
})

test('what is wrong does not compile', () => {
  const wrong = ['store.patch({kind: 3})', 'store.locate({id: 4})', 'store.show([1, 2])', "createStore({server: ''})",
    'store.getSnapshot().elements.push()']
  // Each is on a line of its own, behind two others.
  const said = compiled(["import {createStore} from './layoutd.js'",
    "const store = createStore({server: '', layout: 'A'})", ...wrong].join('\n'))
  wrong.forEach((code, i) => assert.ok(said.includes(`page.ts(${i + 3},`), `${code}\n${said}`))
})

test('the store has what is declared, and nothing else', () => {
  const [, body] = /export interface Store \{\n([^]*?)\n\}/.exec(declarations)
  const declared = new Set([...body.matchAll(/^  (\w+)\(/gm)].map(([, name]) => name))
  const store = createStore({server: 'http://a', layout: 'A'})
  assert.deepEqual(Object.keys(store).sort(), [...declared].sort())
  const [, snapshot] = /export interface Snapshot \{\n([^]*?)\n\}/.exec(declarations)
  const members = [...snapshot.matchAll(/^  readonly (\w+):/gm)].map(([, name]) => name)
  assert.deepEqual(Object.keys(store.getSnapshot()).sort(), members.sort())
})

test('nothing is any', () => { assert.doesNotMatch(declarations, /\bany\b(?! of)/) })
