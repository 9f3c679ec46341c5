// What a summary and the sections say of the content and of how it scrolls.

/**
 * Whether a layout scrolls to the side. A vertical one is as wide as its bounds, however wide the
 * window is that shows it; a horizontal one that is no wider has nothing to scroll.
 */
export const isHorizontal = ({kind, contentSize, bounds}) => kind !== 'tree' && contentSize.width > bounds?.width

/** Whether a horizontal layout begins at the right; its sections then lie left of 0. */
export const isRightToLeft = (summary, sections) =>
  isHorizontal(summary) && [...sections.values()].some(({frame: [x]}) => x < 0)

/** The rect of all there is. */
export function contentOf({contentSize: {width, height}, bounds}, rightToLeft) {
  return [rightToLeft ? bounds.width - width : 0, 0, width, height]
}

/** The axes along which a layout scrolls. */
export const axesOf = (summary) => summary.kind === 'tree' ? [0, 1] : isHorizontal(summary) ? [0] : [1]

/** The content of a section that scrolls sideways, with the insets at both ends; nothing if it does not. */
export function sidewaysContent({body} = {}, [left, , width]) {
  if (!body) return
  const [x, y, length, height] = body, before = x - left, after = left + width - x - length
  if (before < 0) return {content: [x - after, y, length + 2 * after, height], isFlipped: true}
  if (after < 0) return {content: [left, y, length + 2 * before, height], isFlipped: false}
}
