// What is read stays where it is, over random changes, against a model of a server.
//
// PLACE_STEPS  steps of each seed (60; 200 with TEST_ALL)
// PLACE_SEEDS  how many seeds (9; 500 with TEST_ALL); each is printed if it fails
// PLACE_SEED   the first one

import assert from 'node:assert/strict'
import {test} from 'node:test'
import {createStore} from '../../Sources/Web/Client/layoutd.js'
import {ModelServer, dice} from './model.mjs'
import {mockTimeouts} from './timers.mjs'

const {TEST_ALL, PLACE_STEPS = TEST_ALL ? 200 : 60, PLACE_SEEDS = TEST_ALL ? 500 : 9, PLACE_SEED = 1} = process.env
const turn = () => new Promise(setImmediate)
const HEIGHT = 120

class Walk {
  constructor(seed, clock) {
    this.clock = clock
    this.roll = dice(seed)
    this.keep = ['start', 'always', 'end'][seed % 3]
    const ids = [() => true, () => false, (uid) => uid % 3 > 0][Math.floor(seed / 3) % 3]
    this.server = new ModelServer({count: 400, hasIDs: ids, heightOf: () => 10 + this.whole(30)})
    const {fetch} = this.server
    this.isFollowing = seed % 2 === 0
    this.store = createStore({server: 'http://a', layout: 'A', fetch, keep: this.keep, follow: this.isFollowing})
    this.log = []
    this.store.subscribe(() => this.checkElements())
  }

  /** All that is shown is of one version. */
  checkElements() {
    const {elements, version} = this.store.getSnapshot(), then = this.server.versions[version - 1]
    for (const {indexPath: [, i], frame, id} of elements)
      if (!then?.items[i] || then.items[i].id !== id || then.frames[i].some((value, k) => value !== frame[k]))
        this.fault ??= `version ${version} has ${then?.frames[i]} at ${i}, the store ${frame} (${id}): ${this.log.slice(-6).join('; ')}`
  }

  whole(n) { return Math.floor(this.roll() * n) }

  async settle() {
    for (let tries = 0; ; tries++) {
      if (tries > 5000) throw new Error(`does not settle: ${JSON.stringify(this.store.getSnapshot().status)}`)
      await turn()
      if (this.server.isIdle) {
        for (let i = 0; i < 5; i++) await turn()
        const isThere = !this.isFollowing || this.store.getSnapshot().version === this.server.number
        if (this.server.isIdle && this.store.isSettled() && isThere) return
        // Changes that come together are heard of a little later.
        this.clock.tick(250)
      }
      this.server.pump(this.roll)
    }
  }

  get visible() { return this.store.visible() }

  /** The item at an index, and where it stands in the window. */
  at(i) {
    const {items, frames} = this.server.now
    return {...items[i], at: frames[i][1] - this.visible[1], length: frames[i][3]}
  }

  inSight() {
    return this.server.now.items.map((_, i) => this.at(i))
      .filter(({at, length}) => at < this.visible[3] && at + length > 0)
  }

  /** What is read now: by the rule of the page, from the model. */
  look() {
    const {now} = this.server, [, top, , height] = this.visible
    const end = Math.max(0, now.height - height), seen = this.seen = this.inSight()
    this.edge = this.keep === 'start' && top <= 1 ? 'start' : this.keep === 'end' && top >= end - 1 ? 'end' : null
    this.read = seen.find(({at}) => at >= -0.5) ?? seen[0]
  }

  /** Whether what was read is where it was, as far as the content goes. */
  check(isSingle) {
    assert.equal(this.fault, undefined)
    const {now} = this.server, [, top, , height] = this.visible, end = Math.max(0, now.height - height)
    assert.equal(this.store.getSnapshot().version, this.server.number)
    const place = ({uid, at}) => {
      const i = now.at.get(uid)
      return i === undefined ? null : Math.max(0, Math.min(now.frames[i][1] - at, end))
    }
    const tell = `${this.log.slice(-6).join('; ')}: top ${top} of ${end}, ${JSON.stringify(this.read)}, ` +
      `the store has ${this.store.reading()?.id ?? this.store.reading()?.indexPath} at ${this.store.reading()?.frame[1]}`
    if (this.edge) return assert.ok(Math.abs(top - (this.edge === 'end' ? end : 0)) < 0.01, `${tell}, at the ${this.edge}`)
    const should = this.read && place(this.read)
    if (should !== null && should !== undefined) assert.ok(Math.abs(top - should) < 0.01, `${tell}, should be ${should}`)
    else {
      // Who takes over was in sight, and stays there.
      const others = this.seen.filter((one) => place(one) !== null)
      const next = others.find((one) => Math.abs(top - place(one)) < 0.01)
      assert.ok(!isSingle || !others.length || next, `${tell}, others ${others.map(place)}`)
      this.look()
      const reading = this.store.reading()
      if (reading) this.read = this.at(reading.indexPath[1])
      // Where the content is too short for its place, nobody but the store knows the place.
      this.isUnknown = top <= 0.01 || top >= end - 0.01
    }
    this.seen = this.inSight()
  }

  update() {
    const count = this.server.now.items.length, at = this.whole(count), near = () => {
      const i = this.read ? this.server.now.at.get(this.read.uid) ?? at : at
      return Math.max(0, Math.min(count - 1, i + this.whole(40) - 20))
    }
    const where = this.roll() < 0.6 ? near() : at
    const most = Math.min(1 + this.whole(12), count - where)
    return [
      {insert: {at: where, count: this.roll() < 0.1 ? 300 : 1 + this.whole(5)}},
      count > 200 ? {delete: {at: where, count: most}} : {insert: {at: 0, count: 100}},
      {move: {from: where, to: this.roll() < 0.5 ? near() : at}},
      {set: {at: where, height: 5 + this.whole(60)}}][this.whole(4)]
  }

  /** Something that no reader does. */
  change() {
    const deed = this.roll(), say = (text) => this.log.push(text)
    const own = (promise) => { promise.catch(() => {}) }
    if (deed < 0.35) {
      const update = this.update()
      say(`own ${JSON.stringify(update)}`)
      own(this.store.update([update]))
    } else if (deed < 0.65) {
      const update = this.update()
      say(`others ${JSON.stringify(update)}`)
      this.server.change(({items}) => this.server.apply(items, update))
      if (!this.isFollowing && this.roll() < 0.7) this.store.refresh()
    } else if (deed < 0.8) {
      const scale = 0.5 + this.roll()
      say(`scale ${scale}`)
      own(this.store.patch({options: {scale}}))
    } else if (deed < 0.9) {
      const width = 100 + this.whole(300)
      say(`width ${width}`)
      own(this.store.patch({bounds: {width}}))
    } else {
      const height = 60 + this.whole(200)
      say(`window ${height}`)
      this.store.view({width: 100, height})
    }
  }

  scroll() {
    const [x, top, width, height] = this.visible, {now} = this.server, end = Math.max(0, now.height - height)
    const deed = this.roll(), to = deed < 0.1 ? 0 : deed < 0.2 ? end : deed < 0.6 ? top + this.whole(400) - 200 : this.roll() * end
    this.log.push(`scroll ${to}`)
    this.store.show([x, Math.max(0, Math.min(to, end)), width, height])
  }
}

for (let seed = Number(PLACE_SEED); seed < Number(PLACE_SEED) + Number(PLACE_SEEDS); seed++)
  test(`what is read stays, seed ${seed}`, async (t) => {
    // A clock of its own, so that a seed always does the same.
    let now = 0
    t.mock.method(performance, 'now', () => now += 7)
    const walk = new Walk(seed, mockTimeouts(t))
    walk.store.show([0, 0, 100, HEIGHT])
    await walk.settle()
    walk.look()
    for (let step = 0; step < PLACE_STEPS; step++) {
      if (walk.roll() < 0.25 || walk.isUnknown) {
        walk.isUnknown = false
        walk.scroll()
        await walk.settle()
        walk.look()
        continue
      }
      const count = 1 + (walk.roll() < 0.4) + (walk.roll() < 0.2)
      for (let i = 0; i < count; i++) {
        walk.change()
        for (let pumps = walk.whole(4); pumps > 0; pumps--) {
          await turn()
          walk.server.pump(walk.roll)
        }
      }
      if (!walk.isFollowing) walk.store.refresh()
      await walk.settle()
      walk.check(count === 1)
    }
    walk.store.close()
  })
