"""Hierarchies after random steps, against a plain walk over lists.

SEED  a seed alone
"""

import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.parse
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from model import Node, Tree
from program import Program, shared_store

SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(
    100 if "TEST_ALL" in os.environ else 6)
STEPS = 30
ALL = "rect=-1e7,-1e7,1e8,1e8"
WORDS = ["gull", "tern", "heron", "auk"]


class Forests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Program()
        cls.ask = staticmethod(cls.server.ask)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def refused(self, method: str, path: str, body=None) -> tuple[int, dict]:
        try:
            self.server.request(method, path, body)
        except urllib.error.HTTPError as problem:
            return problem.code, json.loads(problem.read())
        self.fail(f"{method} {path} {body} was answered")

    def test_folds_cost_what_they_open_however_often_it_is_named(self) -> None:
        # Each of these was 10,000 walks over all nodes or sections, which nobody waits for to end.
        count, often = 200_000, 10_000
        chain = self.server.prepare("outline", {"bounds": {"width": 500}, "nodes": {
            "parent": [None, *range(count - 1)]}})
        wide = self.server.prepare("outline", {"bounds": {"width": 500}, "nodes": {
            "parent": [None, *((i - 1) // 2 for i in range(1, count))]}})
        days = self.server.prepare("list", {"bounds": {"width": 500}, "sections": [
            *({"items": 1} for _ in range(50_000)), {"id": "last", "items": 1}]})
        for layout, folds, folded in (
                (wide, {"from": 1, "unfold": [{"at": [0, 0]}] * often, "levels": 100}, None),
                (chain, {"from": 0, "reveal": [{"at": [count - 1 - i, 0]} for i in range(often)]}, None),
                (days, {"fold": [{"section": "last"}] * often}, 1)):
            answer = self.ask("POST", f"/layouts/{layout}/folds", folds)
            self.assertEqual(answer.get("folded"), folded)

    def test_random_steps(self) -> None:
        for seed in SEEDS:
            with self.subTest(f"SEED={seed}"):
                Walk(self, random.Random(seed)).run()

    def test_folds_outlive_the_servers_that_know_them(self) -> None:
        with shared_store() as (path, store):
            for seed in SEEDS:
                with self.subTest(f"SEED={seed}"):
                    self.outlive(random.Random(seed), path, store)

    def outlive(self, chance: random.Random, path: str, store: list[str]) -> None:
        walk = None
        for _ in range(3):
            # Both are fresh: all that they know is from the store. One of them never sees a view.
            with Program(*store) as knowing, Program(*store) as other:
                self.server, self.ask = knowing, knowing.ask
                walk = walk or Walk(self, chance)
                walk.check()
                for _ in range(8):
                    chance.choice([walk.fold, walk.fold, walk.view, walk.update])()
                walk.check()
                writers = chance.choice([[knowing], [other], [knowing, other]])
                for _ in range(chance.choice([1, 40, 70, 150])):
                    self.ask = chance.choice(writers).ask
                    walk.update()
                self.await_folds(path, walk)

    def await_folds(self, path: str, walk: "Walk") -> None:
        """Waits until the store says what is folded of data that a fresh server can follow to now."""
        def stored(*command: str) -> bytes:
            return subprocess.run(["redis-cli", "-s", path, *command], capture_output=True, check=True).stdout
        source = f"layoutd:{{{walk.layouts[0].id}}}"
        data, start = (int(stored("HGET", source, field).split(b"-")[4]) for field in ("head", "base"))
        for view in [f"layoutd:{{{layout.id}}}" for layout in walk.layouts[1:] if layout.tree.marks]:
            said, deadline = -1, time.monotonic() + 30
            while said < max(start, data - 63):
                self.assertLess(time.monotonic(), deadline, f"{said} of {start}..{data}")
                record = stored("HGET", view, "snapshot")
                # A long one is deflated behind its length.
                record = zlib.decompress(record[9:-1], -15) if record[0] else record
                record += stored("XRANGE", f"{view}:log", "-", "+")
                said = max(map(int, re.findall(rb"folds (\d+) ", record)), default=data)


class Walk:
    """A source, views of it, and everyday steps."""

    def __init__(self, test: Forests, chance: random.Random):
        self.test, self.chance, self.serial = test, chance, 0
        self.names = chance.random() < 0.9
        roots: list[Node] = []
        nodes: list[Node] = []
        for _ in range(chance.choice([0, 1, 5, 30, 80])):
            node = self.node()
            parent = chance.choice(nodes[-chance.choice([3, 30]):]) if nodes and chance.random() < 0.85 else None
            node.parent = parent
            (parent.children if parent else roots).append(node)
            nodes.append(node)
        self.tree = Tree(roots)
        kind = chance.choice(["outline", "outline", "tree"])
        body = {"options": self.options(kind), "bounds": {"width": 400}, **self.nodes()}
        answer = test.ask("POST", f"/layouts/{kind}/prepare", body)
        self.layouts = [Layout(answer["id"], kind, body["options"], self.tree)]

    def node(self) -> Node:
        self.serial += 1
        chance = self.chance
        return Node(
            f"n{self.serial}" if self.names else None,
            chance.choice([None, None, 10, 33.3, chance.uniform(1, 90)]),
            chance.choice([None, {"title": f"t{self.serial}"}, self.serial]),
            chance.choice([None, None, {"body": " ".join(chance.choices(WORDS, k=3))}]))

    def options(self, kind: str) -> dict:
        chance = self.chance
        if kind == "tree":
            return chance.choice([{}, {"itemSize": {"width": 50, "height": 20}}])
        options = {}
        if chance.random() < 0.5:
            options["indent"] = chance.choice([0, 7.5, 40])
        if chance.random() < 0.5:
            options["rowSpacing"] = chance.choice([1, 2.3])
        if chance.random() < 0.6:
            options["pinAncestors"] = chance.choice([1, 2, 16])
        if chance.random() < 0.3:
            options["insets"] = {"top": 5.5, "left": 9, "right": 3}
        if chance.random() < 0.3:
            options["layoutDirection"] = "rightToLeft"
        return options

    def nodes(self) -> dict:
        """The nodes in one of the forms of a body."""
        all_nodes = [node for node, _ in self.tree.walk()]
        if not self.names or not all_nodes or self.chance.random() < 0.3:
            index = {node: place for place, node in enumerate(all_nodes)}
            return {"nodes": [
                {**node.body(), **({"parent": index[node.parent]} if node.parent else {})} for node in all_nodes]}
        # Siblings keep their order; all else may be anywhere.
        mixed = []
        for node in all_nodes:
            after = [place for place, other in enumerate(mixed) if other.parent is node.parent]
            mixed.insert(self.chance.randint(after[-1] + 1 if after else 0, len(mixed)), node)
        rows = [{**node.body(), **({"parentId": node.parent.id} if node.parent else {})} for node in mixed]
        if self.chance.random() < 0.5:
            return {"nodes": rows}
        columns = {name: [row.get(name) for row in rows] for name in ("id", "parentId", "height", "data")}
        columns["text"] = {"body": [row.get("text", {}).get("body") for row in rows]}
        return {"nodes": columns}

    def run(self) -> None:
        self.check()
        for _ in range(STEPS):
            for _ in range(self.chance.choice([1, 1, 3])):
                step = self.chance.choice([self.fold, self.fold, self.update, self.update, self.view, self.kind])
                step()
            self.check()
        self.exported()

    # Steps

    def pick(self, layout: "Layout", among=None) -> tuple[dict, Node] | None:
        nodes = [node for node, _ in self.tree.walk() if among is None or among(node)]
        if not nodes:
            return None
        node = self.chance.choice(nodes)
        if node.id is not None and self.chance.random() < 0.6:
            return {"id": node.id}, node
        return {"at": self.tree.paths()[node]}, node

    def fold(self) -> None:
        layout = self.chance.choice(self.layouts)
        request, found = {}, {}
        if self.chance.random() < 0.2:
            request["from"] = self.chance.choice([None, 0, 1, 2, 5])
        for member, among in (("fold", lambda node: node.children), ("unfold", None), ("reveal", None)):
            for _ in range(self.chance.choice([0, 0, 1, 2])):
                if picked := self.pick(layout, among):
                    request.setdefault(member, []).append(picked[0])
                    found[json.dumps(picked[0])] = picked[1]
        if self.chance.random() < 0.3:
            request["levels"] = self.chance.choice([1, 2, 100])
        before = (layout.tree.folds.start, dict(layout.tree.marks))
        layout.tree.fold(request, lambda reference: found[json.dumps(reference)])
        version = layout.version(self.test)
        answer = self.test.ask("POST", f"/layouts/{layout.id}/folds", request)
        changed = before != (layout.tree.folds.start, layout.tree.marks)
        self.test.assertEqual(answer["version"], version + changed, request)

    def update(self) -> None:
        updates = []
        for _ in range(self.chance.choice([1, 1, 2, 4])):
            updates.append(self.one_update())
            for layout in self.layouts:
                layout.tree.settle()
        self.test.ask("POST", f"/layouts/{self.layouts[0].id}/updates", {"updates": updates})

    def one_update(self) -> dict:
        chance, tree = self.chance, self.tree
        nodes = [node for node, _ in tree.walk()]
        paths = tree.paths()
        def name(node):
            return {"id": node.id} if node.id is not None and chance.random() < 0.5 else paths[node]
        what = chance.choice(["insert", "insert", "delete", "move", "set"]) if nodes else "insert"
        if what == "insert":
            parent = chance.choice(nodes) if nodes and chance.random() < 0.85 else None
            siblings = parent.children if parent else tree.roots
            node, at = self.node(), chance.randint(0, len(siblings))
            body = node.body()
            for _ in range(chance.choice([0, 0, 3])):
                child = self.node()
                child.parent = node
                node.children.append(child)
                body.setdefault("children", []).append(child.body())
            node.parent = parent
            siblings.insert(at, node)
            return {"insertNode": {"parent": parent and (paths[parent]), "at": at, "node": body}}
        node = chance.choice(nodes)
        if what == "delete":
            named = name(node)
            (node.parent.children if node.parent else tree.roots).remove(node)
            return {"deleteNode": {"at": named}}
        if what == "set":
            named, change = name(node), {}
            if chance.random() < 0.5:
                node.height = change["height"] = chance.choice([None, 12, 44])
            if chance.random() < 0.5:
                node.data = change["data"] = chance.choice([None, [1, 2], "x"])
            if chance.random() < 0.3:
                node.text = change["text"] = chance.choice([None, {"body": "gull gull"}])
                if node.text is None:
                    change["text"] = None
                else:
                    node.text = {"body": "gull gull"}
            return {"setNode": {"at": named, **change}}
        inside = {other for other, _ in tree.walk([node])}
        parents = [other for other in nodes if other not in inside] + [None]
        parent = chance.choice(parents)
        named, under = name(node), parent and name(parent)
        (node.parent.children if node.parent else tree.roots).remove(node)
        siblings = parent.children if parent else tree.roots
        at = chance.randint(0, len(siblings))
        node.parent = parent
        siblings.insert(at, node)
        return {"moveNode": {"from": named, "parent": under, "at": at}}

    def view(self) -> None:
        if len(self.layouts) > 4:
            return
        kind = self.chance.choice(["outline", "tree"])
        options, body = self.options(kind), {"kind": kind, "bounds": {"width": 300}}
        source = self.chance.choice(self.layouts)
        tree = source.tree.copy()
        if self.chance.random() < 0.4:
            tree.marks, tree.folds.start = {}, None
            body["folded"] = {"from": self.chance.choice([None, 1])}
            found = {}
            if picked := self.pick(source, lambda node: node.children):
                body["folded"]["fold"] = [picked[0]]
                found[json.dumps(picked[0])] = picked[1]
            tree.fold(body["folded"], lambda reference: found[json.dumps(reference)])
        body["options"] = {name: None for name in source.options if name not in options} | options
        if kind == source.kind:
            body["options"] = {**body["options"]}
        answer = self.test.ask("POST", f"/layouts/{source.id}/views", {**body, "options": options})
        merged = {**self.kept(source, kind), **options}
        if "insets" in self.kept(source, kind) and "insets" in options:
            merged["insets"] = {**source.options["insets"], **options["insets"]}
        self.layouts.append(Layout(answer["id"], kind, merged, tree, 300))

    @staticmethod
    def kept(layout: "Layout", kind: str) -> dict:
        return {name: value for name, value in layout.options.items() if kind == layout.kind or name == "insets"}

    def kind(self) -> None:
        layout = self.chance.choice(self.layouts)
        kind = self.chance.choice(["outline", "tree"])
        self.test.ask("PATCH", f"/layouts/{layout.id}", {"kind": kind})
        layout.options, layout.kind = self.kept(layout, kind), kind

    # Checks

    def check(self) -> None:
        for layout in self.layouts:
            layout.check(self.test, self.chance)

    def exported(self) -> None:
        """What is exported makes the same layout."""
        for layout in self.layouts:
            body = self.test.ask("GET", f"/layouts/{layout.id}/collection")
            copy = self.test.ask("POST", f"/layouts/{layout.kind}/prepare", body)["id"]
            self.test.assertEqual(
                self.test.ask("GET", f"/layouts/{copy}/elements?{ALL}&data=true")["elements"],
                self.test.ask("GET", f"/layouts/{layout.id}/elements?{ALL}&data=true")["elements"])
            again = self.test.ask("GET", f"/layouts/{copy}/collection")
            # A mark that a move made needless is not set again.
            self.test.assertEqual({**again, "folded": None}, {**body, "folded": None})


class Layout:
    def __init__(self, name: str, kind: str, options: dict, tree: Tree, width: float = 400):
        self.id, self.kind, self.options, self.tree, self.width = name, kind, options, tree, width

    def version(self, test: Forests) -> int:
        return test.ask("GET", f"/layouts/{self.id}")["version"]

    def expected(self) -> tuple[list[dict], list[float]]:
        if self.kind == "tree":
            return self.tree.tree_rows(self.options)
        return self.tree.outline(self.options, self.width)

    def check(self, test: Forests, chance: random.Random) -> None:
        cells, size = self.expected()
        said = f"{self.kind} {self.options}"
        summary = test.ask("GET", f"/layouts/{self.id}")
        def near(numbers: list[float]) -> list[int]:
            # In steps: text has three digits after the point.
            return [math.floor(number * 1024 + 0.5) for number in numbers]
        test.assertEqual(near([summary["contentSize"]["width"], summary["contentSize"]["height"]]), near(size), said)
        counts = summary["counts"]
        test.assertEqual(counts["cells"], len(cells), said)
        test.assertEqual(counts["sections"], len({cell["indexPath"][0] for cell in cells}), said)
        folded = sum("folded" in cell for cell in cells)
        test.assertEqual(summary.get("folded", 0), folded, said)
        answer = test.ask("GET", f"/layouts/{self.id}/elements?{ALL}&data=true&category=cell")
        for got, wanted in zip(answer["elements"], cells):
            got = {**got, "frame": near(got["frame"])}
            wanted = {**wanted, "frame": near(wanted["frame"])}
            for cell in (got, wanted):
                if "pinRange" in cell:
                    cell["pinRange"], cell["pinOffset"] = near(cell["pinRange"]), near([cell["pinOffset"]])
            test.assertEqual(got, wanted, said)
        test.assertEqual(len(answer["elements"]), len(cells), said)
        ids = test.ask("GET", f"/layouts/{self.id}/ids")["ids"]
        test.assertEqual(ids, [cell.get("id") for cell in cells], said)
        if cells:
            self.part(test, chance, cells, size)
            self.hidden(test, chance, cells)
        self.find(test)

    def part(self, test: Forests, chance: random.Random, cells: list[dict], size: list[float]) -> None:
        """A rect, page by page."""
        y, height = chance.uniform(-10, size[1]), chance.choice([0, 20, 100])
        got, url = [], f"/layouts/{self.id}/elements?rect=0,{y:.3f},{size[0] + 1:.3f},{height}&category=cell&limit=3"
        y = float(f"{y:.3f}")
        while url:
            answer = test.ask("GET", url)
            got += [element["indexPath"] for element in answer["elements"]]
            url = answer.get("next")
        def meets(cell: dict) -> bool:
            top, end = cell["frame"][1], cell["frame"][1] + cell["frame"][3]
            if "pinRange" in cell:
                top, end = cell["pinRange"][0], cell["pinRange"][1] + cell["frame"][3]
            # What is near the edge is rounded.
            if min(abs(top - y), abs(end - y), abs(top - y - height), abs(end - y - height)) < 0.01:
                return None
            return top < y + height and y < end if height else top <= y < end
        wanted = [cell["indexPath"] for cell in cells if meets(cell)]
        unsure = [cell["indexPath"] for cell in cells if meets(cell) is None]
        test.assertEqual([path for path in got if path not in unsure], wanted, f"{y} {height}")

    def hidden(self, test: Forests, chance: random.Random, cells: list[dict]) -> None:
        """An item by its id or index path, and its ordinal."""
        tree, paths = self.tree, self.tree.paths()
        node = chance.choice(list(paths))
        by = f"items/{paths[node][0]}/{paths[node][1]}"
        if node.id is not None and chance.random() < 0.5:
            by = f"items?id={node.id}"
        cover = tree.cover(node)
        if cover is None:
            answer = test.ask("GET", f"/layouts/{self.id}/{by}")
            places = [cell["indexPath"] for cell in cells]
            test.assertEqual(answer["ordinal"], places.index(paths[node]))
            again = test.ask("GET", f"/layouts/{self.id}/items?ordinal={answer['ordinal']}")
            test.assertEqual(again, answer)
        else:
            status, problem = test.refused("GET", f"/layouts/{self.id}/{by}")
            wanted = {"indexPath": paths[cover]} | ({"id": cover.id} if cover.id is not None else {})
            test.assertEqual((status, problem["foldedIn"]), (404, wanted))

    def find(self, test: Forests) -> None:
        tree, paths = self.tree, self.tree.paths()
        order = [node for node, _ in tree.walk()]
        if self.kind == "tree":
            order.sort(key=lambda node: paths[node])
        wanted = []
        for node in order:
            text = (node.text or {}).get("body", "")
            place = text.find("gull")
            while place >= 0:
                cover = tree.cover(node)
                wanted.append((paths[node], place, cover and paths[cover]))
                place = text.find("gull", place + 4)
        answer = test.ask("GET", f"/layouts/{self.id}/find?text=gull&limit=1000")
        got = [(match["indexPath"], match["range"][0], match.get("foldedIn", {}).get("indexPath"))
               for match in answer["matches"]]
        test.assertEqual(got, wanted)
        test.assertTrue(all(match.get("hidden", False) == ("foldedIn" in match) for match in answer["matches"]))


if __name__ == "__main__":
    unittest.main()
