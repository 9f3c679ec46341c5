// The pattern of a group as a value: where its parts are, and what becomes of it when a part is
// dragged, split or taken away. A path is the indexes of the subitems from the outermost group to a
// part.

/** The least size to which a part is dragged, in points. */
const LEAST = 12

/** A pattern for who has none yet: a large item beside a small one. */
export const FIRST = {
  direction: 'horizontal', spacing: 8, width: {fractionalWidth: 1}, height: {absolute: 160},
  subitems: [
    {width: {flexible: 2}, height: {fractionalHeight: 1}},
    {width: {flexible: 1}, height: {fractionalHeight: 1}}]}

export const isGroup = (part) => Array.isArray(part?.subitems)
const unitOf = (dimension) => Object.keys(dimension)[0]
const axisOf = ({direction}) => direction === 'vertical' ? 'height' : 'width'
const countOf = ({count = 1}) => count

/** A dimension in points; null for one that shares what is left. */
function points(dimension, {width, height}) {
  const {absolute, fractionalWidth, fractionalHeight} = dimension
  return absolute ?? (fractionalWidth !== undefined ? fractionalWidth * width
    : fractionalHeight !== undefined ? fractionalHeight * height : null)
}

/** A number as short as it may be without being seen. */
const rounded = (number, digits) => Math.floor(number * 10 ** digits + 1e-6) / 10 ** digits

/** How long each subitem of a group is along its direction, and how much a share of 1 is. */
function lengths(group, size) {
  const axis = axisOf(group), {subitems, spacing = 0} = group
  const fixed = subitems.map((item) => points(item[axis], size))
  const copies = subitems.reduce((sum, item) => sum + countOf(item), 0)
  const shares = subitems.reduce((sum, item, index) => sum + (fixed[index] === null ? item[axis].flexible * countOf(item) : 0), 0)
  const used = subitems.reduce((sum, item, index) => sum + (fixed[index] ?? 0) * countOf(item), spacing * (copies - 1))
  const unit = shares > 0 ? Math.max(0, size[axis] - used) / shares : 0
  return subitems.map((item, index) => fixed[index] ?? item[axis].flexible * unit)
}

/** The size of the outermost group in a section or a window of a size. */
export const sizeOf = (group, around) =>
  ({width: points(group.width, around) ?? around.width, height: points(group.height, around) ?? around.height})

/**
 * Where the parts of a group of a size are: `parts` `{path, copies, x, y, width, height, item}` in
 * the order in which they are filled, and `dividers` `{path, index, copies, axis, x, y, length}`,
 * each after the subitem of an index. `copies` says which copies they are in; it is all zeros for
 * the first.
 */
export function placed(group, size, path = [], copies = [], origin = {x: 0, y: 0}) {
  const parts = [], dividers = [], axis = axisOf(group), {subitems, spacing = 0} = group
  const along = lengths(group, size)
  let at = 0
  subitems.forEach((item, index) => {
    const cross = axis === 'width' ? points(item.height, size) ?? size.height : points(item.width, size) ?? size.width
    for (let copy = 0; copy < countOf(item); copy += 1) {
      const box = axis === 'width' ? {x: origin.x + at, y: origin.y, width: along[index], height: cross}
        : {x: origin.x, y: origin.y + at, width: cross, height: along[index]}
      const place = {path: [...path, index], copies: [...copies, copy]}
      if (isGroup(item)) {
        const inner = placed(item, box, place.path, place.copies, box)
        parts.push(...inner.parts)
        dividers.push(...inner.dividers)
      } else {
        parts.push({...place, ...box, item})
      }
      at += along[index] + spacing
      if (index < subitems.length - 1 && copy === countOf(item) - 1) {
        const middle = at - spacing / 2
        dividers.push({path, index, copies, axis, length: axis === 'width' ? size.height : size.width,
          x: origin.x + (axis === 'width' ? middle : 0), y: origin.y + (axis === 'width' ? 0 : middle)})
      }
    }
  })
  return {parts, dividers}
}

/** The part at a path. */
export const partAt = (group, path) => path.reduce((part, index) => part.subitems[index], group)

/**
 * The group with another part at a path. `change(part)` gives it; several parts, or none with [].
 */
export function changed(group, path, change) {
  if (path.length === 0) return change(group)
  const {subitems} = group, [index, ...rest] = path
  const part = rest.length === 0 ? [change(subitems[index])].flat() : [changed(subitems[index], rest, change)]
  return {...group, subitems: [...subitems.slice(0, index), ...part, ...subitems.slice(index + 1)]}
}

/** The size of the group at a path. */
function sizeAt(group, path, size) {
  if (path.length === 0) return size
  const [index, ...rest] = path, axis = axisOf(group), item = group.subitems[index]
  const main = lengths(group, size)[index]
  return sizeAt(item, rest, axis === 'width' ? {width: main, height: points(item.height, size) ?? size.height}
    : {width: points(item.width, size) ?? size.width, height: main})
}

/** The group whose divider after the subitem of an index was dragged by so many points. */
export function dragged(group, size, path, index, by) {
  const inner = sizeAt(group, path, size)
  return changed(group, path, (part) => {
    const axis = axisOf(part), before = lengths(part, inner)
    const [one, other] = [part.subitems[index], part.subitems[index + 1]]
    const least = (LEAST - before[index]) * countOf(one), most = Math.max(0, (before[index + 1] - LEAST) * countOf(other))
    const way = Math.max(Math.min(by, most), Math.min(0, least))
    const after = before.map((length, at) => at === index ? length + way / countOf(one)
      : at === index + 1 ? length - way / countOf(other) : length)
    const isShared = ({[axis]: dimension}) => unitOf(dimension) === 'flexible'
    const shared = part.subitems.filter(isShared)
    const shares = shared.reduce((sum, item) => sum + item[axis].flexible * countOf(item), 0)
    const left = part.subitems.reduce((sum, item, at) => sum + (isShared(item) ? after[at] * countOf(item) : 0), 0)
    return {...part, subitems: part.subitems.map((item, at) => ({...item, [axis]: isShared(item)
      ? {flexible: Math.max(0.001, rounded(after[at] / left * shares, 3))}
      : at === index || at === index + 1 ? dimensionOf(item[axis], after[at], inner) : item[axis]}))}
  })
}

/** A dimension of the same unit, of so many points. */
function dimensionOf(dimension, length, {width, height}) {
  const unit = unitOf(dimension)
  return {[unit]: unit === 'absolute' ? Math.round(length)
    : rounded(length / (unit === 'fractionalWidth' ? width : height), 4)}
}

/** The group made higher by so many points. */
export function heightened(group, around, by) {
  const {height} = sizeOf(group, around)
  return {...group, height: dimensionOf(group.height, Math.max(3 * LEAST, height + by), around)}
}

/** The group with the item at a path split into two, one beside or below the other. */
export function split(group, path, direction) {
  const axis = axisOf({direction}), other = axis === 'width' ? 'height' : 'width'
  const around = partAt(group, path.slice(0, -1))
  return changed(group, path, (item) => {
    const share = item[axis].flexible
    if (around.direction === direction && share !== undefined) {
      return Array(2).fill({...item, [axis]: {flexible: rounded(share / 2, 3)}})
    }
    const whole = {[other === 'width' ? 'fractionalWidth' : 'fractionalHeight']: 1}
    const half = {[axis]: {flexible: 1}, [other]: whole, ...item.insets && {insets: item.insets}}
    return {direction, spacing: around.spacing ?? 0, width: item.width, height: item.height,
      ...item.count && {count: item.count}, subitems: [half, half]}
  })
}

/**
 * The group without the item at a path, and without groups that have nothing else. Null if that is
 * all.
 */
export function without(group, path) {
  if (path.length === 0) return null
  const around = path.slice(0, -1)
  return partAt(group, around).subitems.length > 1 ? changed(group, path, () => []) : without(group, around)
}
