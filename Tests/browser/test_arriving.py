"""Where the reader has come to: callbacks, chats, another layout in the same view, and a return."""

import os
import random
import unittest

from harness import among, any_seed
from test_client import Page
from test_uses import SEEN

LIST = {"kind": "list", "options": {"itemHeight": 50}, "sections": [{"items": [{"id": f"p{i}"} for i in range(2000)]}]}
# A message is as high as its text.
MESSAGE = """() => {
window.texts = new Map()
window.message = (element, node = document.createElement('p')) => {
  node.dataset.id = element.id
  node.style.cssText = 'margin: 0; font: 14px/20px monospace; white-space: pre'
  node.textContent = texts.get(element.id) ?? `${element.id}${'\\n.'.repeat(element.indexPath[1] % 3)}`
  return node
}}"""


class ArrivingTests(Page):
    def seen(self) -> dict:
        return {name: at for name, at, _ in self.page.evaluate(SEEN)}

    def settle(self) -> None:
        self.page.evaluate("settled()")

    def test_callbacks_say_what_is_in_sight(self) -> None:
        told = self.page.evaluate("""async ([server, layout]) => {
          const told = []
          openLayout({server, layout, overscan: 1,
            onRange: ({first, last}) => told.push(`${first.id}-${last.id}`), onStart: () => told.push('start'),
            onEnd: () => told.push('end'), onStatus: (status) => told.push(status)})
          await settled()
          told.push('|')
          await view.scrollTo({id: 'p1000'})
          told.push('|')
          await view.scrollTo('end')
          await settled()
          // The same end is told once, and that of a longer content again.
          await view.store.update([{insert: {at: [0, 'end'], items: 3}}])
          await settled()
          return told.join(' ')
        }""", [self.server.url, LIST])
        self.assertRegex(told, r"^opening ready p0-p11 start \| (p\d+-p\d+ )*p1000-p1011 \| (p\d+-p\d+ )*p1988-p1999 (end )(\S+ )?end$")

    def test_a_key_that_interrupts_a_scroll_leads_to_an_end_that_is_told(self) -> None:
        self.page.evaluate("""async ([server, layout]) => {
          window.told = []
          openLayout({server, layout, onEnd: () => told.push('end')})
          await settled()
          document.querySelector('[role=listitem][tabindex="0"]').focus()
          view.scrollTo({id: 'p1000'})
        }""", [self.server.url, LIST])
        self.page.keyboard.press("End")
        self.page.wait_for_function("told.length === 1")
        self.assertTrue(self.page.evaluate("view.isAtEnd"))

    def test_another_layout_is_shown_in_the_same_view(self) -> None:
        self.page.evaluate("""async ([server, layout]) => {
          openLayout({server, layout})
          await settled()
          await view.scrollTo({id: 'p700'})
        }""", [self.server.url, LIST])
        source = self.layout()["id"]
        node = self.page.evaluate("(document.querySelector('[data-name$=\" p700\"]').mark = 'mine')")
        self.assertEqual(node, "mine")
        moves = self.page.evaluate("""async (source) => {
          const moves = []
          const end = view.store.subscribe(() => {
            const {transitions} = view.store.getSnapshot()
            if (transitions) moves.push(transitions.moving.length)
          })
          await view.show({viewOf: source, kind: 'grid', options: {columns: 5, rowHeight: 80}})
          await settled()
          end()
          return moves
        }""", source)
        self.assertEqual(len(moves), 1, "animated, once")
        self.assertGreater(moves[0], 10)
        layout = self.layout()
        self.assertEqual((layout["kind"], layout["bounds"]["width"]), ("grid", 785))
        # What is read stands where it was, in the cell that it had.
        self.assertEqual(self.page.evaluate("document.querySelector('[data-name$=\" p700\"]').mark"), "mine")
        boxes = self.page.evaluate("shown()")
        self.assertAlmostEqual(boxes["cell  0,700 p700"][1], 0, delta=1)
        self.page.evaluate("async (source) => { await view.show(source); await settled() }", source)
        self.assertEqual(self.layout()["id"], source)
        self.assertAlmostEqual(self.page.evaluate("shown()")["cell  0,700 p700"][1], 0, delta=1)
        self.assert_complete()

    def test_whoever_comes_back_stands_where_she_was(self) -> None:
        seed = any_seed()
        dice = random.Random(seed)
        self.page.evaluate("async ([server, layout]) => { openLayout({server, layout}); await settled() }", [self.server.url, LIST])
        layout = self.layout()["id"]
        items = [f"p{i}" for i in range(2000)]
        for step in range(among(6, 40)):
            with self.subTest(seed=seed, step=step):
                self.page.evaluate("(y) => { scroller().scrollTop = y }", dice.randrange(len(items) * 50))
                self.settle()
                place = self.page.evaluate("JSON.stringify(view.snapshot())")
                before, reading = self.seen_names(), self.page.evaluate("view.store.reading().id")
                # Others change what is above meanwhile.
                count = dice.randrange(1, 30)
                new = [f"n{step}.{i}" for i in range(count)]
                at = dice.randrange(items.index(reading) + 1)
                self.server.request("POST", f"/layouts/{layout}/updates", {"updates": [{"insert": {"at": [0, at], "items": {"id": new}}}]})
                items[at:at] = new
                self.page.evaluate("""async ([server, layout, place]) => {
                  openLayout({server, layout, restore: JSON.parse(place)})
                  while (scroller().style.visibility) await frame()
                  await settled()
                }""", [self.server.url, layout, place])
                self.assertAlmostEqual(self.seen_names()[reading], before[reading], delta=1)

    def seen_names(self) -> dict:
        return {name.split(" ")[-1]: box[1] for name, box in self.page.evaluate("shown()").items()}


class ScrubberTests(Page):
    def test_it_goes_to_sections_by_pointer_and_keys(self) -> None:
        sections = [{"id": f"month {i}", "items": 50 + i} for i in range(60)]
        self.open({"kind": "grid", "options": {"columns": 5, "rowHeight": 60, "headerHeight": 30}, "sections": sections}, scrubber=True)
        slider = self.page.get_by_role("slider", name="Sections")
        self.page.wait_for_function("document.querySelector('[role=slider]').ariaValueText === 'month 0'")
        box = slider.bounding_box()
        self.page.mouse.move(box["x"] + 14, box["y"] + 5)
        self.page.mouse.down()
        for share in (0.2, 0.5, 0.8):
            self.page.mouse.move(box["x"] + 14, box["y"] + share * box["height"])
            self.page.evaluate("settled()")
            top, named = self.page.evaluate("""() => {
              const {sections} = view.store.getSnapshot(), [, top] = view.visible
              const at = [...sections.values()].findLast(({frame}) => frame[1] <= top + 1)
              return [at.id, document.querySelector('[role=slider]').ariaValueText]
            }""")
            self.assertEqual(named, top)
            self.assertEqual(slider.inner_text(), named)
        self.page.mouse.up()
        self.assertEqual(slider.inner_text(), "")
        slider.focus()
        for key, name in (("Home", "month 0"), ("ArrowDown", "month 1"), ("PageDown", "month 11"), ("ArrowUp", "month 10")):
            self.page.keyboard.press(key)
            self.page.evaluate("settled()")
            self.assertEqual(slider.get_attribute("aria-valuetext"), name)
        # The last sections are lower than a screen.
        for key, name in (("End", "month 59"), ("ArrowUp", "month 58"), ("ArrowUp", "month 57"), ("ArrowDown", "month 58"), ("ArrowDown", "month 59"),
                          ("PageUp", "month 49"), ("Home", "month 0"), ("PageDown", "month 10")):
            self.page.keyboard.press(key)
            self.page.evaluate("settled()")
            self.assertEqual(slider.get_attribute("aria-valuetext"), name)
        # The section stands at the top.
        self.assertAlmostEqual(self.page.evaluate("shown()")["supplementary header 10,0 "][1], 0, delta=1)


class ChatTests(ArrivingTests):
    # Others change what is measured.
    allowed = ("Failed to load resource",)
    test_callbacks_say_what_is_in_sight = test_another_layout_is_shown_in_the_same_view = None
    test_whoever_comes_back_stands_where_she_was = test_a_key_that_interrupts_a_scroll_leads_to_an_end_that_is_told = None

    def open_chat(self) -> None:
        self.page.evaluate(MESSAGE)
        self.page.evaluate("""async (server) => {
          openLayout({server, measure: true, follow: true, keep: 'end', render: message, onBelow: (count) => { window.below = count },
            layout: {kind: 'list', options: {itemHeight: 40}, sections: [{items: {id: Array.from({length: 300}, (_, i) => `m${i}`)}}]}})
          await view.scrollTo('end')
          await settled()
        }""", self.server.url)

    def test_at_the_end_it_stays_at_the_end(self) -> None:
        seed = any_seed()
        dice = random.Random(seed)
        self.open_chat()
        layout, last = self.layout()["id"], "m299"
        for step in range(among(12, 80)):
            kind = dice.choice(["grow", "say", "earlier", "both", "resize"])
            with self.subTest(seed=seed, step=step, kind=kind):
                if kind == "grow":
                    # The last message comes word by word.
                    self.page.evaluate("""async ([id, count]) => {
                      for (let i = 1; i <= count; i++) {
                        texts.set(id, `${texts.get(id) ?? id}\\nword ${i}`)
                        document.querySelector(`[data-id="${id}"]`).textContent = texts.get(id)
                        if (i % 3 === 0) await frame()
                      }
                    }""", [last, dice.randrange(1, 9)])
                if kind in ("say", "both"):
                    last = f"s{step}"
                    self.page.evaluate("(id) => view.store.update([{insert: {at: [0, 'end'], items: [{id}]}}])", last)
                if kind in ("earlier", "both"):
                    self.server.request("POST", f"/layouts/{layout}/updates", {"updates": [
                        {"insert": {"at": [0, 0], "items": {"id": [f"e{step}.{i}" for i in range(dice.randrange(1, 20))]}}}]})
                if kind == "resize":
                    self.page.evaluate("(height) => { container.style.height = `${height}px` }", dice.randrange(200, 600))
                self.page.wait_for_function("""([id]) => {
                  const node = document.querySelector(`[data-id="${id}"]`), box = document.querySelector('[role=list]').getBoundingClientRect()
                  return node && Math.abs(node.getBoundingClientRect().bottom - box.top - document.querySelector('[role=list]').clientHeight) <= 1
                }""", arg=[last])
                self.settle()
                self.assertTrue(self.page.evaluate("view.isAtEnd"))

    def test_away_from_the_end_it_says_how_many_are_new_below(self) -> None:
        seed = any_seed()
        dice = random.Random(seed)
        self.open_chat()
        layout, below = self.layout()["id"], 0
        self.page.evaluate("(async () => { scroller().scrollTop -= 3000; await settled() })()")
        reading = self.page.evaluate("view.store.reading().id")
        for step in range(among(8, 60)):
            with self.subTest(seed=seed, step=step):
                count = dice.randrange(1, 5)
                at_end = dice.random() < 0.6
                updates = [{"insert": {"at": [0, "end" if at_end else 0], "items": {"id": [f"n{step}.{i}" for i in range(count)]}}}]
                self.server.request("POST", f"/layouts/{layout}/updates", {"updates": updates})
                below += count if at_end else 0
                self.page.wait_for_function("(below) => (window.below ?? 0) === below", arg=below)
                self.assertFalse(self.page.evaluate("view.isAtEnd"))
                self.settle()
                self.assertEqual(self.page.evaluate("view.store.reading().id"), reading)
        self.page.evaluate("view.scrollTo('end')")
        self.page.wait_for_function("window.below === 0")

    def wait_for_below(self, below: int) -> None:
        self.page.wait_for_function("(below) => (window.below ?? 0) === below", arg=below, timeout=10_000)

    def say(self, layout: str, *updates) -> None:
        self.server.request("POST", f"/layouts/{layout}/updates", {"updates": updates})

    def test_what_is_new_below_is_what_is_behind_the_last_message_seen(self) -> None:
        self.open_chat()
        layout = self.layout()["id"]
        append = lambda *ids: {"insert": {"at": [0, "end"], "items": [{"id": id} for id in ids]}}
        self.page.evaluate("(async () => { scroller().scrollTop -= 3000; await settled() })()")
        self.say(layout, append("a"))
        self.wait_for_below(1)
        # The last one that was seen is deleted.
        self.say(layout, {"delete": {"at": {"id": "m299"}}})
        self.say(layout, append("b", "c"))
        self.wait_for_below(3)
        self.say(layout, {"delete": {"at": {"id": "m298"}}}, {"delete": {"at": {"id": "b"}}})
        self.wait_for_below(2)
        # Whoever reads on has fewer before her. These are as high as the layout says, so that none moves in or out of sight.
        self.page.evaluate("() => { for (let i = 0; i < 58; i++) texts.set(`d${i}`, `d${i}\\n.`) }")
        self.say(layout, append(*(f"d{i}" for i in range(58))))
        self.wait_for_below(60)
        seen = self.page.evaluate("""async () => {
          await view.scrollTo({id: 'd20', align: 'end'})
          await settled()
          const [, top, , height] = view.visible, {elements} = view.store.getSnapshot()
          const seen = elements.filter(({id, frame}) => id[0] === 'd' && frame[1] < top + height).map(({id}) => Number(id.slice(1)))
          await view.scrollTo({id: 'm100'})
          return Math.max(...seen)
        }""")
        self.assertIn(seen, (20, 21))
        self.wait_for_below(57 - seen)
        self.page.evaluate("view.scrollTo('end')")
        self.wait_for_below(0)

    def test_messages_without_ids_are_counted_as_well(self) -> None:
        told = self.page.evaluate("""async (server) => {
          window.told = []
          openLayout({server, follow: true, keep: 'end', onBelow: (count) => { window.below = count; told.push(count) },
            layout: {kind: 'list', options: {itemHeight: 40}, sections: [{items: 300}]}})
          await view.scrollTo('end')
          scroller().scrollTop -= 3000
          await settled()
          return told
        }""", self.server.url)
        self.assertEqual(told, [])
        layout = self.layout()["id"]
        self.say(layout, {"insert": {"at": [0, 0], "items": 10}})
        self.page.wait_for_function("view.store.getSnapshot().version === 2 && view.store.isSettled()")
        self.say(layout, {"insert": {"at": [0, "end"], "items": 2}})
        self.wait_for_below(2)
        self.assertEqual(self.page.evaluate("told"), [2])

    def test_below_is_what_a_plain_model_counts(self) -> None:
        for seed in SEEDS:
            for options in ({}, {"ids": "none"}, {"ids": "of several"}, {"perSecond": 20}, {"perSecond": 5, "sections": 4}):
                with self.subTest(seed=seed, **options):
                    self.page.evaluate(BELOW, [self.server.url, seed, among(8, 30), options])


SEEDS = [int(os.environ.get("OTHERS_SEED", any_seed())) + i for i in range(int(os.environ.get("OTHERS_SEEDS", among("1", "20"))))]
BELOW = """async ([server, seed, steps, options]) => {
  const {Others, render} = await import('./pages/others.js'), roll = dice(seed)
  const others = new Others(server, roll, {deeds: ['append', 'append', 'insert', 'delete', 'move'], ...options}), {log} = others
  const layout = await others.prepare()
  let below = 0
  openLayout({server, layout, data: true, follow: true, keep: 'end', render, animate: false, onBelow: (count) => { below = count }})
  await settled()
  await view.scrollTo('end')
  await settled()
  const uids = () => others.shown.map(({uid}) => uid)
  /** What is behind the last one that was seen; if that goes, behind the nearest before it that was there when it was seen. */
  let before = uids()
  const should = () => {
    const now = uids(), last = before.findLast((uid) => now.includes(uid))
    return now.length - 1 - now.indexOf(last)
  }
  const until = async (isTrue) => {
    for (const end = performance.now() + 10_000; !isTrue(); await frame())
      if (performance.now() > end) throw new Error(`seed ${seed}: ${below} below, should be ${should()}: ${log.slice(-8).join('; ')}`)
  }
  const quiet = async () => {
    await until(() => view.store.getSnapshot().version >= others.version)
    await settled()
  }
  /** What is in sight has been seen. */
  const look = () => {
    const now = uids(), [, top, , height] = view.visible
    const seen = view.store.getSnapshot().elements.filter(({category, frame}) => category === 'cell' && frame[1] < top + height && frame[1] + frame[3] > top)
      .map(({data}) => now.indexOf(data.uid))
    const at = view.isAtEnd ? now.length - 1 : Math.max(...seen)
    if (at > now.length - 1 - should() || view.isAtEnd) before = now.slice(0, at + 1)
  }
  for (let step = 0; step < steps; step++) {
    const deed = roll()
    if (deed < 0.3) {
      if (deed < 0.1) await view.scrollTo('end')
      else scroller().scrollBy(0, others.whole(3000) - 1500)
      for (let k = 0; k < 3; k++) await frame()
      await quiet()
    } else if (view.isAtEnd) continue
    else if (options.perSecond) {
      const going = others.begin(options.perSecond)
      for (let k = others.whole(60); k > 0; k--) await frame()
      await going.stop()
      await quiet()
    } else await others.change()
    await quiet()
    look()
    await until(() => below === should())
  }
}"""

if __name__ == "__main__":
    unittest.main()
