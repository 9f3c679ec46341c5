"""Answers in CBOR, read by cbor2, are the same as in JSON; the recipe of the page runs.

    Tests/cbor/run
"""

import http.client
import json
import math
import pathlib
import random
import subprocess
import sys
import unittest

import cbor2
import numpy

import pages
from program import Program
from test_sessions import PageSession

TYPES = {70: "<u4", 71: "<u8", 86: "<f8"}


def numbers(tag: cbor2.CBORTag) -> list:
    return numpy.frombuffer(tag.value, TYPES[tag.tag]).tolist()


def spread(runs: list) -> list:
    return [value for count, value in runs for _ in range(count)]


def elements(columns: dict) -> list[dict]:
    """Columns as the objects that they are in JSON."""
    x, y, width, height = (numbers(columns[name]) for name in ("x", "y", "width", "height"))
    section, item = numbers(columns["section"]), numbers(columns["item"])
    category, z = spread(columns["category"]), spread(columns["zIndex"])
    result = [
        {"category": category[i], "indexPath": [section[i], item[i]],
         "frame": [x[i], y[i], width[i], height[i]], "zIndex": z[i]}
        for i in range(len(x))]
    optional = {
        "kind": spread(columns.get("kind", [])), "id": columns.get("id", []),
        "ordinal": numbers(columns["ordinal"]) if "ordinal" in columns else []}
    data = columns.get("data", [])
    optional["data"] = [text if text is None else json.loads(text) for text in data]
    for name, values in optional.items():
        assert len(values) in (0, len(x)), name
        for element, value in zip(result, values):
            if value is not None:
                element[name] = value
    if children := columns.get("children"):
        places = (numbers(children[name]) for name in ("element", "section", "item", "count"))
        for of, section_of, first, count in zip(*places):
            result[of] |= {"firstChild": [section_of, first], "childCount": count}
            if count <= 100:
                result[of]["children"] = [[section_of, first + i] for i in range(count)]
    if ranges := columns.get("pinRange"):
        for of, start, end in zip(*(numbers(ranges[name]) for name in ("element", "from", "to"))):
            result[of]["pinRange"] = [start, end]
    return result


def readable(value):
    """What JSON says: coordinates with the fewest decimals that tell a multiple of 1/1024."""
    if isinstance(value, list):
        return [readable(part) for part in value]
    if isinstance(value, dict):
        return {name: readable(part) for name, part in value.items()}
    if not isinstance(value, float) or abs(value) >= 2**42:
        return value
    multiple = math.floor(abs(value) * 1024 + 0.5) / 1024
    texts = (f"{multiple:.{decimals}f}" for decimals in range(5))
    short = float(next(text for text in texts if abs(float(text) - multiple) < 1 / 2048))
    return math.copysign(short, value) + 0


def layouts() -> list[tuple[str, dict]]:
    """A layout of each kind, with numbers that no few digits hold."""
    choose = random.Random(8949)

    def items(count: int) -> list[dict]:
        return [
            {"height": choose.random() * 100, "width": choose.randint(1, 90),
             **({"data": {"title": f"{i}", "size": [i, 1.5]}} if choose.random() < 0.4 else {}),
             **({"id": f"ü{i}"} if choose.random() < 0.3 else {})}
            for i in range(count)]

    options = {"headerHeight": 10.1, "pinHeaders": True, "background": "section"}
    body = {"bounds": {"width": 333.3}, "options": options,
            "sections": [{"items": items(60)}, {"items": 0}, {"items": items(40)}]}
    group = {"direction": "horizontal", "width": {"fractionalWidth": 1},
             "height": {"absolute": 47.7},
             "subitems": [{"width": {"fractionalWidth": 0.3}, "height": {"fractionalHeight": 1},
                           "count": 3}]}
    made = [(kind, body) for kind in (
        "grid", "list", "waterfall", "gallery", "flow", "justified", "frames")]
    made.append(("group", {**body, "options": {**options, "group": group}}))
    made.append(("compositional", {
        "bounds": {"width": 333.3},
        "sections": [{"kind": "list", "orthogonal": {"height": 70}, "items": items(20)},
                     {"kind": "waterfall", "id": "w", "items": items(30)}]}))
    made.append(("tree", {"nodes": [
        {"parent": choose.randrange(i) if i else None, "id": f"n{i}"} for i in range(70)]}))
    made.append(("grid", {"bounds": {"width": 320}, "sections": [{"items": 10**11}]}))
    made.append(("list", {"bounds": {"width": 320}, "sections": []}))
    return made


class CBOR(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = Program()
        cls.addClassCleanup(cls.server.stop)
        cls.connection = http.client.HTTPConnection("127.0.0.1", cls.server.port)
        cls.addClassCleanup(cls.connection.close)

    def ask(self, path: str, accept: str = "*/*") -> bytes:
        self.connection.request("GET", path, headers={"Accept": accept})
        answer = self.connection.getresponse()
        content = answer.read()
        self.assertEqual(answer.status, 200, content)
        if accept != "*/*":
            self.assertEqual(answer.headers["Content-Type"], accept)
        return content

    def check(self, path: str) -> dict:
        """Compares both formats of an answer."""
        content = self.ask(path, "application/cbor")
        value = cbor2.loads(content)
        # cbor2 knows the deterministic encoding: what it writes are the same bytes.
        self.assertEqual(cbor2.dumps(value, canonical=True), content, path)
        said = json.loads(self.ask(path))
        if isinstance(value.get("elements"), dict):
            value = {**value, "elements": elements(value["elements"])}
        if isinstance(value.get("data"), bytes):
            value["data"] = json.loads(value["data"])
        # It moves on with each use.
        value.pop("expiresAt", None)
        said.pop("expiresAt", None)
        self.assertEqual(readable(value), readable(said), path)
        return said

    def test_an_answer_says_the_same_as_in_json(self):
        choose = random.Random(8746)
        for kind, body in layouts():
            with self.subTest(kind):
                self.connection.request(
                    "POST", f"/layouts/{kind}/prepare", json.dumps(body),
                    {"Content-Type": "application/json"})
                summary = json.loads(self.connection.getresponse().read())
                path = f"/layouts/{summary['id']}"
                size = summary["contentSize"]
                self.check(path)
                if kind != "tree":
                    self.check(f"{path}/sections")
                found = []
                for _ in range(20):
                    x = choose.uniform(-10, size["width"])
                    y = choose.uniform(-10, size["height"])
                    found += self.check(
                        f"{path}/elements?rect={x},{y},{choose.uniform(0, 500)},"
                        f"{choose.uniform(0, 800)}&limit={choose.randint(1, 50)}"
                        f"&data={choose.choice(['true', 'false'])}")["elements"]
                ids = [element["id"] for element in found if "id" in element]
                for several in (ids[:1], ids[:3] + ["none"]):
                    if ids:
                        query = "&".join(f"id={urlencoded(name)}" for name in several)
                        self.check(f"{path}/items?{query}&data=true")
                for element in found[:10]:
                    folder = {"cell": "items", "decoration": "decorations"}.get(
                        element["category"], "supplementary")
                    place = "/".join(map(str, element["indexPath"]))
                    name = f"/{element['kind']}" if "kind" in element else ""
                    more = "?data=true" if folder == "items" else ""
                    self.check(f"{path}/{folder}{name}/{place}{more}")

    def test_the_recipe_of_the_page(self):
        page = pages.read(pages.ROOT / "Documentation/cbor.md")
        (recipe, shown), = [
            (block, following) for block, following in zip(page.blocks, page.blocks[1:])
            if block.language == "python"]
        with PageSession() as session:
            for block, _ in page.session:
                session.run(block.text)
            folder = pathlib.Path(session.folder.name)
            script = folder / "recipe.py"
            script.write_text(recipe.text)
            printed = subprocess.run(
                [sys.executable, script], cwd=folder, capture_output=True, text=True, check=True)
        self.assertEqual(printed.stdout.strip(), shown.text.strip())


def urlencoded(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


if __name__ == "__main__":
    unittest.main()
