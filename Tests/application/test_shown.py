"""What comes with an element: texts of items, data of sections, and who is told of their changes.

SEED  a seed alone
"""

import json
import os
import pathlib
import random
import sys
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from program import Program

SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(
    100 if "TEST_ALL" in os.environ else 12)
EVERYTHING = "-1000,-1000,9000,90000"
NOTHING = {"appearing": [], "disappearing": [], "moving": []}
NAMES = ["title", "data", "b", "ä"]


def cbor(data: bytes):
    """Enough of RFC 8949 for what is asked here: the value, and what is behind it."""
    major, info, data = data[0] >> 5, data[0] & 31, data[1:]
    if major == 7:
        if info > 24:
            return 0.0, data[1 << info - 24:]
        return {20: False, 21: True, 22: None}[info], data
    if info >= 24:
        length = 1 << info - 24
        info, data = int.from_bytes(data[:length], "big"), data[length:]
    if major in (0, 1):
        return info if major == 0 else -1 - info, data
    if major in (2, 3):
        return data[:info] if major == 2 else data[:info].decode(), data[info:]
    if major == 6:
        return cbor(data)
    entries, keys = [], []
    for _ in range(info * (major - 3)):
        start = data
        value, data = cbor(data)
        entries.append(value)
        if major == 5 and len(entries) % 2:
            keys.append(start[:len(start) - len(data)])
    assert keys == sorted(keys), keys
    return entries if major == 4 else dict(zip(entries[::2], entries[1::2])), data


class Shown(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Program()
        cls.ask = staticmethod(cls.server.ask)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def binary(self, path: str):
        with urllib.request.urlopen(f"{self.server.url}{path}") as answer:
            value, rest = cbor(answer.read())
        self.assertEqual(rest, b"")
        return value

    def test_texts_and_data_of_sections(self) -> None:
        for seed in SEEDS:
            with self.subTest(f"SEED={seed}"):
                self.walk(random.Random(seed))

    def text(self, chance):
        return {name: chance.choice(["", "Pier", "ö"]) for name in NAMES if chance.random() < 0.5}

    def walk(self, chance: random.Random) -> None:
        items = [[{"id": f"p{s}{i}", "text": self.text(chance)} for i in range(chance.randint(0, 4))]
                 for s in range(3)]
        data = [chance.choice([None, {"n": 1}, "x"]) for _ in items]
        header = chance.choice([0, 20])
        layout = self.ask("POST", "/layouts/list/prepare", {
            "bounds": {"width": 100},
            "options": {"itemHeight": 20, "headerHeight": header, "pinHeaders": chance.random() < 0.5},
            "sections": [{"items": i, **({"data": d} if d is not None else {})}
                         for i, d in zip(items, data)]})["id"]
        view = self.ask("POST", f"/layouts/{layout}/views", {"kind": "grid", "options": {"columns": 2}})
        for _ in range(6):
            for each in (layout, view["id"]):
                self.check(each, items, data)
            versions = {each: self.ask("GET", f"/layouts/{each}")["version"]
                        for each in (layout, view["id"])}
            section = chance.randrange(3)
            if chance.random() < 0.5 or not items[section]:
                what, shown = "data", "supplementary"
                value = chance.choice([None, {"n": 2}, [1.50, "y"]])
                changed = data[section] != value and header > 0
                data[section] = value
                update = {"setSection": {"at": section, "data": value}}
            else:
                what, shown = "text", "cell"
                item = chance.choice(items[section])
                text = self.text(chance)
                merged = {**item["text"], **text}
                plain = lambda texts: {name: value for name, value in texts.items() if value}
                changed = plain(merged) != plain(item["text"])
                item["text"] = merged
                update = {"set": {"at": {"id": item["id"]}, "items": [{"text": text}]}}
            answer = self.ask("POST", f"/layouts/{layout}/updates", {"updates": [update]})
            self.assertEqual(bool(answer["invalidatedRect"]), changed, update)
            for each, version in versions.items():
                path = f"/layouts/{each}/elements?rect={EVERYTHING}&since={version}"
                for names in ([], ["data"], ["text"], ["data", "text"]):
                    asked = "".join(f"&{name}=true" for name in names)
                    told = self.ask("GET", f"{path}&transitions=true{asked}")["transitions"]
                    if not changed or what not in names:
                        self.assertEqual(told, NOTHING, (update, names))
                    else:
                        self.assertEqual([len(told[name]) for name in NOTHING], [0, 0, 1])
                        self.assertEqual(told["moving"][0]["to"]["category"], shown)
                    pinned = what == "data" and any(
                        "pinRange" in e for e in self.elements(each, "") if e.get("kind") == "header")
                    if not pinned:
                        again = self.ask("GET", f"{path}&known={EVERYTHING}{asked}")
                        self.assertEqual(
                            again.get("reset", False), changed and what in names, (update, names))
        self.ask("DELETE", f"/layouts/{layout}")

    def elements(self, layout: str, asked: str) -> list:
        return self.ask("GET", f"/layouts/{layout}/elements?rect={EVERYTHING}{asked}")["elements"]

    def check(self, layout: str, items: list, data: list) -> None:
        elements = self.elements(layout, "&data=true&text=true")
        for element in elements:
            section, item = element["indexPath"]
            if element["category"] == "cell":
                texts = {n: v for n, v in items[section][item]["text"].items() if v}
                self.assertEqual(element.get("text", {}), texts)
                names = [*element.get("text", {})]
                self.assertEqual(names, sorted(names, key=lambda name: name.encode()))
                path = f"/layouts/{layout}/items/{section}/{item}?text=true"
                self.assertEqual(self.ask("GET", path).get("text", {}), texts)
                self.assertEqual(self.binary(f"{path}&f=cbor").get("text", {}), texts)
            else:
                self.assertEqual(
                    element.get("data"), data[section] if element.get("kind") == "header" else None)
                self.assertNotIn("text", element)
                path = f"/layouts/{layout}/supplementary/{element.get('kind')}/{section}/0?data=true"
                if element["category"] == "supplementary":
                    self.assertEqual(self.ask("GET", path).get("data"), element.get("data"))
        columns = self.binary(
            f"/layouts/{layout}/elements?rect={EVERYTHING}&data=true&text=true&f=cbor")["elements"]
        for name in ("data", "text"):
            given = [element.get(name) for element in elements]
            told = columns.get(name, [None] * len(elements))
            self.assertEqual([json.loads(v) if name == "data" and v else v for v in told], given)
            self.assertEqual(name in columns, any(value is not None for value in given))
        for element in self.elements(layout, ""):
            self.assertTrue(element.keys().isdisjoint(["data", "text"]))
        for path, name in ((f"/layouts/{layout}/sections?", "sections"),):
            self.assertEqual(
                [s.get("data") for s in self.ask("GET", f"{path}data=true")[name]], data)
            self.assertTrue(all("data" not in s for s in self.ask("GET", path)[name]))
            binary = self.binary(f"{path}data=true&f=cbor")[name]
            self.assertEqual(
                [json.loads(s["data"]) if "data" in s else None for s in binary], data)
        for index, value in enumerate(data):
            path = f"/layouts/{layout}/sections/{index}"
            self.assertEqual(self.ask("GET", f"{path}?data=true").get("data"), value)
            self.assertNotIn("data", self.ask("GET", path))
        exported = self.ask("GET", f"/layouts/{layout}/collection")["sections"]
        self.assertEqual([s.get("data") for s in exported], data)


if __name__ == "__main__":
    unittest.main()
