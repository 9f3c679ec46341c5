// The second pane: a view of the collection that is open, with a kind and a width of its own.

import {byID} from './dom.js'
import {hasData} from './collection.js'
import {changeTo, optionsOf} from './options.js'
import {exampleOf} from './examples.js'
import {Pane} from './pane.js'
import {ask} from './server.js'

/** What the pane says by itself; the rest is said by the pane beside it. */
const MESSAGES = {gone: 'This view is gone.', failed: 'The collection does not fit this view.'}

/** Which kind stands beside which: one that looks quite different. */
const BESIDE = {list: 'grid', grid: 'list', waterfall: 'list', flow: 'list', justified: 'waterfall'}

export class SecondPane extends Pane {
  /** @param hooks As those of a pane. `source()` is the pane with the collection. */
  constructor(hooks, source) {
    super(byID('second'), {...hooks, onProblem: () => {}, onFine: () => {}}, MESSAGES)
    this.source = source
    this.choices = ['stars', 'groups'].map(byID)
    for (const choice of this.choices) choice.addEventListener('change', () => this.#arrange())
    this.turn = 0
    // Who comes back to the page gets another view.
    addEventListener('pagehide', () => this.summary && forget(this.summary))
  }

  /**
   * Makes a view of the collection and shows it, where the other pane is. Says whether it is shown.
   */
  async openBeside(kinds) {
    const turn = this.turn += 1, {opened: {kind: its, options: theirs}} = this.source
    const kind = its.form === 'sections' ? kinds.find(({name}) => name === (BESIDE[its.name] ?? 'grid')) ?? its : its
    const options = kind !== its ? optionsOf(kind, exampleOf(kind).options, theirs)
      : kind.form === 'forest' ? {...theirs, direction: theirs.direction === 'down' ? 'right' : 'down'} : theirs
    const opened = {kind, options, sentence: 'A view of the same items.', fitsWindow: true, item: this.#itemBeside(), origins: this.source.origins, posts: this.source.opened.posts,
      hasData: hasData(this.source.opened.wanted),
      prepareAgain: () => this.#makeView(opened)}
    const begin = performance.now(), isLate = () => turn !== this.turn
    try {
      const summary = await this.#makeView(opened)
      opened.milliseconds = performance.now() - begin
      // The person has opened something else, or closed the pane.
      if (isLate()) forget(summary)
      else {
        for (const choice of this.choices) choice.hidden = !opened.hasData
        this.open(summary, opened)
      }
      return this.summary === summary
    } catch (error) {
      if (isLate()) return false
      throw error
    }
  }

  /** Closes the pane. The server forgets the view. */
  close() {
    this.turn += 1
    if (this.summary) forget(this.summary)
    super.close()
  }

  /** Filters and groups the photographs. The first pane stays as it is. */
  async #arrange() {
    const [stars, group] = this.choices.map(({value}) => value)
    const newest = (key) => ({key, order: 'descending'})
    await this.patch({
      arrange: {where: Number(stars) ? [{key: 'stars', from: Number(stars)}] : [],
        ...group && {groupBy: group === 'album' ? {key: group} : newest(group)}},
      options: {headerHeight: group ? 28 : null, pinHeaders: group ? true : null}}).catch((error) => this.hooks.onProblem(error))
  }

  #makeView({kind, options}) {
    for (const choice of this.choices) choice.selectedIndex = 0
    const how = kind.form === 'sections' ? changeTo(kind, options) : {options}
    return ask(`/layouts/${this.source.summary.id}/views`,
      {method: 'POST', body: {...how, bounds: this.bounds}})
  }

  /** The first cell in sight of the other pane, unless that is where every pane begins. */
  #itemBeside() {
    const {rect, content} = this.source
    const isAtStart = !rect || rect[0] <= content[0] && rect[1] <= content[1]
    return isAtStart ? null : this.source.cellsInSight[0]?.indexPath
  }
}

const forget = ({id}) => ask(`/layouts/${id}`, {method: 'DELETE', keepalive: true}).catch(() => {})
