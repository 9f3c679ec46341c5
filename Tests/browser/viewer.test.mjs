// The rules of the viewer that need no page: which item a cell is, groups that are changed by hand,
// code.

import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {test} from 'node:test'

const viewer = new URL('../../Sources/Web/Viewer/', import.meta.url)
const load = (name) => import(new URL(name, viewer))
const {Origins} = await load('origins.js')
const {changed, dragged, heightened, isGroup, partAt, placed, sizeOf, split, without} = await load('group.js')
const {literal} = await load('literal.js')
const {seeded} = await load('numbers.js')
const {quoted} = await load('shell.js')

const below = (random, most) => Math.floor(random() * most)

/** Runs a test for seeds. A failure names its seed. */
const forSeeds = (count, body) => {
  for (let seed = 0; seed < count; seed += 1) {
    try {
      body(seeded(seed), seed)
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`
      throw error
    }
  }
}

test('a cell in sight is the same item after inserts and deletes anywhere', () => forSeeds(300, (random) => {
  // The model: items with names. The viewer sees a window of them and what a change did there.
  let items = Array.from({length: 60}, (_, index) => index), made = items.length
  const origins = new Origins()
  const height = 12
  let top = below(random, 40)
  const cell = (index) => ({category: 'cell', key: `c/0,${index}`, indexPath: [0, index]})
  for (let step = 0; step < 30; step += 1) {
    const before = items.slice(), at = below(random, items.length), count = 1 + below(random, 3)
    if (random() < 0.5) items.splice(at, 0, ...Array.from({length: count}, () => made++))
    else if (items.length > 30) items.splice(at, count)
    // What is read stays where it is.
    const read = before[top], next = items.indexOf(read)
    const old = before.slice(top, top + height), oldTop = top
    top = next >= 0 ? next : Math.min(top, items.length - height)
    const seen = items.slice(top, top + height)
    const moving = [], appearing = []
    seen.forEach((name, offset) => {
      const from = old.indexOf(name)
      if (from < 0) appearing.push(cell(top + offset))
      else if (oldTop + from !== top + offset) moving.push({from: cell(oldTop + from), to: cell(top + offset)})
    })
    const identities = new Map(old.map((name, offset) => [name, String(origins.of([0, oldTop + offset]))]))
    origins.follow({elements: seen.map((_, offset) => cell(top + offset)), transitions: {moving, appearing, disappearing: []}})
    seen.forEach((name, offset) => {
      if (identities.has(name)) assert.equal(String(origins.of([0, top + offset])), identities.get(name), `item ${name} in step ${step}`)
    })
  }
}))

/** A group of random parts, at most three levels deep. */
function randomGroup(random, level = 0) {
  const direction = random() < 0.5 ? 'horizontal' : 'vertical', count = 1 + below(random, 3)
  const [main, cross] = direction === 'horizontal' ? ['width', 'height'] : ['height', 'width']
  const subitems = Array.from({length: count}, () => {
    const sizes = {
      [main]: random() < 0.7 ? {flexible: 1 + below(random, 4)}
        : {[main === 'width' ? 'fractionalWidth' : 'fractionalHeight']: 0.15},
      [cross]: {[cross === 'width' ? 'fractionalWidth' : 'fractionalHeight']: 1},
      ...random() < 0.3 ? {count: 2} : {}}
    return level < 2 && random() < 0.4 ? {...randomGroup(random, level + 1), ...sizes} : sizes
  })
  return {direction, spacing: below(random, 4), width: {fractionalWidth: 1},
    height: random() < 0.5 ? {fractionalWidth: 0.5} : {absolute: 300}, subitems}
}

const AROUND = {width: 900, height: 700}
const frames = (group) => placed(group, sizeOf(group, AROUND)).parts
const groupsIn = (group, path = []) => [path,
  ...group.subitems.flatMap((item, index) => isGroup(item) ? groupsIn(item, [...path, index]) : [])]

test('a divider that is dragged moves by as much and leaves all else of its group where it ends', () => forSeeds(500, (random) => {
  const group = randomGroup(random), size = sizeOf(group, AROUND)
  const candidates = placed(group, size).dividers.filter(({copies}) => copies.every((copy) => copy === 0))
  if (candidates.length === 0) return
  const divider = candidates[below(random, candidates.length)]
  const {path, index, axis} = divider, [x] = axis === 'width' ? ['x'] : ['y']
  const by = below(random, 80) - 40, after = dragged(group, size, path, index, by)
  const same = placed(after, sizeOf(after, AROUND)).dividers.find((one) =>
    String(one.path) === String(path) && one.index === index && one.copies.every((copy) => copy === 0))
  const way = same[x] - divider[x]
  assert.ok(Math.abs(way) <= Math.abs(by) + 1 && way * by >= -0.5, `by ${by}, moved ${way}`)
  // Nothing is outside of the group, and its other parts have the frames that they had.
  const [old, now] = [placed(group, size).parts, frames(after)]
  now.forEach((part, at) => {
    assert.ok(part.x + part.width <= size.width + 0.51 && part.y + part.height <= size.height + 0.51)
    assert.ok(part.width >= 0 && part.height >= 0)
    const isBeside = part.path.slice(0, path.length).every((each, level) => each === path[level])
      && [index, index + 1].includes(part.path[path.length])
    if (!isBeside && path.length === 0) {
      for (const name of ['x', 'y', 'width', 'height']) assert.ok(Math.abs(part[name] - old[at][name]) < 2, `${name} of ${part.path}`)
    }
  })
}))

test('an item that is split fills its place; one that is taken away leaves the others', () => forSeeds(300, (random) => {
  const group = randomGroup(random), parts = frames(group), {path} = parts[below(random, parts.length)]
  const direction = random() < 0.5 ? 'horizontal' : 'vertical', copies = parts.filter((part) => String(part.path) === String(path)).length
  const two = split(group, path, direction)
  assert.equal(frames(two).length, parts.length + copies)
  const rest = without(group, path)
  assert.equal(rest === null ? 0 : frames(rest).length, parts.length - copies)
  assert.deepEqual(changed(group, path, (part) => part), group)
  assert.ok(!isGroup(partAt(group, path)))
  const higher = heightened(group, AROUND, 50)
  assert.ok(Math.abs(sizeOf(higher, AROUND).height - sizeOf(group, AROUND).height - 50) < 1)
}))

function randomValue(random, depth = 0) {
  const kind = below(random, depth > 3 ? 5 : 7)
  const text = () => Array.from({length: below(random, 12)}, () => `'"\\\`\${}\n\u2028</script>é 𝄞ab1_`.charAt(below(random, 24))).join('')
  return [() => null, () => random() < 0.5, () => below(random, 1e9) - 5e8, () => random() * 1e6, text,
    () => Array.from({length: below(random, 5)}, () => randomValue(random, depth + 1)),
    () => Object.fromEntries(Array.from({length: below(random, 5)}, () => [text(), randomValue(random, depth + 1)]))][kind]()
}

test('values that are written as code are read as themselves', () => forSeeds(1000, (random) => {
  const value = randomValue(random)
  assert.deepEqual((0, eval)(`(${literal(value)})`), value)
}))

test('a text that is quoted is one word of a shell', () => {
  const random = seeded(1), texts = Array.from({length: 100}, () =>
    Array.from({length: 1 + below(random, 20)}, () => `'"\\\`$(){};&|<> \n!#~*?[]=%-ab`.charAt(below(random, 32))).join(''))
  const shown = execFileSync('bash', ['-c', `printf '%s\\0' ${texts.map(quoted).join(' ')}`]).toString()
  assert.deepEqual(shown.split('\0').slice(0, -1), texts)
})
