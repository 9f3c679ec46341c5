// The fonts of the server, so that a page draws with those that it measured.

/** The cards of a layout, or of what `prepare` takes. */
export const cardsOf = (/** @type {any} */ {options, sections = []}) => [{options}, ...sections]
  .flatMap(({options: {card} = {}}) => card ?? [])

/** The names of fonts in cards. */
export const fontsOfCards = (/** @type {any} */ layout) => [...new Set(cardsOf(layout)
  .flatMap(({parts = []}) => parts.flatMap((/** @type {any} */ {font = []}) => font)))]

/**
 * Makes fonts of the server known to the page, and waits for some of them. The others are loaded when
 * something is written in them.
 * @param {import('./connection.js').Connection} connection
 * @param {string[]} names of those to wait for
 */
export async function loadFonts(connection, names, signal) {
  const {fonts} = await connection.send('GET', '/fonts', {signal}), awaited = []
  // The browser itself would load them without the key.
  const headers = await connection.key(), needsKey = Boolean(headers.Authorization)
  const known = new Set([...document.fonts].map(({family}) => family.replace(/"/g, '')))
  for (const {name, url, weights} of fonts) {
    const address = connection.base + url.slice(url.lastIndexOf('/fonts/'))
    if (!known.has(name) && (!needsKey || names.includes(name))) {
      document.fonts.add(new FontFace(name, needsKey
        ? await (await connection.fetch(address, {headers, signal})).arrayBuffer()
        : `url("${address}")`, {display: 'block', ...weights && {weight: weights.join(' ')}}))
    }
    if (names.includes(name)) awaited.push(document.fonts.load(`16px "${name}"`))
  }
  const missing = names.filter((name) => !fonts.some((font) => font.name === name))
  if (missing.length) console.warn(`layoutd: the server has no font ${missing.join(', ')}.`)
  await Promise.all(awaited)
}
