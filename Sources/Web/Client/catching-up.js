// How a region gets from the version that it holds to the current one.
//
// The reader's item may be anywhere by now, so nothing is asked for by where it was: an item with an
// id is the `anchor` of the question, and of one without, `transitions` say where it has gone. All is
// taken over at once, when the elements around the item are there.

import {AXES, contains, end, intersection, moved, union} from './rects.js'
import {add, held, isCell, same, stepOf} from './elements.js'
import {axesOf, contentOf, isRightToLeft, tagOf, withPage} from './geometry.js'
import * as places from './place.js'

// More are not looked up, and not in longer queries.
const MOST_IDS = 99
const LONGEST_QUERY = 3000
// How many screens are asked for at once to learn where cells have gone.
const SCREENS = 4
// After so many turns, what is asked for is taken as it is.
const MOST_TURNS = 6
const NOTHING = {appearing: [], disappearing: [], moving: []}

const isText = ({id}) => id !== undefined && !/^\s*-?\d+\s*,\s*-?\d+\s*$/.test(id)
const isRefused = (reason, status, type) => reason.status === status && reason.problem?.type?.endsWith(type)

/** The cell in an answer that an item is, if it is there. */
function sought(item, elements, path) {
  const cells = elements.filter(isCell)
  return cells.find(({indexPath, id}) => path && same(indexPath, path) && (item.id ?? id) === id) ??
    (item.id === undefined ? undefined : cells.find(({id}) => id === item.id))
}

/** The answer with those of some items that are still there by their ids, or with the first of them; nothing if none is. */
async function named(store, items, signal) {
  const ids = items.map(({id}) => id).filter((id) => id !== undefined).slice(0, MOST_IDS)
  while (ids.length) {
    let query = ''
    while (ids.length && query.length < LONGEST_QUERY) query += `id=${encodeURIComponent(ids.shift())}&`
    // Who asks for two is not refused if they are gone.
    const answer = await store.get(`/items?${query}${query.slice(0, query.indexOf('&'))}`, signal)
    if (answer.elements.length) return answer
  }
  return null
}

/**
 * Where cells of an earlier version have gone.
 * @param cells in the order in which they take over from each other
 * @param tag the version that they are of
 * @returns the answer, with the first of them that are still there as `cells`; nothing if none is
 */
export async function trace(store, cells, tag, signal) {
  const {visible} = store.main, isNear = (rect) => visible && AXES.every((i) => rect[i + 2] <= SCREENS * visible[i + 2])
  for (let from = 0, to; from < cells.length; from = to) {
    let rect = cells[from].frame
    for (to = from + 1; to < cells.length && isNear(union(rect, cells[to].frame)); to++) rect = union(rect, cells[to].frame)
    const answer = await store.get(`/elements?rect=${rect}&category=cell&limit=1&since=${tag}&transitions=true&summary=true`, signal)
    if (!answer.transitions) {
      // The server does not know that version any more.
      const found = await named(store, cells, signal)
      return found && {...found, cells: found.elements.map((one) => ({...cells.find(({id}) => id === one.id), ...one}))}
    }
    const {moving, disappearing} = answer.transitions
    const there = cells.slice(from, to).flatMap((cell) => {
      const isIt = (step) => same(step.from.indexPath, cell.indexPath), step = moving.find(isIt)
      return step || !disappearing.some(isIt) ? {...cell, ...step?.to} : []
    })
    if (there.length) return {...answer, cells: there}
  }
  return null
}

/** One way of catching up: who is followed, and where the item was seen last. */
class Pursuit {
  constructor(region) {
    this.region = region
    const {place, visible, cells, space, id, tag, store} = region
    this.since = id === store.layout.id ? tag : undefined
    this.places = place && places.isHeldByItem(place, space)
      ? [place, ...places.successors(place, visible, cells, space)] : []
    this.hadPlace = this.places.length > 0
    this.saw(this.place?.item)
  }

  get place() { return this.places[0] ?? null }
  /** Nobody who was in sight is left. */
  get isLost() { return this.hadPlace && !this.place }
  get isByID() {
    const {isMain, cells, manyHave} = this.region, {item} = this.place ?? {}
    return isMain && item && isText(item) && !manyHave.has(item.id) && !cells.some(({id, key}) => id === item.id && key !== item.key)
  }

  /** Its item is gone: the next one takes over. */
  pass() {
    this.places.shift()
    this.saw(this.place?.item)
  }

  /** Passes to the first of those with ids that is still there. */
  async passToNext(signal) {
    this.pass()
    const answer = await named(this.region.store, this.places.map(({item}) => item), signal)
    const there = new Set(answer?.elements.map(({id}) => id))
    this.places = this.places.filter(({item: {id}}) => id === undefined || there.has(id))
    this.saw(this.place?.item)
  }

  /** Where the item was seen last. */
  saw({indexPath, frame} = {}) {
    this.path = indexPath
    this.frame = frame
  }

  /** The item as an answer has it; nothing if it is gone. */
  itemIn(answer, elements, isAnchor, signal) {
    const {item} = this.place, isIt = ({from: {category, indexPath}}) =>
      category === 'cell' && same(indexPath, this.path)
    if (isAnchor || !answer.transitions) return sought(item, elements, isAnchor ? undefined : this.path) ?? this.#lookUp(signal)
    const step = answer.transitions.moving.find(isIt)
    if (step || answer.transitions.disappearing.some(isIt)) return step?.to
    return sought(item, elements, this.path) ?? {...item, indexPath: this.path, frame: this.frame}
  }

  /** The cell of the item, wherever it is. */
  async #lookUp(signal) {
    const {id} = this.place.item, isNamed = id !== undefined
    const query = isNamed ? `?id=${encodeURIComponent(id)}` : `/${this.path.join('/')}`
    return this.region.store.get(`/items${query}`, signal).catch((reason) => {
      if (isRefused(reason, 404, 'no-such-element')) return null
      throw reason
    })
  }
}

/** Whether nothing stands elsewhere in a version, so that its sections are those of the version before. */
const isAlike = (before, now, {appearing, disappearing, moving}) => same([before.contentSize, before.counts], [now.contentSize, now.counts]) &&
  !appearing.length && !disappearing.length && moving.every(({from, to}) => same(from.frame, to.frame) && same(from.indexPath, to.indexPath))

/**
 * Asks only for what differs in what is known. Says whether that is enough: what is visible
 * afterwards is known, too.
 */
async function catchUpLightly(region, pending, isLate) {
  const {store, known, visible, place, tag, id} = region, {signal} = pending
  if (!region.isMain || !known || id !== store.layout.id || !contains(known, region.inside(visible))) return false
  const [answer, ...more] = await store.getElements(`rect=${known}&known=${known}&since=${tag}&transitions=true&summary=true`, signal)
  const {transitions: steps} = answer, summary = store.summaryOf(answer)
  if (isLate()) return true
  if (more.length || answer.reset || !steps || store.lacks(steps) || answer.id !== store.layout.id) return false
  const isSame = store.sections.isOf(store.layout) && isAlike(store.layout, summary, steps)
  const learnt = isSame ? undefined : await store.sections.learn(known, summary, signal)
  if (isLate()) return true
  const item = place?.item, step = item && stepOf(item.key, steps, region.elements)
  const space = spaceOf(region, summary, learnt), frame = step ? step.to.frame : item?.frame
  const to = place ? places.visibleAt(place, frame, visible, space) : visible
  if (!contains(known, intersection(to, space.content))) return false
  // The reader may have scrolled meanwhile.
  if (region.place !== place || region.known !== known) return false
  const change = region.apply(steps, known, summary, learnt, answer.elements)
  if (!change) return false
  if (isSame) store.sections.keep(summary)
  region.isStale = answer.version < store.newest || Boolean(pending.isOutdated)
  store.refresh()
  const isQuiet = region.isQuiet || !AXES.some((i) => change.shift[i]) && !change.moving.length && !change.appearing.length &&
    !change.disappearing.length
  region.isQuiet = false
  store.emit(isQuiet ? null : change)
  return true
}

/**
 * Brings a region to the current version. Says whether it is there.
 * @param {import('./region.js').Region} region
 */
export async function catchUp(region, pending, isLate) {
  if (await catchUpLightly(region, pending, isLate)) return true
  const {store, place: begun} = region, {signal} = pending, pursuit = new Pursuit(region)
  let tag = pursuit.since, expected = region.visible, steps
  for (let turn = 0; !isLate(); turn++) {
    const {place} = pursuit, byID = !steps && pursuit.isByID
    // Transitions say of an item without an id where it has gone, if the rect shows where it was.
    const wide = region.wanted(1, expected), rect = place && !byID ? union(wide, pursuit.frame) : wide
    const axes = axesOf(store.layout)
    // From right to left, an anchor is the right edge of its item.
    const origin = (i) => !i && region.space.isFlipped ? end(pursuit.frame, i) : pursuit.frame[i]
    const asked = moved(rect, AXES.map((i) => byID && axes.includes(i) ? -origin(i) : 0))
    const question = `rect=${asked}&summary=true${byID ? `&anchor=${encodeURIComponent(place.item.id)}` : ''}` +
      (tag === undefined ? '' : `&since=${tag}&transitions=true`)
    let answers
    try {
      answers = await store.getElements(question, signal)
    } catch (reason) {
      if (byID && isRefused(reason, 404, 'no-such-element')) await pursuit.passToNext(signal)
      else if (byID && isRefused(reason, 400, 'invalid-anchor')) region.manyHave.add(place.item.id)
      else throw reason
      continue
    }
    if (isLate()) return true
    const [answer] = answers, summary = store.summaryOf(answer), elements = answers.flatMap((one) => one.elements)
    if (answer.id !== store.layout.id) return false
    if (!region.isMain && answer.version !== store.layout.version) {
      // All of the layout comes first.
      store.main.isStale = true
      store.main.ask()
      return true
    }
    const item = place && await pursuit.itemIn(answer, elements, byID, signal)
    if (place && !item) {
      pursuit.pass()
      tag = pursuit.since
      expected = region.visible
      steps = undefined
      continue
    }
    const learnt = region.isMain ? await store.sections.learn(answer.rect, summary, signal) : undefined
    if (isLate()) return true
    // Transitions are from what is held, so those of the first answer count.
    steps ??= answer.transitions ?? NOTHING
    const space = spaceOf(region, summary, learnt), isMoved = region.place !== begun
    const now = new Map()
    for (const element of elements) add(now, element, region.elements)
    let next = isMoved ? scrolledMeanwhile(region, steps, now)
      : place ? {...place, item: held(now, item)}
        : pursuit.isLost ? null : region.place
    const visible = next ? places.visibleAt(next, next.item?.frame, region.visible, space)
      : places.clamped(region.visible, space)
    if (!contains(answer.rect, region.isMain ? intersection(visible, contentOf(summary, space.isFlipped)) : visible) && turn < MOST_TURNS && !isMoved) {
      expected = visible
      tag = tagOf(answer)
      if (item) pursuit.saw(item)
      continue
    }
    if (next?.isSuccessor) next = places.placeOf(next.item, visible, space)
    const shift = AXES.map((i) => visible[i] - region.visible[i])
    region.become({elements: now, visible, rect: answer.rect, answer, summary: region.isMain && summary, learnt, place: next,
      isOutdated: Boolean(pending.isOutdated),
      transitions: region.isOther ? transitionsTo(region, now, shift)
        : pursuit.since === undefined || answer.reset ? null : transitionsOf(region, now, steps, shift)})
    return true
  }
  return true
}

/** The reader has scrolled while the answer was under way: the place of then, in what is held now. */
function scrolledMeanwhile({place, elements}, steps, now) {
  if (!place?.item) return place
  const step = stepOf(place.item.key, steps, elements)
  return {...place, item: step ? held(now, step.to) : now.get(place.item.key) ?? place.item}
}

/** What the region scrolls in once a summary and sections are taken over. */
function spaceOf(region, summary, learnt) {
  if (!region.isMain) return region.space
  const {store} = region, rightToLeft = isRightToLeft(summary, learnt?.sections ?? store.sections.known)
  return {...region.space, content: withPage(contentOf(summary, rightToLeft), store.beyond), axes: axesOf(summary), isFlipped: rightToLeft}
}

/** Transitions to another layout, in which the cells of an id are the same. */
function transitionsTo({elements: before}, now, shift) {
  const isIn = (map) => ({key, id}) => id !== undefined && map.has(key), [old, next] = [[...before.values()], [...now.values()]]
  return {appearing: next.filter((one) => !isIn(before)(one)), disappearing: old.filter((one) => !isIn(now)(one)),
    moving: old.filter(isIn(now)).map((from) => ({from, to: now.get(from.key)})), shift}
}

/** Transitions with the elements that were held and that are held now. */
function transitionsOf({elements: before}, now, {appearing, disappearing, moving}, shift) {
  if (!appearing.length && !disappearing.length && !moving.length) return null
  return {appearing: appearing.map(({to}) => held(now, to)), disappearing: disappearing.map(({from}) => held(before, from)),
    moving: moving.map(({from, to}) => ({from: held(before, from), to: held(now, to)})), shift}
}
