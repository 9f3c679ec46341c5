"""What assistive technology is told of each kind: roles, and the accessibility tree of Chromium."""

import unittest

from axe_playwright_python.sync_playwright import Axe

from test_client import Page


class RolesTests(Page):
    def tree(self) -> list[str]:
        """Role, name and place of what stands in the view, in order."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Accessibility.enable")
        nodes = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}
        lines = []

        def tell(node, depth: int) -> None:
            role = node.get("role", {}).get("value", "")
            name = node.get("name", {}).get("value", "")
            wanted = role in ("list", "listitem", "grid", "row", "gridcell", "rowheader", "tree", "treeitem", "heading", "slider")
            if wanted and not node.get("ignored"):
                level = next((one["value"]["value"] for one in node.get("properties", []) if one["name"] == "level" and role in ("heading", "treeitem")), None)
                lines.append("  " * depth + role + (f" {level}" if level else "") + (f" {name}" if name else ""))
            for child in node.get("childIds", []):
                if child in nodes:
                    tell(nodes[child], depth + (wanted and not node.get("ignored")))

        tell(next(iter(nodes.values())), 0)
        return lines

    def show(self, layout: dict, **options) -> list[str]:
        self.open(layout, **options)
        self.page.evaluate("settled()")
        found = Axe().run(self.page, options={"rules": {name: {"enabled": False} for name in ("region", "landmark-one-main", "page-has-heading-one")}})
        self.assertEqual(found.violations_count, 0, found.generate_report())
        return self.tree()

    def test_a_list_has_headings(self) -> None:
        layout = {"kind": "list", "options": {"itemHeight": 50, "headerHeight": 30},
                  "sections": [{"items": [{"id": "a"}, {"id": "b"}]}, {"items": [{"id": "c"}]}]}
        self.assertEqual(self.show(layout), [
            "list Items", "  listitem", "    heading 2 header", "  listitem", "  listitem",
            "  listitem", "    heading 2 header", "  listitem"])
        pinned = {**layout, "options": {**layout["options"], "pinHeaders": True}}
        self.assertEqual(sum("heading 2 header" in line for line in self.show(pinned)), 2)

    def test_a_grid_has_rows_and_columns(self) -> None:
        layout = {"kind": "grid", "options": {"columns": 2, "rowHeight": 50, "headerHeight": 30}, "sections": [{"items": {"id": ["a", "b", "c"]}}]}
        self.assertEqual(self.show(layout, role="grid"), [
            "grid Items", "  row header", "    rowheader header",
            "  row a b", "    gridcell a", "    gridcell b", "  row c", "    gridcell c"])
        self.assertEqual(self.page.evaluate("""[...document.querySelectorAll('[role=gridcell]')].map((node) =>
          [node.textContent, node.getAttribute('aria-colindex')].join(' '))"""), ["a 1", "b 2", "c 1"])
        # The rows stay right while the reader scrolls.
        self.show({**layout, "sections": [{"items": 4000}]}, role="grid")
        self.page.evaluate("(async () => { for (let i = 0; i < 20; i++) { container.firstElementChild.scrollTop += 777; await frame() } await settled() })()")
        rows = self.page.evaluate("""[...document.querySelectorAll('[role=row][aria-owns]')].map((row) =>
          row.getAttribute('aria-owns').split(' ').map((id) => document.getElementById(id)?.textContent ?? '?').join(' | '))""")
        self.assertTrue(rows)
        for row in rows:
            left, right = (int(text.split(" ")[1]) for text in row.split(" | "))
            self.assertEqual((left % 2, right), (0, left + 1), row)

    def test_a_tree_has_levels(self) -> None:
        layout = {"kind": "tree", "nodes": {"id": ["root", "left", "right", "leaf"], "parent": [None, 0, 0, 1]}}
        self.assertEqual(self.show(layout, role="tree"), [
            "tree Items", "  treeitem 1 root", "  treeitem 2 left", "  treeitem 2 right", "  treeitem 3 leaf"])
        self.assertEqual(self.page.evaluate("""[...document.querySelectorAll('[role=treeitem]')].map((node) =>
          [node.textContent, node.getAttribute('aria-posinset'), node.getAttribute('aria-setsize'), node.getAttribute('aria-expanded')].join(' '))"""),
            ["root   true", "left 1 2 true", "right 2 2 ", "leaf 1 1 "])

    def test_other_kinds_are_lists(self) -> None:
        for kind, options in (("waterfall", {"columns": 3}), ("flow", {}), ("justified", {}), ("gallery", {})):
            with self.subTest(kind):
                lines = self.show({"kind": kind, "options": options, "sections": [{"items": [{"id": f"p{i}"} for i in range(5)]}]})
                self.assertEqual(lines[0], "list Items")
                self.assertEqual(sum(line.startswith("  listitem") for line in lines), 5)


if __name__ == "__main__":
    unittest.main()
