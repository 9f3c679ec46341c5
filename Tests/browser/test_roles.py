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

    def test_cells_come_with_their_texts(self) -> None:
        items = [{"id": f"p{i}", "text": {"title": f"Pier {i}"}} for i in range(3)]
        self.page.evaluate("""async ([server, items]) => {
          openLayout({server, layout: {kind: 'list', options: {itemHeight: 50}, sections: [{items}]}, text: true, follow: true, animate: false,
            render: ({text}) => Object.assign(document.createElement('p'), {textContent: text?.title ?? 'nothing'})})
          await settled()
          await view.store.update([{set: {at: {id: 'p1'}, items: [{text: {title: 'Ferry'}}]}}])
          await settled()
        }""", [self.server.url, items])
        self.assertEqual(self.page.locator("p").all_inner_texts(), ["Pier 0", "Ferry", "Pier 2"])

    def test_it_scrolls_to_a_value_of_a_key(self) -> None:
        items = [{"id": f"p{i}", "keys": {"taken": 10 * i}} for i in range(300)]
        self.page.evaluate("""async ([server, items]) => {
          openLayout({server, layout: {kind: 'list', options: {itemHeight: 50}, sections: [{items}]}, animate: false,
            render: ({id}) => Object.assign(document.createElement('p'), {textContent: id})})
          await settled()
          await view.scrollTo({key: 'taken', from: 1995})
          await settled()
        }""", [self.server.url, items])
        self.assertIn("p200", self.page.locator("p").all_inner_texts())
        self.page.evaluate("view.scrollTo({key: 'taken', upTo: 25})")
        self.page.get_by_text("p0", exact=True).wait_for()

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

    def test_a_page_says_what_the_layout_does_not_know(self) -> None:
        """A tree that is a list of rows: level, expanded and selected are the page's."""
        layout = {"kind": "list", "options": {"itemHeight": 40}, "sections": [{"items": [
            {"id": name, "data": data} for name, data in (("src", {"level": 1, "expanded": True}), ("main", {"level": 2, "selected": True}), ("docs", {"level": 1}))]}]}
        self.page.evaluate("""(layout) => {
          window.options = {server: new URLSearchParams(location.search).get('server'), layout, data: true, render: text, role: 'tree', describe: ({data}) => data}
          openLayout(options)
        }""", layout)
        self.page.evaluate("settled()")
        self.assertEqual(self.tree(), ["tree Items", "  treeitem 1 src", "  treeitem 2 main", "  treeitem 1 docs"])
        said = """[...document.querySelectorAll('[role=treeitem]')].map((node) => ['level', 'expanded', 'selected', 'posinset']
          .map((name) => node.getAttribute(`aria-${name}`) ?? '-').join(' '))"""
        self.assertEqual(self.page.evaluate(said), ["1 true - -", "2 - true -", "1 - - -"])
        # What changes in the page is said again.
        self.page.evaluate("options.describe = ({id, data}) => ({...data, selected: id === 'docs', expanded: undefined}); view.set(options)")
        self.assertEqual(self.page.evaluate(said), ["1 - false -", "2 - false -", "1 - true -"])
        self.page.evaluate("view.set({...options, describe: undefined})")
        self.assertEqual(self.page.evaluate(said), ["- - - -"] * 3)
        # Other roles take what they have.
        grid = {**layout, "kind": "grid", "options": {"columns": 2, "rowHeight": 40, "headerHeight": 20}}
        for role, names in (("grid", {"aria-selected", "aria-expanded"}), ("list", {"aria-level"})):
            self.page.evaluate("""([layout, role]) => openLayout({...options, layout, role, describe: () => ({level: 3, expanded: false, selected: true})})""", [grid, role])
            self.page.evaluate("settled()")
            found = Axe().run(self.page, options={"rules": {name: {"enabled": False} for name in ("region", "landmark-one-main", "page-has-heading-one")}})
            self.assertEqual(found.violations_count, 0, found.generate_report())
            self.assertEqual(set(self.page.evaluate("""(role) => [...document.querySelectorAll(`[role=${role}]`)].flatMap((node) => node.getAttributeNames())
              .filter((name) => /level|expanded|selected/.test(name))""", "gridcell" if role == "grid" else "listitem")) - {"aria-level"} | ({"aria-level"} if role == "list" else set()), names)
        self.assertIn("    heading 3 header", self.tree())

    def test_other_kinds_are_lists(self) -> None:
        for kind, options in (("waterfall", {"columns": 3}), ("flow", {}), ("justified", {}), ("gallery", {})):
            with self.subTest(kind):
                lines = self.show({"kind": kind, "options": options, "sections": [{"items": [{"id": f"p{i}"} for i in range(5)]}]})
                self.assertEqual(lines[0], "list Items")
                self.assertEqual(sum(line.startswith("  listitem") for line in lines), 5)


if __name__ == "__main__":
    unittest.main()
