#!/usr/bin/env python3
"""Full load on a server for a while, every answer checked against a model.

    Tests/soak/soak.py [path of layoutd]        SOAK_SECONDS=600  SOAK_CLIENTS=6

Clients prepare grids and waterfalls, query, change and delete them, and let some expire; one
request in a hundred is cut off by a client that dies in the middle. Each client is a process of
its own with its own model of its layouts, so that nothing but the server is shared. At the end the
server must hold no more descriptors, and little more memory, than after a short warm-up; and never
more bytes of layouts than it may.
"""

import http.client
import json
import math
import multiprocessing
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import time

SECONDS = float(os.environ.get("SOAK_SECONDS", "600"))
CLIENTS = int(os.environ.get("SOAK_CLIENTS", "6"))
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ".build/release/layoutd"
# Few, so that layouts are evicted and expire while the clients are at work.
MAX_SESSIONS = 200
MAX_BYTES = 64 << 20
IDLE_SECONDS = 3
# How many layouts a client keeps; together fewer than the server may, but for the forgotten ones.
KEPT = 12


class Mismatch(Exception):
    pass


# The model: frames as layouts.md has them, in the same order of additions.


def meets(a, la, b, lb):
    """Whether two half-open intervals share a point; one of length 0 is a point."""
    if la > 0:
        return a < b + lb and b < a + la if lb > 0 else a <= b < a + la
    return b <= a < b + lb if lb > 0 else a == b


class Grid:
    kind = "grid"

    def __init__(self, random):
        self.width = random.choice([320, 375.5, 1024])
        self.columns = random.randint(1, 7)
        self.row_height = random.choice([50, 44.25, 33.3])
        self.header = random.choice([0, 20])
        self.counts = [random.choice([0, 1, 7, 100, 2000]) for _ in range(random.randint(1, 5))]

    def body(self):
        return {
            "bounds": {"width": self.width},
            "options": {
                "columns": self.columns,
                "rowHeight": self.row_height,
                "headerHeight": self.header,
            },
            "sections": [{"items": count} for count in self.counts],
        }

    def insert(self, section, at, random):
        count = random.randint(1, 9)
        self.counts[section] += count
        return count

    def remove(self, section, at, count):
        self.counts[section] -= count

    def elements(self):
        width = (self.width - 5 * (self.columns - 1)) / self.columns
        top = 0.0
        headers = []
        for section, count in enumerate(self.counts):
            if self.header:
                headers.append((1, section, 0, (0, top, self.width, self.header)))
            for item in range(count):
                x = (item % self.columns) * (width + 5)
                y = top + self.header + (item // self.columns) * self.row_height
                yield (0, section, item, (x, y, width, self.row_height - 5))
            rows = -(-count // self.columns)
            top += self.header + rows * self.row_height + 0
        yield from headers

    def height(self):
        """Some y below which there is nothing."""
        return sum(self.header + (c // self.columns + 1) * self.row_height for c in self.counts)


class Waterfall:
    kind = "waterfall"

    def __init__(self, random):
        self.width = random.choice([320, 500, 768.5])
        self.columns = random.randint(1, 5)
        self.placement = random.choice(["roundRobin", "shortestColumn"])
        self.header = random.choice([0, 31.5])
        self.items = [
            [self.some_height(random) for _ in range(random.choice([0, 1, 30, 2500]))]
            for _ in range(random.randint(1, 3))
        ]

    @staticmethod
    def some_height(random):
        return random.choice([0, 17, 80.5, 123.45, random.randint(1, 300), None])

    @property
    def counts(self):
        return [len(items) for items in self.items]

    def body(self):
        return {
            "bounds": {"width": self.width},
            "options": {
                "columns": self.columns,
                "placement": self.placement,
                "headerHeight": self.header,
            },
            "sections": [{"items": {"height": items}} for items in self.items],
        }

    def insert(self, section, at, random):
        heights = [self.some_height(random) for _ in range(random.randint(1, 9))]
        self.items[section][at:at] = heights
        return {"height": heights}

    def remove(self, section, at, count):
        del self.items[section][at : at + count]

    def elements(self):
        padding = 6.0
        column_width = self.width / self.columns
        top = 0.0
        headers = []
        for section, items in enumerate(self.items):
            if self.header:
                headers.append((1, section, 0, (0, top, self.width, self.header)))
            start = top + self.header
            ends = [start] * self.columns
            for item, height in enumerate(items):
                height = 180.0 if height is None else height
                column = (
                    item % self.columns
                    if self.placement == "roundRobin"
                    else ends.index(min(ends))
                )
                frame = (
                    column * column_width + padding,
                    ends[column] + padding,
                    column_width - 2 * padding,
                    height,
                )
                ends[column] += 2 * padding + height
                yield (0, section, item, frame)
            top = max(ends) if items else start
        yield from headers

    def height(self):
        return sum(self.header + sum((h or 180) + 12 for h in items) for items in self.items)


def expected(layout, rect, limit):
    x, y, width, height = rect
    found = []
    for z, section, item, frame in layout.elements():
        if meets(frame[0], frame[2], x, width) and meets(frame[1], frame[3], y, height):
            found.append((z, section, item, frame))
            if len(found) > limit:
                break
    return found


def check(condition, *what):
    if not condition:
        raise Mismatch(" ".join(str(w)[:500] for w in what))


# The clients.


class Client:
    def __init__(self, port, seed):
        self.port = port
        self.random = random.Random(seed)
        self.connection = None
        self.layouts = {}
        self.counts = {}

    def send(self, method, path, body=None, headers=None):
        headers = dict(headers or {})
        if body is not None:
            body = json.dumps(body)
            headers["Content-Type"] = "application/json"
        if self.random.random() < 0.01:
            self.die(method, path, body)
        for attempt in (0, 1):
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            try:
                self.connection.request(method, path, body, headers)
                response = self.connection.getresponse()
                data = response.read()
                break
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # The server closes idle connections; then a new one must do.
                self.connection = None
                if attempt:
                    raise
        self.count(f"{method} {response.status}")
        if response.getheader("Connection") == "close":
            self.connection = None
        return response, json.loads(data) if data else None

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def die(self, method, path, body):
        """Sends a part of a request, or reads a part of an answer, on a connection that dies."""
        self.count("died")
        # What is sent whole must not change a layout behind the model's back.
        if method == "DELETE" or path.endswith("/updates"):
            method, body = "GET", None
        text = f"{method} {path} HTTP/1.1\r\nHost: a\r\n"
        if body is not None:
            text += f"Content-Type: application/json\r\nContent-Length: {len(body) + 1}\r\n"
        data = (text + "\r\n" + (body or "")).encode()
        with socket.create_connection(("127.0.0.1", self.port)) as dying:
            dying.sendall(data[: self.random.randint(1, len(data))])
            if self.random.random() < 0.5:
                dying.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def step(self):
        choice = self.random.random()
        if not self.layouts or (choice < 0.1 and len(self.layouts) < KEPT):
            self.prepare()
        elif choice < 0.75:
            self.query()
        elif choice < 0.9:
            self.update()
        elif choice < 0.95:
            self.delete()
        elif choice < 0.98:
            self.ask_for_nothing()
        else:
            # Forgotten: it expires.
            del self.layouts[self.random.choice(list(self.layouts))]

    def prepare(self):
        layout = self.random.choice([Grid, Waterfall])(self.random)
        response, summary = self.send("POST", f"/layouts/{layout.kind}/prepare", layout.body())
        if response.status == 503:
            return
        check(response.status == 201, "prepare", response.status, summary)
        check(summary["counts"]["cells"] == sum(layout.counts), "counts", summary)
        check(summary["version"] == 1, summary)
        self.layouts[summary["id"]] = [layout, 1]

    def known(self):
        identifier = self.random.choice(list(self.layouts))
        return identifier, *self.layouts[identifier]

    def is_gone(self, identifier, response):
        """Evicted or expired: that may be, with so many clients."""
        if response.status != 404:
            return False
        del self.layouts[identifier]
        return True

    def query(self):
        identifier, layout, version = self.known()
        y = self.random.uniform(-100, min(layout.height(), 5000))
        rect = [
            self.random.choice([0, self.random.uniform(0, 400)]),
            y,
            self.random.choice([0, 100, 2000]),
            self.random.choice([0, 480, 900.5]),
        ]
        limit = self.random.choice([5, 10000])
        path = f"/layouts/{identifier}/elements?limit={limit}&rect=" + ",".join(map(repr, rect))
        response, answer = self.send("GET", path)
        if self.is_gone(identifier, response):
            return
        check(response.status == 200, path, response.status, answer)
        check(answer["id"] == identifier and answer["version"] == version, path, answer)
        model = expected(layout, rect, limit)
        found = [(e["zIndex"], *e["indexPath"], tuple(e["frame"])) for e in answer["elements"]]
        check(found == model[:limit], path, layout.body(), found[:5], model[:5])
        check(("next" in answer) == (len(model) > limit), path, len(model), answer.get("next"))
        if self.random.random() < 0.1:
            headers = {"If-None-Match": response.getheader("ETag")}
            response, _ = self.send("GET", path, headers=headers)
            if not self.is_gone(identifier, response):
                check(response.status == 304, path, response.status)

    def update(self):
        identifier, layout, version = self.known()
        section = self.random.randrange(len(layout.counts))
        count = layout.counts[section]
        at = self.random.randint(0, count)
        removed = 0
        if count > at and self.random.random() < 0.5:
            removed = self.random.randint(1, min(9, count - at))
            update = {"delete": {"at": [section, at], "count": removed}}
        else:
            update = {"insert": {"at": [section, at], "items": None}}
            update["insert"]["items"] = layout.insert(section, at, self.random)
        # The model has changed by now if it was an insertion: a layout that is gone goes with it.
        headers = {"If-Match": f'"{version}"'}
        response, answer = self.send(
            "POST", f"/layouts/{identifier}/updates", {"updates": [update]}, headers
        )
        if self.is_gone(identifier, response):
            return
        if response.status == 503:
            del self.layouts[identifier]
            return
        check(response.status == 200, update, response.status, answer)
        if removed:
            layout.remove(section, at, removed)
        check(answer["version"] == version + 1, answer)
        check(answer["counts"]["cells"] == sum(layout.counts), update, answer)
        self.layouts[identifier][1] = version + 1

    def delete(self):
        identifier, _, version = self.known()
        response, answer = self.send("DELETE", f"/layouts/{identifier}")
        if self.is_gone(identifier, response):
            return
        check(response.status == 204, response.status, answer)
        del self.layouts[identifier]
        response, answer = self.send("GET", f"/layouts/{identifier}")
        check(response.status == 404, response.status, answer)

    def ask_for_nothing(self):
        method, path, body, status = self.random.choice(
            [
                ("GET", "/layouts/AAAAAAAAAAAAAAAAAAAAAA", None, 404),
                ("GET", "/nothing", None, 404),
                ("POST", "/layouts/cone/prepare", {}, 404),
                ("POST", "/layouts/grid/prepare", {"bounds": {"width": -1}}, 422),
                ("PUT", "/healthz", None, 405),
            ]
        )
        if method == "PUT":
            body = {}
        response, answer = self.send(method, path, body)
        check(response.status == status and answer["status"] == status, path, answer)


def run_client(port, seed, end, results):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    client = Client(port, seed)
    failures = []
    while time.monotonic() < end and len(failures) < 5:
        try:
            client.step()
        except Exception as error:  # Whatever it is, it is reported.
            failures.append(f"{type(error).__name__}: {error}")
            client.connection = None
            client.layouts = {}
    results.put((client.counts, failures))


# The server from outside.


class Server:
    def __init__(self):
        self.process = subprocess.Popen(
            [PROGRAM, "--port", "0", "--max-sessions", str(MAX_SESSIONS)]
            + ["--max-session-bytes", str(MAX_BYTES)]
            + ["--session-idle-timeout", str(IDLE_SECONDS), "--connection-timeout", "5"],
            stderr=subprocess.PIPE,
            text=True,
        )
        line = self.process.stderr.readline()
        self.port = int(line.rsplit("127.0.0.1:", 1)[1].split()[0].strip('",}]'))
        # What it logs later must not fill the pipe.
        multiprocessing.Process(target=self.drain, daemon=True).start()

    def drain(self):
        for line in self.process.stderr:
            print("layoutd:", line, end="", file=sys.stderr)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def metric(self, name):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        for line in text.splitlines():
            if line.startswith(name + " "):
                return int(float(line.split(" ")[1]))
        raise Mismatch(f"no metric {name}")

    def settled(self):
        """Descriptors and memory when no client is there any more."""
        end = time.monotonic() + 30
        while self.metric(BYTES) and time.monotonic() < end:
            time.sleep(0.5)
        time.sleep(2)
        return self.descriptors(), self.resident()


BYTES = "layoutd_session_bytes"
SESSIONS = "layoutd_sessions"


def load(server, seconds, seed):
    results = multiprocessing.Queue()
    end = time.monotonic() + seconds
    clients = [
        multiprocessing.Process(target=run_client, args=(server.port, seed + i, end, results))
        for i in range(CLIENTS)
    ]
    for client in clients:
        client.start()
    most = {"bytes": 0, "sessions": 0, "resident": 0}
    while time.monotonic() < end:
        most["bytes"] = max(most["bytes"], server.metric(BYTES))
        most["sessions"] = max(most["sessions"], server.metric(SESSIONS))
        most["resident"] = max(most["resident"], server.resident())
        time.sleep(0.2)
    counts, failures = {}, []
    for _ in clients:
        client_counts, client_failures = results.get(timeout=120)
        failures += client_failures
        for what, count in client_counts.items():
            counts[what] = counts.get(what, 0) + count
    for client in clients:
        client.join()
    return counts, failures, most


def main():
    server = Server()
    try:
        load(server, min(10, SECONDS / 4), seed=1)
        before = server.settled()
        started = time.monotonic()
        counts, failures, most = load(server, SECONDS, seed=1000)
        duration = time.monotonic() - started
        after = server.settled()
    finally:
        server.process.terminate()
    status = server.process.wait(timeout=60)
    requests = sum(count for what, count in counts.items() if what != "died")

    rows = [
        ("seconds", f"{duration:.0f}"),
        ("requests", f"{requests:,}"),
        ("clients that died", f"{counts.get('died', 0):,}"),
    ]
    rows += [(what, f"{counts[what]:,}") for what in sorted(counts) if what != "died"]
    rows += [
        ("wrong answers", str(len(failures))),
        ("descriptors before, after", f"{before[0]}, {after[0]}"),
        ("resident before, after", f"{before[1] >> 20} MiB, {after[1] >> 20} MiB"),
        ("resident at most", f"{most['resident'] >> 20} MiB"),
        ("sessions at most", f"{most['sessions']} of {MAX_SESSIONS}"),
        ("bytes of sessions at most", f"{most['bytes'] / 2**20:.1f} of {MAX_BYTES >> 20} MiB"),
    ]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"| {name.ljust(width)} | {value.rjust(24)} |")
    for failure in failures:
        print("WRONG:", failure)

    assert not failures
    assert requests > 0 and status == 0, status
    assert after[0] <= before[0], "descriptors were left open"
    # Allocators keep some of what they had; a leak of one layout in a hundred is far more.
    assert after[1] <= before[1] * 1.25 + (16 << 20), "memory was left behind"
    assert 0 < most["bytes"] <= MAX_BYTES and most["sessions"] <= MAX_SESSIONS


if __name__ == "__main__":
    main()
