// Posts in columns: a title, a text of one to ten sentences, some with a picture. The server knows how high they are.

const WORDS = `harbour lighthouse ferry tide net rope dunes buoy shell crab pier mast anchor sail beach market lantern fog storm
  island cliff bay rudder keel compass chart wave foam Überfahrt café naïve Æther 24 6:30 well-known “high” don’t (mostly) a of the at
  https://example.org/tide?x=1 — AVATAR Tokyo/Kyoto`.split(/\s+/)

export const CARD = {padding: {top: 12, left: 14, bottom: 10, right: 14}, spacing: 6, parts: [
  {media: true, bleed: true},
  {text: 'title', font: 'inter-semibold', size: 17, lineHeight: 22, letterSpacing: -0.2, maxLines: 2},
  {text: 'body', font: ['inter-regular', 'dejavusans'], size: 14, lineHeight: 20, whiteSpace: 'preLine'},
  {height: 24}]}

/** The texts and ratios of posts, always the same. */
export function posts(count, dice) {
  const random = dice(50), word = () => WORDS[Math.floor(random() * WORDS.length)]
  const sentence = (length) => Array.from({length}, word).join(' ')
  const body = () => {
    const sentences = Array.from({length: 1 + Math.floor(random() ** 2 * 10)}, () => `${sentence(3 + Math.floor(random() * 9))}.`)
    return sentences.join(random() < 0.1 ? '\n' : ' ')
  }
  const all = (make) => Array.from({length: count}, make)
  return {id: all((_, i) => `p${i}`), aspectRatio: all(() => random() < 0.3 ? [1.5, 1, 1.78][Math.floor(random() * 3)] : null),
    text: {title: all(() => sentence(1 + Math.floor(random() * 10))), body: all(body)}}
}

/** @param client what `layoutd.js` exports */
export function open({mount, card}, container, server, items, options) {
  const content = (id) => ({text}) => text ? items.text[text][id.slice(1)] : undefined
  return mount(container, {server, fonts: true, measure: true,
    layout: {kind: 'waterfall', options: {minimumColumnWidth: 240, placement: 'shortestColumn', columnSpacing: 12, rowSpacing: 12, cellPadding: 0, card: CARD},
      sections: [{items}]},
    render(element, node) {
      node = card(element, CARD, content(element.id), node)
      node.dataset.name = element.id
      return node
    }, ...options})
}
