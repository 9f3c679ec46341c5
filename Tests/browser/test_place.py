"""What is read stays where it is, over everyday changes in a random order.

PLACE_STEPS  steps of each walk (6; 12 with TEST_ALL)
PLACE_SEEDS  how many walks of each layout (1; 10 with TEST_ALL)
PLACE_SEED   the first seed (1)
"""

import os
import unittest

from harness import among
from test_client import Page

STEPS = int(os.environ.get("PLACE_STEPS", among("6", "12")))
SEEDS = range(int(os.environ.get("PLACE_SEED", "1")),
              int(os.environ.get("PLACE_SEED", "1")) + int(os.environ.get("PLACE_SEEDS", among("1", "10"))))

IDS = {"id": [f"p{i}" for i in range(20_000)]}
MIXED = {"id": [f"p{i}" for i in range(6000)],
         "aspectRatio": [(0.5, 0.75, 1, 1.5, 2)[i * 7 % 5] for i in range(6000)],
         "height": [None if i % 3 else 20 + i * 37 % 90 for i in range(6000)]}
VERTICAL = [{"kind": "list", "options": {"itemHeight": 44}}, {"kind": "list", "options": {"itemHeight": 75.5}},
            {"kind": "grid", "options": {"minimumColumnWidth": 120, "itemAspectRatio": 1}},
            {"kind": "waterfall", "options": {"minimumColumnWidth": 150, "placement": "shortestColumn"}},
            {"kind": "flow", "options": {"itemSize": {"width": 90, "height": 60}}}]
LAYOUTS = {
    "photographs": ({"kind": "waterfall", "options": {"minimumColumnWidth": 180, "placement": "shortestColumn"},
                     "sections": [{"items": MIXED}]}, VERTICAL),
    "list": ({"kind": "list", "options": {"itemHeight": 33.3}, "sections": [{"items": IDS}]}, VERTICAL),
    "without ids": ({"kind": "list", "options": {"itemHeight": 30}, "sections": [{"items": 5000}]},
                    [{"options": {"itemHeight": 44}}, {"options": {"itemHeight": 25}}]),
    "sections": ({"kind": "list", "options": {"itemHeight": 40, "headerHeight": 30, "pinHeaders": True},
                  "sections": [{"items": {"id": [f"{s}-{i}" for i in range(300)]}} for s in range(20)]},
                 [{"kind": "list", "options": {"itemHeight": 60}}, {"options": {"headerHeight": 50}}, {"kind": "grid", "options": {"columns": 3}}]),
    "endless": ({"kind": "list", "options": {"itemHeight": 30}, "sections": [{"items": among(1_200_000, 9_000_000)}]},
                [{"options": {"itemHeight": 44.5}}, {"options": {"itemHeight": 30}}]),
    "horizontal": ({"kind": "list", "options": {"scrollDirection": "horizontal", "itemHeight": 120},
                    "sections": [{"items": IDS}]},
                   [{"options": {"itemHeight": 200}}, {"options": {"itemHeight": 90}}]),
    "right to left": ({"kind": "list", "options": {"scrollDirection": "horizontal", "layoutDirection": "rightToLeft",
                                                   "itemHeight": 120}, "sections": [{"items": IDS}]},
                      [{"options": {"itemHeight": 200}}, {"options": {"itemHeight": 90}}]),
    "compositional": ({"kind": "compositional", "options": {"headerHeight": 24, "sectionSpacing": 10}, "sections": [
        {"kind": "list", "options": {"itemHeight": 50}, "items": {"id": [f"a{i}" for i in range(400)]}},
        {"kind": "list", "orthogonal": {"height": 90}, "options": {"itemHeight": 150}, "items": 50},
        {"kind": "grid", "options": {"minimumColumnWidth": 130}, "items": {"id": [f"b{i}" for i in range(800)]}}]},
        [{"options": {"sectionSpacing": 40}}, {"options": {"headerHeight": 60}}]),
    # Sections that scroll sideways are always in sight.
    "sideways": ({"kind": "compositional", "options": {"sectionSpacing": 10}, "sections": [
        {"kind": "list", "orthogonal": {"height": 90}, "options": {"itemHeight": 150},
         "items": {"id": [f"{s}-{i}" for i in range(300)]}} if s % 2 else
        {"kind": "grid", "options": {"minimumColumnWidth": 130}, "items": {"id": [f"{s}-{i}" for i in range(12)]}}
        for s in range(40)]},
        [{"options": {"sectionSpacing": 25}}, {"options": {"headerHeight": 30}}, {"options": {"headerHeight": None}}]),
}

WALK = """async ([server, layout, changes, seed, steps, keep]) => {
  const roll = dice(seed), whole = (n) => Math.floor(roll() * n), pick = (all) => all[whole(all.length)]
  const send = globalThis.fetch, log = []
  let latency = 0, isFollowing = seed % 2 === 0
  const slow = async (url, options) => {
    if (latency && !url.includes('/events')) await new Promise((resolve) => setTimeout(resolve, latency))
    return send(url, options)
  }
  Object.assign(container.style, {width: '785px', height: '600px'})
  openLayout({server, layout, keep, follow: isFollowing, fetch: slow})
  const quiet = async () => {
    await settled()
    // A view that has caught up may hear of one more.
    for (let i = 0; i < 3; i++) { await frame(); await settled() }
  }
  await quiet()
  const nameOfNode = (node) => node.firstChild?.dataset?.name
  const isX = layout.options.scrollDirection === 'horizontal', isFlipped = layout.options.layoutDirection === 'rightToLeft'
  const main = (box, view) => isX ? isFlipped ? [view.right - box.right, box.width] : [box.left - view.left, box.width]
    : [box.top - view.top, box.height]
  /** The cells in the page, with where they stand along the scroll direction, and whether sideways in a section. */
  const cells = () => {
    const {left, top} = scroller().getBoundingClientRect()
    const view = {left, top, right: left + scroller().clientWidth, bottom: top + scroller().clientHeight}
    return [...document.querySelectorAll('[data-name^=cell]')].map((node) => {
      const [at, length] = main(node.parentElement.getBoundingClientRect(), view)
      return {name: node.dataset.name, key: node.dataset.name.split(' ')[3] || node.dataset.name, at, length,
        isAside: Boolean(node.closest('[role=list] [role=list]'))}
    })
  }
  const extent = () => isX ? scroller().clientWidth : scroller().clientHeight
  const inSight = () => cells().filter(({at, length}) => at + length > 0 && at < extent())
  const order = ({name}) => name.split(' ')[2].split(',').map(Number)
  const inOrder = (a, b) => order(a)[0] - order(b)[0] || order(a)[1] - order(b)[1]
  const edges = () => {
    const {content} = view.store.getSnapshot(), {visible} = view, i = isX ? 0 : 1
    const start = isX && isFlipped ? content[i] + content[i + 2] - visible[i] - visible[i + 2] : visible[i] - content[i]
    return [start, content[i + 2] - visible[i + 2] - start]
  }
  let read
  const look = () => {
    const seen = inSight().sort(inOrder), [start] = edges()
    read = seen.find(({at}) => at >= -0.5) ?? seen[0]
    // At half a pixel, the last bits decide who is seen from its start on.
    const kept = view.store.reading()
    if (read && read.at < 0) read = seen.find(({name}) => kept && name === nameOf({...kept, kind: ''})) ?? read
    if (start <= 1 && keep === 'start') read = null
  }
  const others = (updates) => send(`${server}/layouts/${view.store.getSnapshot().layout.id}/updates`, {method: 'POST',
    headers: {'Content-Type': 'application/json'}, body: JSON.stringify({updates})})
  const counts = layout.sections.map(({items}) => typeof items === 'number' ? items : items.id.length)
  const bodies = counts.map(() => 0)
  let news = 0
  const update = () => {
    const path = read && order(read), s = path && roll() < 0.7 ? path[0] : whole(counts.length)
    const near = path && path[0] === s && roll() < 0.6 ? Math.max(0, path[1] + whole(60) - 30) : whole(counts[s] / 2)
    const at = [s, Math.min(near, counts[s] / 2 | 0)], hasIDs = typeof layout.sections[0].items !== 'number'
    const isRead = path && path[0] === at[0]
    const items = (n) => Array.from({length: n}, () => hasIDs ? {id: `new${seed}-${news++}`, height: 20 + whole(60)} : {height: 20 + whole(60)})
    const n = roll() < 0.1 && counts[s] < 1e6 ? 500 : 1 + whole(4)
    const deed = whole(4)
    if (deed === 0) { counts[s] += n; return {insert: {at, items: items(n)}} }
    // What is read itself stays; that it goes is another test.
    if (deed === 1 && path && (at[0] !== path[0] || at[1] + 8 < path[1])) { counts[s] -= 3; return {delete: {at, count: 3}} }
    if (deed === 2) return {move: {from: at, to: [s, whole(counts[s] / 2)]}}
    return {set: {at, items: [{height: 20 + whole(60)}]}}
  }
  const change = async () => {
    const deed = whole(10)
    if (deed === 0) {
      // The edge of the window is dragged.
      const by = whole(41) - 20
      log.push(`drag ${by}`)
      for (let k = 0; k < 12; k++) {
        const width = Math.max(320, Math.min(1000, container.clientWidth + by))
        container.style.width = `${width}px`
        await frame()
      }
    } else if (deed === 1) {
      const size = [320 + whole(700), 420 + whole(380)]
      log.push(`size ${size}`)
      Object.assign(container.style, {width: `${size[0]}px`, height: `${size[1]}px`})
      if (roll() < 0.5) await frame()
    } else if (deed === 2 || deed === 3) {
      const body = pick(changes)
      log.push(`patch ${JSON.stringify(body)}`)
      const sent = view.store.patch(body)
      if (roll() < 0.6) await sent
    } else if (deed < 8) {
      const updates = [update()]
      log.push(`own ${JSON.stringify(updates).slice(0, 120)}`)
      const sent = view.store.update(updates)
      if (roll() < 0.5) await sent
    } else {
      const updates = [update()]
      log.push(`others ${JSON.stringify(updates).slice(0, 120)}`)
      await others(updates)
      if (!isFollowing || roll() < 0.3) view.store.refresh()
    }
  }
  const scroll = async () => {
    const [start, after] = edges(), deed = roll(), sign = isFlipped ? -1 : 1
    const by = deed < 0.1 ? -start : deed < 0.6 ? whole(1600) - 800 : 0
    log.push(`scroll ${by}`)
    if (by) scroller().scrollBy(isX ? sign * by : 0, isX ? 0 : by)
    else if (deed < 0.8) {
      // A cell of a section that scrolls sideways has another direction.
      const s = pick([...counts.keys()].filter((section) => !layout.sections[section].orthogonal))
      await view.scrollTo({item: [s, whole(counts[s] * 0.4)], align: pick(['start', 'center'])})
      const {element: {id, indexPath}} = {element: view.store.reading()}
      await quiet()
      read = cells().find(({name}) => name === nameOf({category: 'cell', indexPath, id}))
      if (edges()[0] <= 1 && keep === 'start') read = null
      return
    } else scroller()[isX ? 'scrollLeft' : 'scrollTop'] = sign * roll() * 0.5 * (isX ? scroller().scrollWidth : scroller().scrollHeight)
    await frame()
    await frame()
    await quiet()
    look()
  }
  /** What is read in the sections that scroll sideways, and where it stands in them. */
  const sides = () => [...document.querySelectorAll('[role=list] [role=list]')].map((list) => {
    const section = Number(list.getAttribute('aria-label').split(' ').at(-1)) - 1, reading = view.store.reading(section)
    return {list, section, reading}
  })
  const sideAt = (list, id) => {
    const node = [...list.querySelectorAll('[data-name]')].find((node) => node.dataset.name.endsWith(` ${id}`))
    return node?.parentElement.getBoundingClientRect().left - list.getBoundingClientRect().left
  }
  let readAside = []
  const lookAside = async () => {
    for (const {list} of sides()) if (roll() < 0.7) list.scrollLeft = whole(8000)
    await frame()
    await quiet()
    readAside = sides().filter(({reading}) => reading?.id).map(({list, section, reading: {id}}) =>
      ({list, section, id, at: sideAt(list, id)})).filter(({list, at}) => at !== undefined && list.scrollLeft > 300)
  }
  let lost = 0, checked = 0
  const faults = []
  await scroll()
  if (layout.kind === 'compositional') await lookAside()
  for (let step = 0; step < steps; step++) {
    // At the start, nothing is held.
    for (let k = 0; k < 3 && !read || k < 1 && roll() < 0.2; k++) {
      await scroll()
      if (layout.kind === 'compositional') await lookAside()
    }
    latency = pick([0, 0, 0, 60])
    const n = 1 + (roll() < 0.35) + (roll() < 0.2)
    const from = log.length
    for (let k = 0; k < n; k++) await change()
    // Where others change while nothing is under way, the page asks.
    if (!isFollowing) view.store.refresh()
    await quiet()
    for (const {list, section, id, at} of readAside) {
      const now = sideAt(list, id), last = list.scrollWidth - list.clientWidth
      if (!list.isConnected || Number(list.getAttribute('aria-label').split(' ').at(-1)) - 1 !== section ||
        list.scrollLeft <= 1 || list.scrollLeft >= last - 1) continue
      const {reading} = sides().find((one) => one.list === list)
      // If it is gone, another one is read now.
      if (now === undefined ? reading?.id !== id : Math.abs(now - at) <= 1) continue
      faults.push(`step ${step}: aside, ${id} was at ${at}, is at ${now}, ${reading?.id} is read: ${log.slice(from).join('; ')}`)
    }
    if (faults.length) break
    const known = new Set(view.store.getSnapshot().elements.map(nameOf))
    const ghost = inSight().find(({name}) => !known.has(name))
    if (ghost) {
      faults.push(`step ${step}: ${ghost.name} should not be there: ${log.slice(from).join('; ')}`)
      break
    }
    const [start, after] = edges()
    if (!read) {
      if (start > 1) faults.push(`step ${step}: not at the start: ${start}: ${log.slice(from)}`)
      continue
    }
    checked++
    const reading = view.store.reading(), isNamed = !read.name.endsWith(' ')
    // Which cell of a section that scrolls sideways is there is its own affair.
    const now = read.isAside ? cells().find(({name}) => order({name})[0] === order(read)[0]) : isNamed ? cells().find(({key}) => key === read.key)
      : cells().find(({name}) => name === nameOf({category: 'cell', indexPath: reading.indexPath}))
    // A cell that filled the window may be so small now that it ends above it. Its place is the same.
    const frame = !now && read.name === nameOf({...reading, category: 'cell'}) && reading.frame, {visible} = view, i = isX ? 0 : 1
    const at = now ? now.at : frame && (isX && isFlipped ? visible[0] + visible[2] - frame[0] - frame[2] : frame[i] - visible[i])
    if (at !== undefined && at !== false && Math.abs(at - read.at) <= 1) continue
    // At the ends the content may be too short for the place.
    if (start <= 1 || after <= 1 || !now && read.at > extent()) { lost++; continue }
    faults.push(`step ${step}: ${read.name} was at ${read.at}, is at ${now?.at}: ${log.slice(from).join('; ')} (${start}, ${after})`)
    break
  }
  return [faults, checked, lost]
}"""


class PlaceTests(Page):
    allowed = ("Failed to load resource",)

    def walk(self, name: str) -> None:
        layout, changes = LAYOUTS[name]
        for seed in SEEDS:
            keep = ("start", "always")[seed // 2 % 2]
            with self.subTest(name, seed=seed):
                self.page.set_default_timeout(600_000)
                faults, checked, _ = self.page.evaluate(
                    WALK, [self.server.url, layout, changes, seed, STEPS, keep])
                self.assertEqual(faults, [], f"{name}, seed {seed}: {len(faults)} of {checked}")
                self.assertGreaterEqual(checked, STEPS // 3)


def _add(name: str) -> None:
    def test(self: PlaceTests) -> None:
        self.walk(name)
    setattr(PlaceTests, f"test_{name.replace(' ', '_')}", test)


for _name in LAYOUTS:
    _add(_name)
del Page

if __name__ == "__main__":
    unittest.main()
