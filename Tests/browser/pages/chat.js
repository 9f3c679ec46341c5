// A chat of messages whose heights nobody knows before they are rendered. The newest is at the end.

const WORDS = 'a boat on the pier and rain over the harbour before anybody wakes up in town'.split(' ')
const textOf = (n) => Array.from({length: 3 + n * 31 % 90}, (_, i) => WORDS[(n + i * 5) % WORDS.length]).join(' ')

/** So many messages, the last of which is the newest. */
export const messages = (first, count) => ({id: Array.from({length: count}, (_, i) => `m${first + i}`)})

function message({id}, node = document.createElement('p')) {
  node.dataset.id = id
  node.style.cssText = 'margin: 0; padding: 8px 12px; font: 14px/20px sans-serif'
  node.textContent = `${id}: ${textOf(Math.abs(id.slice(1)))}`
  return node
}

/** Opens at the newest message, and stays there as long as the reader does. */
export async function open(mount, container, server, layout) {
  const view = mount(container, {server, layout: layout ?? {kind: 'list', options: {itemHeight: 60}, sections: [{items: messages(0, 3000)}]},
    measure: true, follow: true, keep: 'end', render: message})
  await view.scrollTo({ordinal: 2999, align: 'end'})
  return view
}

export const say = (view, n) =>
  view.store.update([{insert: {at: [0, view.store.getSnapshot().layout.counts.cells], items: [{id: `m${n}`}]}}])

/** Loads what was said earlier. */
export const loadEarlier = (view, first, count) =>
  view.store.update([{insert: {at: [0, 0], items: messages(first, count)}}])
