// One request a screen: 200,000 photographs whose titles come with their frames.

const photographs = Array.from({length: 200_000}, (_, i) => ({id: `p${i}`, data: {title: `Photograph ${i}`}}))

export const open = (mount, container, server) => mount(container, {
  server,
  data: true,
  follow: true,
  layout: {kind: 'grid', options: {columns: 4, rowHeight: 120}, sections: [{items: photographs}]},
  render({id, data}, node = document.createElement('figure')) {
    node.dataset.id = id
    node.style.cssText = `margin: 0; height: 100%; background: hsl(${id.slice(1) % 360} 40% 60%)`
    node.textContent = data.title
    return node
  }})
