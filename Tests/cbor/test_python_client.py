"""The client in one file for Python: the same elements, page after page, as rows and as columns; streams and refusals.

    Tests/cbor/run test_python_client
"""

import array
import concurrent.futures
import importlib.util
import json
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import cbor2
import numpy

from program import Program


def client_of(server: Program, *without: str):
    """The module that a server gives, as if some other modules were not there."""
    folder = pathlib.Path(tempfile.mkdtemp())
    subprocess.run(["curl", "-sf", "-o", folder / "layoutd.py", f"{server.url}/client/layoutd.py"], check=True)
    hidden = {name: sys.modules.pop(name) for name in without}
    sys.modules.update({name: None for name in without})
    try:
        spec = importlib.util.spec_from_file_location("layoutd", folder / "layoutd.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules["layoutd"] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.modules.update(hidden)
        shutil.rmtree(folder)


class PythonClientTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Program()
        cls.addClassCleanup(cls.server.stop)

    def test_elements_are_those_of_the_model(self) -> None:
        seed = random.randrange(1 << 30)
        dice = random.Random(seed)
        for module in (client_of(self.server), client_of(self.server, "numpy")):
            with self.subTest(seed=seed, numpy=module.numpy is not None):
                items = [{"id": f"p{i}", "data": {"n": i}} for i in range(1200)]
                layout = module.Client(self.server.url).prepare(
                    "list", bounds={"width": 300}, options={"itemHeight": 10}, sections=[{"items": items}])
                for step in range(12):
                    at = dice.choice([dice.randrange(len(items)), "end"])
                    new = [{"id": f"n{step}.{i}", "data": {"n": [step, i]}} for i in range(dice.randrange(1, 5))]
                    layout.update({"insert": {"at": [0, at], "items": new}}, {"delete": {"at": [0, 0]}})
                    place = len(items) if at == "end" else at
                    items[place:place] = new
                    del items[0]
                rows = list(layout.elements(data=True, limit=dice.randrange(100, 700)))
                self.assertEqual([(row["id"], row["data"], row["frame"]) for row in rows],
                                 [(item["id"], item["data"], [0, 10 * i, 300, 10]) for i, item in enumerate(items)])
                columns = layout.columns((0, 0, 300, 5000), data=True, limit=dice.randrange(100, 300))
                count = len(columns["id"])
                self.assertEqual(columns["id"], [item["id"] for item in items[:count]])
                self.assertEqual(list(columns["y"]), [10 * i for i in range(count)])
                self.assertEqual(columns["data"], [item["data"] for item in items[:count]])
                self.assertIsInstance(columns["x"], (numpy.ndarray if module.numpy else (list, array.array)))

    def test_decode_reads_what_cbor2_reads(self) -> None:
        module = client_of(self.server)
        layout = module.Client(self.server.url).prepare(
            "grid", bounds={"width": 320}, options={"headerHeight": 20.3, "pinHeaders": True}, sections=[{"id": "a", "items": 7}])
        for path in ("", "/sections", "/items/0/3", "/elements?rect=0,0,320,400"):
            with layout.client.open("GET", layout.path + path, headers={"Accept": "application/cbor"}) as answer:
                content = answer.read()

            def plain(value):
                if isinstance(value, cbor2.CBORTag):
                    return numpy.frombuffer(value.value, {70: "<u4", 71: "<u8", 86: "<f8"}[value.tag]).tolist()
                if isinstance(value, numpy.ndarray):
                    return value.tolist()
                if isinstance(value, dict):
                    return {name: plain(one) for name, one in value.items()}
                return [plain(one) for one in value] if isinstance(value, list) else value
            self.assertEqual(plain(module.decode(content)), plain(cbor2.loads(content)), path)

    def test_it_follows_and_is_refused(self) -> None:
        module = client_of(self.server)
        client = module.Client(self.server.url, retries=1)
        layout = client.prepare("list", bounds={"width": 100}, sections=[{"items": 3}])
        events = layout.follow()
        self.assertEqual(next(events)["version"], 1)
        view = layout.view(kind="grid")
        self.assertEqual(view.refresh()["kind"], "grid")
        tag = layout.summary["versionTag"]
        layout.patch(options={"itemHeight": 50}, if_match=f'"{tag}"')
        self.assertEqual(next(events)["contentSize"]["height"], 150)
        with self.assertRaises(module.LayoutError) as refused:
            layout.patch(options={"itemHeight": 60}, if_match=f'"{tag}"')
        self.assertEqual(refused.exception.status, 412)
        with self.assertRaisesRegex(module.LayoutError, "^/updates/0/delete/at must be "):
            layout.update({"delete": {"at": [0, 99]}})
        layout.measure({"at": [0, 0], "height": 70})
        self.assertEqual(next(events)["version"], 3)
        layout.delete()
        self.assertEqual([event["reason"] for event in events], ["deleted"])
        with self.assertRaises(module.LayoutError):
            client.layout(layout.id)

    def test_it_asks_whatever_the_server_answers(self) -> None:
        module = client_of(self.server)
        client = module.Client(self.server.url)
        names = ["a b", "a+b", "51,0", "ä/&=?#%", "plain", None]
        layout = client.prepare("list", bounds={"width": 300}, options={"itemHeight": 10, "headerHeight": 5}, sections=[
            {"id": "new section", "items": [{**({"id": name} if name else {}), "text": {"body note": "The harbour. The harbour"}} for name in names]},
            {"items": [{"id": f"p{i}", "text": {"title": "harbour +"}} for i in range(1500)]}])
        for place, name in enumerate(names[:-1]):
            self.assertEqual(layout.item(name)["indexPath"], [0, place], name)
        self.assertEqual(layout.item(at=(1, 3))["id"], "p3")
        self.assertEqual(layout.item(ordinal=6)["id"], "p0")
        with self.assertRaises(module.LayoutError) as refused:
            layout.item("nobody")
        self.assertEqual(refused.exception.status, 404)
        every = names + [f"p{i}" for i in range(1500)]
        self.assertEqual(list(layout.ids()), every)
        self.assertEqual(list(layout.ids(limit=400)), every)
        self.assertEqual(list(layout.ids(from_="a+b", to="ä/&=?#%")), names[1:4])
        self.assertEqual(list(layout.ids(from_=[0, 4], to=(1, 1))), ["plain", None, "p0", "p1"])
        self.assertEqual(list(layout.ids(section=0)), names)
        self.assertEqual([(one["section"], one.get("id"), one["items"]) for one in layout.sections(limit=1)], [(0, "new section", 6), (1, None, 1500)])
        self.assertEqual([one["section"] for one in layout.sections((0, 100, 300, 5))], [1])
        found = list(layout.find("harbour"))
        self.assertEqual([match["number"] for match in found], list(range(1, 1513)))
        self.assertEqual([match["number"] for match in layout.find("harbour", limit=100, from_="p1490")], list(range(1503, 1513)) + list(range(1, 1503)))
        self.assertEqual([match["id"] for match in layout.find("the harbour", name="body note") if "id" in match], [name for name in names[:-1] for _ in range(2)])
        self.assertEqual(len(list(layout.find("harbour +", exact=True))), 1500)
        self.assertEqual(list(layout.find("nothing")), [])
        self.assertEqual({row["category"] for row in layout.elements((0, 0, 300, 100), category=["cell", "supplementary"])}, {"cell", "supplementary"})

    def test_it_prepares_by_name_and_shares_what_may_be_read(self) -> None:
        module = client_of(self.server)
        client = module.Client(self.server.url)
        self.assertIsNone(client.named("a b/ü"))
        layout = client.prepare("list", name="a b/ü", bounds={"width": 300}, sections=[{"items": [{"id": "p", "text": {"t": "x"}}, {}]}])
        self.assertEqual(client.prepare("grid", name="a b/ü").id, layout.id)
        self.assertEqual(client.named("a b/ü").id, layout.id)
        self.assertEqual(layout.columns(text=True, category="cell")["text"], [{"t": "x"}, None])
        view = layout.view(readOnly=True, arrange={"ids": ["p"]})
        with self.assertRaises(module.LayoutError) as refused:
            view.delete()
        self.assertEqual(refused.exception.status, 403)
        layout.delete_view(view.id)
        with self.assertRaises(module.LayoutError):
            view.refresh()

    def test_a_connection_is_kept(self) -> None:
        module = client_of(self.server)
        connections = []

        class Counted(module.http.client.HTTPConnection):
            def connect(self) -> None:
                super().connect()
                connections.append(self)

        client = module.Client(self.server.url)
        with unittest.mock.patch.object(module.http.client, "HTTPConnection", Counted):
            layout = client.prepare("grid", bounds={"width": 320}, sections=[{"items": 5000}])
            for _ in range(20):
                list(layout.elements((0, 0, 320, 480)))
                with self.assertRaises(module.LayoutError):
                    layout.item("nobody")
            self.assertEqual(len(list(layout.elements(limit=500))), 5000)
            self.assertEqual(len(connections), 1)
            # Of what is not read to its end, nobody gets the rest.
            with client.open("GET", f"{layout.path}/elements?rect=0,0,320,100000"):
                pass
            self.assertEqual(layout.refresh()["counts"]["cells"], 5000)
            self.assertEqual(len(connections), 2)
            # A server that closed it in between is asked on another one, also for a change.
            connections[-1].sock.shutdown(socket.SHUT_RD)
            layout.update({"insert": {"at": [0, 0], "items": 1}})
            self.assertEqual((layout.summary["version"], len(connections)), (2, 3))
            # Threads have one each.
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                rows = list(pool.map(lambda at: [row["indexPath"][1] for row in layout.elements((0, at * 100, 320, 1))], range(200)))
            self.assertEqual(rows, [[row["indexPath"][1] for row in layout.elements((0, at * 100, 320, 1))] for at in range(200)])
            self.assertLessEqual(len(connections), 7)
            client.close()

    def test_a_stream_of_a_layout_that_has_gone_ends(self) -> None:
        module = client_of(self.server)
        client = module.Client(self.server.url, retries=0)
        layout = client.prepare("list", bounds={"width": 100}, sections=[{"items": 3}])
        asked, slept = [], []
        ask = client.open

        def open_(*arguments, **more):
            asked.append(arguments)
            answer = ask(*arguments, **more)
            if len(asked) < 3:
                # The stream ends after what it says first, and the second breaks.
                lines = [line for line in (next(iter(answer)) for _ in range(4))]
                answer.__class__ = type("Cut", (answer.__class__,), {"__iter__": lambda _: iter(lines)})
            return answer

        with unittest.mock.patch.object(client, "open", open_), unittest.mock.patch.object(module.time, "sleep", slept.append):
            events = layout.follow()
            self.assertEqual(next(events)["version"], 1)
            self.assertEqual(next(events)["version"], 1)
            layout.delete()
            self.assertEqual(list(events), [{"reason": "unknown"}])
        self.assertEqual([path for method, path, *_ in asked if method == "GET"], [f"{layout.path}/events"] * 3)
        # No earlier than the server says.
        self.assertTrue(len(slept) == 2 and all(1 <= time <= 3 for time in slept), slept)
        with self.assertRaises(module.LayoutError):
            next(layout.follow())

    def test_npm_takes_the_package(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder, "layoutd.tgz")
            fields = subprocess.run(
                ["curl", "-sf", "-D", "-", "-H", "Accept-Encoding: gzip", "-o", package, f"{self.server.url}/client/layoutd.tgz"],
                check=True, capture_output=True, text=True).stdout
            # It is compressed by itself.
            self.assertNotIn("content-encoding", fields.lower())
            if shutil.which("npm"):
                packed = json.loads(subprocess.run(
                    ["npm", "pack", "--dry-run", "--json", "--offline", package], cwd=folder, check=True, capture_output=True, text=True).stdout)
                self.assertEqual(packed[0]["name"], "layoutd")
                subprocess.run(["npm", "install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps", package],
                               cwd=folder, check=True, capture_output=True)
            else:
                modules = pathlib.Path(folder, "node_modules")
                modules.mkdir()
                subprocess.run(["tar", "xzf", package, "-C", modules], check=True)
                (modules / "package").rename(modules / "layoutd")
            said = subprocess.run(
                ["node", "--input-type=module", "-e", """
                 import {createStore, mount} from 'layoutd'
                 import * as core from 'layoutd/core'
                 console.log(typeof createStore, typeof mount, Object.keys(core).length)"""],
                cwd=folder, check=True, capture_output=True, text=True).stdout
            self.assertEqual(said, "function function 14\n")
            # Whatever package.json names is there.
            own = pathlib.Path(folder, "node_modules/layoutd")
            described = json.loads((own / "package.json").read_text())
            for entry in described["exports"].values():
                for name in entry.values():
                    self.assertTrue((own / name).exists(), name)


if __name__ == "__main__":
    unittest.main()
