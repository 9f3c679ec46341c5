// The body of a prepare: items with random sizes from a seed, written piece by piece so that the
// page stays alive with ten millions of them.

import {parents, randomHeight, randomRatio, seeded} from './numbers.js'

/** What sizes the items of the playground may have, by the name of the choice. */
export const SIZES = {
  none: {title: 'none: by the options', columns: {}},
  heights: {title: 'random heights', columns: {height: randomHeight}},
  ratios: {title: 'photographs (aspectRatio)', columns: {aspectRatio: randomRatio}},
  widths: {title: 'random widths', columns: {width: (random) => 40 + Math.floor(random() * 120)}},
  frames: {title: 'random frames', columns: {
    x: (random, {width}) => Math.floor(random() * Math.max(1, width - 90)),
    y: (random, {count}) => Math.floor(random() * count * 8),
    width: (random) => 30 + Math.floor(random() * 60),
    height: (random) => 20 + Math.floor(random() * 60)}},
}

const PIECE = 100_000
const pause = () => new Promise((resume) => setTimeout(resume))

/** Numbers as the text of a JSON array. */
async function numbersText(count, value) {
  const parts = ['[']
  for (let begin = 0; begin < count; begin += PIECE) {
    const piece = []
    for (let index = begin; index < Math.min(count, begin + PIECE); index += 1) piece.push(value(index))
    parts.push((begin === 0 ? '' : ',') + piece.join(','))
    await pause()
  }
  return [...parts, ']']
}

async function itemsText(count, sizes, random, width) {
  const columns = Object.entries(SIZES[sizes].columns)
  if (columns.length === 0) return [String(count)]
  const parts = ['{']
  for (const [index, [name, value]] of columns.entries()) {
    parts.push(`${index === 0 ? '' : ','}"${name}":`,
      ...await numbersText(count, () => value(random, {count, width})))
  }
  return [...parts, '}']
}

/** `count` items in `sections` sections, as equal as whole numbers can be. */
async function sectionsText({count, sections, sizes, seed, width}) {
  const parts = ['['], random = seeded(seed)
  for (let section = 0; section < sections; section += 1) {
    const items = Math.floor(count * (section + 1) / sections) - Math.floor(count * section / sections)
    parts.push(`${section === 0 ? '' : ','}{"items":`, ...await itemsText(items, sizes, random, width), '}')
  }
  return [...parts, ']']
}

async function nodesText({count, seed}) {
  const parent = parents(seeded(seed))
  return ['{"parent":', ...await numbersText(count, (index) => parent(index) ?? 'null'), '}']
}

/**
 * The body for a collection that the playground describes.
 *
 * @param form What the body has: 'sections', 'forest' or 'compositional'.
 * @param wanted `{bounds, options, count, sections, sizes, seed, sectionsText}`
 */
export async function bodyOf(form, wanted) {
  const head = JSON.stringify({bounds: wanted.bounds, options: wanted.options}).slice(0, -1)
  const described = {...wanted, width: wanted.bounds.width}
  const rest = form === 'forest' ? [',"nodes":', ...await nodesText(described)]
    : form === 'compositional' ? [`,"sections":${wanted.sectionsText}`]
      : [',"sections":', ...await sectionsText(described)]
  return new Blob([head, ...rest, '}'], {type: 'application/json'})
}
