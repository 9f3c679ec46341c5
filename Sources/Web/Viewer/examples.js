// What the page shows of each kind: a sentence, and a layout that shows what it is for.
//
// `body(bounds, count)` is what is sent to prepare. A kind of the server without a line here gets
// items without sizes and no options.

import {parents, randomHeight, randomRatio, seeded} from './numbers.js'

const list = (count, value) => Array.from({length: count}, (_, index) => value(index))

const WORDS = `sea harbour lighthouse gull ferry tide net rope dunes buoy shell crab pier mast anchor
  sail beach market lantern fog storm island cliff bay rudder keel compass chart wave foam`
  .split(/\s+/)

function photographs(count) {
  const random = seeded(7)
  return {aspectRatio: list(count, () => randomRatio(random))}
}

function cards(count) {
  const random = seeded(3)
  return {height: list(count, () => randomHeight(random))}
}

function tags(count) {
  const random = seeded(5)
  const ids = list(count, () => {
    const word = WORDS[Math.floor(random() * WORDS.length)]
    return random() < 0.35 ? `${word} ${WORDS[Math.floor(random() * WORDS.length)]}` : word
  })
  return {id: ids, width: ids.map((id) => 26 + 8 * id.length)}
}

/** Appointments in seven columns of days, one week below the other. */
function appointments(count, width) {
  const random = seeded(11), day = width / 7, ends = list(7, () => 0)
  const columns = {x: [], y: [], width: [], height: []}
  for (let index = 0; index < count; index += 1) {
    const column = ends.indexOf(Math.min(...ends))
    const free = Math.floor(random() * 5) * 12, height = 24 + Math.floor(random() * 7) * 12
    columns.x.push(Math.round(column * day) + 3)
    columns.y.push(ends[column] + free)
    columns.width.push(Math.round(day) - 6)
    columns.height.push(height)
    ends[column] += free + height + 6
  }
  return columns
}

const hierarchy = (count) => ({parent: list(count, parents(seeded(2)))})

const MOSAIC = {
  direction: 'horizontal', spacing: 8,
  width: {fractionalWidth: 1}, height: {fractionalWidth: 0.3},
  subitems: [
    {width: {flexible: 2}, height: {fractionalHeight: 1}},
    {direction: 'vertical', count: 2, spacing: 8,
      width: {flexible: 1}, height: {fractionalHeight: 1},
      subitems: [{width: {fractionalWidth: 1}, height: {flexible: 1}, count: 2}]},
    {direction: 'vertical', spacing: 8, width: {flexible: 1.4}, height: {fractionalHeight: 1},
      subitems: [
        {width: {fractionalWidth: 1}, height: {flexible: 2}},
        {direction: 'horizontal', spacing: 8, width: {fractionalWidth: 1}, height: {flexible: 1.2},
          subitems: [{width: {flexible: 1}, height: {fractionalHeight: 1}, count: 2}]}]}]}

/** Three shelves, as often as there are. */
function shelves(count) {
  return list(Math.ceil(count / 3), (shelf) => [
    {id: `new-${shelf}`, kind: 'list', orthogonal: {height: 120},
      options: {itemHeight: 200, rowSpacing: 8}, items: 40},
    {id: `places-${shelf}`, kind: 'grid',
      options: {minimumColumnWidth: 110, itemAspectRatio: 1.5, columnSpacing: 8, rowSpacing: 8},
      items: 24},
    {id: `photographs-${shelf}`, kind: 'justified',
      options: {targetRowHeight: 110, itemSpacing: 6, rowSpacing: 6}, items: photographs(30)},
  ]).flat().slice(0, count)
}

export const examples = {
  grid: {
    sentence: 'Equal cells in columns and rows: icons, thumbnails.',
    count: 1_000_000_000, few: 90,
    body: (bounds, count) => ({
      bounds, options: {minimumColumnWidth: 110, itemAspectRatio: 1, columnSpacing: 8, rowSpacing: 8},
      sections: [{items: count}]}),
  },
  list: {
    sentence: 'Rows of full width, under headers that stay in sight: messages, contacts.',
    count: 10_000_000, few: 24,
    body: (bounds, count) => {
      const sections = count > 100 ? 100 : 3
      return {
        bounds,
        options: {headerHeight: 30, pinHeaders: true, itemHeight: 40, rowSpacing: 2, sectionSpacing: 14},
        sections: list(sections, () => ({items: Math.round(count / sections)}))}
    },
  },
  waterfall: {
    sentence: 'Columns of cells of different heights: cards, pins, photographs.',
    count: 200_000, few: 60,
    body: (bounds, count) => ({
      bounds, options: {minimumColumnWidth: 150, placement: 'shortestColumn', cellPadding: 4},
      sections: [{items: cards(count)}]}),
  },
  gallery: {
    sentence: 'Rows of cells of random widths. The last cell fills the row.',
    count: 200_000, few: 60,
    body: (bounds, count) => ({
      bounds,
      options: {minimumItemWidth: 90, maximumItemWidth: 210, itemHeight: 110, horizontalInset: 8,
        verticalInset: 8},
      sections: [{items: count}]}),
  },
  flow: {
    sentence: 'Lines of items, like words in a text: tags, filters.',
    count: 5_000, few: 120,
    body: (bounds, count) => ({
      bounds,
      options: {alignment: 'start', itemSize: {width: 80, height: 32}, minimumInteritemSpacing: 8,
        minimumLineSpacing: 8},
      sections: [{items: tags(count)}]}),
  },
  justified: {
    sentence: 'Rows of whole photographs, each row as wide as the content.',
    count: 200_000, few: 60,
    body: (bounds, count) => ({
      bounds, options: {targetRowHeight: 130, itemSpacing: 6, rowSpacing: 6},
      sections: [{items: photographs(count)}]}),
  },
  group: {
    sentence: 'A pattern of cells that repeats. Nothing is stored for a cell.',
    count: 10_000_000, few: 32,
    body: (bounds, count) => ({
      bounds, options: {groupSpacing: 8, group: MOSAIC}, sections: [{items: count}]}),
  },
  frames: {
    sentence: 'Frames that you compute yourself: a calendar, a whiteboard.',
    count: 20_000, few: 70,
    body: (bounds, count) => ({
      bounds, sections: [{items: appointments(count, bounds.width)}]}),
  },
  compositional: {
    sentence: 'Sections of different kinds on one page. A section may scroll sideways.',
    count: 300, few: 3,
    body: (bounds, count) => ({
      bounds,
      options: {headerHeight: 28, sectionSpacing: 16, sectionInset: {top: 4, left: 4, right: 4}},
      sections: shelves(count)}),
  },
  tree: {
    sentence: 'A hierarchy with connectors, in rows or compact, in four directions.',
    count: 2_000, few: 14,
    body: (bounds, count) => ({
      options: {itemSize: {width: 104, height: 32}, insets: {top: 5, left: 16, bottom: 5, right: 16}},
      nodes: hierarchy(count)}),
  },
}

/** The example of a kind that the server says it has. */
export function exampleOf({name, form}) {
  return examples[name] ?? {
    sentence: '', count: 1_000, few: 24,
    body: (bounds, count) => form === 'forest' ? {nodes: hierarchy(count)}
      : form === 'compositional' ? {bounds, sections: [{kind: 'grid', items: count}]}
        : {bounds, sections: [{items: count}]},
  }
}
