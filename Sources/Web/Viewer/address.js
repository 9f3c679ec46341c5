// The address of the page says which layout is open, and where: #id=…&rect=x,y,width,height.

const ID = /^[A-Za-z0-9_-]{22}$/

/** The address has something that is no id. */
export class NoID extends Error {}

/**
 * What the address says: `{id, rect}`, or null where it names no layout.
 *
 * What is no id is never sent and never shown: the address may come from anybody. Throws `NoID`.
 */
export function read() {
  const fields = new URLSearchParams(location.hash.slice(1))
  const id = fields.get('id')
  if (id === null) return null
  if (!ID.test(id)) throw new NoID()
  const rect = fields.get('rect')?.split(',').map(Number)
  return {id, rect: rect?.length === 4 && rect.every(Number.isFinite) ? rect : null}
}

let waiting = null

/** Lets the address follow, without an entry in the history for each scroll. */
export function write(id, rect) {
  const hash = id ? `#id=${id}&rect=${rect.map((number) => Math.round(number)).join(',')}` : ''
  clearTimeout(waiting)
  waiting = setTimeout(() => {
    if (hash !== location.hash) history.replaceState(null, '', hash || location.pathname)
  }, 150)
}

/** Calls `listener` when somebody enters another address or goes back. */
export function onChange(listener) {
  addEventListener('hashchange', () => {
    clearTimeout(waiting)
    listener()
  })
}
