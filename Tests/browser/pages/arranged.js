// A library of photographs, of which a view shows those with four stars and more, by months.

const random = (i) => (i * 7919 + 13) % 10_007
const photographs = Array.from({length: 20_000}, (_, i) => ({id: `p${i}`, height: 60 + random(i) % 80,
  keys: {stars: random(i) % 6, month: `20${10 + random(i + 5) % 15}-${10 + random(i + 9) % 3}`, taken: random(i + 3)}}))

const post = async (address, body) => (await fetch(address, {
  method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})).json()

export const best = {where: [{key: 'stars', from: 4}], groupBy: {key: 'month', order: 'descending'},
  sortBy: [{key: 'taken', order: 'descending'}]}

export async function open(mount, container, server) {
  const {id: library} = await post(`${server}/layouts/waterfall/prepare`, {bounds: {width: container.clientWidth},
    options: {columns: 3, placement: 'shortestColumn', headerHeight: 30, pinHeaders: true}, sections: [{items: photographs}]})
  const {id} = await post(`${server}/layouts/${library}/views`, {arrange: best})
  return Object.assign(mount(container, {
    server,
    layout: id,
    follow: true,
    render({category, id}, node = document.createElement('figure'), section) {
      node.dataset.id = category === 'cell' ? id : ''
      node.style.cssText = 'margin: 0; height: 100%; background: gold'
      node.textContent = category === 'cell' ? id : section?.id ?? 'no month'
      if (category !== 'cell') node.dataset.month = node.textContent
      return node
    }}), {library})
}
