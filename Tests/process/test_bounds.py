"""Bounds on memory, as Documentation/bounds.md has them.

BOUNDS_ROUNDS  how many requests each client makes (1; 2 with TEST_ALL)
BOUNDS_SIZE    multiplies how much is filled in, and for how long (1)

`make soak` asks for more of both.
"""

import collections
import gzip
import itertools
import json
import os
import pathlib
import random
import re
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from connection import Connection, at_once, eventually, request
from program import ROOT, Program, shared_store

ROUNDS = int(os.environ.get("BOUNDS_ROUNDS", "2" if "TEST_ALL" in os.environ else "1"))
SIZE = int(os.environ.get("BOUNDS_SIZE", "1"))
CLIENTS = 64
SMALL = '{"bounds": {"width": 320}, "sections": [{"items": 10}]}'
# Their heights take more than a megabyte.
MANY = 140_000


def limits(session_bytes: int, buffer_bytes: int, *options: str) -> list[str]:
    return ["--threads", "2", "--workers", "2", "--max-session-bytes", f"{session_bytes}",
            "--max-buffer-bytes", f"{buffer_bytes}", "--session-idle-timeout", "3600", *options]


# MARK: Many at once


def long_ids(items: int) -> str:
    """A grid of items whose ids take 128 bytes in memory and 768 bytes as JSON."""
    ids = ",".join('"' + "\\u0000" * (128 - len(str(index))) + f'{index}"' for index in range(items))
    return f'{{"bounds": {{"width": 320}}, "sections": [{{"items": {{"id": [{ids}]}}}}]}}'


PREPARE = "/layouts/grid/prepare"
LARGE = long_ids(4000)
PACKED = gzip.compress(LARGE.encode(), 1).decode("latin1")
# What the clients ask for, in turn.
KINDS = {
    "long page": lambda path, dice: request("GET", f"{path}/elements?rect=0,0,1e9,1e9&limit=100000"),
    "compressed page": lambda path, dice: request(
        "GET", f"{path}/elements?rect=0,0,1e9,1e9&limit=3000", None, "Accept-Encoding: gzip\r\n"),
    "export": lambda path, dice: request("GET", f"{path}/collection"),
    "find": lambda path, dice: request("GET", f"{path}/items?id=0&id=nobody"),
    "patch": lambda path, dice: request("PATCH", path, f'{{"bounds": {{"width": {dice.randint(300, 399)}}}}}'),
    "update": lambda path, dice: request(
        "POST", f"{path}/updates",
        '{"updates": [{"insert": {"at": [0, 0], "items": [{"id": "new"}]}}, {"delete": {"at": [0, 1]}}]}'),
    "transitions": lambda path, dice: request(
        "POST", f"{path}/updates?rect=0,0,320,4000", '{"updates": [{"move": {"from": [0, 0], "to": [0, 3000]}}]}'),
    "small prepare": lambda path, dice: request("POST", PREPARE, long_ids(300)),
    "large prepare": lambda path, dice: request("POST", PREPARE, LARGE),
    "compressed prepare": lambda path, dice: request("POST", PREPARE, PACKED, "Content-Encoding: gzip\r\n"),
}


class BoundsTests(unittest.TestCase):
    """64 clients ask for what takes most memory, against small limits."""

    def test_hold_against_every_kind_of_request_at_once(self) -> None:
        with Program(*limits(16 << 20, 16 << 20)) as server:
            first = Connection(server.port).ask("POST", PREPARE, LARGE)
            # The layout that all ask about; None if it was evicted, until the next large one is there.
            self.path = first.fields["location"]
            statuses = {kind: collections.Counter() for kind in KINDS}
            at_once([lambda number=number: self.run_client(server, number, statuses) for number in range(CLIENTS)])
            self.assertIsNone(server.process.poll())
            self.assertLessEqual(server.memory("VmHWM"), 2 * (16 << 20) * 5 // 4 + 100_000_000)
            # What the requests mean is tested elsewhere; here none of them may be wrong, or all in vain.
            for kind, counts in statuses.items():
                self.assertLessEqual(set(counts), {200, 201, 404, 503}, kind)
            counts = sum(statuses.values(), collections.Counter())
            self.assertTrue(counts[200] and counts[201], counts)
            print(f"bounds: peak {server.memory('VmHWM') >> 20} MiB; {dict(counts)}")

    def run_client(self, server: Program, number: int, statuses: dict) -> None:
        """Makes each kind of request in turn. One in ten clients hangs up, in the middle of its
        request or before the answer."""
        dice, client = random.Random(number), None
        for step in range(ROUNDS):
            kind = list(KINDS)[(number + step) % len(KINDS)]
            client = client or Connection(server.port, 120)
            path = self.path
            text = KINDS[kind](path or "/layouts/none", dice)
            if dice.random() < 0.1:
                client.send(text if dice.random() < 0.5 else text[:len(text) // 2])
                client.reset()
                client = None
                continue
            client.send(text)
            try:
                answer = client.answer()
            except AssertionError:
                client = None
                continue
            statuses[kind][answer.status] += 1
            if answer.status == 404 and self.path == path:
                self.path = None
            if kind == "large prepare":
                self.path = self.path or answer.fields.get("location")


# MARK: What is stored between requests


def ids(seed: int) -> str:
    """3,000 ids of 100 bytes each; the item 7 has a short one."""
    names = ",".join(f'"{seed}-{index}{"" if index == 7 else "x" * 92}"' for index in range(3000))
    return f'{{"id": [{names}]}}'


def grid(items: str) -> str:
    return f'{{"bounds": {{"width": 320}}, "sections": [{{"items": {items}}}]}}'


def heights(count: int, height: int) -> str:
    return f'{{"height": [{",".join([str(height % 90 + 10)] * count)}]}}'


def replacement(items: str) -> str:
    return f'{{"updates": [{{"replace": {{"at": [0, 0], "items": {items}}}}}]}}'


def bounds(width: int) -> str:
    return f'{{"bounds": {{"width": {width}}}}}'


def group(seed: int) -> dict:
    """A group of 999 subitems."""
    subitem = {"width": {"flexible": 1}, "height": {"fractionalHeight": 1}}
    return {"direction": "horizontal", "width": {"absolute": 2000 + seed}, "height": {"absolute": 50},
            "subitems": [subitem] * 999}


class Filled:
    """A server with small limits, and what fills each place, named as in Documentation/bounds.md."""

    BOUND = (4 + 2 + 4 << 20) * 5 // 4 + 100_000_000

    def __init__(self, *options: str) -> None:
        # The client waits while others fill their places, on a slow machine for minutes.
        self.server = Program(*limits(
            4 << 20, 4 << 20, "--max-history-bytes", f"{2 << 20}", "--max-connections", "600", "--connection-timeout",
            "3600", "--max-connections-per-address", "0", "--max-event-streams", "2000", *options), descriptors=4096)
        self.client = Connection(self.server.port)

    def ask(self, method: str, target: str, body: str | None = None, expected=(200, 201)):
        def answered() -> bool:
            # The server may still be at giving up what others have sent.
            self.answer = self.client.ask(method, target, body)
            return self.answer.status != 503

        assert eventually(answered) and self.answer.status in expected, (method, target, self.answer.status, self.answer.body[:300])
        return self.answer

    def prepare(self, kind: str, body: str) -> str:
        return self.ask("POST", f"/layouts/{kind}/prepare", body).fields["location"]

    @staticmethod
    def numbers(least: int, most: int):
        """`least` exceeds the limit; so much is filled in however long that takes, and `most` if that
        takes few seconds. If it were not counted, most places would take more than the bound permits.
        """
        end = time.monotonic() + 4 * SIZE
        return itertools.takewhile(lambda number: number < least or time.monotonic() < end, range(most * SIZE))

    def layouts(self) -> None:
        for number in self.numbers(20, 100):
            self.prepare("grid", grid(ids(number)))

    def texts(self) -> None:
        # Without this font nothing is measured, and nothing is kept.
        for number in self.numbers(20, 300):
            words = " ".join(f"w{number}x{index}" for index in range(4000))
            style = {"font": "dejavusans", "size": number + 1, "lineHeight": 20}
            self.ask("POST", "/text/measure", json.dumps({**style, "width": 300, "texts": [words]}), (200, 422))
            self.ask("POST", "/layouts/list/prepare", json.dumps({
                "bounds": {"width": 300}, "options": {"card": {"parts": [{"text": "t", **style}]}},
                "sections": [{"items": {"text": {"t": [words]}}}]}), (201, 413, 422))

    def views(self) -> None:
        path = self.prepare("grid", SMALL)
        for number in self.numbers(1000, 5000):
            self.ask("POST", f"{path}/views", bounds(number + 100))

    def options(self) -> None:
        path = self.prepare("grid", SMALL)
        for number in self.numbers(20, 200):
            view = self.ask("POST", f"{path}/views", json.dumps({"kind": "group", "options": {"group": group(number)}}))
            # Every second one is deleted: then nothing is kept.
            if number % 2 == 0:
                self.client.send(request("DELETE", view.fields["location"]))
                self.client.answer()

    def frames(self) -> None:
        path = self.prepare("waterfall", grid(heights(30_000, 50)))
        for number in self.numbers(20, 200):
            self.ask("POST", f"{path}/views", bounds(number + 100))

    def found(self) -> None:
        texts = ",".join(f'"gull {index}"' for index in range(20_000))
        path = self.prepare("list", grid(f'{{"text": {{"t": [{texts}]}}}}'))
        for number in self.numbers(20, 200):
            self.ask("GET", f"{path}/find?text=gull%20{number % 10}&limit={number}")

    def arranged(self) -> None:
        stars = ",".join(f"{index * 7919 % 10_007}" for index in range(MANY))
        path = self.prepare("grid", grid(f'{{"keys": {{"a": [{stars}]}}}}'))
        for number in self.numbers(6, 80):
            self.ask("POST", f"{path}/views", json.dumps(
                {"arrange": {"where": [{"key": "a", "from": number}], "sortBy": [{"key": "a"}]}}))

    def behind(self) -> None:
        path = self.prepare("grid", grid(heights(MANY, 50)))
        for number in self.numbers(6, 80):
            self.ask("POST", f"{path}/views", bounds(number + 100))
            self.ask("POST", f"{path}/updates", replacement(heights(MANY, number)))

    def updates(self) -> None:
        path = self.prepare("grid", grid(heights(MANY, 50)))
        for number in self.numbers(6, 80):
            self.ask("POST", f"{path}/updates", replacement(heights(MANY, number)))
            self.ask("PATCH", path, bounds(number + 100))

    def settings(self) -> None:
        path = self.prepare("group", json.dumps({
            "bounds": {"width": 320}, "options": {"group": group(0)}, "sections": [{"items": 1}, {"items": 1}]}))
        for number in self.numbers(10, 80):
            self.ask("POST", f"{path}/updates", json.dumps({"updates": [
                {"setSection": {"at": at, "options": {"group": group(2 * number + at)}}} for at in range(2)]}))

    def search(self) -> None:
        for number in self.numbers(5, 50):
            path = self.prepare("grid", grid(ids(number)))
            view = self.ask("POST", f"{path}/views", bounds(99)).fields["location"]
            self.ask("GET", f"{view}/items?id={number}-7")
            # Whoever searches keeps nobody from a change.
            self.ask("POST", f"{path}/updates", replacement(ids(number + 1)))

    def streams(self) -> list[str]:
        paths = [self.prepare("grid", SMALL) for _ in range(64)]
        query = "&".join(f"layout={path.removeprefix('/layouts/')}" for path in paths)
        # None of them ever reads.
        self.hold(100, 800, request("GET", f"/events?{query}"))
        return paths

    def events(self) -> None:
        paths = self.streams()
        for number in self.numbers(1, 10):
            for path in paths:
                self.ask("PATCH", path, bounds(200 + number))

    def uploads(self) -> None:
        whole = request("POST", PREPARE, grid(heights(MANY * 4, 50)))
        self.hold(20, 100, whole[:len(whole) // 2])

    def slow(self) -> None:
        path = self.prepare("grid", grid(ids(0)))
        self.hold(20, 150, request("GET", f"{path}/elements?rect=0,0,1e9,1e9&limit=100000"))

    def connections(self) -> None:
        self.hold(300, 300, f"GET /healthz HTTP/1.1\r\nHost: a\r\nX: {'x' * 4000}\r\n")

    def hold(self, least: int, most: int, text: str) -> None:
        """So many clients send a text and stay until the next place is filled."""
        self.others = []
        for _ in self.numbers(least, most):
            self.others.append(Connection(self.server.port))
            self.others[-1].send(text)

    def strange(self) -> None:
        for number in self.numbers(100, 1000):
            self.ask("GET", f"/layouts/{number}/elements?rect=0,0,{number},1", expected=[404])
            self.ask("GET", f"/{number}/{number}", expected=[404])

    def copies(self) -> None:
        """Layouts that had to go come back from a store, again and again."""
        with shared_store() as (_, store):
            other = Filled(*store)
            with other.server:
                paths = [other.prepare("grid", grid(ids(number))) for number in range(20)]
                for number in self.numbers(20, 100):
                    other.ask("GET", f"{paths[number % 20]}/elements?rect=0,0,99,99", expected=[200])
                other.check("copies")

    def check(self, name: str) -> None:
        peak = self.server.memory("VmHWM")
        assert self.server.process.poll() is None, name
        assert peak <= self.BOUND, f"{name}: {peak >> 20} MiB, of at most {self.BOUND >> 20}"
        print(f"bounds: after {name} {peak >> 20} MiB of {self.BOUND >> 20}")


FILLINGS = ["layouts", "views", "options", "frames", "behind", "updates", "settings", "search", "streams", "events",
            "uploads", "slow", "connections", "strange", "copies", "texts", "arranged", "found"]


class StoredPlacesTests(unittest.TestCase):
    """Every place that stores something between requests is told in a table, and filled here to its
    limit and beyond."""

    def test_each_store_has_a_row_in_the_table_of_bounds_and_each_row_is_filled(self) -> None:
        text = (ROOT / "Documentation/bounds.md").read_text()
        rows = re.search(r"^\| what \| where \|.*\n.*\n((?:\|.*\n)+)", text, re.MULTILINE)[1].splitlines()
        self.assertGreater(len(rows), 20)
        told, used = set(), set()
        for row in rows:
            # What it is, the types that have it, what bounds it, and who fills it.
            _, _, places, _, fillings, *_ = row.split("|")
            places, fillings = re.findall("`(.*?)`", places), re.findall("`(.*?)`", fillings)
            self.assertTrue(places and fillings, row)
            told |= set(places)
            used |= set(fillings)
        self.assertEqual(used, set(FILLINGS))
        # The types with a lock around something that does not grow.
        fixed = set(re.findall("`(.*?)`", re.search("^These have a lock.*", text, re.MULTILINE)[0]))
        # In Swift 6 all that requests share is guarded by a lock, so a store has one.
        lock = re.compile(r"\b(let|var) \w+(: | = )(Mutex|BriefLock|Monitor)[<(]")
        guarded = {re.split("[+.]", path.name)[0] for path in (ROOT / "Sources").rglob("*.swift")
                   if any(lock.search(line) and "Mutex(())" not in line for line in path.read_text().splitlines())}
        self.assertEqual(guarded - told - fixed, set(), "no row in Documentation/bounds.md says what bounds them")
        self.assertEqual(fixed - guarded, set(), "told to have a lock, and have none")

    def test_each_is_filled_beyond_its_limit_and_the_memory_stays_below_the_sum_of_the_limits(self) -> None:
        filled = Filled()
        with filled.server:
            for name in FILLINGS:
                getattr(filled, name)()
                filled.check(name)
                filled.others = []


if __name__ == "__main__":
    unittest.main()
