// How a post looks: its card, in the fonts that the server has measured.

import {card} from '../client/layoutd.js'
import {make} from './dom.js'
import {paint} from './palette.js'
import {postOf} from './posts.js'

/** The card of posts, in fonts of the server. Nothing where it has none. */
export function cardOf(fonts) {
  const names = fonts.map(({name}) => name), pick = (...wanted) => wanted.find((name) => names.includes(name))
  const body = pick('inter-regular', 'opensans-regular', 'notosans-regular', 'dejavusans') ?? names[0]
  const title = pick('inter-semibold', 'opensans-semibold', 'notosans-semibold', 'dejavusans-bold') ?? body
  return body && {padding: 14, spacing: 8, parts: [
    {media: true, bleed: true},
    {text: 'title', font: title, size: 16, lineHeight: 21, maxLines: 2},
    {text: 'body', font: body, size: 14, lineHeight: 20},
    {height: 16}]}
}

/** The names of the fonts of a card. */
export const fontsOf = ({parts = []}) => [...new Set(parts.flatMap(({font = []}) => font))]

/** The node of a post; `node` is what showed another element before. */
export function postNode(element, options, seed, node) {
  if (!node?.isPost) node = Object.assign(make('div'), {isPost: true, picture: make('div', {class: 'post-picture'}), foot: make('div', {class: 'post-foot'})})
  const {title, body} = postOf(Number(element.id.slice(1)), seed), texts = {title, body: body()}
  node.className = 'element cell post'
  node.foot.textContent = element.id
  const content = card(element, options, ({text, media}) => text ? texts[text] : media ? node.picture : node.foot, node.card)
  if (node.card !== content) node.replaceChildren(node.card = content)
  paint(node, element.id)
  return node
}
