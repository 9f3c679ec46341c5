// Cards of a title and a text, in as many columns as there is room for. A card opens, and can be put away.

const textOf = (n) => 'Rain over the harbour. '.repeat(1 + n * 13 % 7)
const opened = new Set()

function card({id}, node) {
  node ??= Object.assign(document.createElement('article'), {
    innerHTML: '<h2 style="font: 600 16px/22px sans-serif; margin: 0"></h2><p style="margin: 4px 0"></p><button>Open</button>'})
  const [title, text, button] = node.children
  node.dataset.id = id
  node.style.cssText = 'padding: 12px; font: 14px/20px sans-serif; background: #8881'
  title.textContent = `Card ${id}`
  text.textContent = textOf(id.slice(1)) + (opened.has(id) ? textOf(6).repeat(3) : '')
  button.onclick = () => {
    opened.has(id) ? opened.delete(id) : opened.add(id)
    text.textContent = textOf(id.slice(1)) + (opened.has(id) ? textOf(6).repeat(3) : '')
  }
  return node
}

export const open = async (mount, container, server) => mount(container, {server, measure: true, follow: true, render: card,
  layout: {kind: 'waterfall', options: {minimumColumnWidth: 240, placement: 'shortestColumn', itemHeight: 130},
    sections: [{items: {id: Array.from({length: 5000}, (_, i) => `c${i}`)}}]}})
