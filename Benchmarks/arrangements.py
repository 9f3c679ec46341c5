#!/usr/bin/env python3
"""What arranged views cost, beside SQLite with an index and DuckDB: Benchmarks/arrangements.py [path of layoutd]

Needs `pip install duckdb`. All ask the same of the same items, in one run. Prints medians in milliseconds; layoutd's
are those of whole requests.
"""

import http.client
import json
import pathlib
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import threading
import time

import duckdb

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/dist/release/layoutd"
COUNT = 1_000_000
ROUNDS = 15
VIEWS = 64
GRID = {"columns": 5, "rowHeight": 100, "headerHeight": 20}
SCREEN = "rect=0,50000,1000,800"
BY_TWO = {"groupBy": {"key": "month"}, "sortBy": [{"key": "taken"}]}


class Server:
    def __init__(self):
        self.process = subprocess.Popen(
            [PROGRAM, "--port", "0", "--max-body-bytes", "256MiB", "--max-session-bytes", "2GiB",
             "--max-event-streams", "200", "--max-connections-per-address", "500", "--max-connections", "500"],
            stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if said := re.search(r"listens on http://127\.0\.0\.1:(\d+)", line):
                self.port = int(said[1])
                break
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def ask(self, method, path, body=None):
        self.connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status < 300, text
        return json.loads(text) if text else None

    def seconds(self):
        """Of a processor."""
        user, system = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / 100


def timed(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def median(make):
    """Of what `make` gives: work that is done once."""
    return statistics.median(timed(make()) for _ in range(ROUNDS))


def row(name, *times):
    print(f"| {name} | " + " | ".join("–" if t is None else f"{t:.1f}" if t >= 1 else f"{t:.2f}" for t in times) + " |", flush=True)


def main():
    dice = random.Random(1)
    taken = [dice.randrange(10**9) for _ in range(COUNT)]
    month = [f"{2000 + t * 240 // 10**9 // 12}-{t * 240 // 10**9 % 12 + 1:02}" for t in taken]
    title = [f"{dice.choice(['Pier', 'Harbour', 'Gull', 'Kite'])} {dice.randrange(10**9)}" for _ in range(COUNT)]
    people = [[f"a{dice.randrange(1000)}" for _ in range(3)] for _ in range(COUNT)]

    lite = sqlite3.connect(":memory:", isolation_level=None)
    lite.execute("create table items (place integer primary key, taken, month, title, data)")
    lite.executemany("insert into items values (?, ?, ?, ?, null)", zip(range(COUNT), taken, month, title))
    lite.execute("create table pairs (place, value)")
    lite.executemany("insert into pairs values (?, ?)", ((place, one) for place, names in enumerate(people) for one in names))
    lite.execute("create index by_two on items (month, taken)")
    lite.execute("create index of_pairs on pairs (value, place)")
    duck = duckdb.connect()
    duck.execute("set threads to 2")
    duck.execute("create table items (place integer, taken bigint, month varchar, title varchar, people varchar[], data varchar)")
    duck.execute("insert into items select unnest(?), unnest(?), unnest(?), unnest(?), unnest(?), null",
                 [list(range(COUNT)), taken, month, title, people])

    server = Server()
    try:
        source = server.ask("POST", "/layouts/grid/prepare", {
            "bounds": {"width": 1000}, "options": GRID, "sections": [{"items": {"id": [f"p{i}" for i in range(COUNT)], "keys": {
                "taken": taken, "month": month, "title": title, "people": people}}}]})["id"]

        def view(arrange, kind="list", options=None):
            return server.ask("POST", f"/layouts/{source}/views", {
                "kind": kind, "options": options or {"itemHeight": dice.randint(20, 100)}, "arrange": arrange})["id"]

        print("| 1,000,000 items | layoutd | SQLite | DuckDB |\n| --- | --- | --- | --- |")

        def arranged(arrange):
            made = []

            def make():
                while made:
                    server.ask("DELETE", f"/layouts/{made.pop()}")
                return lambda: made.append(view(arrange))
            return median(make)

        def asked(base, text):
            return median(lambda: lambda: base.execute(text).fetchall())
        screen = "limit 40 offset 2500"
        for name, arrange, order in (
                ("sorted by a number, from nothing", {"sortBy": [{"key": "taken"}]}, "taken"),
                ("sorted by a text, from nothing", {"sortBy": [{"key": "title"}]}, "title")):
            # SQLite keeps the best 2,540 alone, so that all are asked for.
            row(name, arranged(arrange), asked(lite, f"select sum(n) from (select row_number() over (order by {order}) n from items)"),
                asked(duck, f"select sum(n) from (select row_number() over (order by {order}) n from items)"))
        names = "('a1', 'a2', 'a3')"
        row("one of three values in lists of three", arranged({"where": [{"key": "people", "in": ["a1", "a2", "a3"]}]}),
            asked(lite, f"select distinct place from pairs where value in {names}"),
            asked(duck, f"select place from items where list_has_any(people, ['a1', 'a2', 'a3'])"))

        shown = {kind: view(BY_TWO, kind, {**GRID} if kind == "grid" else None) for kind in ("list", "grid")}

        def changing(key, value, kind):
            def make():
                server.ask("POST", f"/layouts/{source}/updates", {"updates": [
                    {"set": {"at": {"id": f"p{dice.randrange(COUNT)}"}, "items": [value()]}}]})
                return lambda: server.ask("GET", f"/layouts/{shown[kind]}/elements?{SCREEN}")
            for each in shown.values():
                server.ask("GET", f"/layouts/{each}/elements?{SCREEN}")
            return median(make)

        def updated(base, column, value):
            return median(lambda: lambda: (
                base.execute(f"update items set {column} = ? where place = ?", [value(), dice.randrange(COUNT)]),
                base.execute(f"select place from items order by month, taken {screen}").fetchall()))
        number, text, data = (lambda: dice.randrange(10**9)), (lambda: f"{dice.randint(2000, 2019)}-01"), (lambda: str(dice.random()))
        for kind in shown:
            row(f"a number among the two keys changed, {kind}: its next screen", changing("taken", lambda: {"keys": {"taken": number()}}, kind),
                updated(lite, "taken", number), updated(duck, "taken", number))
            row(f"a text among them, {kind}", changing("month", lambda: {"keys": {"month": text()}}, kind),
                updated(lite, "month", text), updated(duck, "month", text))
            row(f"data alone, {kind}", changing("data", lambda: {"data": data()}, kind),
                updated(lite, "data", data), updated(duck, "data", data))
        row("a screen without a change", median(lambda: lambda: server.ask("GET", f"/layouts/{shown['grid']}/elements?{SCREEN}")),
            asked(lite, f"select place from items order by month, taken {screen}"),
            asked(duck, f"select place from items order by month, taken {screen}"))
        print("bytes an item and view:", server.ask("GET", f"/layouts/{shown['list']}")["memoryBytes"] / COUNT)
        followed(server, source, dice)
    finally:
        server.process.kill()


def followed(server, source, dice):
    """Views of one source that are all followed, while it changes."""
    ids = [server.ask("POST", f"/layouts/{source}/views", {
        "kind": "list", "options": {"itemHeight": 50}, "arrange": {**BY_TWO, "where": [{"key": "people", "in": [f"a{i}"]}]}})["id"]
        for i in range(VIEWS)]
    heard = dict.fromkeys(ids, 0)

    def follow(id):
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", f"/layouts/{id}/events")
        for line in connection.getresponse():
            if line.startswith(b"data:"):
                heard[id] = json.loads(line[5:]).get("version", heard[id])
    for id in ids:
        threading.Thread(target=follow, args=(id,), daemon=True).start()
    time.sleep(2)
    print(f"\n| changes a second, {VIEWS} followed views that each show 3,000 | seconds of a processor a second | the last one is told after |\n| --- | --- | --- |")
    for rate in (10, 30, 100):
        begun, used = time.perf_counter(), server.seconds()
        for i in range(rate * 5):
            version = server.ask("POST", f"/layouts/{source}/updates", {"updates": [
                {"set": {"at": {"id": f"p{dice.randrange(COUNT)}"}, "items": [{"keys": {"people": f"a{dice.randrange(VIEWS)}"}}]}}]})["version"]
            time.sleep(max(0, begun + (i + 1) / rate - time.perf_counter()))
        sent = time.perf_counter()
        used = (server.seconds() - used) / (sent - begun)
        current = {id: server.ask("GET", f"/layouts/{id}")["version"] for id in ids}
        while any(heard[id] < current[id] for id in ids) and time.perf_counter() < sent + 20:
            time.sleep(0.005)
        print(f"| {rate} (sent {rate * 5 / (sent - begun):.0f}) | {used:.2f} | {(time.perf_counter() - sent) * 1000:.0f} ms |", flush=True)


if __name__ == "__main__":
    main()
