"""Layouts that are prepared under a name, by many at once, on one server and on two that share a store."""

import concurrent.futures
import json
import pathlib
import sys
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from program import Program, shared_store
from asking import ask

BODY = {"bounds": {"width": 100}, "options": {"itemHeight": 10},
        "sections": [{"items": [{"id": f"p{i}", "height": i % 7} for i in range(2000)]}]}


class Names(unittest.TestCase):
    def test_on_one_server(self) -> None:
        with Program() as server:
            self.walk([server])

    def test_on_two_servers_that_share_a_store(self) -> None:
        with shared_store() as (_, store):
            with Program(*store) as first, Program(*store) as second:
                self.walk([first, second])
                self.access([first, second])
            # A server that starts later knows the name, too.
            with Program(*store) as third:
                self.assertEqual(self.prepare(third, "kept")[0], 200)

    def await_equal(self, value, expected) -> None:
        """Other servers hear of a change within a second."""
        end = time.monotonic() + 10
        while value() != expected and time.monotonic() < end:
            pass
        self.assertEqual(value(), expected)

    def prepare(self, server, name: str, kind: str = "list", body=BODY) -> tuple[int, dict, dict]:
        status, data, headers = ask(
            server, "POST", f"/layouts/{kind}/prepare?name={urllib.parse.quote(name)}", body)
        return status, json.loads(data), headers

    def named(self, server, name: str) -> list:
        status, data, headers = ask(server, "GET", f"/layouts?name={urllib.parse.quote(name)}")
        self.assertEqual((status, headers["Cache-Control"]), (200, "no-store"))
        return json.loads(data)["layouts"]

    def walk(self, servers: list) -> None:
        for name in ("photos", "Fotos & mehr/ü{x}", "n" * 128):
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(
                    lambda i: self.prepare(servers[i % len(servers)], name), range(8)))
            self.assertEqual(sorted(status for status, _, _ in answers), [200] * 7 + [201], name)
            self.assertEqual(len({summary["id"] for _, summary, _ in answers}), 1)
            layout = answers[0][1]["id"]
            for status, summary, headers in answers:
                self.assertEqual((summary["name"], headers["Location"]), (name, f"/layouts/{layout}"))
                self.assertEqual(headers["ETag"], f'"{summary["versionTag"]}"')
            for server in servers:
                self.assertEqual([s["id"] for s in self.named(server, name)], [layout])
                self.assertEqual(json.loads(ask(server, "GET", f"/layouts/{layout}")[1])["name"], name)
                # Neither the kind nor the body matter.
                self.assertEqual(self.prepare(server, name, "tree", {"x": 1})[1]["id"], layout)
            view = servers[0].ask("POST", f"/layouts/{layout}/views", {})
            self.assertNotIn("name", view)
            self.assertNotIn("name", servers[0].ask("GET", f"/layouts/{layout}/collection"))
            update = {"updates": [{"delete": {"at": {"id": "p3"}}}]}
            self.assertEqual(
                servers[-1].ask("POST", f"/layouts/{layout}/updates", update)["name"], name)
            self.await_equal(lambda: self.named(servers[0], name)[0]["version"], 2)
            # The name ends with its layout, and is free again.
            servers[-1].ask("DELETE", f"/layouts/{layout}")
            for server in servers:
                self.await_equal(lambda: self.named(server, name), [])
            status, summary, _ = self.prepare(servers[0], name)
            self.assertEqual((status, summary["id"] == layout), (201, False))
            self.assertEqual(self.prepare(servers[-1], name)[0], 200)
        self.prepare(servers[0], "kept")
        for target in ("?name=", "?name=" + "n" * 129, "?name=x&name=y", "?name=x&limit=3"):
            self.assertEqual(ask(servers[0], "GET", f"/layouts{target}")[0], 400, target)
        for target in ("?name=", "?name=" + "n" * 129, "?title=x"):
            self.assertEqual(ask(servers[0], "POST", f"/layouts/list/prepare{target}", BODY)[0], 400)
        self.assertEqual(ask(servers[0], "GET", "/layouts")[0], 404)
        self.assertEqual(ask(servers[0], "POST", "/layouts/nokind/prepare?name=kept", BODY)[0], 404)
        self.assertEqual(ask(servers[0], "HEAD", "/layouts?name=kept")[0], 200)
        self.assertEqual(ask(servers[0], "POST", "/layouts/list/prepare?name=bad", {})[0], 422)
        self.assertEqual(self.named(servers[0], "bad"), [])

    def access(self, servers: list) -> None:
        """What a read-only view is, other servers know, too."""
        first, second = servers
        source = self.prepare(first, "kept")[1]["id"]
        arrange = {"ids": ["p1", "p2"]}
        album = first.ask("POST", f"/layouts/{source}/views", {"readOnly": True, "arrange": arrange})["id"]
        made = second.ask("POST", f"/layouts/{album}/views", {"bounds": {"width": 50}})
        self.assertEqual((made["arrange"], made["counts"]["cells"]), (True, 2))
        for server in servers:
            summary = server.ask("GET", f"/layouts/{album}?arrange=true")
            self.assertEqual((summary["arrange"], summary["readOnly"]), (True, True))
            for method, path, body in (("PATCH", "", {}), ("POST", "/measurements", {"sizes": []}),
                                       ("DELETE", "", None)):
                self.assertEqual(ask(server, method, f"/layouts/{album}{path}", body)[0], 403)
            self.assertEqual(
                ask(server, "PATCH", f"/layouts/{made['id']}", {"arrange": None})[0], 403)
            self.assertEqual(ask(server, "PATCH", f"/layouts/{made['id']}", {"bounds": {
                "width": 60}})[0], 200)
        inner = first.ask("POST", f"/layouts/{made['id']}/views", {"readOnly": True})["id"]
        last = second.ask("POST", f"/layouts/{inner}/views", {})["id"]
        self.assertEqual(ask(second, "DELETE", f"/layouts/{source}/views/{album}")[0], 204)
        for layout in (album, made["id"], inner, last):
            for server in servers:
                self.await_equal(lambda: ask(server, "GET", f"/layouts/{layout}")[0], 404)
        self.assertEqual(ask(first, "GET", f"/layouts/{source}")[0], 200)


if __name__ == "__main__":
    unittest.main()
