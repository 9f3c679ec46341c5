// The decoder against the examples of RFC 8949, and against a server that says the same in JSON.

import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {after, before, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {decode, elementsOf} from '../../Sources/Web/Client/cbor.js'

const bytes = (hex) => Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16)).buffer

test('reads the examples of RFC 8949, appendix A', () => {
  for (const [hex, value] of [
    ['00', 0], ['01', 1], ['0a', 10], ['17', 23], ['1818', 24], ['1819', 25], ['1864', 100],
    ['1903e8', 1000], ['1a000f4240', 1000000], ['1b000000e8d4a51000', 1000000000000],
    ['20', -1], ['29', -10], ['3863', -100], ['3903e7', -1000], ['f90000', 0], ['f93c00', 1],
    ['fb3ff199999999999a', 1.1], ['f93e00', 1.5], ['f97bff', 65504], ['fa47c35000', 100000],
    ['fa7f7fffff', 3.4028234663852886e+38], ['fb7e37e43c8800759c', 1e300],
    ['f90001', 5.960464477539063e-8], ['f90400', 0.00006103515625], ['f9c400', -4],
    ['fbc010666666666666', -4.1], ['f4', false], ['f5', true], ['f6', null], ['60', ''],
    ['6161', 'a'], ['6449455446', 'IETF'], ['62225c', '"\\'], ['62c3bc', '\u00fc'],
    ['63e6b0b4', '\u6c34'], ['64f0908591', '\ud800\udd51'], ['80', []], ['83010203', [1, 2, 3]],
    ['8301820203820405', [1, [2, 3], [4, 5]]], ['a0', {}], ['a26161016162820203', {a: 1, b: [2, 3]}],
    ['98190102030405060708090a0b0c0d0e0f101112131415161718181819',
      Array.from({length: 25}, (_, i) => i + 1)],
  ]) assert.deepEqual(decode(bytes(hex)), value, hex)
})

test('reads typed arrays wherever they begin', () => {
  // Behind texts of all lengths up to 8 bytes.
  for (let length = 0; length < 9; length++) {
    const text = 'x'.repeat(length)
    const head = [0x84, 0x60 + length, ...Buffer.from(text)]
    const answer = Uint8Array.from([...head,
      0xd8, 0x56, 0x50, ...new Uint8Array(Float64Array.of(0.1, -2).buffer),
      0xd8, 0x46, 0x48, ...new Uint8Array(Uint32Array.of(7, 4294967295).buffer),
      0xd8, 0x47, 0x48, ...new Uint8Array(BigUint64Array.of(9007199254740991n).buffer)])
    assert.deepEqual(decode(answer.buffer), [text, Float64Array.of(0.1, -2),
      Uint32Array.of(7, 4294967295), Float64Array.of(9007199254740991)])
  }
})

let server, url
before(async () => {
  const program = fileURLToPath(new URL('../../.build/debug/layoutd', import.meta.url))
  server = spawn(program, ['--port', '0'], {stdio: ['ignore', 'ignore', 'pipe']})
  for await (const line of createInterface(server.stderr)) {
    url = line.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]
    if (url) break
  }
  server.stderr.resume()
})
after(async () => {
  server.kill()
  await once(server, 'exit')
})

const ask = async (path, format) => {
  const answer = await fetch(url + path, {headers: {Accept: `application/${format}`}})
  assert.equal(answer.status, 200, path)
  assert.equal(answer.headers.get('Content-Type'), `application/${format}`)
  const value = format === 'json' ? await answer.json() : decode(await answer.arrayBuffer())
  // It moves on with each use.
  delete value.expiresAt
  return value
}

/** What JSON says of a value: coordinates with the fewest decimals that tell a multiple of 1/1024. */
const readable = (value) => {
  if (typeof value === 'object' && value) {
    return Array.isArray(value) ? value.map(readable)
      : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, readable(part)]))
  }
  if (typeof value !== 'number' || Math.abs(value) >= 2 ** 42) return value
  const multiple = Math.floor(Math.abs(value) * 1024 + 0.5) / 1024
  const text = [0, 1, 2, 3, 4].map((decimals) => multiple.toFixed(decimals))
    .find((text) => Math.abs(text - multiple) < 1 / 2048)
  return Math.sign(value) * text + 0
}

test('an answer says the same as in JSON', async () => {
  const {fonts: [font]} = await (await fetch(`${url}/fonts`)).json()
  const card = font && {parts: [{text: 'a', font: font.name, size: 14, lineHeight: 20}]}
  for (const [kind, body] of [
    ...card ? [['list', {bounds: {width: 320}, options: {card},
      sections: [{items: {text: {a: ['b c', null, 'soft\u00adhyphen', 'd']}}}]}]] : [],
    ['grid', {bounds: {width: 320}, options: {columns: 3, headerHeight: 44, pinHeaders: true,
      background: 'section'}, sections: [{items: 100}, {items: {id: ['a', '\u00fc', null]}}]}],
    ['waterfall', {bounds: {width: 396}, options: {columns: 3, footerHeight: 0.1},
      sections: [{items: {height: [33.3, 0.7, 1e-7, 120]}}]}],
    ['grid', {bounds: {width: 320}, sections: [{items: 1e10}]}],
    ['tree', {nodes: {id: ['a', 'b', 'c', 'd'], parent: [null, 0, 0, 2]}}],
    ['list', {bounds: {width: 320}, sections: []}],
  ]) {
    const made = await fetch(`${url}/layouts/${kind}/prepare`, {method: 'POST',
      headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})
    const {id, contentSize: {height}} = await made.json()
    const single = kind === 'list' ? [] : ['items/0/0', 'items?ordinal=0']
    for (const path of ['', ...kind === 'tree' ? [] : ['sections'], ...single]) {
      const target = `/layouts/${id}${path && '/'}${path}`
      assert.deepEqual(readable(await ask(target, 'cbor')), readable(await ask(target, 'json')), target)
    }
    const ids = kind === 'tree' ? ['items?id=c&id=none&id=a'] : []
    for (const path of [...ids, 'elements?rect=0,0,1e6,900',
      `elements?rect=0,${Math.max(0, height - 300)},320,300&limit=5`,
      ...kind === 'list' ? ['elements?rect=0,0,1e6,900&parts=true'] : []]) {
      const target = `/layouts/${id}/${path}`
      const {elements, ...cbor} = await ask(target, 'cbor'), json = await ask(target, 'json')
      assert.deepEqual(readable({...cbor, elements: elementsOf(elements)}), readable(json), target)
    }
  }
})
