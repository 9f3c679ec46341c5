// The command that prepares the same from a shell.

import {base} from './server.js'
import {SIZES} from './collection.js'

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/** The command for a small body. */
export const command = (kind, body) =>
  `curl ${base}/layouts/${kind}/prepare --json ${quoted(JSON.stringify(body))}`

// What awk prints for an item, by the name of the choice of sizes. Its numbers are random, too, but
// others than those of this page.
const AWK = {
  heights: `printf "{\\"height\\":%d}", 60+240*rand()`,
  ratios: `printf "{\\"aspectRatio\\":%.2f}", 0.67+1.33*rand()`,
  widths: `printf "{\\"width\\":%d}", 40+120*rand()`,
  parents: `if (i) {m=1+int(7*rand()); d=d+1<m?d+1:m; printf "%d", p[d-1]} else printf "null"; p[d]=i`,
  frames: `printf "{\\"x\\":%d,\\"y\\":%d,\\"width\\":%d,\\"height\\":%d}", W*rand(), 8*N*rand(), 30+60*rand(), 20+60*rand()`,
}

/** The command for what the playground describes: awk writes items that have sizes. */
export function playgroundCommand(kind, wanted) {
  const {bounds, options, count, sections, sizes, seed} = wanted
  const head = JSON.stringify({bounds, options}).slice(0, -1)
  if (kind.form === 'compositional') {
    return `curl ${base}/layouts/${kind.name}/prepare --json ${quoted(`${head},"sections":${wanted.sectionsText}}`)}`
  }
  if (kind.form === 'sections' && Object.keys(SIZES[sizes].columns).length === 0) {
    const each = Array.from({length: sections}, (_, section) => ({
      items: Math.floor(count * (section + 1) / sections) - Math.floor(count * section / sections)}))
    return command(kind.name, {bounds, options, sections: each})
  }
  const isForest = kind.form === 'forest'
  const item = isForest ? AWK.parents : AWK[sizes]
  const [begin, end] = isForest ? [',"nodes":{"parent":[', ']}}'] : [',"sections":[{"items":[', ']}]}']
  const escaped = (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  const program = `BEGIN {srand(${seed}); N=${count}; W=${Math.max(1, bounds.width - 90)}; `
    + `printf "%s", "${escaped(head + begin)}"; `
    + `for (i=0; i<N; i++) {if (i) printf ","; ${item}} print "${escaped(end)}"}`
  return `awk ${quoted(program)} | curl ${base}/layouts/${kind.name}/prepare --json @-`
}
