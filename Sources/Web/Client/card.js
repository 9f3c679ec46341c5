// A card as the server measured it: each part where it lies, each text in the CSS that was measured.

import {div, styled} from './dom.js'
import {breaksAlike} from './elements.js'

const BREAKS = {normal: 'normal', breakAll: 'break-all', keepAll: 'keep-all'}
const SPACES = {normal: 'normal', preLine: 'pre-line', preWrap: 'pre-wrap'}
// What the page gives its texts by inheritance would change their lines.
const PLAIN = {margin: '0', padding: '0', border: '0', boxSizing: 'content-box', wordSpacing: '0', textIndent: '0', textTransform: 'none',
  overflowWrap: 'break-word', lineBreak: 'auto', hyphens: 'manual', textWrapStyle: 'auto', tabSize: '8',
  unicodeBidi: 'plaintext', textSpacingTrim: 'space-all', textAutospace: 'no-autospace',
  minWidth: '0', maxWidth: 'none', minHeight: '0', maxHeight: 'none', textRendering: 'geometricPrecision'}

/** The nodes of the parts that a card shows, by the node of the card and the part. */
const partsOf = new WeakMap()

/** The CSS of a text. */
const styleOf = ({font, size, lineHeight, weight = 400, letterSpacing = 0, whiteSpace = 'normal', wordBreak = 'normal', maxLines}) => ({...PLAIN,
  font: `normal ${weight} ${size}px/${lineHeight}px ${[font].flat().map((name) => JSON.stringify(name)).join(', ')}`,
  fontOpticalSizing: 'none', letterSpacing: `${letterSpacing}px`, whiteSpace: SPACES[whiteSpace], wordBreak: BREAKS[wordBreak],
  ...maxLines && {overflow: 'visible clip', display: '-webkit-box', webkitBoxOrient: 'vertical', webkitLineClamp: String(maxLines)}})

/** Places a part: by its frame, or below the part before it where nobody knows yet how high that is. */
function place(node, [x, y, width, height], {isText, before}) {
  styled(node, {width: `${width}px`})
  return before === undefined ? styled(node, {position: 'absolute', margin: '0', left: `${x}px`, top: `${y}px`, height: `${height}px`})
    : styled(node, {position: 'relative', left: '', top: '', margin: `${y - before}px 0 0 ${x}px`, height: isText ? 'auto' : `${height}px`})
}

/**
 * The content of a cell that has a card. Each part lies where it was measured, and its texts are in the CSS in
 * which they were. The parts of an `estimated` card, and of others in browsers that break lines otherwise, lie
 * below each other, so that `measure: true` finds out how high it is.
 * @param {any} element with its `parts`
 * @param {any} options what `prepare` was given as `card`
 * @param {(part: any, index: number) => any} content what a part shows: the text, or a node
 * @param {any} [node] what an earlier call returned, to be used again
 */
export function card({parts = [], estimated, cut, frame}, options, content, node) {
  const flows = estimated || !breaksAlike && !cut
  const had = partsOf.get(node), root = had ? node : div(), nodes = new Map()
  partsOf.set(root, nodes)
  let before = flows ? 0 : undefined
  // An element of before may have parts that the card has no more.
  const shown = parts.filter(({part}) => options.parts[part]).map(({part: index, frame}) => {
    const part = options.parts[index], isText = 'text' in part, given = content(part, index) ?? '', own = had?.get(part) ?? div()
    nodes.set(part, own)
    if (isText) {
      own.lang = part.language ?? 'en'
      own.dir = 'auto'
      own.dataset.text = part.text
      styled(own, styleOf(part))
    }
    if (typeof given !== 'string') {
      if (own.firstChild !== given) own.replaceChildren(given)
    } else if (own.textContent !== given || own.firstElementChild) own.textContent = given
    place(own, frame, {isText, before})
    if (flows) before = frame[1] + frame[3]
    return own
  })
  if (shown.length !== root.childNodes.length || shown.some((own, i) => own !== root.childNodes[i])) root.replaceChildren(...shown)
  return styled(root, {position: 'relative', boxSizing: 'border-box', height: flows ? 'auto' : `${frame[3]}px`, overflow: cut ? 'hidden' : '',
    display: flows ? 'grid' : 'block', justifyItems: 'left', paddingBottom: `${flows ? Math.max(0, frame[3] - before) : 0}px`})
}
