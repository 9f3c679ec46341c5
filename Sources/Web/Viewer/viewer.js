// The page: kinds to choose from, a playground, and the layout that is open.

import * as address from './address.js'
import {bodyOf} from './collection.js'
import {command, playgroundCommand} from './curl.js'
import {byID} from './dom.js'
import {exampleOf} from './examples.js'
import {KindStrip} from './kinds.js'
import {Notice} from './notice.js'
import {changeTo, optionsOf} from './options.js'
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
  onUse: (opened) => showForm(opened),
  onKind: (pane, summary) => attempt(() => tookKind(pane, summary)),
  chooseKind: (name) => attempt(() => layOutAs(kindNamed(name))),
})
new QueryPanel(byID('query'))

/** Shows kind and options of a layout that is open. */
function showForm({kind, options}, description) {
  playground.show(kind, options, description)
  strip.mark(kind.name)
}

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
  const again = stage.opened ? () => stage.askAgain() : () => attempt(start)
  notice.show(error, {again, prepare: () => attempt(() => openExample(kindNamed(FIRST)))})
  // An open layout asks by itself, as soon as it knows.
  if (isWaiting && !stage.opened) setTimeout(again, 1000 * (error.retryAfter ?? 2))
  else if (isAway && !stage.used.trouble) again()
}

/**
 * Prepares a collection and opens its layout. `makeBody(bounds)` is asked again when the layout is
 * gone; it is then laid out as it was at last.
 */
async function open(kind, options, makeBody) {
  const prepare = (body) => ask(`/layouts/${kind.name}/prepare`, {method: 'POST', body})
  const prepareAgain = async () => {
    const {id} = await prepare(await makeBody(stage.bounds)), {kind: now, options} = stage.pane.opened
    return ask(`/layouts/${id}`, {method: 'PATCH', body: now === kind ? {options} : changeTo(now, options)})
  }
  const body = await makeBody(stage.bounds), begin = performance.now()
  const summary = await prepare(body)
  const milliseconds = performance.now() - begin
  notice.clear()
  stage.open(summary, {kind, options, sentence: exampleOf(kind).sentence, milliseconds, prepareAgain,
    fitsWindow: true})
  strip.mark(kind.name)
}

async function openExample(kind) {
  const example = exampleOf(kind), makeBody = (bounds) => example.body(bounds, example.count)
  const body = makeBody(stage.bounds), {options = {}} = body
  playground.show(kind, options, describe(kind, body))
  // Items with sizes are many words: the command has as many as fit on a screen.
  const short = JSON.stringify(body).length < 4000 ? body : example.body(stage.bounds, example.few)
  byID('curl').textContent = command(kind.name, short)
  await open(kind, options, makeBody)
}

async function openWanted(kind, wanted) {
  byID('curl').textContent = playgroundCommand(kind, {...wanted, bounds: stage.bounds})
  await open(kind, wanted.options, (bounds) => bodyOf(kind.form, {...wanted, bounds}))
}

/** The options of a layout, unless one would have to read many items for them. */
const readOptions = async ({id, memoryBytes}) =>
  memoryBytes < SMALL ? (await ask(`/layouts/${id}/collection`)).options ?? {} : {}

async function openLink({id, rect}) {
  const summary = await ask(`/layouts/${id}`), kind = kindNamed(summary.kind), options = await readOptions(summary)
  // Who has the collection hears how many views there are; who has a view does not.
  const isView = summary.views === undefined
  byID('curl').textContent = `curl '${base}/layouts/${id}'`
  notice.clear()
  stage.open(summary, {kind, options, rect, isView, fitsWindow: false,
    sentence: isView ? 'A view, opened by its link.' : 'Opened by its link. What you change here, others see at once.'})
  showForm(stage.opened, {count: summary.counts.cells, sections: summary.counts.sections})
}

async function changeOptions(form) {
  const {used} = stage, {opened} = used, changes = form.changesSince(opened.options)
  if (Object.keys(changes).length === 0) return
  await used.patch({options: changes})
  playground.say('')
  opened.options = form.values
  used.showLines()
}

/** Lays the items in the pane in use out by another kind, with the options of its example. */
async function layOutAs(kind) {
  const {used} = stage, {opened} = used
  const options = optionsOf(kind, exampleOf(kind).body(used.bounds, 1).options, opened.options)
  try {
    await used.patch(changeTo(kind, options))
    Object.assign(opened, {kind, options, sentence: exampleOf(kind).sentence})
  } finally {
    stage.showOpened()
  }
  showForm(opened)
}

/** Somebody else has laid the same items out by another kind. */
async function tookKind({opened}, summary) {
  Object.assign(opened, {kind: kindNamed(summary.kind), options: await readOptions(summary)})
  opened.sentence = exampleOf(opened.kind).sentence
  stage.showOpened()
  showForm(stage.opened)
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
    stage.setKinds(kinds)
  }
  if (link) await openLink(link)
  else await openExample(kindNamed(FIRST) ?? kinds[0])
  strip.draw().catch((error) => fail(error))
}

attempt(start)
