// The store without a DOM, against a server that says what it was asked.

import assert from 'node:assert/strict'
import {test} from 'node:test'
import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import {ModelServer} from './model.mjs'
import {mockTimeouts} from './timers.mjs'
import {follow} from '../../Sources/Web/Client/following.js'
import {createStore, LayoutError} from '../../Sources/Web/Client/layoutd.js'

const summary = {id: 'A', kind: 'list', version: 1, bounds: {width: 100},
  contentSize: {width: 100, height: 10_000},
  counts: {sections: 1, cells: 1000, supplementary: 0, decorations: 0}}
const cell = (item, y = item * 10) =>
  ({category: 'cell', indexPath: [0, item], frame: [0, y, 100, 10], zIndex: 0, id: `p${item}`})
/** The rows of a list, each 10 high, that meet a rect and not another. */
const rows = ([, y, , height], [, knownY, , knownHeight] = [0, 0, 0, 0]) =>
  Array.from({length: 1000}, (_, item) => cell(item)).filter(({frame: [, top]}) =>
    top < y + height && y < top + 10 && !(top < knownY + knownHeight && knownY < top + 10))

/** A `fetch` that answers by a function, and what it was asked. */
function scripted(answer) {
  const asked = []
  const fetch = async (url, {method, body, signal, headers}) => {
    const {pathname, searchParams} = new URL(url)
    const rect = (name) => searchParams.get(name)?.split(',').map(Number)
    const question = {method, path: pathname, rect: rect('rect'), known: rect('known'),
      since: searchParams.get('since'), body: body && JSON.parse(body), signal, headers, url}
    asked.push(question)
    const {status = 200, retryAfter, ...json} = await answer(question, asked.length)
    if (searchParams.get('summary') && json.elements) {
      const path = pathname.replace('/elements', '')
      json.summary = await answer({method, path, url: `http://a${path}`}, asked.length)
    }
    return new Response(JSON.stringify(json),
      {status, headers: retryAfter === undefined ? {} : {'Retry-After': `${retryAfter}`}})
  }
  return {fetch, asked}
}
const list = ({path, rect, known}) => path.endsWith('/elements')
  ? {id: 'A', version: 1, rect, elements: rows(rect, known)} : summary
const until = (store, isTrue) => new Promise((resolve) => {
  const look = () => isTrue(store.getSnapshot()) && (end(), resolve(store.getSnapshot()))
  const end = store.subscribe(look)
  look()
})
const has = (item) => ({elements}) => elements.some(({id}) => id === `p${item}`)

test('asks for what is visible and more, then for what is new', async (t) => {
  let now = 1000
  t.mock.method(performance, 'now', () => now)
  const {fetch, asked} = scripted(list)
  const store = createStore({server: 'http://a/', layout: 'A', fetch})
  store.show([0, 0, 100, 100])
  await until(store, has(9))
  assert.equal(asked[0].path, '/layouts/A')
  assert.deepEqual(asked[1].rect, [0, -50, 100, 200])
  assert.equal(asked[1].known, undefined)
  now += 16
  store.show([0, 90, 100, 100])
  const {elements} = await until(store, has(18))
  assert.deepEqual(asked[2].known, [0, -50, 100, 200])
  assert.equal(asked[2].since, '1')
  // More ahead than behind.
  const [, y, , height] = asked[2].rect
  assert.ok(90 - y < y + height - 190, 'overscan grows in the direction of travel')
  assert.deepEqual(elements.map(({indexPath}) => indexPath[1]),
    rows(asked[2].rect).map(({indexPath}) => indexPath[1]))
  store.close()
})

test('snapshots never change, and stay the same object until something does', async () => {
  const {fetch} = scripted(list)
  const store = createStore({server: 'http://a', layout: 'A', fetch})
  store.show([0, 0, 100, 100])
  const before = await until(store, has(9))
  assert.equal(store.getSnapshot(), before)
  assert.throws(() => before.elements.push(1), TypeError)
  assert.throws(() => { before.elements[0].frame = null }, TypeError)
  const count = before.elements.length
  store.show([0, 500, 100, 100])
  const after = await until(store, has(50))
  assert.notEqual(after, before)
  assert.equal(before.elements.length, count)
  store.close()
})

test('elements that a reset brings again are the same objects', async () => {
  let version = 1
  const {fetch} = scripted((question) => {
    const answer = list(question)
    if (version === 1) return answer
    return answer.elements ? {...answer, version, reset: true,
      elements: rows(question.rect).map((row) => row.id === 'p3' ? {...row, id: 'other'} : row)}
      : {...answer, version}
  })
  const store = createStore({server: 'http://a', layout: 'A', fetch})
  store.show([0, 0, 100, 100])
  const before = await until(store, has(9))
  version = 2
  store.refresh()
  const after = await until(store, ({layout}) => layout.version === 2)
  assert.equal(after.elements.filter((element) => !before.elements.includes(element)).length, 1)
  store.close()
})

test('a request for what is no longer visible is aborted', async () => {
  let release
  const {fetch, asked} = scripted((question, number) => number === 2
    ? new Promise((resolve) => { release = () => resolve(list(question)) }) : list(question))
  const store = createStore({server: 'http://a', layout: 'A', fetch})
  store.show([0, 0, 100, 100])
  while (!release) await new Promise(setImmediate)
  store.show([0, 5000, 100, 100])
  assert.ok(asked[1].signal.aborted)
  const {elements} = await until(store, has(505))
  release()
  await new Promise(setImmediate)
  assert.equal(store.getSnapshot().elements, elements)
  store.close()
})

test('on a slow network, what is ahead is asked for early enough', async (t) => {
  let now = 1000
  t.mock.method(performance, 'now', () => now)
  for (const roundTrip of [120, 400]) {
    const waiting = []
    const {fetch, asked} = scripted(list), slow = (url, options) => new Promise((resolve, reject) => {
      waiting.push({at: now + roundTrip, answer: () => resolve(fetch(url, options))})
      options.signal.addEventListener('abort', () => reject(options.signal.reason))
    })
    const store = createStore({server: 'http://a', layout: 'A', fetch: slow})
    let blank = 0
    for (let step = 0; step < 300; step++) {
      const visible = [0, step * 16, 100, 200]
      store.show(visible)
      now += 16
      while (waiting[0]?.at <= now) waiting.shift().answer()
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
      const {covered} = store.getSnapshot()
      if (step > 100 && !(covered?.[1] <= visible[1] && visible[1] + 200 <= covered[1] + covered[3])) blank++
    }
    assert.equal(blank, 0, `${roundTrip} ms`)
    assert.ok(asked.length < 70, `${asked.length} requests`)
    store.close()
  }
})

test('a layout that is gone is prepared again, and the place is kept', async () => {
  let id = 'A'
  const gone = []
  const {fetch} = scripted((question) => {
    if (!question.path.startsWith(`/layouts/${id}`) && question.method === 'GET')
      return {status: 404, type: '/problems/no-such-layout'}
    // In the new layout there are 20 rows more above.
    const anchor = new URL(question.url).searchParams.get('anchor')
    if (anchor) question = {...question, rect: question.rect.map((value, i) =>
      i === 1 ? value + 10 * Number(anchor.slice(1)) + 200 : value)}
    const answer = {...list(question), id}
    if (answer.elements && id === 'B') answer.elements = answer.elements
      .map(({frame: [x, y, w, h], indexPath: [, item]}) => ({...cell(item - 20, y)}))
    return answer
  })
  const store = createStore({server: 'http://a', fetch,
    layout: (old) => { gone.push(old); return id }})
  store.show([0, 1000, 100, 100])
  await until(store, has(105))
  id = 'B'
  store.refresh()
  const {visible, layout} = await until(store, ({layout, visible}) => layout.id === 'B' && visible[1] !== 1000)
  assert.deepEqual(gone, [undefined, 'A'])
  assert.equal(layout.id, 'B')
  assert.deepEqual(visible, [0, 1200, 100, 100])
  store.close()
})

test('a 503 is asked again after Retry-After, and the status says so', async () => {
  const {fetch, asked} = scripted((question, number) => number === 1
    ? {status: 503, retryAfter: 0.01, title: 'Overloaded'} : list(question))
  const store = createStore({server: 'http://a', layout: 'A', fetch}), statuses = new Set()
  store.subscribe(() => statuses.add(store.getSnapshot().status))
  store.show([0, 0, 100, 100])
  await until(store, has(5))
  assert.ok(statuses.has('busy'))
  assert.equal(store.getSnapshot().status, 'ready')
  assert.equal(asked.length, 3)
  store.close()
})

test('a network that fails is tried again, but a change is not sent twice', async () => {
  let isAway = true
  const {fetch, asked} = scripted((question) => {
    if (isAway) throw new TypeError('fetch failed')
    return list(question)
  })
  const store = createStore({server: 'http://a', layout: 'A', fetch})
  store.show([0, 0, 100, 100])
  await until(store, ({status}) => status === 'offline')
  isAway = false
  store.refresh()
  await until(store, has(5))
  isAway = true
  await assert.rejects(store.update([{delete: {at: [0, 0]}}]), TypeError)
  assert.equal(asked.filter(({method}) => method === 'POST').length, 1)
  store.close()
})

test('an error of a change is told to who made it, with the problem document', async () => {
  const {fetch} = scripted((question) => question.method === 'PATCH'
    ? {status: 422, type: '/problems/invalid-body', detail: 'columns must be 1 or more'} : list(question))
  const store = createStore({server: 'http://a', layout: 'A', fetch})
  await assert.rejects(store.patch({options: {columns: 0}}), (error) =>
    error instanceof LayoutError && error.status === 422 && error.message === 'columns must be 1 or more')
  store.close()
})

test('follows pages to their end', async () => {
  const {fetch, asked} = scripted((question) => {
    if (!question.path.endsWith('/elements')) return summary
    const isSecond = question.url.includes('cursor'), all = rows([0, -50, 100, 200])
    return {id: 'A', version: 1, rect: [0, -50, 100, 200],
      elements: isSecond ? all.slice(7) : all.slice(0, 7),
      ...!isSecond && {next: '/layouts/A/elements?rect=0,-50,100,200&cursor=1'}}
  })
  const store = createStore({server: 'http://a', layout: 'A', fetch})
  store.show([0, 0, 100, 100])
  const {elements} = await until(store, has(9))
  assert.equal(elements.length, 15)
  assert.equal(asked.length, 3)
  store.close()
})

test('follows pages of a server below a folder', async () => {
  const {fetch, asked} = scripted(({path, rect}) => path.endsWith('/elements')
    ? {id: 'A', version: 1, rect, ...asked.at(-1).url.includes('cursor')
      ? {elements: [cell(1)]}
      : {elements: [cell(0)], next: `/tiles/layouts/A/elements?rect=${rect}&cursor=1`}}
    : summary)
  const store = createStore({server: 'http://a/tiles', layout: 'A', fetch})
  store.show([0, 0, 100, 20])
  await until(store, (snapshot) => has(0)(snapshot) && has(1)(snapshot))
  assert.ok(asked.every(({path}) => path.startsWith('/tiles/layouts/A')), asked.map(({path}) => path))
  store.close()
})

test('viewers that ask in bands ask for the same', async () => {
  let version = 1
  const banded = (question) => {
    const asked = new URL(question.url).searchParams.get('version')
    if (asked && Number(asked) !== version) return {status: 410, type: '/problems/version-gone'}
    return {...list(question), version}
  }
  const paths = []
  for (const top of [0, 310, 90]) {
    const {fetch, asked} = scripted(banded)
    const store = createStore({server: 'http://a', layout: 'A', bands: 500, fetch})
    store.show([0, top, 100, 100])
    const {elements, covered} = await until(store, has(Math.ceil(top / 10)))
    const at = Math.floor(Math.max(0, top - 50) / 500) * 500
    assert.deepEqual(covered, [0, at, 100, 500])
    assert.deepEqual(elements.map(({indexPath}) => indexPath[1]), rows(covered).map(({indexPath}) => indexPath[1]))
    paths.push(asked[1].url)
    store.show([0, top + 400, 100, 100])
    await until(store, has(Math.ceil((top + 510) / 10)))
    const tops = asked.slice(1).map(({rect, known}) => known || rect[1])
    assert.deepEqual(tops, tops.map((_, i) => 500 * i), 'whole bands, and each of them once')
    // Somebody changes the layout: the bands are of a version that is gone.
    version++
    store.show([0, 3000, 100, 100])
    const after = await until(store, has(300))
    assert.equal(after.version, version)
    version = 1
    store.close()
  }
  assert.deepEqual([...new Set(paths)], ['http://a/layouts/A/elements?rect=0,0,100,500&version=1&f=cbor'])
})

test('cells have the parts of their cards, also after changes, of which transitions have none', async () => {
  let version = 1
  // The second and third version have higher rows, the fourth has other texts.
  const height = (version) => 10 * Math.min(version, 3)
  const row = (item, version) => ({...cell(item), frame: [0, item * height(version), 100, height(version)]})
  const withParts = (element) => ({...element, parts: [{part: 0, frame: [0, 0, 100, 10], lines: [0], width: version}]})
  const {fetch, asked} = scripted(({method, path, rect, known, since, url}) => {
    if (method !== 'GET') since = version++
    const said = {...summary, version, contentSize: {width: 100, height: 1000 * height(version)}}
    const {searchParams} = new URL(url), anchor = searchParams.get('anchor')
    if (anchor) rect[1] += Number(anchor.slice(1)) * height(version)
    const among = (version) => Array.from({length: 1000}, (_, item) => row(item, version))
      .filter(({frame: [, y, , height]}) => y < rect[1] + rect[3] && rect[1] < y + height)
    const transitions = () => ({appearing: [], disappearing: [], moving: Number(since) === version ? []
      : among(Number(since)).map((from) => ({from, to: row(from.indexPath[1], version)}))})
    if (!path.endsWith('/elements')) return {...said, ...method !== 'GET' && {transitions: transitions()}}
    const elements = known ? [] : among(version)
    return {id: 'A', version, rect, elements: searchParams.get('parts') === 'true' ? elements.map(withParts) : elements,
      ...searchParams.get('transitions') && {transitions: transitions()}}
  })
  const store = createStore({server: 'http://a', layout: 'A', parts: true, fetch})
  store.show([0, 300, 100, 100])
  await until(store, has(35))
  const changeElsewhere = () => { version++; store.refresh() }
  for (const change of [() => store.patch({bounds: {width: 80}}), changeElsewhere, changeElsewhere]) {
    await change()
    const {elements, visible} = await until(store, (snapshot) => snapshot.version === version)
    assert.ok(elements.length > 5)
    for (const {id, parts} of elements) assert.equal(parts?.[0].width, version, id)
    assert.deepEqual(visible, [0, 30 * height(version), 100, 100])
  }
  const questions = asked.filter(({path}) => path.endsWith('/elements'))
  assert.ok(questions.every(({url}) => url.includes('&parts=true')), questions.map(({url}) => url))
  store.close()
})

test('follows what others change, on one stream for the stores of a page', async (t) => {
  const clock = mockTimeouts(t)
  const versions = {A: 1, B: 1}, streams = []
  const {fetch: answer, asked} = scripted((question) => {
    const [, , id] = question.path.split('/'), version = versions[id]
    if (!question.path.endsWith('/elements')) return {...summary, id, version}
    const {known, since} = question, anchor = new URL(question.url).searchParams.get('anchor')
    const rect = anchor ? question.rect.map((value, i) => i === 1 ? value + 10 * (Number(anchor.slice(1)) + version - 1) : value)
      : question.rect
    const transitions = {appearing: [], disappearing: [], moving: []}
    // Each version inserts a row at the top.
    const at = (item, version) => ({...cell(item, 10 * (item + version - 1)), indexPath: [0, item + version - 1]})
    const all = Array.from({length: 1000}, (_, item) => at(item, version))
      .filter(({frame: [, y]}) => y < rect[1] + rect[3] && rect[1] < y + 10)
    if (since && Number(since) < version) transitions.moving = all.map(({id}) => Number(id.slice(1)))
      .map((item) => ({from: at(item, Number(since)), to: at(item, version)}))
    return {id, version, rect, ...since && {transitions}, elements: known
      ? all.filter(({frame: [, y]}) => !(y < known[1] + known[3] && known[1] < y + 10)) : all}
  })
  const fetch = async (url, options) => {
    if (!url.includes('/events')) return answer(url, options)
    const stream = {url, ...options}
    streams.push(stream)
    return new Response(new ReadableStream({start(controller) {
      stream.say = (text) => controller.enqueue(new TextEncoder().encode(text))
      stream.end = () => controller.close()
      options.signal.addEventListener('abort', () => controller.error(options.signal.reason))
    }}))
  }
  const stores = ['A', 'B'].map((layout) => createStore({server: 'http://a', layout, fetch, follow: true}))
  for (const store of stores) store.show([0, 500, 100, 100])
  await Promise.all(stores.map((store) => until(store, has(55))))
  const [stream] = streams.slice(-1)
  assert.equal(stream.url, 'http://a/events?layout=A&layout=B')
  assert.equal(stream.headers['Last-Event-ID'], undefined)
  const asks = () => asked.filter(({path}) => path.endsWith('/elements')).length, before = asks()
  stream.say('retry: 7\nid: x1\ndata: {"layout":"A","version":1}\n\ndata: {"layout":"B","vers')
  stream.say('ion":1}\n\n: still there\n\n')
  versions.B = 3
  const shifts = []
  stores[1].subscribe(() => {
    const {transitions} = stores[1].getSnapshot()
    if (transitions) shifts.push(transitions.shift)
  })
  stream.say('id: x2\ndata: {"layout":"B","version":3}\n\n')
  const {visible, elements} = await until(stores[1], ({version, layout}) => version === 3 && layout.version === 3)
  // Nobody else asked. What was read stays where it is.
  assert.equal(asks(), before + 1)
  assert.deepEqual(visible, [0, 520, 100, 100])
  assert.deepEqual(shifts, [[0, 20]])
  assert.deepEqual(elements.find(({id}) => id === 'p52').frame, [0, 540, 100, 10])
  // A stream that ends begins again where it was.
  stream.end()
  while (streams.at(-1) === stream) {
    await new Promise(setImmediate)
    clock.tick(7)
  }
  assert.equal(streams.at(-1).headers['Last-Event-ID'], 'x2')
  // So does one that says nothing for longer than the server's heartbeats take.
  const silent = streams.at(-1)
  while (streams.at(-1) === silent) {
    await new Promise(setImmediate)
    clock.tick(1000)
  }
  assert.equal(streams.at(-1).headers['Last-Event-ID'], 'x2')
  // The last of them ends the stream.
  stores[0].close()
  stores[1].close()
  assert.ok(streams.every(({signal}) => signal.aborted))
})

test('what others change elsewhere asks for nothing, and what they change here for that alone', async () => {
  const server = new ModelServer({count: 400}), {fetch, asked} = server
  const store = createStore({server: 'http://a', layout: 'A', fetch, follow: true})
  const settled = async (isDone) => {
    while (!server.isIdle || !store.isSettled() || !isDone(store.getSnapshot())) {
      await new Promise(setImmediate)
      server.pump(() => 0)
    }
    return store.getSnapshot()
  }
  store.show([0, 2000, 100, 100])
  await settled(has(100))
  let before = asked.length
  server.change(({items}) => server.apply(items, {insert: {at: 300, count: 2}}))
  const passed = await settled(({version}) => version === 2)
  assert.deepEqual(asked.slice(before), [])
  assert.equal(passed.content[3], 402 * 20)
  assert.equal(passed.layout.version, 2)
  before = asked.length
  server.change(({items}) => server.apply(items, {set: {at: 102, height: 50}}))
  const {elements} = await settled(({version}) => version === 3)
  const questions = asked.slice(before).filter((url) => url.includes('/elements'))
  assert.equal(questions.length, 1)
  const {searchParams: query} = new URL(questions[0])
  assert.equal(query.get('known'), query.get('rect'), 'what is known does not come again')
  assert.equal(elements.find(({id}) => id === 'p102').frame[3], 50)
  // How many there are is asked with the next question.
  store.show([0, 3000, 100, 100])
  assert.equal((await settled(has(150))).layout.counts.cells, 402)
  store.close()
})

test('what others change elsewhere may change how many items come before those in sight', async () => {
  let stream, version = 1
  const before = () => version === 1 ? 4 : 5
  const {fetch: answer} = scripted(({path, rect, known}) => {
    if (path.endsWith('/sections')) return {sections: [[0, 0, 100, 20], [0, 20, 100, 9980]].map((frame, section) =>
      ({section, kind: 'grid', items: section ? 1000 : before(), frame, body: frame}))}
    if (path.includes('/items/')) return {ordinal: before() + Number(path.split('/').at(-1))}
    if (!path.endsWith('/elements')) return {...summary, version, counts: {...summary.counts, sections: 2}}
    return {id: 'A', version, rect, elements: rows(rect, known).map((cell) => ({...cell, indexPath: [1, cell.indexPath[1]]}))}
  })
  const fetch = async (url, options) => url.includes('/events')
    ? new Response(new ReadableStream({start(controller) { stream = controller }})) : answer(url, options)
  const store = createStore({server: 'http://a', layout: 'A', fetch, follow: true})
  const tell = (event) => stream.enqueue(new TextEncoder().encode(
    `data: ${JSON.stringify({layout: 'A', version, contentSize: summary.contentSize, ...event})}\n\n`))
  const ordinal = () => store.ordinal({indexPath: [1, 0]})
  const all = async (isTrue) => { while (!stream || !isTrue() || !store.isSettled()) await new Promise(setImmediate) }
  store.show([0, 500, 100, 100])
  await all(() => ordinal() === 4)
  tell({recovered: false})
  version = 2
  // The last row of the first section has room for one more.
  tell({invalidatedRects: [[50, 10, 50, 10]]})
  await all(() => store.getSnapshot().version === 2)
  store.show([0, 3000, 100, 100])
  // They are counted when nothing has changed for a while; until then it is what it was.
  await all(() => has(305)(store.getSnapshot()) && ordinal() !== 4)
  assert.equal(ordinal(), 5)
  store.close()
})

test('what is visible and the elements change at once, however long the sections take', async () => {
  class TwoSections extends ModelServer {
    summary() { return {...super.summary(), counts: {...super.summary().counts, sections: 2}} }
  }
  const server = new TwoSections({count: 400})
  const fetch = async (url, options) => {
    if (!url.includes('/sections')) return server.fetch(url, options)
    server.asked.push(url)
    for (let i = 0; i < 20; i++) await new Promise(setImmediate)
    return new Response(JSON.stringify({sections: [{section: 0, kind: 'list', items: 400, frame: [0, 0, 100, 8000], body: [0, 0, 100, 8000]}]}))
  }
  const store = createStore({server: 'http://a', layout: 'A', fetch})
  store.show([0, 2000, 100, 100])
  const pump = async (isDone) => {
    while (!isDone()) {
      await new Promise(setImmediate)
      server.pump(() => 0)
      assert.deepEqual(store.visible(), store.getSnapshot().visible ?? store.visible())
    }
  }
  await pump(() => store.isSettled() && server.isIdle)
  let isDone = false
  store.update([{insert: {at: 0, count: 5}}]).then(() => { isDone = true })
  await pump(() => isDone)
  assert.deepEqual(store.visible(), [0, 2100, 100, 100])
  assert.ok(server.asked.filter((url) => url.includes('/sections')).length > 1)
  store.close()
})

test('a layout that its stream says is gone is prepared again', async () => {
  let id = 'A', stream
  const {fetch: answer} = scripted((question) => {
    const anchor = new URL(question.url).searchParams.get('anchor')
    if (anchor) question.rect[1] += 10 * Number(anchor.slice(1))
    return {...list(question), id}
  })
  const fetch = async (url, options) => url.includes('/events')
    ? new Response(new ReadableStream({start(controller) {
      if (url.includes('layout=A')) stream = controller
    }})) : answer(url, options)
  const store = createStore({server: 'http://a', layout: async () => id, fetch, follow: true})
  store.show([0, 500, 100, 100])
  await until(store, has(55))
  while (!stream) await new Promise(setImmediate)
  id = 'B'
  stream.enqueue(new TextEncoder().encode('event: gone\ndata: {"layout":"A","reason":"expired"}\n\n'))
  const {visible} = await until(store, ({layout, covered}) => layout.id === 'B')
  assert.deepEqual(visible, [0, 500, 100, 100])
  store.close()
})

test('a server that has lost a version is believed', async () => {
  let version = 5, versionTag = '5-aaaaaa'
  const {fetch, asked} = scripted((question) => question.path.includes('/items') ? {elements: []} : question.url.includes('anchor=')
    ? {status: 404, type: '/problems/no-such-element'} : ({...list(question), version, versionTag,
    ...new URL(question.url).searchParams.get('since') === '5-aaaaaa' && versionTag !== '5-aaaaaa' && {reset: true,
      elements: rows(question.rect).map((row) => ({...row, id: `q${row.indexPath[1]}`}))}}))
  const store = createStore({server: 'http://a', layout: 'A', fetch})
  store.show([0, 500, 100, 100])
  await until(store, has(55))
  version = 4
  versionTag = '4-bbbbbb'
  store.refresh()
  const {elements} = await until(store, (snapshot) => snapshot.version === 4)
  assert.ok(elements.every(({id}) => id.startsWith('q')))
  assert.ok(asked.length < 12, `${asked.length} requests`)
  store.close()
})

test('no request is longer than 4 KiB, however long ids are and however much is gone', async () => {
  const idOf = (item) => `${'–'.repeat(60)}${item}`, left = idOf(297)
  let version = 1
  const {fetch, asked} = scripted((question) => {
    const {searchParams: query, pathname} = new URL(question.url), anchor = query.get('anchor')
    if (question.url.length > 4096) return {status: 414, type: '/problems/uri-too-long'}
    if (anchor && anchor !== left) return {status: 404, type: '/problems/no-such-element'}
    if (pathname.endsWith('/items')) return {version, elements: query.getAll('id').includes(left) ? [{...cell(297), id: left}] : []}
    if (anchor) question.rect[1] += 2970
    const answer = list(question)
    return answer.elements ? {...answer, version, reset: version > 1, elements: answer.elements.map((one) =>
      ({...one, id: version > 1 && one.indexPath[1] !== 297 ? one.id : idOf(one.indexPath[1])}))} : {...answer, version}
  })
  const store = createStore({server: 'http://a', layout: 'A', fetch, keep: 'always'})
  store.show([0, 2000, 100, 1000])
  await until(store, ({elements}) => elements.length > 100)
  // Of a hundred in sight, one of the last is left.
  version = 70
  store.refresh()
  await until(store, (snapshot) => snapshot.version === 70)
  assert.ok(asked.filter(({path}) => path.endsWith('/items')).length > 1)
  assert.ok(asked.every(({url}) => url.length <= 4096))
  assert.equal(store.getSnapshot().status, 'ready')
  store.close()
})

test('a page that follows more layouts than a stream takes has two streams', async (t) => {
  const streams = []
  const fetch = async (url, {signal}) => {
    const ids = new URL(url).searchParams.getAll('layout')
    streams.push({ids, signal})
    return ids.length > 64 ? new Response('{}', {status: 400}) : new Response(new ReadableStream())
  }
  const connection = {base: 'http://a', fetch, key: async () => ({})}
  const ends = Array.from({length: 100}, (_, i) => follow(connection, `${i % 70}`, () => {}))
  t.after(() => { for (const end of ends) end() })
  await new Promise(setImmediate)
  assert.deepEqual(streams.filter(({signal}) => !signal.aborted).map(({ids}) => ids.length).sort(), [6, 64])
})

test('sends the key', async () => {
  const {fetch, asked} = scripted(list)
  const store = createStore({server: 'http://a', layout: 'A', fetch, authorization: async () => 'Bearer k'})
  store.show([0, 0, 100, 100])
  await until(store, has(9))
  assert.ok(asked.every(({headers}) => headers.Authorization === 'Bearer k'))
  // The server chooses; these answers were JSON.
  assert.ok(asked.every(({headers}) => headers.Accept === 'application/cbor, application/json;q=0.9'))
  store.close()
})

test('the bounds have no side that is not there yet', async () => {
  const {fetch, asked} = scripted(list)
  const layout = {kind: 'list', sections: [{items: 1000}]}
  const store = createStore({server: 'http://a', layout, fetch, bounds: {width: 200, height: 0}})
  store.show([0, 0, 200, 100])
  await until(store, has(9))
  assert.deepEqual(asked[0].body.bounds, {width: 200})
  await store.resize({width: 300, height: 0})
  assert.deepEqual(asked.find(({method}) => method === 'PATCH').body, {bounds: {width: 300}})
  store.close()
})

test('the module is small enough for a page, and a bundler takes less', () => {
  // Gzipped and minified, in one file. A third of it is what keeps the place of the reader.
  const folder = new URL('../../Sources/Web/Client/', import.meta.url)
  const size = (bytes) => gzipSync(bytes, {level: 9}).length
  assert.ok(size(readFileSync(new URL('layoutd.min.js', folder))) <= 32_600)
  const bundled = (code) => size(execFileSync('esbuild', ['--bundle', '--minify', '--format=esm', '--target=es2022', '--external:./layoutd.js',
    '--external:react', '--external:react-dom'], {cwd: folder, input: code}))
  assert.ok(bundled("export {mount} from './core.js'") <= 22_400)
  for (const binding of ['react', 'element']) assert.ok(bundled(`export * from './${binding}.js'`) <= 1792, binding)
})
