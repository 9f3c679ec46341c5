// The page: kinds to choose from, the layout that is open, and what one may do with it.

import * as address from './address.js'
import {calmly} from './calm.js'
import {CodePanel} from './codepanel.js'
import {bodyOf, countOf} from './collection.js'
import {byID, make} from './dom.js'
import {exampleOf, othersOf} from './examples.js'
import {loadFont} from './fonts.js'
import {bytes, count} from './format.js'
import {KindStrip} from './kinds.js'
import {Notice} from './notice.js'
import {OptionsForm, changeTo, optionsOf} from './options.js'
import {Panel} from './panel.js'
import {Playground} from './playground.js'
import {cardOf, fontsOf} from './post.js'
import {QueryPanel} from './queries.js'
import {ask, authorization, base, Unreachable} from './server.js'
import {Stage} from './stage.js'
import {TextPanel} from './text.js'

const FIRST = 'justified'
/** Collections of more bytes are not read to fill the form. */
const SMALL = 1_000_000

let kinds = []
const kindNamed = (name) => kinds.find((kind) => kind.name === name)

const notice = new Notice(byID('notice'))
const strip = new KindStrip(byID('kinds'), (kind) => attempt(() => openExample(kind)))
const stage = new Stage({
  onMove: (id, rect) => {
    address.write(id, rect)
    // The query of a layout that was opened by a link is about what is in sight.
    if (!stage.pane.opened.wanted) code.update()
  },
  onProblem: (error) => fail(error),
  onFine: () => {
    notice.clear()
    strip.draw()
  },
  onUse: (opened) => showForm(opened),
  onKind: (pane, summary) => attempt(() => tookKind(pane, summary)),
  onShown: () => {
    code.update()
    options.setAround(stage.used.summary.bounds)
  },
  chooseKind: (name) => attempt(() => layOutAs(kindNamed(name)), options),
})
const code = new CodePanel(shown)
const texts = new TextPanel(byID('text-tab'))
const playground = new Playground(byID('playground'), (kind, wanted) =>
  attempt(() => openWanted(kind, options.values, wanted), playground.list))
const options = new OptionsForm(byID('options'), () => changeSoon(), {onDraft: () => changeSoon()})
new Panel((tab) => {
  code.update()
  if (tab.id === 'tab-text') texts.show()
})
new QueryPanel(byID('query'))

/** What is on the screen: the pane in use, and the items of the collection. */
function shown() {
  const {used, pane} = stage
  if (!used.opened) return null
  const {kind, options} = used.opened, {wanted = null, isEdited = false} = pane.opened
  const {id, bounds, counts} = used.summary
  return {base, id, kind, bounds, options, wanted, rect: used.rect, hasKey: Boolean(authorization()),
    isEdited: isEdited || wanted !== null && countOf(wanted) !== counts.cells}
}

/** Shows kind and options of a layout that is open, and its items if they are others. */
function showForm({kind, options: values}, wanted) {
  calmly('form', () => {
    options.show(kind, values)
    options.setAround(stage.used.summary?.bounds)
    sayOfOptions('')
    if (wanted || playground.kind?.form !== kind.form) playground.show(kind, wanted ?? exampleOf(kind).wanted)
    playground.kind = kind
    strip.mark(kind.name)
    byID('others').replaceChildren(...stage.pane.opened?.isView ? [] : othersOf(kind).map((example) =>
      make('button', {type: 'button', class: 'chip', title: example.sentence, onclick: () => attempt(() => openExample(kind, example))},
        example.title)))
  })
}

function sayOfOptions(text) {
  calmly('options', () => {
    byID('options-fault').textContent = text
    byID('options-fault').hidden = !text
  })
}

let attempts = 0

/** The page says that it is busy as long as anything runs that a person asked for. */
function countAttempts(change) {
  attempts += change
  calmly('busy', () => {
    playground.setBusy(attempts > 0)
    byID('stage').setAttribute('aria-busy', attempts > 0)
  })
}

/**
 * Runs what a person asked for, and shows what went wrong: at the fields of a form, if it was asked
 * for there.
 */
async function attempt(action, form = null) {
  countAttempts(1)
  try {
    await action()
  } catch (error) {
    fail(error, form)
  } finally {
    countAttempts(-1)
  }
}

function fail(error, form = null) {
  if (error.name === 'AbortError') return
  if (form && isAtFields(error, form)) return
  const isAway = error instanceof Unreachable, isWaiting = isAway || error.status === 503
  if (!isAway && !error.status && !(error instanceof address.NoID)) throw error
  const again = stage.opened ? () => stage.askAgain() : () => attempt(start)
  notice.show(error, {again, prepare: () => attempt(() => openExample(kindNamed(FIRST) ?? kinds[0]))})
  // An open layout asks by itself, as soon as it knows.
  if (isWaiting && !stage.opened) setTimeout(again, 1000 * (error.retryAfter ?? 2))
  else if (isAway && !stage.used.trouble) again()
}

/** Shows what the server refuses at the fields of a form. False where they are not in sight. */
function isAtFields({status, faults, message}, form) {
  const isOptions = form === options, place = byID(isOptions ? 'options' : 'playground')
  if (status !== 422 && status !== 400 || !place.checkVisibility()) return false
  const others = form.showFaults(faults)
  const text = others.map(({pointer, detail}) => `${pointer}: ${detail}`).join('\n') || (faults.length === 0 ? message : '')
  if (isOptions) sayOfOptions(text)
  else playground.say(text)
  return true
}

/**
 * Prepares a collection and opens its layout. If it is gone, it is prepared again as it was at
 * last.
 */
async function openWanted(kind, values, given, {sentence} = exampleOf(kind)) {
  const wanted = {...given, width: stage.bounds.width}
  const items = `${count(countOf(wanted))} ${wanted.sizes === 'posts' ? 'posts' : 'items'}`
  const prepare = async () => {
    const body = await bodyOf(kind.form, {bounds: stage.bounds, options: values}, wanted)
    stage.say(`The server lays out ${items}: ${bytes(body.size)}.`)
    try {
      return await ask(`/layouts/${kind.name}/prepare`, {method: 'POST', body})
    } finally {
      stage.say('')
    }
  }
  const prepareAgain = async () => {
    const {id} = await prepare(), {kind: now, options: given} = stage.pane.opened
    return ask(`/layouts/${id}`, {method: 'PATCH', body: now === kind ? {options: given} : changeTo(now, given)})
  }
  stage.say(`This page makes ${items}.`)
  const begin = performance.now(), summary = await prepare(), milliseconds = performance.now() - begin
  notice.clear()
  stage.open(summary, {kind, options: values, wanted, sentence, milliseconds, prepareAgain,
    fitsWindow: true, posts: wanted.sizes === 'posts' ? {seed: wanted.seed} : null})
  showForm(stage.opened, wanted)
}

async function openExample(kind, example = exampleOf(kind)) {
  const {options, wanted, hasCard} = example, {fonts} = hasCard ? await ask('/fonts') : {}, card = hasCard && cardOf(fonts)
  if (hasCard && !card) {
    return sayOfOptions('This server has no font, so it cannot know how high texts are. Install some, such as Debian’s fonts-inter, or say with --fonts where they are.')
  }
  if (hasCard) await Promise.all(fonts.filter(({name}) => fontsOf(card).includes(name)).map(loadFont))
  const values = hasCard ? {...options, card} : options
  return openWanted(kind, values, wanted, example)
}

/** The options of a layout, unless one would have to read many items for them. */
const readOptions = async ({id, memoryBytes}) =>
  memoryBytes < SMALL ? (await ask(`/layouts/${id}/collection`)).options ?? {} : {}

async function openLink({id, rect}) {
  const summary = await ask(`/layouts/${id}`), kind = kindNamed(summary.kind), values = await readOptions(summary)
  // Who has the collection hears how many views there are; who has a view does not.
  const isView = summary.views === undefined
  notice.clear()
  stage.open(summary, {kind, options: values, rect, isView, fitsWindow: false,
    sentence: isView ? 'A view, opened by its link.' : 'Opened by its link. What you change here, others see at once.'})
  const {counts} = summary
  showForm(stage.opened, kind.form === 'compositional' ? undefined : {count: counts.cells, sections: counts.sections})
}

let changing = null

/**
 * Sends what differs in the form. While it is under way, only the last of further changes counts.
 */
async function changeSoon() {
  if (changing) {
    changing.isAgain = true
    return
  }
  changing = {isAgain: true}
  while (changing.isAgain) {
    changing.isAgain = false
    await attempt(changeOptions, options)
  }
  changing = null
}

async function changeOptions() {
  const {used} = stage, {opened} = used, changes = options.changesSince(opened.options), {values} = options
  if (Object.keys(changes).length === 0) return
  await used.patch({options: changes})
  sayOfOptions('')
  opened.options = values
  used.showLines()
  code.update()
}

/** Lays the items in the pane in use out by another kind, with the options of its example. */
async function layOutAs(kind) {
  const {used} = stage, {opened} = used
  const values = optionsOf(kind, exampleOf(kind).options, opened.options)
  try {
    await used.patch(changeTo(kind, values))
    Object.assign(opened, {kind, options: values, sentence: exampleOf(kind).sentence})
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

address.onChange(() => attempt(async () => {
  const link = address.read()
  if (link) await openLink(link)
}))

async function start() {
  if (kinds.length === 0) {
    kinds = (await ask('/kinds')).kinds
    strip.show(kinds)
    playground.setKinds(kinds)
    stage.setKinds(kinds)
  }
  try {
    const link = address.read()
    if (link) await openLink(link)
    else {
      await openExample(kindNamed(FIRST) ?? kinds[0])
      // Where the panel is folded away.
      if (!byID('about').checkVisibility()) stage.say(byID('about').textContent)
    }
  } finally {
    strip.draw()
  }
}

attempt(start)
