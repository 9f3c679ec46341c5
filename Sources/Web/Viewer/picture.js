// A small picture of a kind: the first elements of its example, drawn from the server's own answer.

import {bodyOf} from './collection.js'
import {paint} from './palette.js'
import {ask} from './server.js'

const SVG = 'http://www.w3.org/2000/svg'
const WIDTH = 660, HEIGHT = 450

function shape(name, attributes) {
  const node = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  return node
}

/** Prepares a small layout, draws what its first window shows, and deletes it. */
export async function picture(kind, {options, wanted, few}) {
  const body = await bodyOf(kind.form, {bounds: {width: WIDTH, height: HEIGHT}, options}, {...wanted, ...few})
  const layout = await ask(`/layouts/${kind.name}/prepare`, {method: 'POST', body})
  const path = `/layouts/${layout.id}`
  const {elements} = await ask(`${path}/elements?rect=0,0,${WIDTH},${HEIGHT}`)
  ask(path, {method: 'DELETE'}).catch(() => {})
  const svg = shape('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true',
    preserveAspectRatio: 'xMidYMin slice', class: 'picture'})
  for (const {category, kind: elementKind, id, indexPath, frame: [x, y, width, height]} of elements) {
    if (elementKind === 'connector') {
      const middle = x + width / 2, inset = 16
      svg.append(shape('path', {class: 'line', d: `M${x} ${y + height / 2}H${middle}`
        + `M${middle} ${y + inset}V${y + height - inset}M${middle} ${y + inset}H${x + width}`
        + `M${middle} ${y + height - inset}H${x + width}`}))
      continue
    }
    const node = shape('rect', {x, y, width, height, rx: 9, class: category})
    if (category === 'cell') paint(node, id ?? indexPath)
    svg.append(node)
  }
  return svg
}
