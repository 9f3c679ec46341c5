// The rules of the client, which are pure functions, and what its connection does.

import assert from 'node:assert/strict'
import {test} from 'node:test'
import {gunzipSync} from 'node:zlib'
import {isClamp, Axis} from '../../Sources/Web/Client/axis.js'
import {Connection, pauseAfter} from '../../Sources/Web/Client/connection.js'
import {axesOf, isHorizontal} from '../../Sources/Web/Client/geometry.js'
import {rest, varied} from '../../Sources/Web/Client/pauses.js'
import {add} from '../../Sources/Web/Client/elements.js'
import {placeIn, placeOf, successors, visibleAt} from '../../Sources/Web/Client/place.js'
import {reflowed} from '../../Sources/Web/Client/reflow.js'
import {dice} from './model.mjs'
import {mockTimeouts} from './timers.mjs'

const cell = (item, frame) => ({category: 'cell', key: `c/0,${item}`, indexPath: [0, item], frame})
const down = {content: [0, 0, 100, 1000], axes: [1], isFlipped: false, keep: 'start'}
const rows = Array.from({length: 50}, (_, item) => cell(item, [0, 20 * item, 100, 20]))

test('a reader reads what is seen from its start on', () => {
  assert.equal(placeIn([0, 210, 100, 100], rows, down).item, rows[11])
  assert.deepEqual(placeIn([0, 210, 100, 100], rows, down).offset, [0, -10])
  // If all is cut, that what is cut.
  assert.equal(placeIn([0, 205, 100, 10], rows, down).item, rows[10])
  // Between cells, the nearest one.
  assert.equal(placeIn([0, 1500, 100, 100], rows, down).item, rows[49])
})

test('what is visible follows from the place', () => {
  const place = placeOf(rows[11], [0, 210, 100, 100], down)
  assert.deepEqual(visibleAt(place, [0, 500, 100, 60], [0, 210, 100, 100], down), [0, 490, 100, 100])
  // Not further than the content goes, and the place stays.
  assert.deepEqual(visibleAt(place, [0, 980, 100, 20], [0, 210, 100, 100], down), [0, 900, 100, 100])
  assert.deepEqual(visibleAt(place, [0, 0, 100, 20], [0, 210, 100, 100], down), [0, 0, 100, 100])
})

test('at the edges, `keep` says what stays', () => {
  const shown = (keep, top) => {
    const space = {...down, keep}, place = placeIn([0, top, 100, 100], rows, space)
    const longer = {...space, content: [0, 0, 100, 1040]}, [x, y, width, height] = place.item.frame
    return visibleAt(place, [x, y + 40, width, height], [0, top, 100, 100], longer)[1]
  }
  assert.deepEqual([0, 400, 900].map((top) => shown('start', top)), [0, 440, 940])
  assert.deepEqual([0, 400, 900].map((top) => shown('always', top)), [40, 440, 940])
  assert.deepEqual([0, 400, 900].map((top) => shown('end', top)), [40, 440, 940])
  // What comes below is followed at the end alone.
  const space = {...down, keep: 'end'}, longer = {...space, content: [0, 0, 100, 1040]}
  for (const [top, to] of [[900, 940], [400, 400]]) {
    const place = placeIn([0, top, 100, 100], rows, space)
    assert.equal(visibleAt(place, place.item.frame, [0, top, 100, 100], longer)[1], to)
  }
})

test('from right to left, the leading edge is the right one', () => {
  const space = {content: [-900, 0, 1000, 100], axes: [0], isFlipped: true, keep: 'start'}
  const cells = Array.from({length: 50}, (_, item) => cell(item, [80 - 20 * item, 0, 20, 100]))
  const place = placeIn([-210, 0, 100, 100], cells, space)
  // The window goes from -110 to -210; the first cell that begins in it ends at -120.
  assert.deepEqual(place.item.frame, [-140, 0, 20, 100])
  assert.deepEqual(visibleAt(place, [-340, 0, 220, 100], [-210, 0, 100, 100], space)[0], -210)
})

test('who is nearest takes over', () => {
  const place = placeOf(rows[11], [0, 210, 100, 100], down)
  assert.deepEqual(successors(place, [0, 210, 100, 100], rows, down).map(({item: {indexPath}}) => indexPath[1]),
    [10, 12, 13, 14, 15])
})

test('a browser that moves to the end of a shorter area is no reader', () => {
  assert.ok(isClamp(900, 500, 500))
  assert.ok(!isClamp(900, 480, 500), 'somebody has scrolled on')
  assert.ok(!isClamp(400, 500, 500), 'somebody has scrolled to the end')
})

test('every place of a long content can be reached', () => {
  const axis = Object.assign(new Axis(), {length: 1e9, view: 600})
  for (const at of [0, 50_000, 5e8, 1e9 - 600]) {
    axis.position = axis.positionFor(at)
    axis.shift = at - axis.position
    assert.equal(axis.at, at)
    assert.ok(axis.position >= 0 && axis.position <= axis.areaEnd)
  }
})

test('a layout that is wider than the window is no horizontal one', () => {
  const list = {kind: 'list', bounds: {width: 600}, contentSize: {width: 600, height: 9000}}
  assert.deepEqual(axesOf(list), [1])
  assert.ok(!isHorizontal(list))
  assert.ok(isHorizontal({...list, contentSize: {width: 9000, height: 600}}))
})

for (let seed = 1; seed <= 20; seed++)
  test(`measured cells overlap nothing, seed ${seed}`, () => {
    const roll = dice(seed), ends = [0, 0, 0], all = []
    for (let item = 0; item < 60; item++) {
      // Some lie across all columns.
      const isWide = roll() < 0.1, column = Math.floor(roll() * 3), y = isWide ? Math.max(...ends) : ends[column]
      const height = 10 + Math.floor(roll() * 90)
      all.push(cell(item, isWide ? [0, y, 300, height] : [100 * column, y, 100, height]))
      for (let i = 0; i < 3; i++) if (isWide || i === column) ends[i] = y + height + 5
    }
    const lengths = new Map(all.filter(() => roll() < 0.6).map(({key}) => [key, 1 + Math.floor(roll() * 150)]))
    const held = all[30].key, frames = reflowed(all, lengths, 1, held)
    assert.equal(frames.get(held)[1], all[30].frame[1], 'what is read stays')
    const boxes = all.map(({key}) => frames.get(key))
    boxes.forEach(([x, y, width, height], i) => {
      assert.equal(height, lengths.get(all[i].key) ?? all[i].frame[3])
      for (const [left, top, w, h] of boxes.slice(0, i))
        assert.ok(x + width <= left || left + w <= x || y + height <= top + 1e-9 || top + h <= y + 1e-9, `cell ${i}`)
    })
  })

test('pauses grow, are short for what is small, and differ', () => {
  assert.deepEqual([1, 2, 3, 4, 9].map((failures) => pauseAfter(failures)), [250, 500, 1000, 2000, 2000])
  assert.equal(pauseAfter(20, 2_000_000), 60_000)
  const times = Array.from({length: 100}, () => varied(1000))
  assert.ok(times.every((time) => time >= 500 && time <= 1000))
  assert.ok(new Set(times).size > 90)
})

test('a pause ends when somebody wakes it, or with its signal', async () => {
  const wakers = new Set(), pausing = rest(1e9, undefined, wakers)
  for (const wake of [...wakers]) wake()
  await pausing
  const closing = new AbortController(), ended = rest(1e9, closing.signal)
  closing.abort(new Error('closed'))
  await assert.rejects(ended, /closed/)
})

test('large bodies are gzipped, and sent as they are to who refuses that', async () => {
  const body = {kind: 'x'.repeat(20_000)}, sent = []
  const connection = new Connection({server: 'http://a', layout: 'A', fetch: async (url, {headers, body}) => {
    sent.push(headers['Content-Encoding'])
    const text = headers['Content-Encoding'] ? gunzipSync(Buffer.from(await body.arrayBuffer())).toString() : body
    assert.deepEqual(JSON.parse(text), {kind: 'x'.repeat(20_000)})
    return sent.length === 2 ? new Response('{}', {status: 415}) : new Response('{"ok": true}')
  }}, {onWaiting() {}, onAnswer() {}})
  for (let i = 0; i < 3; i++) assert.deepEqual(await connection.send('POST', '/x', {body, again: true}), {ok: true})
  assert.deepEqual(sent, ['gzip', 'gzip', undefined, undefined])
  await connection.send('POST', '/x', {body: {kind: 'x'.repeat(20_000)}})
})

test('a prepare that is too slow for the server is sent again, later and later, and the page says so', async (t) => {
  const clock = mockTimeouts(t)
  let tries = 0
  const told = [], connection = new Connection({server: 'http://a', layout: 'A', fetch: async () =>
    ++tries < 4 ? new Response('{"title": "Request timeout"}', {status: 408}) : new Response('{"ok": true}')},
  {onWaiting: (status) => told.push(status), onAnswer() {}})
  const answered = connection.send('POST', '/x', {body: {ids: Array(20_000).fill('photograph')}, again: true})
  let isDone = false
  answered.then(() => { isDone = true })
  while (!isDone) {
    await new Promise(setImmediate)
    clock.tick(50)
  }
  assert.deepEqual(told, ['slow', 'slow', 'slow'])
  assert.equal(tries, 4)
  // A change is not sent twice.
  tries = 0
  await assert.rejects(connection.send('POST', '/x', {body: {}}), ({status}) => status === 408)
})

test('an item is held once, whichever others of its id come and go', () => {
  for (let seed = 0; seed < 50; seed++) {
    const roll = dice(seed), shared = 1 + Math.floor(roll() * 12), elements = new Map()
    for (let step = 0; step < 40; step++) {
      const first = Math.floor(roll() * 60), last = first + Math.floor(roll() * 20)
      for (const [key, {indexPath: [, item]}] of elements) if (item < first || item > last) elements.delete(key)
      const come = Array.from({length: last - first + 1}, (_, i) => first + i).sort(() => roll() - 0.5)
      for (const item of come) add(elements, {category: 'cell', indexPath: [0, item], id: `p${item % shared}`})
      const items = [...elements.values()].map(({indexPath: [, item]}) => item).sort((a, b) => a - b)
      assert.deepEqual(items, come.sort((a, b) => a - b), `seed ${seed}, step ${step}`)
    }
  }
})
