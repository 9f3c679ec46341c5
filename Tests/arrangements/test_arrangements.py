"""Views that are arranged, against SQLite's own order and a fresh layout of what it gives.

SEED  a seed alone
"""

import decimal
import json
import os
import pathlib
import random
import re
import sqlite3
import sys
import time
import unittest
import urllib.error
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from program import Program, shared_store

SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(
    400 if "TEST_ALL" in os.environ else 40)
EVERYTHING = "-1000000,-1000000,3000000,3000000"
PLAIN = {"headerHeight": 0, "footerHeight": 0, "background": "none"}
KINDS = {
    "list": {**PLAIN, "itemHeight": 40, "headerHeight": 20, "background": "section"},
    "grid": {**PLAIN, "columns": 3, "rowHeight": 30, "headerHeight": 12},
    "waterfall": {**PLAIN, "columns": 2, "itemHeight": 25, "footerHeight": 9},
    "flow": {**PLAIN, "itemSize": {"width": 50, "height": 20}, "headerHeight": 7},
    "gallery": {**PLAIN, "itemHeight": 70, "footerHeight": 5},
    "justified": {**PLAIN, "targetRowHeight": 60},
}
NAMES = ["stars", "album", "taken"]
WORDS = ["sea", "Pier", "harbour", "sea side", "SEAL"]
VALUES = {
    "stars": [0, 1, 2, 3, 4, 5, True, False],
    "album": ["sea", "port", "é", "Z", "sea side", "5", ""],
    "taken": [-3.5, 0, -0.0, 1e300, 1e-6, 1e-7, 17, 1719830400, 1e20, 1e21, 2.0**63, "x", "5", 5, 0.1,
              -1e-9, True, ""],
}


class Model:
    """The collection as a client knows it."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.count = 0
        self.sections = [[self.item() for _ in range(chance.choice([0, 3, 20]))]
                         for _ in range(chance.randint(1, 4))]

    def item(self) -> dict:
        chance = self.chance
        self.count += 1
        item = {}
        if chance.random() < 0.8:
            item["id"] = f"p{chance.choice([self.count, chance.randint(1, 30)])}"
        if chance.random() < 0.4:
            item["height"] = chance.randint(1, 90)
        if chance.random() < 0.5:
            item["data"] = {"n": self.count}
        if chance.random() < 0.5:
            item["text"] = self.texts()
        keys = {name: self.value(name) for name in NAMES if chance.random() < 0.75}
        if keys:
            item["keys"] = keys
        return item

    def value(self, name: str):
        """A value of a key, or several."""
        chance = self.chance
        if chance.random() < 0.3:
            return [chance.choice(VALUES[name]) for _ in range(chance.choice([0, 1, 2, 3, 3, 64]))]
        return chance.choice(VALUES[name])

    def texts(self) -> dict:
        chance = self.chance
        return {name: " ".join(chance.sample(WORDS, 2)) for name in chance.choice([["title"], ["body"], ["title", "body"]])}

    def items(self) -> list[dict]:
        return [item for section in self.sections for item in section]

    def update(self) -> dict:
        """Changes the collection, and says how."""
        chance = self.chance
        at = chance.randrange(len(self.sections))
        section = self.sections[at]
        place = chance.randint(0, len(section))
        step = chance.choice(["insert", "delete", "set", "set", "set", "move", "replace", "section"])
        if step == "section" and len(self.sections) < 6:
            self.sections.insert(at, [self.item() for _ in range(chance.randint(0, 5))])
            return {"insertSections": {"at": at, "sections": [{"items": [*self.sections[at]]}]}}
        if step == "insert" or not section:
            new = [self.item() for _ in range(chance.randint(1, 4))]
            section[place:place] = new
            return {"insert": {"at": [at, place], "items": new}}
        place = min(place, len(section) - 1)
        if step == "delete":
            section.pop(place)
            return {"delete": {"at": [at, place], "count": 1}}
        if step == "move":
            to = chance.randrange(len(section))
            section.insert(to, section.pop(place))
            return {"move": {"from": [at, place], "to": [at, to]}}
        if step == "set" and chance.random() < 0.4:
            # What no arrangement asks for, or only a condition of texts.
            change = chance.choice([{"data": {"n": -self.count}}, {"height": chance.randint(1, 90)}, {"text": self.texts()}])
            item = section[place] = dict(section[place])
            item.update({**change, **({"text": item.get("text", {}) | change["text"]} if "text" in change else {})})
            return {"set": {"at": [at, place], "items": [change]}}
        if step == "set":
            name = chance.choice(NAMES)
            value = chance.choice([self.value(name), self.value(name), None])
            item = section[place] = dict(section[place], keys=dict(section[place].get("keys", {})))
            if chance.random() < 0.1:
                item.pop("keys")
                return {"set": {"at": [at, place], "items": [{"keys": None}]}}
            item["keys"][name] = value
            if value is None:
                item["keys"].pop(name)
            if not item["keys"]:
                item.pop("keys")
            return {"set": {"at": [at, place], "items": [{"keys": {name: value}}]}}
        section[place] = self.item()
        return {"replace": {"at": [at, place], "items": [section[place]]}}

    # What an arrangement makes of it, by SQLite

    def arranged(self, arrange: dict | None) -> list[dict]:
        if not arrange:
            return [{"items": section} for section in self.sections]
        if "ids" in arrange or "sections" in arrange:
            listed = arrange.get("sections", [{"ids": arrange.get("ids")}])
            first, made = {}, []
            for item in self.items():
                if "id" in item:
                    first.setdefault(item["id"], item)
            for section in listed:
                items = [first.pop(name) for name in section["ids"] if name in first]
                made.append({**{k: v for k, v in section.items() if k == "id"}, "items": items})
            return made
        table = sqlite3.connect(":memory:")
        table.execute("create table items (place integer primary key, stars, album, taken)")
        # Many values are a table of pairs.
        table.execute("create table pairs (place integer, key, value)")
        for place, item in enumerate(self.items()):
            keys = {name: value if isinstance(value, list) else [value]
                    for name, value in item.get("keys", {}).items()}
            # SQLite gives -0.0 back as it is, and knows it for 0.
            values = [next(iter(keys.get(name, [])), None) for name in NAMES]
            table.execute("insert into items values (?, ?, ?, ?)", (place, *values))
            table.executemany("insert into pairs values (?, ?, ?)", [
                (place, name, value) for name, values in keys.items() for value in values])
        given = []

        def met(condition: dict) -> str:
            if "text" in condition:
                sought = condition["text"]
                fold = (lambda text: text) if condition.get("exact") else str.casefold
                places = [str(place) for place, item in enumerate(self.items()) if any(
                    fold(sought) in fold(text) for name, text in item.get("text", {}).items()
                    if condition.get("name") in (None, name))]
                return f"place {'not ' if condition.get('not') else ''}in ({','.join(places)})"
            if "any" in condition:
                text = " or ".join(met(one) for one in condition["any"]) or "0"
                return f"(not ({text}))" if condition.get("not") else f"({text})"
            parts = ["key = ?"]
            given.append(condition["key"])
            bounds = [condition[name] for name in ("from", "to") if name in condition]
            if bounds:
                kind = "= 'text'" if isinstance(bounds[0], str) else "in ('integer', 'real')"
                parts.append(f"typeof(value) {kind}")
            for name, sign in (("from", ">="), ("to", "<")):
                if name in condition:
                    parts.append(f"value {sign} ?")
                    given.append(condition[name])
            if "in" in condition:
                parts.append(f"value in ({','.join('?' * len(condition['in']))})")
                given.extend(condition["in"])
            text = f"exists (select 1 from pairs where pairs.place = items.place and {' and '.join(parts)})"
            for value in condition.get("all", []):
                text += " and exists (select 1 from pairs where pairs.place = items.place and key = ? and value = ?)"
                given.extend([condition["key"], value])
            return f"(not ({text}))" if condition.get("not") else f"({text})"

        where = ["1", *(met(condition) for condition in arrange.get("where", []))]
        group = arrange.get("groupBy")
        order = ", ".join(
            f"{key['key']} {'desc' if key.get('order') == 'descending' else 'asc'} nulls last"
            for key in ([group] if group else []) + arrange.get("sortBy", []))
        rows = table.execute(
            f"select place, {group['key'] if group else 'null'} from items "
            f"where {' and '.join(where)} order by {order + ', ' if order else ''}place", given)
        items, made = self.items(), []
        if not group:
            return [{"items": [items[place] for place, _ in rows]}]
        last = object()
        for place, value in rows:
            if made and (type(value) is str) == (type(last) is str) and value == last:
                made[-1]["items"].append(items[place])
                continue
            name = value if isinstance(value, str) else None if value is None else number(value)
            made.append({**({"id": name} if name is not None else {}), "items": [items[place]]})
            last = value
        return made

    def arrange(self) -> dict | None:
        """Some arrangement."""
        chance = self.chance
        form = chance.random()
        if form < 0.1:
            return None
        if form < 0.25:
            return {"ids": [f"p{chance.randint(1, 40)}" for _ in range(chance.randint(0, 20))]}
        if form < 0.4:
            return {"sections": [
                {"id": name, "ids": [f"p{chance.randint(1, 40)}" for _ in range(chance.randint(0, 8))]}
                for name in chance.sample(["best", "sea", "5"], 2)]}
        order = lambda: {"key": chance.choice(NAMES), "order": chance.choice(["ascending", "descending"])}
        arrange = {}
        if chance.random() < 0.6:
            arrange["where"] = [self.condition() for _ in range(chance.randint(1, 2))]
        if chance.random() < 0.6:
            arrange["groupBy"] = order()
        if chance.random() < 0.7:
            arrange["sortBy"] = [order() for _ in range(chance.randint(1, 3))]
        return arrange

    def condition(self, nested: bool = False) -> dict:
        chance = self.chance
        if not nested and chance.random() < 0.2:
            condition = {"any": [self.condition(True) for _ in range(chance.randint(0, 3))]}
            return {**condition, **({"not": True} if chance.random() < 0.3 else {})}
        if chance.random() < 0.2:
            condition = {"text": chance.choice(["sea", "Sea", "pier", "a s", "nowhere"])}
            for name, value in (("name", chance.choice(["title", "body"])), ("exact", True), ("not", True)):
                if chance.random() < 0.3:
                    condition[name] = value
            return condition
        key = chance.choice(NAMES)
        condition = {"key": key}
        bound = chance.choice(VALUES[key])
        alike = [value for value in VALUES[key] if isinstance(value, str) == isinstance(bound, str)]
        if chance.random() < 0.5:
            condition["from"] = bound
        if chance.random() < 0.3:
            condition["to"] = chance.choice(alike)
        if chance.random() < 0.3:
            name = chance.choice(["in", "in", "all"])
            condition[name] = chance.sample(VALUES[key], chance.randint(0, 2 if name == "all" else 3))
        if chance.random() < 0.3:
            condition["not"] = True
        return condition


def number(value: float) -> str:
    """A number as ECMAScript writes it."""
    text = repr(float(value) + 0)
    if value == 0 or 1e-6 <= abs(value) < 1e21:
        return format(decimal.Decimal(text), "f").removesuffix(".0")
    return re.sub(r"e([+-])0?", r"e\1", text)


def key(element: dict) -> tuple:
    return element["category"], element.get("kind"), *element["indexPath"]


class Arrangements(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Program()
        cls.ask, cls.request = staticmethod(cls.server.ask), staticmethod(cls.server.request)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def elements(self, layout: str) -> list[dict]:
        answer = self.ask("GET", f"/layouts/{layout}/elements?rect={EVERYTHING}&data=true")
        self.assertNotIn("next", answer)
        return answer["elements"]

    def test_a_view_shows_what_a_fresh_layout_of_the_arranged_collection_shows(self) -> None:
        for seed in SEEDS:
            with self.subTest(f"SEED={seed}"):
                self.walk(seed)

    def walk(self, seed: int) -> None:
        chance = random.Random(seed)
        model = Model(chance)
        kind = chance.choice([*KINDS])
        source = self.ask("POST", f"/layouts/{kind}/prepare", {
            "bounds": {"width": 300}, "options": KINDS[kind],
            "sections": [{"items": items} for items in model.sections]})["id"]
        arrange = model.arrange()
        kind = chance.choice([*KINDS])
        view = self.ask("POST", f"/layouts/{source}/views", {
            "kind": kind, "options": KINDS[kind], "arrange": arrange})
        believed = {key(element): element for element in self.elements(view["id"])}
        version, width = view["version"], 300
        for step in range(12):
            # Some steps come in quick succession, without a look between them.
            if chance.random() < 0.5:
                updates = [model.update() for _ in range(chance.randint(1, 3))]
                self.ask("POST", f"/layouts/{source}/updates", {"updates": updates})
            elif chance.random() < 0.8:
                arrange = model.arrange()
                given = arrange
                answer = self.ask(
                    "PATCH", f"/layouts/{view['id']}?rect={EVERYTHING}", {"arrange": given})
                for change in answer["transitions"]["moving"]:
                    self.assertEqual(change["from"].get("id"), change["to"].get("id"), step)
                if answer["invalidated"] and answer["version"] == version + 1:
                    self.believe(believed, answer["transitions"])
                    self.assertEqual(
                        believed, {key(e): self.plain(e) for e in self.elements(view["id"])}, step)
                    version = answer["version"]
            else:
                width = chance.choice([200, 300, 417])
                self.ask("PATCH", f"/layouts/{view['id']}", {"bounds": {"width": width}})
            if chance.random() < 0.4:
                continue
            self.check(view["id"], kind, width, model.arranged(arrange), step)
            answer = self.ask(
                "GET", f"/layouts/{view['id']}/elements?rect={EVERYTHING}&since={version}"
                "&transitions=true&data=true")
            if not answer.get("reset"):
                self.believe(believed, answer.get("transitions", {}))
            now = {key(element): element for element in self.elements(view["id"])}
            if not answer.get("reset"):
                self.assertEqual(
                    {k: self.plain(e) for k, e in believed.items()},
                    {k: self.plain(e) for k, e in now.items()}, step)
            believed = now
            version = answer["version"]
        for layout in (view["id"], source):
            self.ask("DELETE", f"/layouts/{layout}")

    def test_measured_sizes_stay_with_their_items_whether_versions_are_made_one_by_one_or_at_once(self) -> None:
        for seed in SEEDS:
            with self.subTest(f"SEED={seed}"):
                self.walk_measured(seed)

    def walk_measured(self, seed: int) -> None:
        chance = random.Random(seed)
        model = Model(chance)
        kind = chance.choice(["list", "waterfall", "grid"])
        options = {**KINDS[kind], **({"rowSizing": "tallest"} if kind == "grid" else {})}
        source = self.ask("POST", f"/layouts/{kind}/prepare", {
            "bounds": {"width": 300}, "options": options,
            "sections": [{"items": items} for items in model.sections]})["id"]
        arrange = next(given for given in iter(model.arrange, 0) if given)
        given = {"kind": kind, "options": options, "arrange": arrange}
        # The second one is as the first one, but looked at only now and then.
        often, seldom = (self.ask("POST", f"/layouts/{source}/views", given)["id"] for _ in range(2))
        for step in range(10):
            for _ in range(chance.randint(0, 4)):
                self.ask("POST", f"/layouts/{source}/updates", {"updates": [model.update()]})
                self.elements(often)
            cells = [cell["indexPath"] for cell in self.elements(often) if cell["category"] == "cell"]
            self.assertEqual(self.elements(often), self.elements(seldom), step)
            if cells:
                size = [{"at": at, "height": chance.randint(1, 90)} for at in chance.sample(cells, min(3, len(cells)))]
                for layout in (often, seldom):
                    self.ask("POST", f"/layouts/{layout}/measurements", {"sizes": size})
                self.assertEqual(self.elements(often), self.elements(seldom), step)
        for layout in (often, seldom, source):
            self.ask("DELETE", f"/layouts/{layout}")

    def test_two_servers_that_share_a_store_show_the_same(self) -> None:
        with shared_store() as (_, store), Program(*store) as first, Program(*store) as second:
            either = random.Random(1)

            def ask(method, path, *body):
                # A server hears of what another one has changed within a second.
                end = time.monotonic() + 10
                layout = "/".join(path.split("?")[0].split("/")[:3])
                while method in ("GET", "PATCH") and len(
                        {server.ask("GET", layout)["versionTag"] for server in (first, second)}) > 1:
                    self.assertLess(time.monotonic(), end, path)
                return either.choice([first, second]).ask(method, path, *body)

            self.ask = ask
            self.request = lambda *request: either.choice([first, second]).request(*request)
            for seed in SEEDS[:max(1, len(SEEDS) // 10)]:
                with self.subTest(f"SEED={seed}"):
                    self.walk(seed)
                    self.walk_measured(seed)

    def plain(self, element: dict) -> dict:
        return {name: value for name, value in element.items() if name != "data"}

    def believe(self, believed: dict, transitions: dict) -> None:
        """Takes transitions over as a client does."""
        for path in list(believed):
            believed[path] = self.plain(believed[path])
        moving = transitions.get("moving", [])
        for change in [*transitions.get("disappearing", []), *moving]:
            self.assertEqual(
                believed.pop(key(change["from"]))["frame"], change["from"]["frame"])
        for change in [*transitions.get("appearing", []), *moving]:
            believed[key(change["to"])] = self.plain(change["to"])

    def check(self, view: str, kind: str, width: int, sections: list[dict], step: int) -> None:
        fresh = self.ask("POST", f"/layouts/{kind}/prepare", {
            "bounds": {"width": width}, "options": KINDS[kind], "sections": sections})
        self.assertEqual(self.elements(view), self.elements(fresh["id"]), step)
        for path in ("ids?limit=1000", "sections?limit=1000", "sections?marks=7"):
            ours, theirs = (
                self.ask("GET", f"/layouts/{layout}/{path}")
                for layout in (view, fresh["id"]))
            for answer in (ours, theirs):
                for name in ("id", "version", "versionTag"):
                    answer.pop(name)
            self.assertEqual(ours, theirs, step)
        self.check_keys(view, sections)
        ours, theirs = (
            self.ask("GET", f"/layouts/{layout}/collection") for layout in (view, fresh["id"]))
        self.assertEqual(ours, theirs, step)
        self.ask("DELETE", f"/layouts/{fresh['id']}")


    def check_keys(self, view: str, sections: list[dict]) -> None:
        """The first cell whose first value of a key is in a range."""
        chance = random.Random(len(sections))
        name = chance.choice(NAMES)
        bound = chance.choice([value for value in VALUES[name] if not isinstance(value, bool)])
        # What is a number in JSON is meant as one.
        bound = 5 if bound == "5" else bound
        for end in ("from", "upTo"):
            def meets(item: dict) -> bool:
                value = item.get("keys", {}).get(name)
                value = next(iter(value), None) if isinstance(value, list) else value
                if value is None or isinstance(value, str) != isinstance(bound, str):
                    return False
                one, other = ((v.encode() if isinstance(v, str) else v) for v in (value, bound))
                return one >= other if end == "from" else one <= other
            expected = next(([s, i] for s, section in enumerate(sections)
                             for i, item in enumerate(section["items"]) if meets(item)), None)
            value = bound if isinstance(bound, str) else json.dumps(bound)
            query = urllib.parse.urlencode({"key": name, end: value}, quote_via=urllib.parse.quote)
            try:
                found = self.request("GET", f"/layouts/{view}/items?{query}")["indexPath"]
            except urllib.error.HTTPError as problem:
                self.assertEqual(problem.code, 404)
                found = None
            self.assertEqual(found, expected, query)


if __name__ == "__main__":
    unittest.main()
