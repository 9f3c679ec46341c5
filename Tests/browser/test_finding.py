"""Ctrl+F over what is not loaded.

OTHERS_SEEDS  how many random walks of each kind (1; 20 with TEST_ALL)
OTHERS_SEED   the first seed (1; another one each time with TEST_ALL)
"""

import os
import unittest

from harness import Program, among, any_seed
from test_client import Page

OPEN = "Control+f"


class Finding(Page):
    def setUp(self) -> None:
        super().setUp()
        self.own = Program()
        self.addCleanup(self.own.stop)
        self.page.evaluate("""async (server) => {
          window.use = await import('./pages/finding.js')
          window.view = await use.open(mount, container, server)
        }""", self.own.url)
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_function("view.store.getSnapshot().status === 'ready' && view.store.isSettled()")
        self.page.evaluate("settled()")

    def said(self) -> str:
        return self.page.evaluate("document.querySelector('[role=search] [aria-live]').textContent")

    def wait_for(self, said: str) -> None:
        self.page.wait_for_function(
            "(said) => document.querySelector('[role=search] [aria-live]').textContent === said", arg=said)
        self.settle()

    def marked(self) -> list[list[str]]:
        """What is marked, and what is marked as the current match."""
        return self.page.evaluate("""() => ['layoutd-match', 'layoutd-current-match'].map((name) =>
          [...CSS.highlights.get(name) ?? []].map((range) => range.toString().toLowerCase()))""")

    def count(self, word: str) -> int:
        return self.page.evaluate(
            "(word) => Array.from({length: 2000}, (_, i) => use.bodyOf(i).split(word).length - 1).reduce((a, b) => a + b)", word)

    def test_ctrl_f_leads_from_match_to_match_while_somebody_inserts(self) -> None:
        count = self.count("harbour")
        self.page.focus("[role=list]")
        self.page.keyboard.press(OPEN)
        self.assertTrue(self.page.is_visible("[role=search] input"))
        self.page.keyboard.type("Harbour", delay=10)
        self.wait_for(f"1 of {count:,}")
        self.page.wait_for_function("() => CSS.highlights.get('layoutd-current-match')?.size > 0")
        _, current = self.marked()
        self.assertIn("harbour", current)
        self.assertTrue(all(word == "harbour" for words in self.marked() for word in words))
        for number in (2, 3):
            self.page.keyboard.press("Enter")
            self.wait_for(f"{number} of {count:,}")
        self.page.keyboard.press("Shift+Enter")
        self.wait_for(f"2 of {count:,}")
        for number in (1, count):
            self.page.keyboard.press("Shift+Enter")
            self.wait_for(f"{number:,} of {count:,}")
        # The last one is far away, and comes into sight.
        self.page.wait_for_function(
            "() => view.visible[1] > 50_000 && CSS.highlights.get('layoutd-current-match')?.size > 0")
        self.assertIn("harbour", self.marked()[1])
        ticks = self.page.evaluate("[...container.querySelectorAll('[aria-hidden=true] > div')].filter(({style}) => style.top).length")
        self.assertGreater(ticks, 50)
        layout = self.page.evaluate("view.store.getSnapshot().layout.id")
        self.own.request("POST", f"/layouts/{layout}/updates", {"updates": [
            {"insert": {"at": [0, 0], "items": [{"id": "new", "text": {"body": "a harbour, the harbour"}, "data": "a harbour, the harbour"}]}}]})
        self.wait_for(f"{count + 2:,} of {count + 2:,}")
        self.page.keyboard.press("Escape")
        self.assertFalse(self.page.is_visible("[role=search] input"))
        self.assertEqual(self.page.evaluate("document.activeElement.getAttribute('role')"), "list")
        self.assertEqual(self.marked(), [[], []])

    def test_what_is_nowhere_is_told_and_a_second_press_is_the_browsers(self) -> None:
        self.page.keyboard.press(OPEN)
        self.page.keyboard.type("nowhere")
        self.wait_for("Nothing found")
        prevented = self.page.evaluate("""() => {
          const event = new KeyboardEvent('keydown', {key: 'f', ctrlKey: true, bubbles: true, cancelable: true})
          document.activeElement.dispatchEvent(event)
          return event.defaultPrevented
        }""")
        self.assertFalse(prevented)

    def test_it_finds_as_many_as_the_browser_if_all_is_rendered(self) -> None:
        for word in ("harbour", "ea", "net rope"):
            found = self.page.evaluate("""async (word) => {
              const found = view.find(word)
              await new Promise((resolve) => { found.onChange = resolve })
              found.close()
              const all = document.createElement('div')
              all.append(...Array.from({length: 2000}, (_, i) => Object.assign(document.createElement('p'), {textContent: use.bodyOf(i)})))
              container.hidden = true
              document.body.append(all)
              getSelection().removeAllRanges()
              let seen = 0
              while (window.find(word, false, false, false)) seen++
              all.remove()
              container.hidden = false
              return [found.count, seen]
            }""", word)
            self.assertEqual(found[0], found[1], word)

    def test_a_word_that_is_typed_is_one_request(self) -> None:
        asked, failed = [], []
        self.page.on("request", lambda request: "/find?" in request.url and asked.append(request))
        self.page.on("requestfailed", lambda request: "/find?" in request.url and failed.append(request))
        self.page.clock.install(time=0)
        self.page.clock.pause_at(1000)
        self.page.keyboard.press(OPEN)
        self.page.keyboard.type("harbour")
        self.page.clock.run_for(119)
        self.assertEqual(asked, [])
        self.page.clock.run_for(1)
        self.page.wait_for_function("document.querySelector('[role=search] [aria-live]').textContent")
        self.assertEqual([request.url.split("text=")[1].split("&")[0] for request in asked], ["harbour"])
        # Enter waits for nothing, and what was asked before does not matter any more.
        self.page.keyboard.type("s")
        self.page.clock.run_for(119)
        self.page.keyboard.type("x")
        self.page.keyboard.press("Enter")
        self.page.keyboard.type("y")
        self.page.wait_for_function("true")
        self.page.clock.run_for(200)
        self.page.wait_for_function("document.querySelector('[role=search] [aria-live]').textContent === 'Nothing found'")
        self.assertEqual([request.url.split("text=")[1].split("&")[0] for request in asked], ["harbour", "harboursx", "harboursxy"])
        self.assertEqual(failed, asked[1:2])

    def test_what_an_input_method_composes_is_its_own(self) -> None:
        self.page.keyboard.press(OPEN)
        self.page.keyboard.type("harbour")
        self.page.wait_for_function("document.querySelector('[role=search] [aria-live]').textContent.startsWith('1 of')")
        prevented = self.page.evaluate("""() => ['Enter', 'Escape'].map((key) => {
          const event = new KeyboardEvent('keydown', {key, isComposing: true, bubbles: true, cancelable: true})
          document.querySelector('[role=search] input').dispatchEvent(event)
          return event.defaultPrevented
        })""")
        self.assertEqual(prevented, [False, False])
        self.assertTrue(self.page.is_visible("[role=search] input"))
        self.page.keyboard.press("Enter")
        self.page.wait_for_function("document.querySelector('[role=search] [aria-live]').textContent.startsWith('2 of')")

    def test_signs_are_themselves(self) -> None:
        for word in ("h.rbour", "(", "harbour|sea", "\\w"):
            found = self.page.evaluate("""async (word) => {
              const found = view.find(word)
              await new Promise((resolve) => { found.onChange = resolve })
              await found.next()
              return found.count
            }""", word)
            self.assertEqual((found, self.marked()), (0, [[], []]), word)

    def test_what_scrolls_into_sight_is_marked(self) -> None:
        self.page.keyboard.press(OPEN)
        self.page.keyboard.type("harbour")
        self.page.wait_for_function("document.querySelector('[role=search] [aria-live]').textContent.startsWith('1 of')")
        for _ in range(12):
            self.page.evaluate("(async () => { scroller().scrollBy(0, 170); for (let i = 0; i < 3; i++) await frame() })()")
            self.settle()
            rendered = self.page.evaluate("[...document.querySelectorAll('[data-id]')].map(({textContent}) => textContent).join(' ')")
            words = [word for words in self.marked() for word in words]
            self.assertEqual(words, ["harbour"] * rendered.count("harbour"))

    def test_two_views_have_a_bar_and_marks_of_their_own(self) -> None:
        self.page.evaluate("""async (server) => {
          container.style.height = '50%'
          document.body.append(Object.assign(document.createElement('section'), {id: 'second', style: 'height: 50%'}))
          window.second = await use.open(mount, document.getElementById('second'), server)
        }""", self.own.url)
        self.page.wait_for_function("second.store.isSettled() && document.querySelectorAll('#second [data-id]').length")
        open_bar = lambda: self.page.evaluate(
            "['container', 'second'].map((id) => !document.querySelector(`#${id} [role=search]`).hidden)")
        self.page.focus("#second [role=list]")
        self.page.keyboard.press(OPEN)
        self.assertEqual(open_bar(), [False, True])
        self.page.keyboard.press("Escape")
        self.page.focus("#container [role=list]")
        self.page.keyboard.press(OPEN)
        self.assertEqual(open_bar(), [True, False])
        self.page.keyboard.press("Escape")
        # One that is not seen is opened by nobody.
        self.page.evaluate("() => { document.activeElement.blur(); container.style.display = 'none' }")
        self.page.keyboard.press(OPEN)
        self.assertEqual(open_bar(), [False, True])
        self.page.keyboard.press("Escape")
        self.page.evaluate("() => { container.style.display = '' }")
        self.settle()
        marked = """(() => Object.fromEntries(['container', 'second'].map((id) => [id, [...CSS.highlights.get('layoutd-match'), ...CSS.highlights.get('layoutd-current-match')]
          .filter((range) => document.getElementById(id).contains(range.startContainer)).map(String)])))()"""
        self.page.evaluate("""async () => {
          window.finds = [view.find('harbour'), second.find('ferry')]
          await Promise.all(finds.map((found) => new Promise((resolve) => { found.onChange = resolve })))
          await Promise.all(finds.map((found) => found.next()))
        }""")
        both = self.page.evaluate(marked)
        self.assertEqual([set(words) for words in both.values()], [{"harbour"}, {"ferry"}])
        self.page.evaluate("finds[0].close()")
        self.assertEqual(self.page.evaluate(marked), {**both, "container": []})
        self.page.evaluate("second.destroy()")
        self.assertEqual(self.page.evaluate(marked), {"container": [], "second": []})


SEEDS = [int(os.environ.get("OTHERS_SEED", any_seed())) + i for i in range(int(os.environ.get("OTHERS_SEEDS", among("1", "20"))))]
# Somebody else changes the layout while matches are walked through.
WALK = """async ([server, seed, steps, options]) => {
  const {Others, render} = await import('./pages/others.js'), roll = dice(seed)
  const others = new Others(server, roll, options), {follow = true, perSecond} = options
  const layout = await others.prepare('list', options.sections > 1 ? {headerHeight: 25, pinHeaders: true} : {})
  openLayout({server, layout, data: true, follow, render, animate: false})
  await settled()
  await view.scrollTo({ordinal: others.whole(200)})
  const found = view.find('harbour'), log = others.log
  await new Promise((resolve) => { found.onChange = resolve })
  /** Which one of the model's matches is current. */
  const current = () => {
    const {match} = found, items = others.shown, at = others.sections.slice(0, others.layout === others.source ? match.indexPath[0] : 0).flat().length + match.indexPath[1]
    return {uid: items[at]?.uid, k: (items[at]?.text.slice(0, match.range[0]).split('harbour').length ?? 0) - 1}
  }
  const rank = ({uid, k}) => others.matches('harbour').findIndex((one) => one.uid === uid && one.k === k)
  const until = async (isTrue, what) => {
    for (const end = performance.now() + 10_000; !isTrue(); await frame())
      if (performance.now() > end) throw new Error(`seed ${seed}: ${what()}: ${log.slice(-8).join('; ')}`)
  }
  const count = () => others.matches('harbour').length
  const tell = (should) => () => `${found.number} of ${found.count}, should be ${should} of ${count()}`
  for (let step = 0; step < steps; step++) {
    let held = current()
    if (perSecond) {
      const going = others.begin(perSecond)
      const way = others.whole(3) - 1
      if (way) await (way > 0 ? found.next() : found.previous())
      for (let k = others.whole(40); k > 0; k--) await frame()
      await going.stop()
      // Where others change meanwhile, which one was the next is known to nobody else.
      await until(() => found.version === others.version && found.count === count(), tell('?'))
      held = current()
    } else await others.change(options.deletesCurrent && roll() < 0.3 ? 'delete' : undefined)
    const at = rank(held)
    if (follow && at >= 0) await until(() => found.number === at + 1 && found.count === count(), tell(at + 1))
    const way = roll() < 0.6 ? 1 : -1
    await (way > 0 ? found.next() : found.previous())
    if (at >= 0) {
      const should = (at + way + count()) % count() + 1
      await until(() => found.number === should && rank(current()) + 1 === should && found.count === count(), tell(should))
      // Who does not follow may land in what was shown before. A change that comes with the scroll
      // may leave a part of the match beyond the edge.
      if (follow) await until(() => view.store.getSnapshot().version >= found.version, () => `version ${found.version}`)
      await settled()
      const {frame: [, y, , height]} = found.match, [, top, , length] = view.visible
      if (follow && (y + height < top || y > top + length)) throw new Error(`seed ${seed}: ${y} is not in sight, ${view.visible}: ${log.slice(-8)}`)
    }
  }
  found.close()
  return log.length
}"""


class FindingWhileOthersChange(Page):
    """What is found stays found."""

    # What is read may be deleted.
    allowed = ("Failed to load resource: the server responded with a status of 404",)

    def walk(self, steps: int, **options) -> None:
        for seed in SEEDS:
            with self.subTest(seed=seed, **options):
                self.assertGreater(self.page.evaluate(WALK, [self.server.url, seed, steps, options]), 0)

    def test_the_match_stays_after_each_change(self) -> None:
        for ids in ("own", "like index paths", "of several", "none"):
            self.walk(among(6, 25), ids=ids)
        self.walk(among(6, 25), sections=6, deeds=["insert", "delete", "move", "set", "sections"])
        self.walk(among(6, 25), deeds=["insert", "delete", "set", "arrange"])

    def test_it_stays_for_who_does_not_follow(self) -> None:
        for ids in ("own", "like index paths", "of several", "none"):
            self.walk(among(5, 20), ids=ids, follow=False)

    def test_it_stays_while_changes_come_in_quick_succession(self) -> None:
        for per_second in (1, 20):
            self.walk(among(3, 10), perSecond=per_second, ids="own")
        self.walk(among(3, 10), perSecond=10, ids="none")
        self.walk(among(3, 10), perSecond=10, sections=6, deeds=["insert", "delete", "move", "set", "sections"])

    def open_harbours(self, count=1000, options=None, **more) -> str:
        layout = self.server.prepare("list", {"bounds": {"width": 785}, "options": {"itemHeight": 30, **(options or {})}, "sections": [
            {"items": [{"id": f"p{i}", "text": {"body": f"harbour {i}"}} for i in range(count)]}]})
        self.open(layout, **more)
        return layout

    def find_from(self, item: int) -> int:
        return self.page.evaluate("""async (item) => {
          await view.scrollTo({item: [0, item]})
          window.found = view.find('harbour')
          await new Promise((resolve) => { found.onChange = resolve })
          return found.number
        }""", item)

    def go(self, way="next") -> int:
        return self.page.evaluate(f"found.{way}().then(() => found.number)")

    def test_next_goes_one_on_after_others_have_appended(self) -> None:
        for follow in (False, True):
            with self.subTest(follow=follow):
                layout = self.open_harbours(follow=follow)
                self.assertEqual(self.find_from(501), 502)
                self.assertEqual([self.go(), self.go()], [503, 504])
                self.server.request("POST", f"/layouts/{layout}/updates", {"updates": [
                    {"insert": {"at": [0, "end"], "items": [{"id": "new", "text": {"body": "a harbour"}}]}}]})
                if follow:
                    self.page.wait_for_function("found.count === 1001")
                self.assertEqual([self.go(), self.go(), self.go("previous")], [505, 506, 505])
                # Who presses three times goes three matches on.
                self.assertEqual(self.page.evaluate("Promise.all([found.next(), found.next(), found.next()]).then(() => found.number)"), 508)

    def test_the_nearest_match_behind_takes_over(self) -> None:
        for follow in (False, True):
            with self.subTest(follow=follow):
                layout = self.open_harbours(100, follow=follow)
                self.assertEqual(self.find_from(50), 51)
                self.server.request("POST", f"/layouts/{layout}/updates", {"updates": [{"delete": {"at": [0, 50]}}]})
                if not follow:
                    self.assertEqual(self.go(), 51)
                else:
                    self.page.wait_for_function("found.count === 99")
                self.assertEqual(self.page.evaluate("[found.number, found.match.id]"), [51, "p51"])
                # The last one has nobody behind it.
                self.page.evaluate("async () => { await view.scrollTo('end'); found.close() }")
                self.find_from(98)
                self.assertEqual(self.page.evaluate("found.match.id"), "p99")
                if follow:
                    self.server.request("POST", f"/layouts/{layout}/updates", {"updates": [{"delete": {"at": [0, 98]}}]})
                    self.page.wait_for_function("found.count === 98")
                    self.assertEqual(self.page.evaluate("[found.number, found.match.id]"), [98, "p98"])

    def test_a_match_that_others_delete_before_it_is_reached_passes_on(self) -> None:
        for follow in (False, True):
            with self.subTest(follow=follow):
                layout = self.open_harbours(100, follow=follow)
                self.assertEqual(self.find_from(98), 99)
                changes = [{"delete": {"at": [0, 40], "count": 60}}]

                def between(route) -> None:
                    """Just before the place of the match is asked for."""
                    if changes:
                        self.server.request("POST", f"/layouts/{layout}/updates", {"updates": [changes.pop()]})
                    route.continue_()

                self.page.route("**/items/0/99", between)
                self.assertEqual(self.go(), 40)
                self.assertEqual((changes, self.page.evaluate("found.match.id")), ([], "p39"))
                self.page.wait_for_function("(() => { const {match: {frame: [, y]}} = found, [, top, , height] = view.visible; return y >= top && y < top + height })()")
                self.page.unroute("**/items/0/99")

    def test_a_match_is_in_sight_however_late_its_rows_come(self) -> None:
        names = ["root"] + [f"folder {i}" for i in range(40)] + [f"file {i}" for i in range(2000)]
        self.open({"kind": "outline", "folded": {"from": 1}, "options": {"pinAncestors": 2}, "nodes": {
            "id": names, "parentId": [None] + ["root"] * 40 + [f"folder {i // 50}" for i in range(2000)],
            "text": {"name": names}}}, text=True, folding=True)
        held, late = [], False
        self.page.route("**/elements?*", lambda route: held.append(route) if late else route.continue_())
        for number in (1012, 1920):
            self.page.evaluate("view.scrollTo('end')")
            late = True
            self.page.clock.install(time=0)
            self.page.clock.pause_at(1000)
            with self.page.expect_response("**/items/**"):
                self.page.evaluate("(text) => { window.found = view.find(text) }", f"file {number}")
            self.page.wait_for_function("true")
            # Longer than anybody waits for a layout that others change all the time.
            self.page.clock.run_for(5000)
            late = False
            while held:
                held.pop(0).continue_()
            self.page.clock.resume()
            # Two rows are pinned above the match.
            self.page.wait_for_function("""(name) => {
              const {top, bottom} = document.querySelector(`[data-name$=' ${name}']`)?.getBoundingClientRect() ?? {}
              return view.store.isSettled() && top >= 56 && bottom <= 600
            }""", arg=f"file {number}")
            self.page.evaluate("found.close()")

    def test_a_pinned_header_hides_no_match_and_nothing_that_is_scrolled_to(self) -> None:
        for far in (900, 20):
            self.open_harbours(1000, {"headerHeight": 40, "pinHeaders": True, "footerHeight": 20, "pinFooters": True})
            self.find_from(far)
            place = lambda: self.place_of(f"p{far}")[1]
            self.go("previous")
            self.go()
            self.assertGreaterEqual(place(), 40)
            self.page.evaluate("found.close()")
            for align, should in (("start", 40), ("end", 600 - 20 - 30), ("center", (600 + 40 - 20 - 30) / 2)):
                self.page.evaluate("view.scrollTo({item: [0, 500]})")
                self.page.evaluate("(target) => view.scrollTo(target)", {"item": [0, far], "align": align})
                self.assertAlmostEqual(place(), should, delta=1, msg=f"{far} {align}")
            for start, should in (("999", 40), ("0", 600 - 20 - 30)):
                self.page.evaluate("(item) => view.scrollTo({item: [0, item]})", int(start))
                self.page.evaluate("(target) => view.scrollTo(target)", {"item": [0, far], "align": "nearest"})
                self.assertAlmostEqual(place(), should, delta=1, msg=f"{far} nearest from {start}")


if __name__ == "__main__":
    unittest.main()
