// Pauses between tries. They end early when the browser is online again or the page is looked at.

const sleepers = new Set()
const wakeAll = () => { for (const wake of [...sleepers]) wake() }
globalThis.addEventListener?.('online', wakeAll)
globalThis.document?.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') wakeAll()
})

/** A time between half of it and all of it: who waits for the same does not come back together. */
export const varied = (time) => time * (0.5 + Math.random() / 2)

/**
 * Rests for so many milliseconds, or until somebody wakes it. Fails if the signal is aborted.
 * @param {number} time @param {AbortSignal} [signal] @param {Set<() => void>} [others] more who wake it
 */
export function rest(time, signal, others = new Set()) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = (settle) => () => {
      clearTimeout(timer)
      sleepers.delete(wake)
      others.delete(wake)
      signal?.removeEventListener('abort', stop)
      settle(signal?.reason)
    }
    const wake = end(resolve), stop = end(reject), timer = setTimeout(wake, time)
    sleepers.add(wake)
    others.add(wake)
    signal?.addEventListener('abort', stop)
  })
}
