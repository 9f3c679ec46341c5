// Timeouts of a test pass when the test says so. Those of Node.js's own clock for tests are lost in
// Node.js 18, which Debian 12 has, once one is cleared that has passed.

/** Until the test `t` ends, timeouts pass in `tick(milliseconds)` of what this returns. */
export function mockTimeouts(t) {
  const {setTimeout, clearTimeout} = globalThis, waiting = new Map()
  let now = 0, last = 0
  globalThis.setTimeout = (call, delay = 0) => {
    waiting.set(++last, {at: now + Math.max(1, delay), call})
    return last
  }
  globalThis.clearTimeout = (id) => { waiting.delete(id) }
  t.after(() => Object.assign(globalThis, {setTimeout, clearTimeout}))
  const first = () => [...waiting].sort(([, one], [, other]) => one.at - other.at)[0]
  return {
    tick(milliseconds) {
      const end = now + milliseconds
      for (let next = first(); next && next[1].at <= end; next = first()) {
        const [id, {at, call}] = next
        now = at
        waiting.delete(id)
        call()
      }
      now = end
    },
  }
}
