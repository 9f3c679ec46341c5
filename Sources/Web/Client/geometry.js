// What a summary and the sections say of the content and of how it scrolls.

/** Whether a layout is wider than its bounds, however wide the window is that shows it. */
const isWide = ({contentSize, bounds}) => contentSize.width > bounds?.width

/** Whether a layout is of nodes, and has no sections. */
export const isHierarchy = ({kind}) => kind === 'tree' || kind === 'outline'

/** Whether a layout scrolls to the side. Where the summary does not say it, one that is wide does. */
export const isHorizontal = (summary) => !isHierarchy(summary) &&
  (summary.scrollDirection ? summary.scrollDirection === 'horizontal' : isWide(summary))

/** Whether a horizontal layout begins at the right; its sections then lie left of 0. */
export const isRightToLeft = (summary, sections) =>
  isHorizontal(summary) && [...sections.values()].some(({frame: [x]}) => x < 0)

/** The name of a version, as other servers know it, too. */
export const tagOf = ({version, versionTag = version}) => versionTag

/** The rect of all there is. */
export function contentOf({contentSize: {width, height}, bounds}, rightToLeft) {
  return [rightToLeft ? bounds.width - width : 0, 0, width, height]
}

/** The rect of all that scrolls: content, and so much of a page before and after it. */
export const withPage = ([x, y, width, height], [before, after]) => [x, y - before, width, height + before + after]

/** The axes along which a layout scrolls: frames may lie anywhere. */
export const axesOf = (summary) => isHorizontal(summary) ? [0] : summary.kind === 'tree' || isWide(summary) ? [0, 1] : [1]

/** The content of a section that scrolls sideways, with the insets at both ends; nothing if it does not. */
export function sidewaysContent({body} = {}, [left, , width]) {
  if (!body) return
  const [x, y, length, height] = body, before = x - left, after = left + width - x - length
  if (before < 0) return {content: [x - after, y, length + 2 * after, height], isFlipped: true}
  if (after < 0) return {content: [left, y, length + 2 * before, height], isFlipped: false}
}
