// What is on the screen, as a program: a command for a shell, a page, a component.
//
// `shown` is `{base, id, kind, bounds, options, wanted, rect, hasKey}`, all as it is now. `wanted`
// is null for a layout that was opened by its link.

import {SIZES, hasData, itemsOf, nameOf, sectionHead} from './collection.js'
import {Code, literal, number, string} from './literal.js'
import {RATIOS, parents, randomHeight, randomRatio, randomSpan, seeded} from './numbers.js'
import {curl, quoted} from './shell.js'

/** How many items stand in a program where no function makes them. */
const FEW = 40

// What makes an item's fields in a program, by the name of the choice of sizes: the functions that
// it needs, and the value of each field.
const MAKERS = {
  heights: [[randomHeight], {height: 'randomHeight(random)'}],
  ratios: [[randomRatio], {aspectRatio: 'randomRatio(random)'}],
  spans: [[randomSpan], {columnSpan: 'randomSpan(random)', rowSpan: 'randomSpan(random)'}],
  products: [[randomHeight, randomSpan], {height: 'randomHeight(random)', columnSpan: 'randomSpan(random)'}],
  widths: [[], {width: '40 + Math.floor(random() * 120)'}],
}

/** The source of a function that was written as one, or as an arrow. */
function source(name, made) {
  const text = made.toString()
  return text.startsWith('function') ? text : `const ${name} = ${text}`
}

/** Lines that a program begins with, by what it uses. */
function preamble(makers, seed) {
  if (makers.size === 0) return ''
  const lines = [source('seeded', seeded)]
  if (makers.has(randomRatio)) lines.push(`const RATIOS = ${literal(RATIOS)}`)
  for (const made of makers) if (made !== seeded) lines.push(source(made.name, made))
  return `${lines.join('\n')}\n\nconst random = seeded(${seed})\n`
}

/** The items of a section, and the functions that make them. */
function itemsOfSection(count, sizes, seed, width, makers) {
  if (sizes === 'none') return {items: count}
  const maker = MAKERS[sizes]
  if (maker) {
    for (const each of [seeded, ...maker[0]]) makers.add(each)
    return {items: Object.fromEntries(Object.entries(maker[1]).map(([name, value]) =>
      [name, new Code(`Array.from({length: ${number(count)}}, () => ${value})`)]))}
  }
  const few = Math.min(count, FEW), columns = SIZES[sizes].columns(seeded(seed), {count, width, seed})
  const valuesOf = (columns) => Object.fromEntries(Object.entries(columns).map(([name, value]) =>
    [name, typeof value === 'function' ? Array.from({length: few}, (_, index) => JSON.parse(value(index))) : valuesOf(value)]))
  return {items: valuesOf(columns), isShort: few < count}
}

/** What prepares what is shown: `{layout, before, notes}`; `layout` is a value with code in it. */
function layoutOf({kind, bounds, options, wanted}) {
  const makers = new Set(), notes = hasData(wanted) ? ['Titles are left out.'] : []
  const head = {kind: kind.name, bounds, ...Object.keys(options).length > 0 ? {options} : {}}
  const itemsFor = (count, sizes) => {
    const {items, isShort} = itemsOfSection(count, sizes, wanted.seed, wanted.width ?? bounds?.width, makers)
    if (isShort) notes.push(`Only the first ${FEW} items are in the code.`)
    return items
  }
  if (kind.form === 'forest') {
    const each = (name) => `Array.from({length: ${number(wanted.count)}}, (_, index) => ${name}(index))`
    const name = nameOf(wanted), nodes = new Code(`{parent: ${each('parent')}, id: ${each(name.name)}}`)
    for (const each of [seeded, parents, name]) makers.add(each)
    return {layout: {...head, nodes}, before: `${preamble(makers, wanted.seed)}const parent = parents(random)\n`, notes}
  }
  let sections
  if (kind.form === 'compositional') {
    const once = wanted.pattern.map((section) => ({...sectionHead(section), items: itemsFor(section.count, section.sizes)}))
    sections = wanted.repeat === 1 ? once
      : new Code(`Array.from({length: ${number(wanted.repeat)}}, () => ${literal(once, '    ')}).flat()`)
  } else {
    const {count, sections: length, sizes} = wanted
    const isEven = count % length === 0
    sections = length === 1 ? [{items: itemsFor(count, sizes)}]
      : isEven || sizes !== 'none' ? new Code(`Array.from({length: ${number(length)}}, () => (${literal({items: itemsFor(Math.ceil(count / length), sizes)}, '    ')}))`)
        : Array.from({length}, (_, section) => ({items: itemsOf(count, length, section)}))
    if (!isEven && sizes !== 'none') notes.push('Its sections are of one size.')
  }
  return {layout: {...head, sections}, before: preamble(makers, wanted.seed), notes}
}

const render = `render({id, kind, indexPath}, node = document.createElement('div')) {
    node.textContent = id ?? kind ?? indexPath.join(', ')
    return node
  }`

const cards = `render: (element, node) => card(element, layout.options.card, ({text}) =>
    text && layout.sections[0].items.text[text][element.indexPath[1]], node)`

function parts(shown) {
  const {layout, before, notes} = shown.wanted ? layoutOf(shown) : {layout: shown.id, before: '', notes: []}
  const [width, height] = [shown.bounds?.width ?? 800, shown.bounds?.height ?? 600].map(Math.round)
  const key = shown.hasKey ? `\n  authorization: 'Bearer …',` : ''
  const hasCards = shown.wanted?.sizes === 'posts' && Boolean(shown.options.card)
  return {layout, before, notes, key, width, height, hasCards}
}

function javascript(shown) {
  const {layout, before, notes, key, width, height, hasCards} = parts(shown)
  return [`import {${hasCards ? 'card, mount' : 'mount'}} from ${string(`${shown.base}/client/layoutd.js`)}

${before}${hasCards ? `const layout = ${literal(layout)}\n\n` : ''}const container = document.createElement('main')
container.style = 'position: relative; width: ${width}px; height: ${height}px'
document.body.append(container)

const view = mount(container, {
  server: ${string(shown.base)},${key}
  ${hasCards ? 'layout,\n  fonts: true' : `layout: ${literal(layout, '  ')}`},
  ${hasCards ? cards : render},
})
`, notes.join(' ')]
}

function react(shown) {
  const {layout, before, notes, key, width, height, hasCards} = parts(shown)
  const imports = ["import {useEffect, useRef} from 'react'", `import {${hasCards ? 'card, mount' : 'mount'}} from './layoutd.js'`].join('\n')
  return [`${imports}

${before}const layout = ${literal(layout)}

export function Items() {
  const container = useRef(null)
  useEffect(() => {
    const view = mount(container.current, {
      server: ${string(shown.base)},${key.replace('\n', '\n    ')}
      layout,${hasCards ? '\n      fonts: true,' : ''}
      ${(hasCards ? cards : render).replaceAll('\n', '\n    ')},
    })
    return () => view.destroy()
  }, [])
  return <main ref={container} style={{position: 'relative', width: ${width}, height: ${height}}} />
}
`, [`Copy ${shown.base}/client/layoutd.min.js beside it, as layoutd.js.`, ...notes].join(' ')]
}

function shell(shown) {
  const {base, id, rect, hasKey, wanted} = shown
  if (!wanted) return [`curl ${quoted(`${base}/layouts/${id}/elements?rect=${(rect ?? [0, 0, 0, 0]).map(Math.round)}`)}`, '']
  return curl(shown).then(([command, note]) => [
    hasKey ? command.replace(/curl /, `curl -H 'Authorization: Bearer …' `) : command, note])
}

/** The languages: a title, and a function of `shown` that gives the text and a note. */
export const languages = {
  curl: ['curl', shell],
  javascript: ['JavaScript', javascript],
  react: ['React', react],
}
