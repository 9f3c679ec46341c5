// The address of the page says which layout is open, and where: #id=…&rect=x,y,width,height.

/** What the address says: `{id, rect}`, or null where it names no layout. */
export function read() {
  const fields = new URLSearchParams(location.hash.slice(1))
  const id = fields.get('id')
  if (!id) return null
  const rect = fields.get('rect')?.split(',').map(Number)
  return {id, rect: rect?.length === 4 && rect.every(Number.isFinite) ? rect : null}
}

let waiting = null

/** Lets the address follow, without an entry in the history for each scroll. */
export function write(id, rect) {
  const hash = id ? `#id=${id}&rect=${rect.map((number) => Math.round(number)).join(',')}` : ''
  clearTimeout(waiting)
  waiting = setTimeout(() => history.replaceState(null, '', hash || location.pathname), 150)
}

/** Calls `listener` when somebody enters another address or goes back. */
export function onChange(listener) {
  addEventListener('hashchange', () => listener(read()))
}
