// Reads answers in application/cbor, as Documentation/cbor.md describes them.

/**
 * Reads an answer. Typed arrays become typed arrays; integers of 64 bits become numbers.
 *
 * It reads what layoutd writes: no indefinite lengths, and no tags but those of typed arrays. The
 * member `data` is JSON in strings of bytes.
 *
 * @param {ArrayBuffer} buffer The content of the answer.
 * @returns {any} Its value.
 */
export function decode(buffer) {
  const view = new DataView(buffer), text = new TextDecoder()
  let at = 0
  const skip = (/** @type {number} */ count) => (at += count) - count
  const unsigned = (/** @type {number} */ size) => {
    const start = skip(size)
    return size === 1 ? view.getUint8(start) : size === 2 ? view.getUint16(start)
      : size === 4 ? view.getUint32(start)
        : view.getUint32(start) * 2 ** 32 + view.getUint32(start + 4)
  }
  const json = (/** @type {any} */ one) => Array.isArray(one) ? one.map(json) : one && JSON.parse(text.decode(one))
  const half = (/** @type {number} */ bits) => {
    const exponent = bits >> 10 & 31, fraction = bits & 1023
    return (bits >> 15 ? -1 : 1)
      * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24)
  }
  const read = () => {
    const head = unsigned(1), short = head & 31, size = 1 << short - 24
    if (head > 0xf8)
      return size === 2 ? half(unsigned(2))
        : size === 4 ? view.getFloat32(skip(4)) : view.getFloat64(skip(8))
    if (head >= 0xf4) return [false, true, null][head - 0xf4]
    const count = short < 24 ? short : unsigned(size)
    switch (head >> 5) {
      case 0: return count
      case 1: return -1 - count
      // Numbers may begin anywhere, where no typed array may. A copy begins at its own 0.
      case 2: return buffer.slice(at, at += count)
      case 3: return text.decode(new Uint8Array(buffer, skip(count), count))
      case 4: return Array.from({length: count}, read)
      case 5: return Object.fromEntries(Array.from({length: count}, () => {
        const name = read(), value = read()
        return [name, name === 'data' ? json(value) : value]
      }))
      default: return count === 86 ? new Float64Array(read()) : count === 70
        ? new Uint32Array(read()) : Float64Array.from(new BigUint64Array(read()), Number)
    }
  }
  return read()
}

/**
 * The elements of an answer as the objects that they are in JSON.
 *
 * @param {any} columns The member `elements` of what `decode` returns.
 * @returns {any[]}
 */
export function elementsOf(columns) {
  const {x, y, width, height, section, item, id, ordinal, children, pinRange, folded, parts, data, text, estimated, cut} = columns
  const list = new Array(x.length), spread = (/** @type {any[]} */ runs = []) =>
    runs.flatMap(([count, value]) => Array(count).fill(value))
  const category = spread(columns.category), kind = spread(columns.kind),
    zIndex = spread(columns.zIndex)
  for (let i = 0; i < list.length; i++) {
    list[i] = {category: category[i], ...kind[i] && {kind: kind[i]}, indexPath: [section[i], item[i]],
      frame: [x[i], y[i], width[i], height[i]], zIndex: zIndex[i]}
    if (id && id[i] !== null) list[i].id = id[i]
    if (ordinal) list[i].ordinal = ordinal[i]
    if (parts?.[i]) list[i].parts = JSON.parse(parts[i])
    if (data && data[i] !== null) list[i].data = data[i]
    if (text && text[i] !== null) list[i].text = text[i]
  }
  estimated?.forEach((/** @type {number} */ of) => { list[of].estimated = true })
  cut?.forEach((/** @type {number} */ of) => { list[of].cut = true })
  children?.element.forEach((/** @type {number} */ of, /** @type {number} */ i) => {
    const s = children.section[i], first = children.item[i], count = children.count[i]
    Object.assign(list[of], {firstChild: [s, first], childCount: count},
      count <= 100 && {children: Array.from({length: count}, (_, k) => [s, first + k])})
  })
  pinRange?.element.forEach((/** @type {number} */ of, /** @type {number} */ i) => {
    list[of].pinRange = [pinRange.from[i], pinRange.to[i]]
    if (pinRange.offset && list[of].category === 'cell') list[of].pinOffset = pinRange.offset[i]
  })
  folded?.element.forEach((/** @type {number} */ of, /** @type {number} */ i) => {
    Object.assign(list[of], {folded: true, hidden: folded.hidden[i]})
  })
  return list
}
