"""The application in Examples/backend, with two workers: it shows what its database has, whatever goes.

SEED  a seed alone
"""

import contextlib
import json
import os
import pathlib
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from program import ROOT, Program
from asking import ask

SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(
    20 if "TEST_ALL" in os.environ else 2)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Worker:
    """A worker of the backend."""

    def __init__(self, layoutd: str, folder: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            [sys.executable, "-B", ROOT / "Examples/backend/backend.py"],
            env={**os.environ, "LAYOUTD": layoutd, "LAYOUTD_KEY": "secret", "PORT": f"{self.port}",
                 "DATABASE": f"{folder}/photos.db"}, stderr=subprocess.DEVNULL)
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            if self.process.poll() is not None:
                raise RuntimeError("the backend did not start")

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()


class Backend(unittest.TestCase):
    def test_it_is_short(self) -> None:
        for name, most in (("Examples/backend/backend.py", 120), ("Documentation/backend.md", 80)):
            self.assertLessEqual((ROOT / name).read_text().count("\n"), most, name)

    def test_it_shows_what_the_database_has(self) -> None:
        for seed in SEEDS:
            with self.subTest(f"SEED={seed}"), tempfile.TemporaryDirectory() as folder:
                self.walk(random.Random(seed), folder)

    def walk(self, chance: random.Random, folder: str) -> None:
        keys = pathlib.Path(folder, "keys")
        keys.write_text("secret\n")
        options = ["--api-keys-file", f"{keys}", "--keys-for", "prepare"]
        layoutd = Program(*options)
        port = layoutd.port
        with Worker(layoutd.url, folder) as first, Worker(layoutd.url, folder) as second:
            token = json.loads(ask(first, "POST", "/api/share", {"album": "sea"})[1])["token"]
            for step in range(12):
                photos = [{"id": f"p{chance.randint(0, 40)}", "width": chance.randint(1, 9),
                           "height": chance.randint(1, 9), "taken": chance.randint(0, 99),
                           "album": chance.choice(["sea", "port"]), "people": "Ada"}
                          for _ in range(chance.randint(0, 8))]
                gone = [f"p{chance.randint(0, 40)}" for _ in range(chance.randint(0, 3))]
                worker = chance.choice([first, second])
                status, data, _ = ask(worker, "POST", "/api/photos", {"photos": photos, "gone": gone})
                self.assertEqual(status, 200, data)
                trouble = chance.random()
                if trouble < 0.2:
                    layoutd.stop()
                    layoutd = Program(*options, port=port)
                elif trouble < 0.4:
                    # Evicted: nobody but layoutd decides when.
                    found = json.loads(ask(layoutd, "GET", "/layouts?name=photos",
                                           Authorization="Bearer secret")[1])["layouts"]
                    ask(layoutd, "DELETE", f"/layouts/{found[0]['id']}")
                self.check(layoutd, chance.choice([first, second]), folder, token)
        self.assertEqual(ask(layoutd, "POST", "/layouts/list/prepare", {})[0], 401)
        layoutd.stop()

    def check(self, layoutd, worker, folder: str, token: str) -> None:
        db = sqlite3.connect(f"{folder}/photos.db")
        rows = {row[0]: row for row in db.execute("select * from photos")}
        shown = json.loads(ask(worker, "GET", "/api/library?width=600")[1])["view"]
        self.assertEqual(self.cells(layoutd, shown), {
            id: (row[3], f"{row[4]}, {row[5]}") for id, row in rows.items()})
        album = json.loads(ask(worker, "GET", f"/api/shared?token={token}")[1])["view"]
        view = json.loads(ask(layoutd, "POST", f"/layouts/{album}/views", {"bounds": {"width": 300}})[1])
        self.assertIs(view["arrange"], True)
        self.assertEqual({*self.cells(layoutd, view["id"])}, {id for id, row in rows.items() if row[4] == "sea"})
        self.assertEqual(ask(layoutd, "DELETE", f"/layouts/{album}")[0], 403)
        self.assertEqual(ask(worker, "GET", "/api/shared?token=none")[0], 404)

    def cells(self, layoutd, layout: str) -> dict:
        """The cells by their ids, newest first: what the export says of them."""
        sections = json.loads(ask(layoutd, "GET", f"/layouts/{layout}/collection")[1])["sections"]
        items = sections[0]["items"] if sections else 0
        if not items:
            return {}
        taken = items["keys"]["taken"]
        self.assertEqual(taken, sorted(taken, reverse=True))
        return {id: (t, data["title"]) for id, t, data in zip(items["id"], taken, items["data"])}


if __name__ == "__main__":
    unittest.main()
