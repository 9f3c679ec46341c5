// A command that prepares from a shell what is on the screen.

import {SIZES, bodyText, itemsOf, sectionHead} from './collection.js'

/** A text as one word of a shell: nothing in it means anything. */
export const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/** How many items a command has where no program in awk makes them. */
const FEW = 60

// What awk prints for an item, by the name of the choice of sizes. Its numbers are random, too, but
// others than those of this page.
const AWK = {
  heights: `printf "{\\"height\\":%d}", 60+240*rand()`,
  ratios: `printf "{\\"aspectRatio\\":%.2f}", 0.67+1.33*rand()`,
  widths: `printf "{\\"width\\":%d}", 40+120*rand()`,
  parents: `if (i) {m=1+int(7*rand()); d=d+1<m?d+1:m; printf "%d", p[d-1]} else printf "null"; p[d]=i`,
  frames: `printf "{\\"x\\":%d,\\"y\\":%d,\\"width\\":%d,\\"height\\":%d}", W*rand(), 8*N*rand(), 30+60*rand(), 20+60*rand()`,
}

const prepare = (base, kind) => `curl ${quoted(`${base}/layouts/${kind.name}/prepare`)} --json`
const fitted = (kind, {bounds, options}) => ({bounds, options})

/** The command, and what is to be said of it. `shown` is that of code.js. */
export async function curl({base, kind, bounds, options, wanted}) {
  const start = prepare(base, kind), head = fitted(kind, {bounds, options})
  if (kind.form === 'compositional') {
    const {pattern, repeat} = wanted
    const hasSizes = pattern.some(({sizes}) => sizes !== 'none')
    const isAll = repeat * pattern.length <= 12 && !hasSizes
    if (isAll) {
      const sections = Array.from({length: repeat}, () => pattern.map((each) => ({...sectionHead(each), items: each.count})))
      return [`${start} ${quoted(JSON.stringify({...head, sections: sections.flat()}))}`, '']
    }
    const few = {...wanted, repeat: 1, pattern: pattern.map((each) => each.sizes === 'none' ? each
      : {...each, count: Math.min(each.count, FEW)})}
    return [`${start} ${quoted((await bodyText(kind.form, head, few)).join(''))}`,
      repeat > 1 ? `The command has the sections once. Here they are ${repeat} times.` : '']
  }
  const {count, sections, sizes, seed} = wanted, isForest = kind.form === 'forest'
  if (!isForest && Object.keys(SIZES[sizes].columns(Math.random, {count: 0, width: 1})).length === 0) {
    const each = Array.from({length: sections}, (_, section) => ({items: itemsOf(count, sections, section)}))
    return [`${start} ${quoted(JSON.stringify({...head, sections: each}))}`, '']
  }
  const item = isForest ? AWK.parents : AWK[sizes]
  if (!item || sections > 1) {
    const few = {...wanted, count: Math.min(count, FEW * sections)}
    return [`${start} ${quoted((await bodyText(kind.form, head, few)).join(''))}`,
      count > few.count ? 'The command has only the first items of each section.' : '']
  }
  const text = JSON.stringify(head).slice(0, -1)
  const [begin, end] = isForest ? [',"nodes":{"parent":[', ']}}'] : [',"sections":[{"items":[', ']}]}']
  const escaped = (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  const width = wanted.width ?? bounds?.width ?? 0
  const program = `BEGIN {srand(${seed}); N=${count}; W=${Math.max(1, width - 90)}; `
    + `printf "%s", "${escaped(text + begin)}"; `
    + `for (i=0; i<N; i++) {if (i) printf ","; ${item}} print "${escaped(end)}"}`
  return [`awk ${quoted(program)} |\n  ${start} @-`, isForest ? 'The tree is random, as here, but another, and has no names.' : 'The sizes are random, as here, but others.']
}
