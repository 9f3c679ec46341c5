"""The page scrolls a layout that is a part of it.

PAGE_SEEDS  how many random walks (2; 12 with TEST_ALL)
PAGE_SEED   the first seed (1)
"""

import os
import unittest

from harness import among
from test_client import Page

FIRST = int(os.environ.get("PAGE_SEED", "1"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("PAGE_SEEDS", among("2", "12"))))
IDS = {"id": [f"p{i}" for i in range(5000)]}
LIST = {"kind": "list", "options": {"itemHeight": 40}, "sections": [{"items": IDS}]}
SECTIONS = {"kind": "list", "options": {"itemHeight": 40, "headerHeight": 30, "pinHeaders": True},
            "sections": [{"id": f"s{s}", "items": 300} for s in range(20)]}

# A page with a bar that stays, a header that scrolls away, and a footer.
OPEN = """([server, options]) => {
  document.body.style.height = document.documentElement.style.height = 'auto'
  const part = (id, height) => Object.assign(document.createElement('div'), {id, style: `height: ${height}px`})
  if (!globalThis.intro) {
    container.before(part('bar', 50), part('intro', 300.5))
    container.after(part('outro', 200))
    bar.style.cssText += '; position: sticky; top: 0; z-index: 5; background: #ccc'
    container.style.cssText = 'height: auto; width: 700px; margin: 0 auto'
  }
  openLayout({server, scroller: 'page', scrollPadding: {top: 50}, ...options})
  globalThis.port = document.scrollingElement
  globalThis.topOf = (name) => document.querySelector(`[data-name="${name}"]`)?.parentElement.getBoundingClientRect().top
  return settled()
}"""

WALK = """async ([server, seed, steps]) => {
  const roll = dice(seed), whole = (n) => Math.floor(roll() * n), faults = []
  const quiet = async () => { for (let i = 0; i < 4; i++) { await settled(); await frame() } }
  const {id} = view.store.getSnapshot().layout
  let news = 0, checked = 0
  const items = (n) => Array.from({length: n}, () => ({id: `n${seed}-${news++}`}))
  const others = (updates) => fetch(`${server}/layouts/${id}/updates`, {method: 'POST',
    headers: {'Content-Type': 'application/json'}, body: JSON.stringify({updates})})
  const deeds = {
    inserted: () => view.store.update([{insert: {at: [0, whole(60)], items: items(1 + whole(9))}}]),
    'inserted by others': () => others([{insert: {at: [0, whole(60)], items: items(1 + whole(9))}}]),
    taller: () => view.store.patch({options: {itemHeight: 30 + whole(40)}}),
    intro: () => { intro.style.height = `${whole(500)}px` },
    outro: () => { outro.style.height = `${whole(500)}px` },
    narrower: () => { container.style.width = `${400 + whole(300)}px` },
  }
  const cells = () => [...document.querySelectorAll('[data-name^=cell]')].map((node) =>
    ({name: node.dataset.name.split(' ')[3], at: node.parentElement.getBoundingClientRect().top}))
  for (let step = 0; step < steps; step++) {
    // Somewhere in the content, or where the intro is still in sight.
    port.scrollTop = roll() < 0.2 ? intro.offsetHeight * roll() : 400 + intro.offsetHeight + whole(50_000)
    await frame()
    await quiet()
    const read = view.store.reading().id, before = topOf(nameOf({...view.store.reading(), kind: ''})), isAtStart = port.scrollTop < 2
    const done = Object.keys(deeds).filter(() => roll() < 0.35)
    for (const name of done) { const sent = deeds[name](); if (roll() < 0.5) await sent }
    view.store.refresh()
    await quiet()
    await quiet()
    const now = cells().find(({name}) => name === read)?.at
    if (isAtStart) continue
    checked++
    // The page may be too short for the place at its start.
    if (Math.abs(now - before) > 1 && port.scrollTop > 1) faults.push(`step ${step}, ${done}: ${read} was at ${before}, is at ${now}`)
    const [, y] = view.visible, cell = view.store.getSnapshot().elements.find((one) => one.id === read)
    if (cell && Math.abs(now - (cell.frame[1] - y)) > 1) faults.push(`step ${step}, ${done}: ${read} is at ${now}, not ${cell.frame[1] - y}`)
  }
  return [faults, checked]
}"""


class PageScrollingTests(Page):
    def open(self, **options) -> None:
        self.page.evaluate(OPEN, [self.server.url, options])

    def scroll(self, to: float) -> None:
        self.page.evaluate("async (to) => { port.scrollTop = to; await frame(); await frame(); await settled() }", to)

    def test_the_header_scrolls_away_and_the_footer_comes(self) -> None:
        self.open(layout=LIST)
        name = "cell  0,0 p0"
        self.assertAlmostEqual(self.page.evaluate("name => topOf(name)", name), 350.5, delta=0.5)
        self.assertAlmostEqual(self.page.evaluate("view.visible[1]"), -350.5, delta=0.5)
        self.scroll(1000.0)
        self.assertAlmostEqual(self.page.evaluate("topOf('cell  0,20 p20')"), 350.5 + 800 - 1000, delta=0.5)
        self.assertEqual(self.page.evaluate("[intro.getBoundingClientRect().bottom < 0, view.isAtEnd]"), [True, False])
        self.scroll(1e6)
        self.assertAlmostEqual(self.page.evaluate("topOf('cell  0,4999 p4999')"), 600 - 200 - 40, delta=1)
        self.assertEqual(self.page.evaluate("[Math.round(outro.getBoundingClientRect().bottom), view.isAtEnd]"), [600, True])
        self.assertLess(self.page.evaluate("document.querySelectorAll('[data-name]').length"), 60)

    def test_what_is_scrolled_to_stands_below_the_bar(self) -> None:
        self.open(layout=LIST)
        top = lambda item, align: self.page.evaluate(
            "async ([item, align]) => { await view.scrollTo({item: [0, item], align}); return topOf(`cell  0,${item} p${item}`) }",
            [item, align])
        self.assertAlmostEqual(top(3000, "start"), 50, delta=1)
        self.assertAlmostEqual(top(2000, "end"), 560, delta=1)
        self.assertAlmostEqual(top(1000, "center"), 50 + 550 / 2 - 20, delta=1)
        self.assertAlmostEqual(top(990, "nearest"), 50, delta=1)
        self.assertEqual(self.page.evaluate("async () => { await view.scrollTo('end'); return view.isAtEnd }"), True)

    def test_headers_stick_below_the_bar(self) -> None:
        self.open(layout=SECTIONS)
        self.scroll(5000)
        top = "document.querySelector('[data-name^=\"supplementary header 0\"]').getBoundingClientRect().top"
        self.assertAlmostEqual(self.page.evaluate(top), 50, delta=8)

    def test_ten_million_items(self) -> None:
        self.open(layout={**LIST, "sections": [{"items": 10_000_000}]})
        at = self.page.evaluate("async () => { await view.scrollTo({ordinal: 7_654_321}); return topOf('cell  0,7654321 ') }")
        self.assertAlmostEqual(at, 50, delta=1)
        self.page.evaluate("scrollBy(0, 300)")
        self.page.evaluate("async () => { await frame(); await frame(); await settled() }")
        self.assertAlmostEqual(self.page.evaluate("topOf('cell  0,7654325 ')"), 50 + 160 - 300, delta=1)
        self.scroll(1e9)
        self.assertAlmostEqual(self.page.evaluate("topOf('cell  0,9999999 ')"), 360, delta=1)
        self.assertAlmostEqual(self.page.evaluate("outro.getBoundingClientRect().bottom"), 600, delta=1)

    def test_who_comes_back_stands_where_she_was(self) -> None:
        self.open(layout=LIST)
        layout = self.page.evaluate("view.store.getSnapshot().layout.id")
        for to in [150, 40_000]:
            self.scroll(to)
            place, name = self.page.evaluate("[view.snapshot(), nameOf(view.store.reading())]")
            before = self.page.evaluate("name => topOf(name)", name)
            self.scroll(0)
            self.open(layout=layout, restore=place)
            self.page.wait_for_function("scrollY > 0")
            self.page.evaluate("settled()")
            self.assertAlmostEqual(self.page.evaluate("name => topOf(name)", name), before, delta=1)

    def test_bars_stand_in_the_window(self) -> None:
        self.open(layout=SECTIONS, scrubber=True, find=True)
        self.scroll(20_000)
        self.page.keyboard.press("Control+f")
        inside = """[...document.querySelectorAll('[role=slider], [role=search]')].map((node) => {
          const {top, bottom} = node.getBoundingClientRect()
          return top >= 50 && bottom <= 600 && bottom > top
        })"""
        self.assertEqual(self.page.evaluate(inside), [True, True])

    def test_nothing_is_left(self) -> None:
        self.open(layout=LIST)
        self.scroll(3000)
        self.page.evaluate("view.destroy()")
        self.assertEqual(self.page.evaluate("container.childNodes.length"), 0)
        self.page.evaluate("document.dispatchEvent(new Event('scroll')); dispatchEvent(new Event('resize'))")

    def test_what_is_read_stays(self) -> None:
        for seed in SEEDS:
            with self.subTest(seed=seed):
                self.open(layout=LIST, keep="always", follow=seed % 2 == 0)
                faults, checked = self.page.evaluate(WALK, [self.server.url, seed, among(12, 40)])
                self.assertEqual(faults, [])
                self.assertGreater(checked, 5)


del Page

if __name__ == "__main__":
    unittest.main()
