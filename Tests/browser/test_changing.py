"""Pages whose layouts change in other ways than by their items."""

import unittest

from test_client import Page

ITEMS = {"id": [f"p{i}" for i in range(300)]}


class ChangingTests(Page):
    # An item that is looked for may be gone.
    allowed = ("Failed to load resource",)

    def list(self, options=(), section=(), **more) -> None:
        self.open({"kind": "list", "options": {"itemHeight": 40, **dict(options)},
                   "sections": [{"items": ITEMS, **dict(section)}]}, animate=False, **more)

    def patch(self, **options) -> None:
        self.page.evaluate("(options) => view.store.patch({options})", options)
        self.page.evaluate("settled()")

    def test_a_list_that_scrolls_sideways_for_a_while_is_complete_afterwards(self) -> None:
        self.list()
        self.patch(scrollDirection="horizontal")
        self.assert_complete()
        self.patch(scrollDirection="vertical")
        self.page.evaluate("() => { scroller().scrollTop = 3000 }")
        self.assert_complete()

    def test_headers_that_are_no_longer_pinned_stay_in_sight(self) -> None:
        self.list({"headerHeight": 30, "pinHeaders": True})
        self.patch(pinHeaders=False)
        self.assert_complete()

    def test_a_section_that_stops_scrolling_sideways_has_its_frames(self) -> None:
        self.open({"kind": "compositional", "options": {}, "sections": [
            {"kind": "list", "options": {"itemHeight": 40}, "orthogonal": {"height": 90}, "items": 30},
            {"kind": "list", "options": {"itemHeight": 40}, "items": ITEMS}]}, animate=False)
        self.page.evaluate("view.store.update([{setSection: {at: 0, orthogonal: null}}])")
        self.assert_complete()

    def test_all_items_are_deleted_below_the_start_and_new_ones_appear(self) -> None:
        self.list()
        self.page.evaluate("view.scrollTo({id: 'p200'})")
        self.page.evaluate("""async (server) => {
          const {id} = view.store.getSnapshot().layout
          await fetch(`${server}/layouts/${id}/updates`, {method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({updates: [{delete: {at: [0, 0], count: 300}}, {insert: {at: [0, 0], items: 50}}]})})
          view.store.refresh()
        }""", self.server.url)
        self.assert_complete()
        self.assertEqual(self.page.evaluate("view.store.getSnapshot().status"), "ready")

    def test_who_reads_from_the_other_side_stays_at_the_item(self) -> None:
        self.list({"scrollDirection": "horizontal"})
        self.page.evaluate("view.scrollTo({id: 'p25'})")
        self.patch(layoutDirection="rightToLeft")
        self.assertEqual(self.page.evaluate("view.store.reading().id"), "p25")
        self.assertAlmostEqual(self.page.evaluate("(() => { const [x, , w] = view.store.reading().frame, [left, , width] = view.visible; return x + w - left - width })()"), 0, delta=1)
        self.assert_complete()

    def test_nodes_that_stay_are_not_moved(self) -> None:
        self.list()
        moved = self.page.evaluate("""async () => {
          const before = new Set(document.querySelectorAll('[role=listitem]')), moved = new Set()
          const names = new Map([...before].map((node) => [node, node.textContent]))
          const observer = new MutationObserver((all) => {
            for (const {removedNodes} of all) for (const node of removedNodes)
              if (names.get(node) === node.textContent) moved.add(node.textContent)
          })
          observer.observe(scroller().firstChild.firstChild, {childList: true})
          for (let i = 0; i < 12; i++) { scroller().scrollTop += 45; await settled() }
          const seen = Object.keys(shown())
          return [...moved].filter((text) => seen.some((name) => name.endsWith(` ${text}`)))
        }""")
        self.assertEqual(moved, [])
        self.assert_complete()


if __name__ == "__main__":
    unittest.main()
