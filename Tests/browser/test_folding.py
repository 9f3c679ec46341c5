"""Nodes and sections that open and close, in a page: by clicks, and by the keys of WAI-ARIA's tree."""

import unittest

from test_client import Page

# 40 folders of 50 files.
FOLDERS = {"kind": "outline", "options": {"pinAncestors": 3}, "nodes": {
    "id": ["root"] + [f"d{i}" for i in range(40)] + [f"f{i}" for i in range(2000)],
    "parentId": [None] + ["root"] * 40 + [f"d{i // 50}" for i in range(2000)]}}
ALBUMS = {"kind": "list", "options": {"itemHeight": 30, "headerHeight": 30, "pinHeaders": True},
          "sections": [{"id": f"s{i}", "items": {"id": [f"{i}-{j}" for j in range(40)]}} for i in range(30)]}


class Folding(Page):
    def show(self, layout: dict, **options) -> None:
        self.open(layout, folding=True, **options)
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_function("view.store.getSnapshot().status === 'ready' && view.store.isSettled()")
        self.page.evaluate("settled()")

    def scroll(self, place: dict) -> None:
        self.page.evaluate("(place) => view.scrollTo(place)", place)
        self.settle()

    def node(self, text: str):
        return self.page.locator(f"[data-name$=' {text}']")

    def top(self, text: str) -> float:
        return self.node(text).bounding_box()["y"]

    def toggle(self, text: str) -> None:
        version = self.page.evaluate("view.store.getSnapshot().version")
        # A click on the label, wherever the wrapper is.
        box = self.node(text).bounding_box()
        self.page.mouse.click(box["x"] + 3, box["y"] + 8)
        self.page.wait_for_function("(version) => view.store.getSnapshot().version > version", arg=version)
        self.settle()

    def focused(self) -> str:
        return self.page.evaluate("document.activeElement.textContent")

    def press(self, key: str, text: str) -> None:
        """Presses a key, and waits until a row has the focus."""
        self.page.keyboard.press(key)
        self.page.wait_for_function("(text) => document.activeElement.textContent === text", arg=text)
        self.settle()

    def rows(self, text: str) -> list[str]:
        """What is known of a row."""
        return self.page.evaluate("""(text) => {
          const node = [...document.querySelectorAll('[role=treeitem]')].find((node) => node.textContent === text)
          return ['level', 'expanded', 'posinset', 'setsize'].map((name) => node.getAttribute(`aria-${name}`))
        }""", text)

    def test_a_row_stays_where_it_is_clicked(self) -> None:
        self.show(FOLDERS)
        self.assertEqual(self.rows("d0"), ["2", "true", "1", "40"])
        self.scroll({"id": "d20", "align": "center"})
        at = self.top("d20")
        self.toggle("d20")
        self.assertAlmostEqual(self.top("d20"), at, delta=0.5)
        self.assertEqual(self.rows("d20"), ["2", "false", "21", "40"])
        self.assertAlmostEqual(self.top("d21"), at + 28, delta=0.5)
        self.toggle("d20")
        self.assertAlmostEqual(self.top("d20"), at, delta=0.5)
        self.assertAlmostEqual(self.top("f1000"), at + 28, delta=0.5)

    def test_ancestors_are_pinned_and_fold_where_they_are(self) -> None:
        self.show(FOLDERS)
        self.scroll({"id": "f1030", "align": "start"})
        self.assertAlmostEqual(self.top("root"), 0, delta=0.5)
        self.assertAlmostEqual(self.top("d20"), 28, delta=0.5)
        self.assertAlmostEqual(self.top("f1030"), 56, delta=0.5)
        self.toggle("d20")
        self.assertAlmostEqual(self.top("d20"), 28, delta=0.5)
        self.assertAlmostEqual(self.top("d21"), 56, delta=0.5)

    def test_the_keys_of_a_tree(self) -> None:
        self.show(FOLDERS)
        self.node("root").evaluate("(node) => node.closest('[role=treeitem]').focus()")
        self.press("ArrowRight", "d0")
        self.page.keyboard.press("ArrowLeft")
        self.page.wait_for_function("view.store.getSnapshot().layout.folded === 1")
        self.settle()
        self.assertEqual(self.focused(), "d0")
        self.press("ArrowDown", "d1")
        self.press("ArrowRight", "f50")
        self.press("ArrowLeft", "d1")
        self.press("ArrowUp", "d0")
        self.page.keyboard.press("Enter")
        self.page.wait_for_function("!view.store.getSnapshot().layout.folded")
        self.press("ArrowDown", "f0")

    def test_what_is_hidden_is_revealed(self) -> None:
        self.show(FOLDERS)
        self.page.evaluate("view.fold({from: 1})")
        self.settle()
        self.assertEqual(self.page.evaluate("view.store.getSnapshot().layout.counts.cells"), 41)
        self.page.evaluate("view.reveal('f1999')")
        self.settle()
        self.assertEqual(self.node("f1999").count(), 1)

    def test_a_section_stays_where_it_is_clicked(self) -> None:
        self.show(ALBUMS, role="list")
        self.scroll({"section": 10})
        name = "supplementary header 10,0 "
        header = self.page.locator(f"[data-name='{name}']")
        at = header.bounding_box()["y"]
        self.page.evaluate("view.scrollTo({item: [10, 20], align: 'start'})")
        self.settle()
        at = header.bounding_box()["y"]
        self.assertAlmostEqual(at, 0, delta=0.5)
        for expanded, cells in (("false", 29 * 40), ("true", 30 * 40)):
            self.page.mouse.click(20, at + 8)
            self.page.wait_for_function("(cells) => view.store.getSnapshot().layout.counts.cells === cells", arg=cells)
            self.settle()
            self.assertAlmostEqual(header.bounding_box()["y"], at, delta=0.5)
            self.assertEqual(header.get_attribute("aria-expanded"), expanded)


if __name__ == "__main__":
    unittest.main()
