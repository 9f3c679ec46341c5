// The body of a prepare, from what is wanted: items with random sizes from a seed, written piece by
// piece so that the page stays alive with ten millions of them.
//
// `wanted` is `{count, sections, sizes, seed}`. For a compositional layout it has `pattern`
// instead, sections `{kind, count, sizes, sideways, options}` of which there are `repeat` times as
// many, where `sideways` is the height of a section that scrolls sideways, or null. Where frames
// depend on a width that is no longer that of the bounds, `wanted.width` has it.

import {postOf} from './posts.js'
import {nodeName, parents, personName, randomHeight, randomRatio, randomSpan, seeded} from './numbers.js'

const WORDS = `sea harbour lighthouse gull ferry tide net rope dunes buoy shell crab pier mast anchor
  sail beach market lantern fog storm island cliff bay rudder keel compass chart wave foam`
  .split(/\s+/)

/**
 * What sizes items may have, by the name of the choice: for each field of an item a function of the
 * item's number. They are called in the order of the fields.
 */
export const SIZES = {
  none: {title: 'by the options', columns: () => ({})},
  heights: {title: 'random heights', columns: (random) => ({height: () => randomHeight(random)})},
  ratios: {title: 'photographs', columns: (random) => ({
    aspectRatio: () => randomRatio(random), keys: PHOTOGRAPH_KEYS, data: photograph})},
  widths: {title: 'random widths', columns: (random) => ({width: () => 40 + Math.floor(random() * 120)})},
  spans: {title: 'some over two columns or rows', columns: (random) => ({
    columnSpan: () => randomSpan(random), rowSpan: () => randomSpan(random)})},
  products: {title: 'products, some of them features', columns: (random) => ({
    height: () => randomHeight(random), columnSpan: () => randomSpan(random)})},
  words: {title: 'words', columns: words},
  frames: {title: 'random frames', columns: (random, {count, width}) => ({
    x: () => Math.floor(random() * Math.max(1, width - 90)),
    y: () => Math.floor(random() * count * 8),
    width: () => 30 + Math.floor(random() * 60),
    height: () => 20 + Math.floor(random() * 60)})},
  calendar: {title: 'a calendar', columns: calendar},
  posts: {title: 'posts of text', columns: posts},
}

function words(random, {count}) {
  const ids = Array.from({length: count}, () => {
    const word = WORDS[Math.floor(random() * WORDS.length)]
    return random() < 0.35 ? `${word} ${WORDS[Math.floor(random() * WORDS.length)]}` : word
  })
  return {id: (index) => JSON.stringify(ids[index]), width: (index) => 26 + 8 * ids[index].length}
}

const DAY = 86_400_000

const WORD = (place) => WORDS[place % WORDS.length]
const takenOn = (index) => new Date(Date.UTC(2026, 10, 1) - Math.floor(index / 40) * DAY).toISOString().slice(0, 10)
const starsOf = (index) => (index * 7919 + index % 13) % 6

/** What is shown in the cell of a photograph: a title, and the day on which it was taken. */
function photograph(index) {
  const first = WORD(index * 7), second = WORD(index * 7 + 1 + index % (WORDS.length - 1))
  return JSON.stringify({title: `${first[0].toUpperCase()}${first.slice(1)} and ${second}`, taken: takenOn(index), stars: starsOf(index)})
}

/** What photographs are filtered and grouped by. */
const PHOTOGRAPH_KEYS = {stars: starsOf, month: (index) => JSON.stringify(takenOn(index).slice(0, 7)),
  album: (index) => JSON.stringify(WORD(index * 7))}

/** Whether items have data. */
export const hasData = ({sizes, pattern = []} = {}) => [sizes, ...pattern.map(({sizes}) => sizes)].includes('ratios')

/** Posts have their numbers as ids, so that their texts are known wherever they are. */
function posts(random, {seed}) {
  const column = (value) => (index) => JSON.stringify(value(postOf(index, seed)))
  return {id: (index) => `"p${index}"`, aspectRatio: column(({aspectRatio}) => aspectRatio),
    text: {title: column(({title}) => title), body: column(({body}) => body())}}
}

/** Appointments in seven columns of days, one week below the other. */
function calendar(random, {count, width}) {
  const day = width / 7, ends = Array(7).fill(0)
  const frames = Array.from({length: count}, () => {
    const column = ends.indexOf(Math.min(...ends))
    const free = Math.floor(random() * 5) * 12, height = 24 + Math.floor(random() * 7) * 12
    const frame = {x: Math.round(column * day) + 3, y: ends[column] + free, width: Math.round(day) - 6, height}
    ends[column] += free + height + 6
    return frame
  })
  return Object.fromEntries(['x', 'y', 'width', 'height'].map((name) => [name, (index) => frames[index][name]]))
}

/** How many of `count` items are in a section: as equal as whole numbers can be. */
export const itemsOf = (count, sections, section) =>
  Math.floor(count * (section + 1) / sections) - Math.floor(count * section / sections)

/** How many items are wanted. */
export const countOf = ({count, pattern, repeat}) =>
  pattern ? repeat * pattern.reduce((sum, {count}) => sum + count, 0) : count

/** So many values are written between two looks at the clock. */
const PIECE = 1_000
/** So long the page waits for its turn, in milliseconds. */
const TURN = 50
const pause = () => new Promise((resume) => setTimeout(resume))

/** The text of a JSON array of values, each as JSON. */
async function arrayText(count, value) {
  const parts = ['[']
  let end = performance.now() + TURN
  for (let begin = 0; begin < count; begin += PIECE) {
    const piece = []
    for (let index = begin; index < Math.min(count, begin + PIECE); index += 1) piece.push(value(index))
    parts.push((begin === 0 ? '' : ',') + piece.join(','))
    if (performance.now() > end) {
      await pause()
      end = performance.now() + TURN
    }
  }
  return [...parts, ']']
}

/** The text of an object of columns; a column may be an object of columns itself. */
async function columnsText(count, columns) {
  const parts = ['{']
  for (const [index, [name, value]] of Object.entries(columns).entries()) {
    parts.push(`${index === 0 ? '' : ','}"${name}":`, ...await (typeof value === 'function' ? arrayText : columnsText)(count, value))
  }
  return [...parts, '}']
}

async function itemsText(count, sizes, random, {width, seed}) {
  const columns = SIZES[sizes].columns(random, {count, width, seed})
  return Object.keys(columns).length === 0 ? [String(count)] : columnsText(count, columns)
}

async function sectionsText({count, sections, sizes, seed}, width) {
  const parts = ['['], random = seeded(seed)
  for (let section = 0; section < sections; section += 1) {
    const items = await itemsText(itemsOf(count, sections, section), sizes, random, {width, seed})
    parts.push(`${section === 0 ? '' : ','}{"items":`, ...items, '}')
  }
  return [...parts, ']']
}

/** A section of a compositional layout, without its items. */
export const sectionHead = ({kind, sideways, options}) => ({kind,
  ...sideways ? {orthogonal: {height: sideways}} : {},
  ...Object.keys(options ?? {}).length > 0 ? {options} : {}})

async function patternText({pattern, repeat, seed}, width) {
  const parts = ['['], random = seeded(seed)
  for (let turn = 0; turn < repeat; turn += 1) {
    for (const [index, section] of pattern.entries()) {
      parts.push(turn + index === 0 ? '' : ',', JSON.stringify(sectionHead(section)).slice(0, -1), ',"items":',
        ...await itemsText(section.count, section.sizes, random, {width, seed}), '}')
    }
  }
  return [...parts, ']']
}

/** What the nodes of a tree are called. */
export const nameOf = ({arePeople}) => arePeople ? personName : nodeName

async function nodesText({count, seed, ...wanted}) {
  const parent = parents(seeded(seed)), name = nameOf(wanted)
  return ['{"parent":', ...await arrayText(count, (index) => parent(index) ?? 'null'),
    ',"id":', ...await arrayText(count, (index) => `"${name(index)}"`), '}']
}

/**
 * The parts of the text of a body, for a kind of a form: 'sections', 'forest' or 'compositional'.
 */
export async function bodyText(form, {bounds, options}, wanted) {
  const head = JSON.stringify({bounds, options}).slice(0, -1)
  const rest = form === 'forest' ? [',"nodes":', ...await nodesText(wanted)]
    : [',"sections":', ...await (form === 'compositional' ? patternText : sectionsText)(wanted, wanted.width ?? bounds.width)]
  return [head, ...rest, '}']
}

/** The body, ready to be sent. */
export const bodyOf = async (...arguments_) => new Blob(await bodyText(...arguments_), {type: 'application/json'})
