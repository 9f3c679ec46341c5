"""A view that filters, groups and sorts, in a page.

SEED  a seed alone
"""

import os
import random
import unittest

from harness import Program
from test_client import Page
from test_uses import SEEN

# Also the cells that are seen in part.
MET = SEEN.replace("at >= 0", "at + height > 0").replace("([, at])", "([, at, height])")
SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(12 if "TEST_ALL" in os.environ else 2)


def stars(photograph: str) -> int:
    """As the page gives them."""
    return (int(photograph[1:]) * 7919 + 13) % 10_007 % 6


class Arranging(Page):
    # The item that was read may be left out.
    allowed = ("Failed to load resource",)

    def setUp(self) -> None:
        super().setUp()
        self.own = Program()
        self.addCleanup(self.own.stop)
        self.page.evaluate("""async (server) => {
          window.use = await import('./pages/arranged.js')
          window.view = await use.open(mount, container, server)
        }""", self.own.url)
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_function("view.store.getSnapshot().status === 'ready' && view.store.isSettled()")
        self.page.evaluate("settled()")

    def seen(self, script: str = SEEN) -> dict[str, float]:
        self.settle()
        return {name: at for name, at, _ in self.page.evaluate(script)}

    def layout(self) -> str:
        return self.page.evaluate("view.store.getSnapshot().layout.id")

    def shown(self) -> list[str]:
        """The ids of the view, as the server has them."""
        answer = self.own.request("GET", f"/layouts/{self.layout()}/ids?limit=100000")
        return answer["ids"]

    def test_what_gets_four_stars_comes_in_while_what_is_read_stays(self) -> None:
        self.page.evaluate("view.scrollTo({ordinal: 700})")
        self.settle()
        reading = self.page.evaluate("view.store.reading().id")
        at, shown = self.seen()[reading], self.shown()
        self.assertNotIn("p1", shown)
        library = self.page.evaluate("view.library")
        # It comes into the month that is read, before what is read.
        month = self.page.evaluate("view.store.section(view.store.reading().indexPath[0]).id")
        self.own.request("POST", f"/layouts/{library}/updates", {"updates": [
            {"set": {"at": [0, 1], "items": [{"keys": {"stars": 5, "month": month, "taken": 1e9}}]}}]})
        self.page.wait_for_function("view.store.getSnapshot().version === 2")
        self.assertAlmostEqual(self.seen()[reading], at, delta=1)
        self.assertEqual(len(self.shown()), len(shown) + 1)
        self.assertIn("p1", self.shown())
        self.page.evaluate("view.scrollTo({id: 'p1'})")
        self.assertIn("p1", self.seen())

    def test_headers_have_the_names_of_the_groups(self) -> None:
        def header() -> str:
            self.settle()
            return self.page.evaluate("""() => {
              const {layout, elements, visible} = view.store.getSnapshot()
              const section = view.store.reading().indexPath[0]
              return [...document.querySelectorAll('[data-month]')].map((node) => node.textContent)
                .includes(view.store.section(section).id ?? 'no month')
            }""")
        self.assertTrue(header())
        self.page.evaluate("view.arrange({...use.best, groupBy: {key: 'stars'}})")
        self.assertTrue(header())
        self.assertEqual(self.page.evaluate("document.querySelector('[data-month]').textContent"), "4")
        self.page.evaluate("view.arrange({where: [{key: 'stars', in: [3]}], groupBy: {key: 'stars'}})")
        self.assertTrue(header())
        self.assertEqual(self.page.evaluate("document.querySelector('[data-month]').textContent"), "3")

    def test_after_any_arrangements_what_is_read_stays_if_it_is_shown(self) -> None:
        for seed in SEEDS:
            with self.subTest(f"SEED={seed}"):
                self.walk(random.Random(seed))

    def walk(self, chance: random.Random) -> None:
        names = ["stars", "month", "taken"]
        for step in range(8):
            self.page.evaluate("(ordinal) => view.scrollTo({ordinal})", chance.randrange(max(1, len(self.shown()) - 60)))
            self.settle()
            before, met = self.seen(), self.seen(MET)
            reading = self.page.evaluate("view.store.reading().id")
            # Some come in quick succession. What the first one leaves out is no more what is read.
            least = 0
            changes = chance.randint(1, 2)
            for _ in range(changes):
                order = lambda: {"key": chance.choice(names), "order": chance.choice(["ascending", "descending"])}
                arrange = {"where": [{"key": "stars", "from": chance.randint(0, 4)}], "sortBy": [order()]}
                if chance.random() < 0.5:
                    arrange["groupBy"] = order()
                least = max(least, arrange["where"][0]["from"])
                self.page.evaluate("(arrange) => { view.arrange(arrange) }", arrange)
            self.page.wait_for_function(
                "(arrange) => JSON.stringify(view.store.getSnapshot().layout.arrange?.where) === JSON.stringify(arrange.where)",
                arg=arrange)
            self.settle()
            now, shown = self.seen(), self.shown()
            self.assertTrue(set(now) <= set(shown), step)
            edge = self.page.evaluate("""() => {
              const {visible, content} = view.store.getSnapshot()
              return visible[1] <= content[1] + 1 || visible[1] + visible[3] >= content[1] + content[3] - 1
            }""")
            if stars(reading) >= least and not edge:
                self.assertIn(reading, shown)
                self.assertIn(reading, now, step)
                self.assertAlmostEqual(now[reading], before[reading], delta=1, msg=f"{step}")
            elif changes == 1 and not edge and any(stars(name) >= least for name in met):
                # The nearest one in sight that is still shown has taken over.
                now = self.seen(MET)
                stays = [name for name in now if abs(now[name] - met.get(name, -1e9)) <= 1]
                self.assertTrue(stays, step)



if __name__ == "__main__":
    unittest.main()
