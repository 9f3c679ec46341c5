"""Cells that the page measures: what is drawn is what the server says, once it has answered."""

import unittest

from harness import among
from test_client import Page

ROUGH = """() => {
  window.lengthOf = ([section, item]) => 20 + (item * 37 + section * 11) % 131
  window.rough = (element) => Object.assign(text(element), {style: `display: block; height: ${lengthOf(element.indexPath)}px`})
}"""
LIST = {"kind": "list", "sections": [{"items": 500}]}


class MeasuringTests(Page):
    # Chromium says the first of any page that measures there. The second is what a layout that takes no sizes is told.
    allowed = ("Rendering was performed in a subtree hidden by content-visibility", "layoutd: measured sizes were refused",
               "Failed to load resource")

    def setUp(self) -> None:
        super().setUp()
        self.sent = []
        self.page.on("request", lambda request: "/measurements" in request.url
                     and self.sent.extend(request.post_data_json["sizes"]))
        self.page.evaluate(ROUGH)

    def show(self, layout, **options) -> None:
        self.page.evaluate("""async (options) => {
          openLayout({measure: true, render: rough, animate: false, ...options})
          await settled()
        }""", {"server": self.server.url, "layout": layout, **options})

    def assert_sent_as_they_are(self) -> None:
        self.page.evaluate("settled()")
        wrong = [size for size in self.sent if size["height"] != 20 + size["at"][1] * 37 % 131]
        self.assertEqual(wrong, [])
        self.assertGreater(len(self.sent), 5)

    def test_rows_that_stretch_are_rows(self) -> None:
        grid = {"options": {"columns": 3, "rowSizing": "tallest", "columnSpacing": 5, "rowSpacing": 5},
                "sections": [{"items": 90}]}
        for layout in ({"kind": "grid", **grid}, self.server.prepare("grid", {**grid, "bounds": {"width": 785}})):
            self.show(layout)
            self.assert_complete()
            tops = [self.page.evaluate("(name) => shown()[name][1]", f"cell  0,{item} ") for item in range(6)]
            # 20, 57 and 94 are the lengths of the first row.
            self.assertEqual(tops, [0, 0, 0, 99, 99, 99])
            # A cell that grows in a row that others make long is told, too.
            self.page.evaluate("() => { document.querySelector('[data-name^=\"cell  0,0 \"]').style.height = '110px' }")
            self.page.wait_for_function("view.store.isSettled() && shown()['cell  0,3 '][1] === 115")
            self.assert_complete()

    def test_what_takes_no_sizes_is_drawn_as_the_server_says(self) -> None:
        grid = {"bounds": {"width": 785}, "options": {"columns": 3, "rowHeight": 50}, "sections": [{"items": 90}]}
        tree = {"kind": "tree", "root": {"children": [{"children": [{}, {}]}, {}]}}
        for layout in (self.server.prepare("grid", grid), tree):
            self.show(layout)
            self.assert_complete()

    def test_what_is_hidden_is_not_measured(self) -> None:
        for style in ("display: none", "content-visibility: hidden"):
            for box in ("container", "document.body"):
                with self.subTest(style, box=box):
                    self.sent.clear()
                    self.show(self.server.prepare("list", {"bounds": {"width": 785}, "sections": LIST["sections"]}))
                    self.page.evaluate(f"{box}.style = '{style}'; view.store.update([{{insert: {{at: [0, 0], items: 1}}}}])")
                    self.page.evaluate("(async () => { for (let i = 0; i < 5; i++) await frame() })()")
                    self.page.evaluate(f"{box}.style = ''")
                    self.page.evaluate("settled()")
                    self.assertEqual([size for size in self.sent if not size["height"] >= 20], [])
                    self.assert_complete()

    def test_what_is_not_in_the_document_is_not_measured(self) -> None:
        self.show(LIST)
        self.page.evaluate("""async () => {
          const box = container, {parentNode} = box
          box.remove()
          for (let i = 0; i < 5; i++) await frame()
          parentNode.append(box)
        }""")
        self.assert_sent_as_they_are()
        self.assert_complete()

    def test_a_page_that_is_scaled_is_measured_in_its_own_points(self) -> None:
        for style in ("transform: scale(0.5)", "transform: rotate(10deg)", "zoom: 1.5"):
            with self.subTest(style):
                self.sent.clear()
                self.page.evaluate(f"document.body.style = 'width: 785px; height: 600px; {style}'")
                self.show(LIST)
                self.assert_sent_as_they_are()
                self.page.evaluate("document.body.style = ''")
                self.assert_complete()

    def test_cells_whose_widths_are_animated_are_measured_at_their_own(self) -> None:
        words = "window.rough = (element) => Object.assign(text(element), {textContent: 'some words '.repeat(20 + element.indexPath[1] % 7)})"
        self.page.evaluate(f"() => {{ {words} }}")
        self.show({"kind": "waterfall", "options": {"columns": 2}, "sections": [{"items": {"id": [f"p{i}" for i in range(40)]}}]},
                  animate=True)
        self.page.evaluate("view.store.patch({options: {columns: 5}})")
        self.assert_complete()
        at_first = len(self.sent)
        self.page.evaluate("(async () => { for (let i = 0; i < 30; i++) await frame() })()")
        self.assertEqual(len(self.sent), at_first)
        own = self.page.evaluate("""[...document.querySelectorAll('[data-name]')].every((node) => {
          const cell = node.closest('[role=listitem]').getBoundingClientRect(), box = node.parentElement.getBoundingClientRect()
          return Math.abs(cell.height - box.height) < 0.02
        })""")
        self.assertTrue(own)

    def test_jumps_leave_columns_where_the_server_has_them(self) -> None:
        for seed in range(among(3, 20)):
            with self.subTest(seed=seed):
                self.page.evaluate("""async ([server, seed]) => {
                  const roll = dice(seed)
                  openLayout({server, measure: true, render: rough, animate: false, fetch: async (...request) => {
                    await new Promise((resolve) => setTimeout(resolve, seed % 3 * 40))
                    return fetch(...request)
                  }, layout: {kind: 'waterfall', options: {minimumColumnWidth: 150, placement: 'shortestColumn'}, sections: [{items: 3000}]}})
                  await settled()
                  for (let i = 0; i < 40; i++) {
                    if (roll() < 0.5) scroller().scrollBy(0, roll() * 3000 - 1200)
                    else scroller().scrollTop = roll() * scroller().scrollHeight
                    for (let n = Math.floor(roll() * 4); n > 0; n--) await frame()
                  }
                }""", [self.server.url, seed])
                self.assert_complete()

    def test_what_has_ids_is_told_by_them_whatever_others_do(self) -> None:
        refused = []
        self.page.on("response", lambda answer: "/measurements" in answer.url and answer.status >= 400 and refused.append(answer.status))
        layout = self.server.prepare("list", {"bounds": {"width": 785}, "sections": [{"items": {"id": [f"p{i}" for i in range(500)]}}]})
        self.page.evaluate("""async ([server, layout]) => {
          const {Others} = await import('./pages/others.js'), others = new Others(server, dice(7))
          window.rough = (element) => Object.assign(text(element), {style: `display: block; height: ${30 + (element.id ?? '').length * 7}px`})
          openLayout({server, layout, measure: true, follow: true, render: rough, animate: false})
          await settled()
          // Each change is above what is measured, and comes before the sizes are sent.
          for (let i = 0; i < 30; i++) {
            await others.send('POST', `/layouts/${layout}/updates`, {updates: [{insert: {at: [0, 0], items: [{id: `new${i}`}]}}]})
            scroller().scrollBy(0, 400)
            await frame()
          }
        }""", [self.server.url, layout])
        self.page.evaluate("settled()")
        self.assertEqual(refused, [])
        self.assertGreater(len(self.sent), 30)
        self.assertEqual([size for size in self.sent if "at" in size or size["height"] != 30 + len(size["id"]) * 7], [])
        self.assert_complete()

    def test_ids_of_several_items_are_no_names(self) -> None:
        refused = []
        self.page.on("response", lambda answer: "/measurements" in answer.url and answer.status == 422 and refused.append(answer))
        several = {"bounds": {"width": 785}, "sections": [{"items": {"id": [f"p{i % 40}" for i in range(500)]}}]}
        self.show(self.server.prepare("list", several))
        self.assert_complete()
        self.assertEqual(len(refused), 1)
        for seed in range(among(4, 40)):
            with self.subTest(seed=seed):
                # An answer may come when the reader has gone on, and when others of the same ids are in sight.
                self.page.evaluate("""async ([server, layout, seed]) => {
                  const roll = dice(seed)
                  openLayout({server, layout, measure: true, render: rough, animate: false, fetch: async (...request) => {
                    await new Promise((resolve) => setTimeout(resolve, roll() * 60))
                    return fetch(...request)
                  }})
                  for (let i = 0; i < 12; i++) {
                    scroller().scrollBy(0, roll() * 1500 - 200)
                    if (roll() < 0.5) await settled()
                    else for (let n = Math.floor(roll() * 6); n > 0; n--) await frame()
                  }
                }""", [self.server.url, self.server.prepare("list", several), seed])
                self.assert_complete()
        self.assertEqual([size for size in self.sent if "at" in size and size["height"] != 20 + size["at"][1] * 37 % 131], [])

    def test_sizes_are_sent_again_after_the_server_was_away(self) -> None:
        layout = self.server.prepare("list", {"bounds": {"width": 785}, "sections": [{"items": {"id": [f"p{i}" for i in range(500)]}}]})
        self.page.evaluate("""async ([server, layout]) => {
          let failures = 2
          openLayout({server, layout, measure: true, render: rough, animate: false, fetch: (url, options) =>
            url.includes('/measurements') && failures-- > 0 ? Promise.reject(new TypeError('away')) : fetch(url, options)})
          await settled()
        }""", [self.server.url, layout])
        self.assert_complete()


del Page

if __name__ == "__main__":
    unittest.main()
