"""Feeds of changes that repeat themselves, come late and name what is not there, against a dictionary.

SEED  a seed alone
"""

import os
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from program import Program

SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(
    100 if "TEST_ALL" in os.environ else 12)
KINDS = {"list": {"itemHeight": 20}, "grid": {"columns": 3, "rowHeight": 20}, "flow": {
    "itemSize": {"width": 30, "height": 20}}, "justified": {}, "gallery": {"itemHeight": 20}}


class Feeds(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Program()
        cls.ask = staticmethod(cls.server.ask)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def test_a_feed_leaves_what_a_dictionary_has(self) -> None:
        for seed in SEEDS:
            with self.subTest(f"SEED={seed}"):
                self.walk(random.Random(seed))

    def item(self, chance: random.Random, name: str) -> dict:
        item = {"id": name}
        for field, value in [
            ("height", chance.randint(1, 3) * 10), ("data", chance.randint(1, 3)),
            ("x", chance.randint(1, 2)), ("text", {"title": chance.choice("ab")}),
            ("keys", {"stars": chance.randint(1, 2)}),
        ]:
            if chance.random() < 0.5:
                item[field] = value
        return item

    def walk(self, chance: random.Random) -> None:
        kind = chance.choice([*KINDS])
        # Sections of ids in order, and what is known of each id.
        sections = [[f"p{10 * s + i}" for i in range(chance.randint(0, 6))] for s in range(2)]
        known = {name: self.item(chance, name) for section in sections for name in section}
        layout = self.ask("POST", f"/layouts/{kind}/prepare", {
            "bounds": {"width": 100}, "options": KINDS[kind],
            "sections": [{"items": [known[name] for name in section]} for section in sections]})["id"]
        view = self.ask("POST", f"/layouts/{layout}/views", {"kind": "list"})["id"]
        for _ in range(15):
            before = self.state(layout)
            feed, expected, changes = [], [], False
            for _ in range(chance.randint(0, 4)):
                update, missing, did = self.update(chance, sections, known)
                feed.append(update)
                expected = list(dict.fromkeys(expected + missing))
                changes = changes or did
            answer = self.ask("POST", f"/layouts/{layout}/updates", {"updates": feed})
            ignores = any("missing" in next(iter(u.values())) for u in feed)
            self.assertEqual(answer.get("missing"), expected if ignores else None, feed)
            self.assertEqual(self.shown(layout), [
                [known[name] for name in section] for section in sections], feed)
            if not changes:
                self.assertEqual(self.state(layout), before, feed)
                self.assertIsNone(answer["invalidatedRect"], feed)
            # The same puts again tell nobody anything.
            puts = [u for u in feed if "put" in u]
            last = {}
            for put in puts:
                for item in self.rows(put["put"]["items"]):
                    last[item["id"]] = item
            again = {"updates": [{"put": {"at": [0, 0], "items": [
                item for item in last.values() if known.get(item["id"]) == item]}}]}
            now = [self.state(each) for each in (layout, view)]
            answer = self.ask("POST", f"/layouts/{layout}/updates", again)
            self.assertEqual([self.state(each) for each in (layout, view)], now, again)
            self.assertEqual(answer["version"], now[0])
        self.ask("DELETE", f"/layouts/{layout}")

    def update(self, chance, sections, known) -> tuple[dict, list, bool]:
        """An update, the ids that it misses, and whether it changes anything."""
        at = chance.randrange(2)
        section = sections[at]
        some = lambda: f"p{chance.randint(0, 25)}"
        step = chance.choice(["put", "put", "delete", "set", "replace", "move", "same"])
        name = some()
        home = next((s for s in sections if name in s), None)
        if step == "put":
            items = [self.item(chance, some()) for _ in range(chance.randint(0, 5))]
            items = [known.get(i["id"], i) if chance.random() < 0.3 else i for i in items]
            place = chance.choice([0, len(section), "end"])
            before = [dict(known), [list(s) for s in sections]]
            order = list(dict.fromkeys(item["id"] for item in items))
            new = [i for i in order if not any(i in s for s in sections)]
            section[len(section) if place == "end" else place:0 if place == 0 else len(section)] = new
            if place == 0:
                section[:] = section
            known.update({item["id"]: item for item in items})
            update = {"put": {"at": [at, place], "items": self.form(chance, items)}}
            return update, [], [dict(known), sections] != before
        ignore = {"missing": "ignore"}
        if step == "delete":
            if home:
                home.remove(name)
                del known[name]
            return {"delete": {"at": {"id": name}, **ignore}}, [] if home else [name], bool(home)
        if step == "set":
            data = chance.randint(1, 3)
            did = home and known[name].get("data") != data
            if home:
                known[name] = {**known[name], "data": data}
            return {"set": {"at": {"id": name}, "items": [{"data": data}], **ignore}}, (
                [] if home else [name]), bool(did)
        if step == "replace":
            item = self.item(chance, name)
            did = home and known[name] != item
            if home:
                known[name] = item
            return {"replace": {"at": {"id": name}, "items": [item], **ignore}}, (
                [] if home else [name]), bool(did)
        if step == "move":
            other = chance.choice([name, some()])
            target = next((s for s in sections if other in s), None)
            missing = [i for i, there in ((name, home), (other, target)) if not there]
            did = False
            if not missing and name != other:
                order = [list(s) for s in sections]
                home.remove(name)
                target.insert(target.index(other), name)
                did = order != sections
            return {"move": {"from": {"id": name}, "to": {"id": other}, **ignore}}, missing, did
        return chance.choice([
            {"moveSection": {"from": 1, "to": "end"}}, {"insert": {"at": [at, "end"], "items": []}},
            {"setSection": {"at": at, "options": {}}}, {"insertSections": {"at": 0, "sections": []}},
            {"put": {"at": [at, "end"], "items": 0}}, {"put": {"at": [at, 0], "items": {"id": []}}},
        ]), [], False

    def form(self, chance, items):
        """Rows or columns."""
        if not items or chance.random() < 0.5:
            return items
        columns = {"id": [item["id"] for item in items]}
        for field in ("height", "data", "x"):
            columns[field] = [item.get(field) for item in items]
        for field, name in (("text", "title"), ("keys", "stars")):
            columns[field] = {name: [item.get(field, {}).get(name) for item in items]}
        return columns

    def rows(self, items) -> list[dict]:
        if not isinstance(items, dict):
            return items or []
        rows = [{} for _ in items["id"]]
        for field, column in items.items():
            named = field in ("text", "keys")
            for name, values in column.items() if named else [(None, column)]:
                for row, value in zip(rows, values):
                    if value is not None:
                        row[field] = {name: value} if named else value
        return rows

    def state(self, layout: str):
        return self.ask("GET", f"/layouts/{layout}")["version"]

    def shown(self, layout: str) -> list:
        sections = self.ask("GET", f"/layouts/{layout}/collection")["sections"]
        return [self.rows(section["items"]) for section in sections]


if __name__ == "__main__":
    unittest.main()
