// The page: kinds to choose from, a playground, and the layout that is open.

import * as address from './address.js'
import {bodyOf} from './collection.js'
import {command, playgroundCommand} from './curl.js'
import {byID} from './dom.js'
import {exampleOf} from './examples.js'
import {KindStrip} from './kinds.js'
import {Notice} from './notice.js'
import {describe, Playground} from './playground.js'
import {QueryPanel} from './queries.js'
import {ask, base, Unreachable} from './server.js'
import {Stage} from './stage.js'

const FIRST = 'group'
/** Collections of more bytes are not read to fill the form. */
const SMALL = 1_000_000

let kinds = []
const kindNamed = (name) => kinds.find((kind) => kind.name === name)

const notice = new Notice(byID('notice'))
const strip = new KindStrip(byID('kinds'), (kind) => attempt(() => openExample(kind)))
const playground = new Playground(byID('playground'), {
  choose: (kind) => attempt(() => openExample(kind)),
  prepare: (kind, wanted) => attempt(() => openWanted(kind, wanted)),
  change: (form) => attempt(() => changeOptions(form)),
})
const stage = new Stage({
  onMove: (id, rect) => address.write(id, rect),
  onProblem: (error, actions) => fail(error, actions),
  onFine: () => notice.clear(),
})
new QueryPanel(byID('query'))

/** Options as the server has them. */
let options = {}

/** Where the lines of a tree go. */
const linesOf = (kind) => kind.form !== 'forest' ? null
  : options.connectors === false ? 'none' : options.direction ?? 'right'

/** Runs what a person asked for, and shows what went wrong. */
async function attempt(action) {
  playground.setBusy(true)
  try {
    await action()
  } catch (error) {
    fail(error)
  } finally {
    playground.setBusy(false)
  }
}

function fail(error) {
  if (error.name === 'AbortError') return
  if (stage.opened && playground.showProblem(error)) return
  const isAway = error instanceof Unreachable, isWaiting = isAway || error.status === 503
  if (!isAway && !error.status) throw error
  const again = stage.opened ? () => stage.pane.askAgain() : () => attempt(start)
  notice.show(error, {again, prepare: () => attempt(() => openExample(kindNamed(FIRST)))})
  // An open layout asks by itself, as soon as it knows.
  if (isWaiting && !stage.opened) setTimeout(again, 1000 * (error.retryAfter ?? 2))
  else if (isAway && !stage.pane.trouble) again()
}

/**
 * Prepares a collection and opens its layout. `makeBody(bounds)` is asked again when the layout is
 * gone; it is then laid out as it was at last.
 */
async function open(kind, makeBody) {
  const prepare = (body) => ask(`/layouts/${kind.name}/prepare`, {method: 'POST', body})
  const prepareAgain = async () => {
    const {id} = await prepare(await makeBody(stage.bounds)), {kind: now} = stage.opened
    const change = now === kind ? {options} : {kind: now.name, options}
    return ask(`/layouts/${id}`, {method: 'PATCH', body: change})
  }
  const body = await makeBody(stage.bounds), begin = performance.now()
  const summary = await prepare(body)
  const milliseconds = performance.now() - begin
  notice.clear()
  stage.open(summary, {kind, sentence: exampleOf(kind).sentence, lines: linesOf(kind),
    milliseconds, prepareAgain, fitsWindow: true})
  strip.mark(kind.name)
}

async function openExample(kind) {
  const example = exampleOf(kind), makeBody = (bounds) => example.body(bounds, example.count)
  const body = makeBody(stage.bounds)
  options = body.options ?? {}
  playground.show(kind, options, describe(kind, body))
  // Items with sizes are many words: the command has as many as fit on a screen.
  const short = JSON.stringify(body).length < 4000 ? body : example.body(stage.bounds, example.few)
  byID('curl').textContent = command(kind.name, short)
  await open(kind, makeBody)
}

async function openWanted(kind, wanted) {
  byID('curl').textContent = playgroundCommand(kind, {...wanted, bounds: stage.bounds})
  options = wanted.options
  await open(kind, (bounds) => bodyOf(kind.form, {...wanted, bounds}))
}

async function openLink({id, rect}) {
  const summary = await ask(`/layouts/${id}`), kind = kindNamed(summary.kind)
  options = summary.memoryBytes < SMALL ? (await ask(`/layouts/${id}/collection`)).options ?? {} : {}
  playground.show(kind, options, {count: summary.counts.cells, sections: summary.counts.sections})
  byID('curl').textContent = `curl '${base}/layouts/${id}'`
  notice.clear()
  stage.open(summary, {kind, sentence: 'Opened by its link.', lines: linesOf(kind), rect, fitsWindow: false})
  strip.mark(kind.name)
}

async function changeOptions(form) {
  const changes = form.changesSince(options)
  if (Object.keys(changes).length === 0) return
  await stage.patch({options: changes})
  playground.say('')
  options = form.values
  stage.showLines(linesOf(playground.kind))
}

/** Lays the same items out by another kind, with the options of its example. */
async function layOutAs(kind) {
  const example = exampleOf(kind).body(stage.bounds, 1).options ?? {}
  const own = kind.options.filter(({scope}) => scope === 'kind').map(({name}) => name)
  const wanted = Object.fromEntries(own.filter((name) => !name.includes('.'))
    .map((name) => [name, example[name] ?? null]))
  await stage.patch({kind: kind.name, options: wanted})
  options = Object.fromEntries([
    ...Object.entries(options).filter(([name]) =>
      kind.options.some((option) => option.name.split('.')[0] === name && option.scope !== 'kind')),
    ...own.filter((name) => name in example).map((name) => [name, example[name]])])
  stage.showKind(kind, exampleOf(kind).sentence)
  playground.show(kind, options)
  strip.mark(kind.name)
}

byID('kind-toggle').addEventListener('change', ({target}) =>
  attempt(() => layOutAs(kindNamed(target.value))))
byID('copy-curl').addEventListener('click', async ({target}) => {
  // Only pages of https and of this machine may use the clipboard.
  const isCopied = await navigator.clipboard?.writeText(byID('curl').textContent).then(() => true, () => false)
  if (!isCopied) getSelection().selectAllChildren(byID('curl'))
  target.textContent = isCopied ? 'Copied' : 'Selected'
  setTimeout(() => { target.textContent = 'Copy' }, 1500)
})
address.onChange((link) => {
  if (link) attempt(() => openLink(link))
})

async function start() {
  const link = address.read()
  if (kinds.length === 0) {
    kinds = (await ask('/kinds')).kinds
    strip.show(kinds)
    playground.setKinds(kinds)
  }
  if (link) await openLink(link)
  else await openExample(kindNamed(FIRST) ?? kinds[0])
  strip.draw().catch((error) => fail(error))
}

attempt(start)
