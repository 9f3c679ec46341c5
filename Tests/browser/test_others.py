"""Somebody else changes the layout all the time: what the page asks for, and whether it gets where it goes.

OTHERS_SEEDS  how many random walks of each kind (1; 20 with TEST_ALL)
OTHERS_SEED   the first seed (1; another one each time with TEST_ALL)
"""

import collections
import os
import unittest

from harness import among, any_seed
from test_client import Page

SEEDS = [int(os.environ.get("OTHERS_SEED", any_seed())) + i for i in range(int(os.environ.get("OTHERS_SEEDS", among("1", "20"))))]
# Opens a page that follows, and somebody who changes what it shows.
OPEN = """async ([server, seed, options, mounted]) => {
  const {Others, render} = await import('./pages/others.js')
  window.others = new Others(server, dice(seed), options)
  const layout = await others.prepare('list', options.sections > 1 ? {headerHeight: 25, pinHeaders: true} : {})
  openLayout({server, layout, data: true, follow: true, render, animate: false, ...mounted})
  await settled()
  window.caughtUp = async () => {
    while (view.store.getSnapshot().version < others.version) await frame()
    await settled()
  }
}"""
GOING = """async ([server, seed, steps, perSecond]) => {
  const {roll, log} = others, going = others.begin(perSecond), whole = (n) => Math.floor(Math.random() * n)
  const late = new Promise((_, reject) => setTimeout(reject, 1000 * (steps + 10), new Error(`seed ${seed}: ${steps} scrolls take too long: ${log.slice(-5)}`)))
  let arrived = 0
  for (let step = 0; step < steps; step++) {
    const {length} = others.shown, item = others.shown[others.whole(length)]
    const target = roll() < 0.3 ? 'end' : {...item.id && roll() < 0.7 ? {id: item.id} : {ordinal: others.whole(length - 20)}, align: others.pick(['start', 'center', 'end', 'nearest'])}
    // It may be deleted before it is found.
    const landed = await Promise.race([view.scrollTo(target).catch((reason) => { if (reason.status !== 404) throw reason }), late])
    if (!landed) continue
    const isThere = () => others.shown.some(({id}) => id === target.id), boxOf = () =>
      shown()[Object.keys(shown()).find((name) => name.startsWith('cell') && name.endsWith(` ${target.id}`))]
    const isSeen = (box) => box && box[1] + box[3] > 0 && box[1] < view.visible[3]
    if (landed.isInterrupted) throw new Error(`seed ${seed}: interrupted`)
    if (target.id && isThere()) {
      // Others may move it just when it is reached.
      if (!isSeen(boxOf())) await view.scrollTo(target).catch(() => {})
      if (isThere() && !isSeen(boxOf())) throw new Error(`seed ${seed}: ${JSON.stringify(target)} is at ${boxOf()}: ${log.slice(-5)}`)
      arrived++
    }
  }
  await going.stop()
  await caughtUp()
  return arrived
}"""


class OthersTests(Page):
    def setUp(self) -> None:
        super().setUp()
        self.asked: collections.Counter = collections.Counter()
        self.refused: list[tuple] = []
        self.page.on("request", self.heard)
        self.page.on("response", lambda answer: answer.status >= 400 and self.refused.append((answer.status, answer.request.method, answer.url)))

    def heard(self, request) -> None:
        """What others send is their own."""
        path = request.url.split("?")[0].split("/")
        if not {"events", "updates", "views", "prepare"} & set(path) and "layouts" in path and request.method != "PATCH":
            self.asked[path[5] if len(path) > 5 else "summary"] += 1

    def start(self, seed: int, options: dict, **mounted) -> None:
        self.page.evaluate(OPEN, [self.server.url, seed, options, mounted])
        self.page.evaluate("caughtUp()")
        self.asked.clear()
        self.refused.clear()

    def change(self, update: dict) -> None:
        """One change, and the page has it."""
        self.page.evaluate("""async (update) => {
          others.version = (await others.send('POST', `/layouts/${others.source}/updates`, {updates: [update]})).version
          await caughtUp()
        }""", update)

    def test_one_change_is_one_request(self) -> None:
        self.start(1, {"count": 300})
        for i in range(10):
            self.change({"insert": {"at": [0, 3], "items": [{"id": f"new{i}", "data": {"text": "new"}}]}})
            self.change({"set": {"at": [0, 4], "items": [{"data": {"text": f"told {i}"}}]}})
        self.assertEqual(dict(self.asked), {"elements": 20})
        # What is far below concerns nobody here.
        self.asked.clear()
        for i in range(10):
            self.change({"insert": {"at": [0, "end"], "items": [{"height": 30}]}})
        self.assertEqual(dict(self.asked), {})

    def test_one_change_of_sections_is_two_requests(self) -> None:
        self.start(1, {"count": 300, "sections": 10})
        self.page.evaluate("view.scrollTo({section: 4})")
        self.page.evaluate("settled()")
        self.page.wait_for_function("document.querySelector('[aria-posinset]')")
        self.asked.clear()
        for i in range(10):
            self.change({"insert": {"at": [4, 2], "items": [{"id": f"new{i}", "data": {"text": "new"}}]}})
        # How many items come before is asked when nothing has changed for a second.
        del self.asked["items"]
        self.assertEqual(dict(self.asked), {"elements": 10, "sections": 10})
        # Others have moved nothing.
        self.asked.clear()
        for i in range(10):
            self.change({"set": {"at": [4, 3], "items": [{"data": {"text": f"told {i}"}}]}})
        del self.asked["items"]
        self.assertEqual(dict(self.asked), {"elements": 10})

    def test_changes_in_quick_succession_are_few_requests(self) -> None:
        for seed in SEEDS:
            for sections in (1, 6):
                for per_second in (1, 20):
                    with self.subTest(seed=seed, sections=sections, per_second=per_second):
                        self.start(seed, {"sections": sections, "deeds": ["insert", "delete", "move", "set", "sections"][:None if sections > 1 else 4]})
                        changes = self.page.evaluate("""async ([perSecond, milliseconds]) => {
                          const begun = performance.now(), before = others.changes, going = others.begin(perSecond)
                          while (performance.now() < begun + milliseconds) await frame()
                          await going.stop()
                          await caughtUp()
                          return others.changes - before
                        }""", [per_second, among(2000, 4000)])
                        self.assertLessEqual(sum(self.asked.values()), 2 * changes, self.asked)
                        self.assertEqual(self.refused, [])
                        self.assert_complete()

    def test_the_first_change_comes_at_once_and_those_behind_it_together(self) -> None:
        self.page.clock.install(time=0)
        self.start(1, {"count": 300}, follow={"every": 400})
        self.page.clock.pause_at(10_000)
        update = lambda i: self.page.evaluate("""(i) => others.send('POST', `/layouts/${others.source}/updates`,
          {updates: [{insert: {at: [0, 3], items: [{id: `new${i}`}]}}]}).then(({version}) => version)""", i)
        version = update(0)
        shown = lambda: self.page.evaluate("view.store.getSnapshot().version")
        while shown() < version:
            self.page.clock.run_for(1)
        for i in range(1, 5):
            version = update(i)
        self.page.clock.run_for(300)
        self.assertEqual((shown(), self.asked["elements"]), (2, 1))
        while shown() < version:
            self.page.clock.run_for(10)
        self.assertEqual(self.asked["elements"], 2)

    def test_scrolls_end_while_others_go_on(self) -> None:
        # What is scrolled to, or read, may be deleted; of cells that are measured, too.
        self.allowed = ("Failed to load resource", "layoutd: measured")
        for seed in SEEDS:
            for per_second, options, mounted in ((20, {}, {}), (20, {}, {"measure": True}), (10, {"sections": 6}, {"measure": True}), (20, {"ids": "none"}, {"measure": True}),
                                                 (20, {}, {"follow": {"every": 0}, "measure": True, "keep": "end"})):
                with self.subTest(seed=seed, per_second=per_second, **options, **mounted):
                    self.start(seed, {"deeds": ["insert", "append", "move", "set", "delete"], **options}, **mounted)
                    arrived = self.page.evaluate(GOING, [self.server.url, seed, among(4, 10), per_second])
                    self.assertGreaterEqual(arrived, 0)
                    self.assert_complete()


del Page

if __name__ == "__main__":
    unittest.main()
