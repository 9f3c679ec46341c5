"""Who may do what: by the id of a read-only view alone, and with keys for prepare alone.

SEED  a seed alone
"""

import json
import os
import pathlib
import random
import re
import sys
import tempfile
import unittest

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from asking import ask
from program import ROOT, Program

SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(
    100 if "TEST_ALL" in os.environ else 6)
CONTRACT = yaml.safe_load((ROOT / "openapi.yaml").read_text())
METHODS = ("get", "head", "post", "patch", "delete")
OPERATIONS = sorted(
    (method.upper(), path) for path, item in CONTRACT["paths"].items()
    for method in item if method in METHODS)
NEED_KEYS = {("POST", "/layouts/{kind}/prepare"), ("GET", "/layouts"), ("POST", "/text/measure"),
             ("GET", "/metrics")}
ARRANGE = {"where": [{"key": "album", "in": ["sea"]}]}


class ReadOnly(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Program()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def test_a_crawler_finds_nothing_that_the_album_does_not_show(self) -> None:
        for seed in SEEDS:
            with self.subTest(f"SEED={seed}"):
                self.crawl(random.Random(seed))

    def crawl(self, chance: random.Random) -> None:
        items = [{"id": f"p{i}", "height": 20, "keys": {"album": chance.choice(["sea", "port"])}}
                 for i in range(30)]
        items[0]["keys"]["album"], items[1]["keys"]["album"] = "sea", "port"
        for item in items:
            kind = "seen" if item["keys"]["album"] == "sea" else "SECRET"
            item.update(data={"title": kind + item["id"]}, text={"title": kind + item["id"]})
        hidden = [item["id"] for item in items if item["keys"]["album"] != "sea"]
        shown = [item["id"] for item in items if item["keys"]["album"] == "sea"]
        source = self.server.ask("POST", "/layouts/list/prepare", {
            "bounds": {"width": 300}, "sections": [{"data": "seen", "items": items}]})["id"]
        made = self.server.ask("POST", f"/layouts/{source}/views", {"readOnly": True, "arrange": ARRANGE})
        self.assertEqual((made["readOnly"], made["arrange"]), (True, ARRANGE))
        album, known = made["id"], [made["id"]]
        for _ in range(300):
            method, path = chance.choice(OPERATIONS)
            self.request(chance, method, path, album, known, hidden + ["p99"], shown)
        # What is left out and what never was are told alike.
        for target in ("items?id={}", "elements?rect=0,0,9,9&anchor={}", "ids?from={}&to={}",
                       "find?text=a&from={}"):
            told = [ask(self.server, "GET", f"/layouts/{album}/" + target.replace("{}", name))
                    for name in ("p1", "p99")]
            self.assertEqual(*[self.plain(answer, name)
                               for answer, name in zip(told, ("p1", "p99"))], target)
        view = self.server.ask("POST", f"/layouts/{album}/views", {})["id"]
        told = [ask(self.server, "POST", f"/layouts/{view}/measurements",
                    {"sizes": [{"id": name, "height": 3}]}) for name in ("p1", "p99")]
        self.assertEqual(told[0][0], 422)
        self.assertEqual(*[self.plain(answer, name) for answer, name in zip(told, ("p1", "p99"))])
        for body in ({"arrange": None}, {"arrange": ARRANGE}, {"arrange": 1, "kind": 7}):
            for method, path in (("PATCH", f"/layouts/{view}"), ("POST", f"/layouts/{album}/views"),
                                 ("POST", f"/layouts/{view}/views")):
                status, data, _ = ask(self.server, method, path, body)
                problem = json.loads(data)
                self.assertEqual((status, problem["type"], problem["errors"][0]["pointer"]),
                                 (403, "/problems/read-only-view", "/arrange"), (method, path, body))
        self.assertEqual(self.server.ask("GET", f"/layouts/{source}")["version"], 1)
        # The view goes by its source alone, and what was made of it goes with it.
        status, data, _ = ask(self.server, "DELETE", f"/layouts/{album}/views/{view}")
        self.assertEqual((status, json.loads(data)["type"]), (403, "/problems/read-only-view"))
        other = self.server.ask("POST", "/layouts/list/prepare", {"bounds": {"width": 9}, "sections": []})
        self.assertEqual(ask(self.server, "DELETE", f"/layouts/{other['id']}/views/{album}")[0], 404)
        self.assertEqual(ask(self.server, "DELETE", f"/layouts/{source}/views/{source}")[0], 404)
        self.assertEqual(
            ask(self.server, "DELETE", f"/layouts/{source}/views/{album}", **{"If-Match": '"9-1"'})[0], 412)
        self.assertEqual(ask(self.server, "DELETE", f"/layouts/{source}/views/{album}")[0], 204)
        for each in (album, view):
            self.assertEqual(ask(self.server, "GET", f"/layouts/{each}")[0], 404)
        self.assertEqual(ask(self.server, "GET", f"/layouts/{source}")[0], 200)
        self.server.ask("DELETE", f"/layouts/{source}")

    def plain(self, answer, name: str) -> tuple:
        return answer[0], re.sub(rb'"requestId": ?"[^"]*"', b"", answer[1]).replace(name.encode(), b"X")

    def request(self, chance, method, path, album, known, hidden, shown) -> None:
        layout, name = chance.choice(known), chance.choice(hidden + shown)
        values = {"id": layout, "section": chance.randint(0, 2), "item": chance.randint(0, 30),
                  "elementKind": "header", "kind": "list", "view": chance.choice(known)}
        target = re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], "x")), path)
        if path in ("/layouts/{kind}/prepare",):
            return
        every = "-9e3,-9e3,9e9,9e9"
        query = chance.choice([
            "", f"rect={every}", f"rect={every}&data=true&text=true&summary=true", f"id={name}",
            f"rect={every}&since=1&transitions=true", f"rect=0,0,9,9&anchor={name}", "arrange=true",
            f"from={name}&to={name}", "marks=7", "text=e&marks=3&limit=100", "data=true", "ordinal=29",
            f"layout={layout}", f"rect={every}&f=cbor&data=true", "f=cbor&arrange=true"])
        body = None
        if method in ("POST", "PATCH"):
            body = chance.choice([
                {}, {"arrange": None}, {"arrange": {}}, {"readOnly": True}, {"kind": "grid", "options": {
                    "columns": 2}}, {"sizes": [{"id": name, "height": 5}]}, {"bounds": {"width": 200}},
                {"readOnly": False, "arrange": {"where": [{"key": "album", "not": True}]}},
                {"updates": [{"delete": {"at": {"id": name}}}]}, {"from": 1, "unfold": [{"id": name}]}])
        status, data, headers = ask(self.server, method, target + (f"?{query}" if query else ""), body)
        what = (method, target, query, body, status)
        self.assertNotIn(b"SECRET", data, what)
        self.assertLess(status, 500, what)
        if layout == album and method in ("PATCH", "DELETE") and path == "/layouts/{id}":
            self.assertIn(status, (400, 403), what)
        if status == 201:
            known.append(headers["Location"].rsplit("/", 1)[1])
        if status == 204 and method == "DELETE" and path == "/layouts/{id}":
            self.assertNotEqual(layout, album)
        if status in (200, 201) and path in ("/layouts/{id}", "/layouts/{id}/views") and data[:1] == b"{":
            summary = json.loads(data)
            self.assertIs(summary["arrange"], True, what)
            self.assertEqual(summary["counts"]["cells"], len(shown), what)
        if path == "/layouts/{id}/ids" and status == 200 and method == "GET":
            self.assertLessEqual({*json.loads(data)["ids"]}, {*shown}, what)

    def test_what_a_view_says_of_itself(self) -> None:
        ask_ = self.server.ask
        source = self.server.prepare("list", {"bounds": {"width": 9}, "sections": [{"items": 1}]})
        view = ask_("POST", f"/layouts/{source}/views", {"readOnly": True})["id"]
        made = ask_("POST", f"/layouts/{view}/views", {"readOnly": None})["id"]
        self.assertNotIn("arrange", ask_("GET", f"/layouts/{view}"))
        self.assertNotIn("readOnly", ask_("GET", f"/layouts/{made}"))
        for body in ({"readOnly": 1}, {"readOnly": "true"}):
            self.assertEqual(ask(self.server, "POST", f"/layouts/{source}/views", body)[0], 422)
        for body in ({"readOnly": True}, {"readOnly": False}, {"readOnly": None}):
            self.assertEqual(ask(self.server, "PATCH", f"/layouts/{made}", body)[0], 422)


class Keys(unittest.TestCase):
    def test_each_operation_needs_a_key_or_not_as_the_table_says(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".keys") as file:
            file.write("secret\n")
            file.flush()
            key = {"Authorization": "Bearer secret"}
            for chosen in ("prepare", "all"):
                with Program("--api-keys-file", file.name, "--keys-for", chosen) as server:
                    self.check(server, chosen, key)

    def check(self, server, chosen: str, key: dict) -> None:
        status, data, _ = ask(server, "POST", "/layouts/list/prepare?name=x", {
            "bounds": {"width": 9}, "sections": [{"items": [{"id": "a"}]}]}, **key)
        self.assertEqual(status, 201)
        layout = json.loads(data)["id"]
        always = ("/", "/client/{file}", "/examples/{name}", "/viewer/{file}", "/kinds", "/healthz",
                  "/readyz", "/openapi.yaml", "/problems/{code}")
        for method, path in sorted(OPERATIONS, key=lambda operation: operation[0] == "DELETE"):
            target = path.replace("{id}", layout).replace("{kind}", "list")
            target = re.sub(r"\{\w+\}", "0", target)
            if path == "/events":
                target += f"?layout={layout}"
            body = {} if method in ("POST", "PATCH") else None
            needs = path not in always if chosen == "all" else (method, path) in NEED_KEYS
            for name in ({}, {"Authorization": "Bearer wrong"}):
                status = ask(server, method, target, body, **name)[0]
                self.assertEqual(status == 401, needs, (chosen, method, path, status))
        for target, needs in (("/nowhere", True), ("/layouts/x/nowhere", False), ("/layouts", True),
                              ("/layouts?name=x", True), ("/layouts/list/prepare", True),
                              ("/layouts/grid/%70repare", True), ("/layouts/", True),
                              ("/events/x", True), ("/fonts/a/b", True)):
            status = ask(server, "GET", target)[0]
            self.assertEqual(status == 401, needs or chosen == "all", (chosen, target, status))
            if not needs and chosen == "prepare":
                self.assertEqual(status, 404)


if __name__ == "__main__":
    unittest.main()
