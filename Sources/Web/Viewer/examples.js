// What the page shows of each kind: a sentence, and a layout that shows what the kind is for.
//
// `wanted` is what collection.js makes items of, `few` what differs for a small picture. A kind of
// the server without a line here gets items without sizes and no options.

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

const POSTS = {
  title: '200,000 posts', hasCard: true,
  sentence: 'Posts of different lengths. The server lays their texts out, so every height is known, at every width.',
  wanted: {count: 200_000, sizes: 'posts', seed: 23},
}

const examples = {
  grid: {
    sentence: 'Equal cells in columns and rows: icons, thumbnails.',
    options: {minimumColumnWidth: 110, itemAspectRatio: 1, columnSpacing: 8, rowSpacing: 8},
    wanted: {count: 1_000_000_000}, few: {count: 90},
    others: [
      {title: 'Over two columns', sentence: 'Some cells over two columns or two rows; later cells fill the gaps.',
        options: {minimumColumnWidth: 110, itemAspectRatio: 1, columnSpacing: 8, rowSpacing: 8, placement: 'dense'},
        wanted: {count: 100_000, sizes: 'spans', seed: 13}},
      {title: 'As high as the tallest', sentence: 'Product cards: each row is as high as its tallest cell, features are two columns wide.',
        options: {minimumColumnWidth: 150, rowSizing: 'tallest', itemAlignment: 'start', columnSpacing: 8, rowSpacing: 12},
        wanted: {count: 100_000, sizes: 'products', seed: 17}},
    ],
  },
  list: {
    sentence: 'Rows of full width, under headers that stay in sight: messages, contacts.',
    options: {headerHeight: 30, pinHeaders: true, itemHeight: 40, rowSpacing: 2, sectionSpacing: 14},
    wanted: {count: 10_000_000, sections: 100}, few: {count: 24, sections: 3},
    others: [{...POSTS, options: {rowSpacing: 10, contentInset: {left: 10, right: 10, top: 10, bottom: 10}}}],
  },
  waterfall: {
    sentence: 'Columns of cells of different heights: cards, pins, photographs.',
    options: {minimumColumnWidth: 150, placement: 'shortestColumn', cellPadding: 4},
    wanted: {count: 200_000, sizes: 'heights', seed: 3}, few: {count: 60},
    others: [
      {title: 'In lanes', sentence: 'Lanes as in CSS: a card goes where it reaches highest, and wide ones lie over two columns.',
        options: {minimumColumnWidth: 150, placement: 'lanes', cellPadding: 0, columnSpacing: 10, rowSpacing: 10},
        wanted: {count: 200_000, sizes: 'products', seed: 19}},
      {...POSTS, options: {minimumColumnWidth: 260, placement: 'shortestColumn', cellPadding: 0, columnSpacing: 12, rowSpacing: 12,
        contentInset: {left: 12, right: 12, top: 12, bottom: 12}}},
    ],
  },
  gallery: {
    sentence: 'Rows of cells of random widths. The last cell fills the row.',
    options: {minimumItemWidth: 90, maximumItemWidth: 210, itemHeight: 110, horizontalInset: 8, verticalInset: 8},
    wanted: {count: 200_000}, few: {count: 60},
  },
  flow: {
    sentence: 'Lines of items, like words in a text: tags, filters.',
    options: {alignment: 'start', itemSize: {width: 80, height: 32}, columnSpacing: 8, rowSpacing: 8},
    wanted: {count: 5_000, sizes: 'words', seed: 5}, few: {count: 120},
  },
  justified: {
    sentence: 'Rows of whole photographs, each row as wide as the content.',
    options: {targetRowHeight: 130, columnSpacing: 6, rowSpacing: 6},
    wanted: {count: 20_000, sizes: 'ratios', seed: 7}, few: {count: 60},
  },
  group: {
    sentence: 'A pattern of cells that repeats. Nothing is stored for a cell.',
    options: {rowSpacing: 8, group: MOSAIC},
    wanted: {count: 10_000_000}, few: {count: 32},
  },
  frames: {
    sentence: 'Frames that you compute yourself: a calendar, a whiteboard.',
    options: {},
    wanted: {count: 20_000, sizes: 'calendar', seed: 11}, few: {count: 70},
  },
  compositional: {
    sentence: 'Sections of different kinds on one page. A section may scroll sideways.',
    options: {headerHeight: 28, sectionSpacing: 16, sectionInset: {top: 4, left: 4, right: 4}},
    wanted: {
      repeat: 100, seed: 7,
      pattern: [
        {kind: 'list', count: 40, sizes: 'none', sideways: 120, options: {itemHeight: 200, rowSpacing: 8}},
        {kind: 'grid', count: 24, sizes: 'none', sideways: null,
          options: {minimumColumnWidth: 110, itemAspectRatio: 1.5, columnSpacing: 8, rowSpacing: 8}},
        {kind: 'justified', count: 30, sizes: 'ratios', sideways: null,
          options: {targetRowHeight: 110, columnSpacing: 6, rowSpacing: 6}},
      ]},
    few: {repeat: 1},
  },
  tree: {
    sentence: 'A hierarchy with connectors, in rows or compact, in four directions.',
    options: {itemSize: {width: 104, height: 32}, insets: {top: 5, left: 16, bottom: 5, right: 16}},
    wanted: {count: 2_000, seed: 2}, few: {count: 14},
    others: [{title: 'People', sentence: 'Who reports to whom, from the top down. Those who lead nobody stand in a list below.',
      options: {spacing: 'compact', direction: 'down', leaves: 'stacked', itemSize: {width: 132, height: 32}, insets: {top: 9, left: 6, bottom: 9, right: 6}},
      wanted: {count: 300, seed: 2, arePeople: true}}],
  },
  outline: {
    sentence: 'A row for each node: folders, threads, spans. What is pinned stays in sight.',
    options: {pinAncestors: 2},
    wanted: {count: 20_000, seed: 2}, few: {count: 9},
  },
}

/** Items without a line of their own. */
const ORDINARY = {count: 1_000, sections: 1, sizes: 'none', seed: 1}

/** What a new section of a compositional layout is. */
export const newSection = () => ({kind: 'grid', count: 24, sizes: 'none', sideways: null,
  options: examples.grid.options})

/** More examples of a kind, with their titles. */
export const othersOf = ({name}) => (examples[name]?.others ?? []).map((one) => ({...one, wanted: {...ORDINARY, ...one.wanted}}))

/** The example of a kind that the server says it has: `{sentence, options, wanted, few}`. */
export function exampleOf({name, form}) {
  const {sentence = '', options = {}, wanted, few} = examples[name] ?? {}
  return {
    sentence, options, few: few ?? {count: 24},
    wanted: {...ORDINARY, ...form === 'compositional' && !wanted ? {pattern: [newSection()], repeat: 1} : {}, ...wanted},
  }
}
