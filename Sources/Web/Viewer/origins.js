// Which item a cell is, while items before it come and go.
//
// An item without an id has only its index path, which changes with each insert above it. The
// transitions of a change say where the cells in sight were before. From these follows where the
// others were: a cell has moved as far as the nearest one before it.

/** Changes that are remembered. With the next one, all items begin anew. */
const MOST = 400

const isBefore = ([section, item], [otherSection, otherItem]) =>
  section < otherSection || section === otherSection && item <= otherItem

export class Origins {
  /** @param from What another pane knows of the same collection. */
  constructor(from) {
    this.changes = from ? [...from.changes] : []
  }

  /** Takes a snapshot of the client; of each change, once. */
  follow({transitions, elements}) {
    if (!transitions || transitions === this.last) return
    this.last = transitions
    const from = new Map(transitions.moving.map(({from, to}) => [to.key, from.indexPath]))
    const isNew = new Set(transitions.appearing.map(({key}) => key))
    const steps = []
    let [sections, items] = [0, 0]
    for (const {category, key, indexPath} of [...elements].sort((one, other) =>
      one.indexPath[0] - other.indexPath[0] || one.indexPath[1] - other.indexPath[1])) {
      if (category !== 'cell' || isNew.has(key)) continue
      const [section, item] = from.get(key) ?? indexPath
      const by = [indexPath[0] - section, indexPath[1] - item]
      if (steps.length > 0 && steps.at(-1).at[0] !== indexPath[0]) items = 0
      if (by[0] === sections && by[1] === items) continue
      [sections, items] = by
      steps.push({at: indexPath, by})
    }
    if (steps.length === 0) return
    if (this.changes.length === MOST) this.changes = []
    this.changes.push(steps)
  }

  /** The index path that the cell at an index path had when the layout was opened. */
  of(indexPath) {
    for (let index = this.changes.length - 1; index >= 0; index -= 1) {
      const step = this.changes[index].findLast(({at}) => isBefore(at, indexPath))
      if (!step) continue
      const {at, by} = step
      indexPath = [indexPath[0] - by[0], indexPath[1] - (at[0] === indexPath[0] ? by[1] : 0)]
    }
    return indexPath
  }
}
