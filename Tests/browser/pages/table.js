// A table of 100,000 rows in groups, whose headers stay in sight. A row opens; rows come in another order.

const GROUPS = 100, ROWS = 1000
const idOf = (group, row) => `r${group * ROWS + row}`

function row({id, category, indexPath: [group]}, node = document.createElement('div')) {
  const n = Number(id?.slice(1))
  node.dataset.id = id ?? ''
  node.style.cssText = 'display: grid; grid-template-columns: 2fr 1fr 1fr; height: 100%; font: 13px/32px sans-serif; background: Canvas'
  node.replaceChildren(...(category === 'cell' ? [`Order ${n}`, `${n * 37 % 500} pieces`, n * 7 % 3 ? 'sent' : 'open'] : [`Week ${group + 1}`])
    .map((text) => Object.assign(document.createElement('span'), {textContent: text})))
  return node
}

export const open = async (mount, container, server) => mount(container, {server, follow: true, render: row, label: 'Orders',
  layout: {kind: 'list', options: {itemHeight: 32, headerHeight: 36, pinHeaders: true},
    sections: Array.from({length: GROUPS}, (_, group) => ({id: `week-${group}`,
      items: {id: Array.from({length: ROWS}, (_, i) => idOf(group, i))}}))}})

export const openRow = (view, id) => view.store.update([{set: {at: {id}, items: [{height: 200}]}}])
