// How long a client takes to read answers: node formats.mjs URL…
//
// Prints a line of JSON for each URL: the bytes of the answer, compressed and not, and the median
// microseconds from the bytes to what is wanted: the columns, and the elements as objects.

import {performance} from 'node:perf_hooks'
import {gunzipSync} from 'node:zlib'
import {request} from 'node:http'
import {decode, elementsOf} from '../Sources/Web/Client/cbor.js'

const fetchBytes = (url, headers) => new Promise((resolve, reject) => {
  request(url, {headers}, (answer) => {
    const parts = []
    answer.on('data', (part) => parts.push(part))
    answer.on('end', () => {
      const bytes = Buffer.concat(parts)
      // Of its own memory, as fetch gives it.
      resolve(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    })
  }).on('error', reject).end()
})
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1]

/** The median time of a call, in microseconds: of rounds that take some milliseconds each. */
function time(body) {
  const kept = []
  let calls = 1
  const round = () => {
    const start = performance.now()
    for (let i = 0; i < calls; i++) kept[i & 7] = body()
    return (performance.now() - start) * 1000
  }
  while (round() < 5000) calls *= 2
  const rounds = []
  for (let end = performance.now() + 2000; rounds.length < 15 || performance.now() < end;)
    rounds.push(round() / calls)
  return median(rounds)
}

const text = new TextDecoder()
for (const url of process.argv.slice(2)) {
  const [json, cbor] = [`${url}&f=json`, `${url}&f=cbor`]
  const packed = {'Accept-Encoding': 'gzip'}
  const [jsonBytes, cborBytes, jsonPacked, cborPacked] = await Promise.all([
    fetchBytes(json), fetchBytes(cbor), fetchBytes(json, packed), fetchBytes(cbor, packed)])
  const parse = (bytes) => JSON.parse(text.decode(bytes)).elements
  const columns = (bytes) => decode(bytes).elements
  const unpacked = (bytes) => {
    const plain = gunzipSync(bytes)
    return plain.buffer.slice(plain.byteOffset, plain.byteOffset + plain.length)
  }
  console.log(JSON.stringify({
    elements: parse(jsonBytes).length,
    bytes: [jsonBytes, jsonPacked, cborBytes, cborPacked].map(({byteLength}) => byteLength),
    microseconds: {
      json: time(() => parse(jsonBytes)),
      jsonPacked: time(() => parse(unpacked(jsonPacked))),
      cborColumns: time(() => columns(cborBytes)),
      cbor: time(() => elementsOf(columns(cborBytes))),
      cborPacked: time(() => elementsOf(columns(unpacked(cborPacked)))),
    },
  }))
}
