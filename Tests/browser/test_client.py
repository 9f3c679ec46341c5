"""What the client shows in a real browser, against a real server."""

import random
import unittest

import harness
from harness import among


class Page(unittest.TestCase):
    """A page of its own for each test."""

    # What the console may say, by its beginning.
    allowed: tuple[str, ...] = ()

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = harness.server()
        cls.browser = harness.browser()

    def setUp(self) -> None:
        self.page = self.browser.page(self.server)

    def tearDown(self) -> None:
        # Closing lets in what the console has said last.
        self.page.close()
        said = [text for text in self.page.said if not text.startswith(self.allowed)]
        self.assertEqual(said, [], "the console")

    def open(self, layout, **options) -> None:
        self.page.evaluate(
            "(options) => openLayout(options)", {"server": self.server.url, "layout": layout, **options})
        self.page.evaluate("settled()")

    def layout(self):
        return self.page.evaluate("view.store.getSnapshot().layout")

    def visible(self):
        return self.page.evaluate("view.visible")

    def assert_complete(self, message="") -> None:
        """All that a full query gives is in sight, where its frame says."""
        self.assertEqual(self.page.evaluate("faults", self.server.url), [], message)

    def place_of(self, text: str):
        """Where the cell with a text stands in the scroller, [x, y, width, height]."""
        return self.page.evaluate("(text) => shown()[Object.keys(shown()).find((name) => "
                                  "name.startsWith('cell') && name.endsWith(` ${text}`))]", text)


class ClientTests(Page):
    def test_random_scrolls_resizes_and_changes_leave_nothing_out(self) -> None:
        dice = random.Random(4)
        self.open({
            "kind": "waterfall", "options": {"minimumColumnWidth": 150, "headerHeight": 30},
            "sections": [{"items": [
                {"id": f"{s}-{i}", "aspectRatio": dice.choice([0.5, 0.75, 1, 1.5])}
                for i in range(400)]} for s in range(5)]})
        faults = self.page.evaluate("""async ([server, steps]) => {
          const roll = dice(4), whole = (n) => Math.floor(roll() * n)
          for (let step = 0; step < steps; step++) {
            const deed = roll(), {id, contentSize} = view.store.getSnapshot().layout
            if (deed < 0.5) scroller().scrollBy(0, whole(1800) - 900)
            else if (deed < 0.75) scroller().scrollTop = roll() * contentSize.height
            else if (deed < 0.85) Object.assign(container.style,
              {width: `${300 + whole(700)}px`, height: `${200 + whole(500)}px`})
            else {
              const at = [whole(5), whole(300)], to = [at[0], whole(300)]
              const updates = [[{insert: {at, items: [{id: `new-${step}`, aspectRatio: 1.2}]}},
                {delete: {at}}, {move: {from: at, to}}][whole(3)]]
              if (roll() < 0.5) await view.store.update(updates, {isQuiet: true})
              else {
                await fetch(`${server}/layouts/${id}/updates`, {method: 'POST',
                  headers: {'Content-Type': 'application/json'}, body: JSON.stringify({updates})})
                view.store.refresh()
              }
            }
            const found = await faults(server)
            if (found.length) return [`step ${step}`, ...found]
          }
          return []
        }""", [self.server.url, among(80, 500)])
        self.assertEqual(faults, [])

    def test_landing_with_measured_heights(self) -> None:
        self.page.evaluate("""() => {
          window.rough = (element) => {
            const node = text(element), [, item] = element.indexPath
            Object.assign(node.style, {display: 'block', height: `${20 + item * 37 % 90}px`})
            return node
          }
        }""")
        self.page.evaluate("""async (server) => {
          openLayout({server, measure: true, render: rough,
            layout: {kind: 'list', options: {itemHeight: 50}, sections: [{items: 200000}]}})
          await settled()
        }""", self.server.url)
        dice = random.Random(3)
        targets = [(0, "start"), (199_999, "end"), (199_999, "start")]
        targets += [(dice.randrange(200_000), dice.choice(["start", "center", "end"]))
                    for _ in range(among(5, 12))]
        for item, align in targets:
            landed = self.page.evaluate(
                "([item, align]) => view.scrollTo({item: [0, item], align})", [item, align])
            place = self.page.evaluate("(name) => shown()[name]", f"cell  0,{item} ")
            self.assertFalse(landed["isInterrupted"])
            self.assertIsNotNone(place, f"{item} {align}")
            _, y, _, height = place
            self.assertEqual(height, 20 + item * 37 % 90)
            expected = {"start": 0, "center": (600 - height) / 2, "end": 600 - height}[align]
            if item == 199_999:
                expected = 600 - height
            self.assertAlmostEqual(y, expected, delta=0.01, msg=f"{item} {align}")
        self.assertEqual(self.page.evaluate("faults", self.server.url), [])

    def test_measured_heights_are_sent_at_once(self) -> None:
        sent = []
        self.page.on("request", lambda request: sent.append(request.post_data_json)
                     if "/measurements" in request.url else None)
        self.page.evaluate("""async (server) => {
          openLayout({server, measure: true, layout: {kind: 'list', sections: [{items: 1000}]},
            render: (element) => Object.assign(text(element), {style: 'display: block; height: 75.5px'})})
          await settled()
        }""", self.server.url)
        items = [size["at"][1] for size in sent[0]["sizes"]]
        self.assertEqual(items[0], 0)
        self.assertEqual(items, list(range(len(items))))
        self.assertGreaterEqual(len(items) * 75.5, 600, "a screen in one request")
        self.assertLessEqual(len(sent), 2)
        self.assert_complete()
        self.assertEqual(self.page.evaluate("shown()['cell  0,1 '][3]"), 75.5)

    def test_what_is_read_stays_where_it_is(self) -> None:
        self.open({"kind": "list", "options": {"itemHeight": 33.3}, "sections": [
            {"items": {"id": [f"p{i}" for i in range(5000)]}}]})
        self.page.evaluate("scroller().scrollTop = 50000")
        self.page.evaluate("settled()")
        name = self.page.evaluate(
            "view.store.getSnapshot().elements.find(({frame}) => frame[1] >= view.visible[1]).id")
        before = self.place_of(name)
        insert = [{"insert": {"at": [0, 0], "items": {"id": ["a", "b", "c"], "height": [10.1, 20, 500]}}}]
        self.page.evaluate("(updates) => view.store.update(updates)", insert)
        self.page.evaluate("settled()")
        self.assertAlmostEqual(self.place_of(name)[1], before[1], delta=0.02)
        # By somebody else, far above and near.
        many = [{"insert": {"at": [0, 3], "items": {"id": [f"q{i}" for i in range(500)]}}}]
        self.server.request("POST", f"/layouts/{self.layout()['id']}/updates", {"updates": many})
        self.page.evaluate("view.store.refresh()")
        self.page.evaluate("settled()")
        self.assertAlmostEqual(self.place_of(name)[1], before[1], delta=0.02)
        self.page.evaluate("() => { container.style.width = '500px' }")
        self.assert_complete()
        self.assertAlmostEqual(self.place_of(name)[1], before[1], delta=0.02)

    def test_changes_are_animated(self) -> None:
        self.open({"kind": "list", "options": {"itemHeight": 50, "rowSpacing": 0},
                   "sections": [{"items": {"id": ["a", "b", "c", "d", "e", "f"]}}]})
        updates = [{"move": {"from": [0, 4], "to": [0, 1]}}, {"delete": {"at": [0, 3]}},
                   {"insert": {"at": [0, 0], "items": [{"id": "new"}]}}]
        before, at_start, kept = self.page.evaluate("""async (updates) => {
          const before = shown(), node = (id) => document.querySelector(`[data-name$=" ${id}"]`)
          const nodes = ['a', 'b', 'd', 'e', 'f'].map((id) => node(id).parentElement)
          await view.store.update(updates)
          for (const animation of document.getAnimations()) {
            animation.pause()
            animation.currentTime = 0
          }
          const is = [before, shown(), ['a', 'b', 'd', 'e', 'f'].map((id, i) => node(id).parentElement === nodes[i])]
          window.faded = node('c').parentElement
          return is
        }""", updates)
        place = lambda shown, id: next(box for name, box in shown.items() if name.endswith(f" {id}"))
        # An animation begins where the element was; what is gone fades there.
        for id in ("a", "b", "c", "d", "e", "f"):
            self.assertEqual(place(at_start, id), place(before, id), id)
        self.assertEqual(kept, [True] * 5, "an item keeps its node")
        self.page.evaluate("document.getAnimations().forEach((animation) => animation.finish())")
        self.page.wait_for_function("!faded.isConnected")
        self.assert_complete()
        order = ["new", "a", "e", "b", "d", "f"]
        self.assertEqual([self.place_of(id)[1] for id in order], [50 * i for i in range(6)])
        # To another kind, with other sizes.
        grown = self.page.evaluate("""async () => {
          const before = shown()
          await view.store.patch({kind: 'grid', options: {columns: 2, itemAspectRatio: 1}})
          for (const animation of document.getAnimations()) {
            animation.pause()
            animation.currentTime = 0
          }
          return [before, shown()]
        }""")
        self.assertEqual(*grown)
        self.page.evaluate("document.getAnimations().forEach((animation) => animation.finish())")
        self.assert_complete()

    def test_animations_from_right_to_left_begin_where_elements_were(self) -> None:
        self.open({"kind": "list", "options": {"scrollDirection": "horizontal", "layoutDirection": "rightToLeft", "itemHeight": 120},
                   "sections": [{"items": {"id": [f"p{i}" for i in range(40)]}}]})
        before, at_start = self.page.evaluate("""async () => {
          const before = shown()
          await view.store.patch({options: {itemHeight: 190}})
          for (const animation of document.getAnimations()) {
            animation.pause()
            animation.currentTime = 0
          }
          return [before, shown()]
        }""")
        for item in range(4):
            name = f"cell  0,{item} p{item}"
            self.assertEqual(at_start[name], before[name])

    def test_nothing_is_animated_for_who_wants_no_motion(self) -> None:
        self.page.emulate_media(reduced_motion="reduce")
        self.open({"kind": "list", "sections": [{"items": {"id": ["a", "b", "c"]}}]})
        animations = self.page.evaluate("""async () => {
          await view.store.update([{delete: {at: [0, 0]}}, {insert: {at: [0, 2], items: [{id: 'd'}]}}])
          return document.getAnimations().length
        }""")
        self.assertEqual(animations, 0)
        self.assert_complete()

    def test_answers_come_in_cbor(self) -> None:
        types = []
        self.page.on("response", lambda answer: "/elements?" in answer.url
                     and types.append(answer.headers["content-type"]))
        self.open({"kind": "list", "options": {"itemHeight": 33.3, "headerHeight": 20, "pinHeaders": True},
                   "sections": [{"items": {"id": [f"p{i}" for i in range(500)]}}, {"items": 1000}]})
        self.page.evaluate("scroller().scrollTop = 16_000")
        self.assert_complete()
        # The full query of the test itself is the last one.
        self.assertGreaterEqual(len(types), 3)
        self.assertEqual(set(types[:-1]), {"application/cbor"})

    def test_nodes_are_used_again(self) -> None:
        self.open({"kind": "grid", "options": {"columns": 4, "rowHeight": 50}, "sections": [{"items": 100_000}]})
        used, most = self.page.evaluate("""async () => {
          const used = new Set()
          let most = 0
          for (let step = 0; step < 30; step++) {
            scroller().scrollTop += 400
            await settled()
            const nodes = document.querySelectorAll('[role=listitem]')
            nodes.forEach((node) => used.add(node))
            most = Math.max(most, nodes.length)
          }
          return [used.size, most]
        }""")
        # Half a screen above and below: 25 rows at most, and those that they cut.
        self.assertLessEqual(most, 4 * 26)
        self.assertLessEqual(used, 4 * 26 * 1.5)

    def test_the_short_module_does_the_same(self) -> None:
        self.page.evaluate("""async (server) => {
          const short = await clientFile('layoutd.min.js')
          window.view = short.mount(container, {server, render: text,
            layout: {kind: 'waterfall', options: {columns: 3}, sections: [{items: 1000}]}})
          await settled()
        }""", self.server.url)
        self.page.evaluate("view.scrollTo({item: [0, 500]})")
        self.assert_complete()

    def test_smooth_scrolling_lands_where_it_should(self) -> None:
        self.open({"kind": "list", "options": {"itemHeight": 33.3}, "sections": [{"items": 1_000_000}]})
        for item, align in ((40, "start"), (900_000, "center"), (899_990, "end"), (0, "start")):
            landed = self.page.evaluate("([item, align]) => view.scrollTo({item: [0, item], align, behavior: 'smooth'})",
                                        [item, align])
            self.assertFalse(landed["isInterrupted"])
            expected = {"start": 0, "center": (600 - 33.3) / 2, "end": 600 - 33.3}[align]
            self.assertAlmostEqual(self.page.evaluate("(name) => shown()[name][1]", f"cell  0,{item} "),
                                   expected, delta=0.02, msg=f"{item} {align}")
        self.assert_complete()

    def test_ten_million_items(self) -> None:
        dice = random.Random(1)
        heights = [dice.randint(20, 200) + dice.random() for _ in range(1000)]
        self.open({"kind": "list", "sections": [
            {"items": 10_000, "options": {"itemHeight": height}} for height in heights]})
        total = self.layout()["contentSize"]["height"]
        self.assertGreater(total, 1e9)
        self.assertLessEqual(self.page.evaluate("scroller().scrollHeight"), 4_000_000)

        def assert_at(section, item, align) -> None:
            self.page.evaluate("([item, align]) => view.scrollTo({item, align})",
                               [[section, item], align])
            place = self.page.evaluate("(name) => shown()[name]", f"cell  {section},{item} ")
            expected = 0 if align == "start" else 600 - heights[section]
            self.assertAlmostEqual(place[1], expected, delta=0.02)
            self.assert_complete()

        assert_at(999, 9_999, "end")
        assert_at(0, 0, "start")
        for _ in range(among(2, 5)):
            assert_at(dice.randrange(1, 999), dice.randrange(10_000), "start")
        # By the wheel, exactly.
        before = self.visible()[1]
        self.page.mouse.move(300, 300)
        for _ in range(10):
            self.page.mouse.wheel(0, 100)
        self.page.wait_for_function("(y) => view.visible[1] >= y - 0.01", arg=before + 1000)
        self.assertAlmostEqual(self.visible()[1], before + 1000, delta=0.02)
        self.assert_complete("after the wheel")
        # The bar, with the mouse, to both ends and the middle.
        for part in among((0.5, 1), (0.5, 1, 0.25, 0)):
            self.page.evaluate("frame()")
            box = self.page.evaluate("[scroller().clientWidth, scroller().clientHeight]")
            at = self.page.evaluate(
                "scroller().scrollTop / (scroller().scrollHeight - scroller().clientHeight)")
            self.page.mouse.move(box[0] + 7, 20 + at * (box[1] - 40))
            self.page.mouse.down()
            self.page.mouse.move(box[0] + 7, 20 + part * (box[1] - 40), steps=10)
            if part in (0, 1):
                self.page.mouse.move(box[0] + 7, -50 if part == 0 else 700)
            self.page.mouse.up()
            self.assert_complete(f"dragged to {part}")
            self.assertAlmostEqual(self.visible()[1] / (total - 600), part,
                                   delta=0.05 if 0 < part < 1 else 1e-12)
            rows = self.page.evaluate("Object.entries(shown())")
            by_section = {}
            for name, (_, y, _, height) in rows:
                by_section.setdefault(name.split()[1].split(",")[0], []).append((y, height))
            for places in by_section.values():
                places.sort()
                for (y, height), (next_y, _) in zip(places, places[1:]):
                    self.assertAlmostEqual(y + height, next_y, delta=0.03)

    def test_headers_stay_in_sight_without_a_request(self) -> None:
        self.open({"kind": "list", "options": {"headerHeight": 40, "footerHeight": 30,
                                               "pinHeaders": True, "pinFooters": True},
                   "sections": [{"items": 30}, {"items": 40_000_000}]}, overscan=9)
        self.page.evaluate("frame()")
        requests = []
        self.page.on("request", lambda request: requests.append(request.url))
        for top in (0, 10, 90, 200):
            self.page.evaluate("(top) => { scroller().scrollTop = top }", top)
            place = self.page.evaluate(
                "frame().then(() => [...document.querySelectorAll('[data-name^=\"supplementary\"]')].map((node) =>"
                " [node.dataset.name, node.getBoundingClientRect().top]))")
            self.assertIn(["supplementary header 0,0 ", 0], place)
            self.assertIn(["supplementary footer 0,0 ", 570], place)
        self.assertEqual(requests, [])
        for item in (100, 20_000_000):
            self.page.evaluate("(item) => view.scrollTo({item: [1, item]})", item)
            top = self.page.evaluate("document.querySelector('[data-name=\"supplementary header 1,0 \"]')"
                                     ".getBoundingClientRect().top")
            self.assertEqual(top, 0)
        self.page.evaluate("view.scrollTo({section: 1})")
        self.assertEqual(self.page.evaluate(
            "document.querySelector('[data-name=\"supplementary header 1,0 \"]').getBoundingClientRect().top"), 0)
        self.assert_complete()

    def test_sections_that_scroll_sideways(self) -> None:
        for direction in ("leftToRight", "rightToLeft"):
            self.open({"kind": "compositional",
                       "options": {"headerHeight": 24, "sectionSpacing": 10, "layoutDirection": direction,
                                   "sectionInset": {"left": 8, "right": 20}},
                       "sections": [
                           {"kind": "list", "orthogonal": {"height": 90},
                            "options": {"itemHeight": 150, "rowSpacing": 8}, "items": 1_000_000},
                           {"kind": "grid", "items": 500},
                           {"kind": "grid", "orthogonal": {"height": 120},
                            "items": 100}]})
            self.page.evaluate("document.querySelector('[role=list] [role=list]').scrollLeft = "
                               "document.querySelector('[role=list] [role=list]').dir ? -5000 : 5000")
            self.page.evaluate("settled()")
            faults = self.page.evaluate("sideFaults", [self.server.url, 5000, 0])
            self.assertEqual(faults, [], direction)
            # The last of a million, 158,000,000 points away.
            self.page.evaluate("view.scrollTo({item: [0, 999999], align: 'end'})")
            place = self.page.evaluate("shown()['cell  0,999999 ']")
            width = self.page.evaluate("scroller().clientWidth")
            self.assertAlmostEqual(place[0], width - 150 if direction == "leftToRight" else 0,
                                   delta=20.1)
            self.page.evaluate("view.scrollTo({item: [2, 50]})")
            self.assertIsNotNone(self.page.evaluate("shown()['cell  2,50 ']"))

    def test_horizontal_and_right_to_left(self) -> None:
        for direction in ("leftToRight", "rightToLeft"):
            self.open({"kind": "list", "options": {
                "scrollDirection": "horizontal", "layoutDirection": direction, "itemHeight": 200,
                "headerHeight": 30, "pinHeaders": True}, "sections": [{"items": 300_000}]})
            self.assert_complete(direction)
            header = self.page.evaluate("shown()['supplementary header 0,0 ']")
            for item in (0, 10, 299_999, 150_000):
                self.page.evaluate("(item) => view.scrollTo({item: [0, item]})", item)
                self.assert_complete(f"{direction} {item}")
                place = self.page.evaluate("(name) => shown()[name]", f"cell  0,{item} ")
                width = self.visible()[2]
                start = place[0] if direction == "leftToRight" else width - place[0] - 200
                # The header covers the start.
                self.assertAlmostEqual(start, width - 200 if item == 299_999 else 30, delta=0.01)
            at = self.visible()[0]
            self.page.mouse.move(300, 300)
            self.page.mouse.wheel(250 if direction == "leftToRight" else -250, 0)
            self.page.wait_for_function("(at) => Math.abs(view.visible[0] - at) > 249.9", arg=at)
            self.assert_complete(direction)

    def test_bands_leave_nothing_out(self) -> None:
        layout = self.server.prepare("waterfall", {
            "bounds": {"width": 785}, "options": {"columns": 3, "headerHeight": 20},
            "sections": [{"items": {"aspectRatio": [0.5, 0.75, 1, 1.5] * 2500}}] * 2})
        asked = []
        self.page.on("request", lambda request: asked.append(request.url))
        self.open(layout, bands=2048)
        for top in (0, 2000, 2048, 700_000, 1e7):
            self.page.evaluate("(top) => { scroller().scrollTop = top }", top)
            self.assert_complete(f"{top}")
        rects = [url.split("rect=")[1].split("&") for url in asked if "rect=0," in url and "version=" in url]
        self.assertGreater(len(rects), 3)
        width = self.layout()["contentSize"]["width"]
        named = f"version={self.layout()['versionTag']}"
        for rect, *rest in rects:
            x, y, *size = map(float, rect.split(","))
            self.assertEqual([x, y % 2048, *size, *rest], [0, 0, width, 2048, named, "f=cbor"])
        # Another version: what is new comes for what is in sight, and then bands of that version.
        self.allowed = ("Failed to load resource: the server responded with a status of 410",)
        self.server.request("POST", f"/layouts/{layout}/updates", {"updates": [{"delete": {"at": [0, 0], "count": 5}}]})
        for top in (1e6, 300_000, 0):
            self.page.evaluate("(top) => { scroller().scrollTop = top }", top)
            self.assert_complete(f"{top} after a change")
        self.assertIn(f"version={self.layout()['versionTag']}", asked[-2] + asked[-1])

    def test_tree_in_both_directions(self) -> None:
        self.open({"kind": "tree", "nodes": {"parent": [None] + [i // 3 for i in range(3000)]}})
        for x, y in ((0, 40_000), (900, 90_000), (400, 0)):
            self.page.evaluate("([x, y]) => scroller().scrollTo(x, y)", [x, y])
            self.assert_complete(f"{x},{y}")

    def test_keyboard(self) -> None:
        self.open({"kind": "grid", "options": {"columns": 4, "rowHeight": 100},
                   "sections": [{"items": 100_000}]})
        focused = ("document.activeElement.firstChild?.dataset?.name")
        self.page.keyboard.press("Tab")
        self.assertEqual(self.page.evaluate(focused), "cell  0,0 ")
        for key, expected in (("ArrowDown", 4), ("ArrowRight", 5), ("ArrowLeft", 4), ("ArrowUp", 0),
                              ("ArrowDown", 4)):
            self.page.keyboard.press(key)
            self.page.wait_for_function(f"(name) => {focused} === name", arg=f"cell  0,{expected} ")
        for step in range(1, 30):
            self.page.keyboard.press("ArrowDown")
            self.page.wait_for_function(f"(name) => {focused} === name",
                                        arg=f"cell  0,{4 + 4 * step} ")
            box = self.page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
            self.assertGreaterEqual(box["top"], 0)
            self.assertLessEqual(box["bottom"], 600)
        self.page.keyboard.press("End")
        self.page.wait_for_function(f"{focused} === 'cell  0,99999 '")
        self.assertEqual(self.visible()[1] + 600, self.layout()["contentSize"]["height"])
        self.page.keyboard.press("PageUp")
        self.page.wait_for_function(f"{focused} !== 'cell  0,99999 '")
        moved = self.layout()["contentSize"]["height"] - 600 - self.visible()[1]
        self.assertTrue(440 <= moved <= 600, f"a page is {moved}")
        self.page.keyboard.press("Home")
        self.page.wait_for_function(f"{focused} === 'cell  0,0 '")
        self.assertEqual(self.visible()[1], 0)
        # What has the focus stays, out of sight too.
        self.page.evaluate("scroller().scrollTop = 1e6")
        self.assert_complete()
        self.assertEqual(self.page.evaluate(focused), "cell  0,0 ")
        self.page.keyboard.press("ArrowDown")
        self.page.wait_for_function(f"{focused} === 'cell  0,4 '")

    def test_roles_and_places_in_the_whole(self) -> None:
        self.open({"kind": "list", "options": {"headerHeight": 20}, "sections": [
            {"items": 50}, {"items": 0}, {"items": 3}, {"items": 1000}]})
        for section, item, ordinal in ((0, 3, 3), (2, 1, 51), (3, 700, 753)):
            self.page.evaluate("(item) => view.scrollTo({item})", [section, item])
            self.page.wait_for_function(
                """([name, place]) => document.querySelector(`[data-name="${name}"]`)?.parentElement
                  .getAttribute('aria-posinset') === place""",
                arg=[f"cell  {section},{item} ", str(ordinal + 1)])
            sizes = self.page.evaluate("[...document.querySelectorAll('[data-name^=cell]')].map("
                                       "(node) => node.parentElement.getAttribute('aria-setsize'))")
            self.assertEqual(set(sizes), {"1053"})
            names = self.page.evaluate("[...document.querySelectorAll('[data-name]')].map((node) => "
                                       "node.dataset.name.replace(/^supplementary header/, 'a').split(' '))")
            places = [(int(name[2].split(",")[0]) if name[0] == "cell" else int(name[1].split(",")[0]),
                       name[0] == "cell",
                       int(name[2].split(",")[1]) if name[0] == "cell" else 0) for name in names]
            self.assertEqual(places, sorted(places), "document order")


if __name__ == "__main__":
    unittest.main()
