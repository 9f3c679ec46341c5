// Posts of plain letters, of which a page shows some at a time.

const WORDS = 'sea harbour lighthouse gull ferry tide net rope dunes buoy shell crab pier mast anchor sail beach market lantern fog'.split(' ')
export const bodyOf = (i) => Array.from({length: 6 + i % 20}, (_, word) => WORDS[(i * 31 + word * 17 + i * word) % WORDS.length]).join(' ')

export function open(mount, container, server, count = 2000) {
  const bodies = Array.from({length: count}, (_, i) => bodyOf(i))
  return mount(container, {server, follow: true, find: true, data: true,
    layout: {kind: 'list', options: {itemHeight: 60}, sections: [{items: {id: bodies.map((_, i) => `p${i}`), text: {body: bodies}, data: bodies}}]},
    render({id, data}, node = document.createElement('p')) {
      node.dataset.id = id
      node.textContent = data
      return node
    }})
}
