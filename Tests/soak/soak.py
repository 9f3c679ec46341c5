#!/usr/bin/env python3
"""Full load on a server for a while, every answer checked against a model.

    Tests/soak/soak.py [path of layoutd]        SOAK_SECONDS=600  SOAK_CLIENTS=6

Clients prepare grids and waterfalls, query, change and delete them, and let some expire; one
request in a hundred is cut off by a client that dies in the middle. Each client is a process of
its own with its own model of its layouts, so that nothing but the server is shared. One more client
asks the same over and over, many requests at a time, for the load that models are too slow for. The
server may keep fewer bytes of layouts than the clients have: for some seconds they prepare large
ones, and layouts are evicted; for some seconds small ones, and forgotten layouts expire.

The server must never hold more bytes of layouts than it may; at the end no more descriptors, and
little more memory, than after a short warm-up; and every layout that was prepared must have been
deleted, evicted or expired, by the server's own count.

Two shorter runs follow: with a limit of 64 descriptors while a crowd comes and goes, and with 2,000
idle connections.
"""

import collections
import http.client
import itertools
import json
import math
import multiprocessing
import os
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import time

SECONDS = float(os.environ.get("SOAK_SECONDS", "600"))
CLIENTS = int(os.environ.get("SOAK_CLIENTS", "6"))
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ".build/dist/release/layoutd"
MAX_SESSIONS = 200
# Less than the clients have while they prepare large layouts, more than that of small ones.
MAX_BYTES = 512 << 10
IDLE_SECONDS = 1
# How many layouts a client keeps, unless the server has thrown them away.
KEPT = 12
# So many seconds of large layouts, then of small ones, each.
PHASE_SECONDS = 4


class Mismatch(Exception):
    pass


# The model: frames as Documentation/kinds.md describes the kinds, with sums in item order.


def meets(a, la, b, lb):
    """Whether two half-open intervals share a point; one of length 0 is a point."""
    if la > 0:
        return a < b + lb and b < a + la if lb > 0 else a <= b < a + la
    return b <= a < b + lb if lb > 0 else a == b


def step(length):
    """A length along the scroll direction, or a number of a rect: whole steps of 1/1024 point."""
    return math.floor(length * 1024 + 0.5) / 1024


class Grid:
    kind = "grid"

    def __init__(self, random, is_large=True):
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
        row_height = step(self.row_height)
        top = 0.0
        headers = []
        for section, count in enumerate(self.counts):
            if self.header:
                headers.append((1, section, 0, (0, top, self.width, self.header)))
            for item in range(count):
                x = (item % self.columns) * (width + 5)
                y = top + self.header + (item // self.columns) * row_height
                yield (0, section, item, (x, y, width, row_height - 5))
            rows = -(-count // self.columns)
            # The spacing of 5 points is only between rows.
            top += self.header + (rows * row_height - 5 if rows else 0)
        yield from headers

    def height(self):
        """Some y below which there is nothing."""
        return sum(self.header + (c // self.columns + 1) * self.row_height for c in self.counts)


class Waterfall:
    kind = "waterfall"

    def __init__(self, random, is_large=True):
        self.width = random.choice([320, 500, 768.5])
        self.columns = random.randint(1, 5)
        self.placement = random.choice(["roundRobin", "shortestColumn"])
        self.header = random.choice([0, 31.5])
        counts = [0, 1, 30, 2500] if is_large else [0, 1, 30]
        self.items = [
            [self.some_height(random) for _ in range(random.choice(counts))]
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
                height = 180.0 if height is None else step(height)
                column = (
                    item % self.columns
                    if self.placement == "roundRobin"
                    # The tolerance is one point.
                    else next(c for c, end in enumerate(ends) if end < min(ends) + 1)
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


def is_same(found, model):
    """JSON says lengths to the thousandth."""
    return len(found) == len(model) and all(
        one[:3] == other[:3] and all(abs(a - b) < 0.00051 for a, b in zip(one[3], other[3]))
        for one, other in zip(found, model))


def check(condition, *what):
    if not condition:
        raise Mismatch(" ".join(str(w)[:500] for w in what))


# The clients.


class Client:
    """Does this and that with its layouts.

    With patience it may be turned away, or told so by a 503, for so many seconds a request.
    """

    def __init__(self, port, seed, patience=0):
        self.port = port
        self.random = random.Random(seed)
        self.patience = patience
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
        if self.patience and self.connection and self.random.random() < 0.1:
            # Gives its place to others, and has to find a new one.
            self.connection.close()
            self.connection = None
        end = time.monotonic() + self.patience
        for attempt in itertools.count():
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
                self.connection.request(method, path, body, headers)
                response = self.connection.getresponse()
                data = response.read()
                if response.status != 503 or not self.patience:
                    break
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # The server closes idle connections; then a new one must do.
                if attempt and not self.patience:
                    raise
            if self.connection:
                self.connection.close()
            self.connection = None
            if self.patience:
                self.count("turned away")
                check(time.monotonic() < end, "not served for", self.patience, "s", method, path)
                time.sleep(0.02)
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
            try:
                dying.sendall(data[: self.random.randint(1, len(data))])
            except OSError:
                # It has been turned away.
                if not self.patience:
                    raise
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
        is_large = time.monotonic() % (2 * PHASE_SECONDS) < PHASE_SECONDS
        layout = self.random.choice([Grid, Waterfall])(self.random, is_large)
        response, summary = self.send("POST", f"/layouts/{layout.kind}/prepare", layout.body())
        if response.status == 503:
            return
        check(response.status == 201, "prepare", response.status, summary)
        check(summary["counts"]["cells"] == sum(layout.counts), "counts", summary)
        check(summary["version"] == 1, summary)
        self.layouts[summary["id"]] = [layout, summary["versionTag"]]

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
        check(answer["id"] == identifier and answer["versionTag"] == version, path, answer)
        model = expected(layout, map(step, rect), limit)
        found = [(e["zIndex"], *e["indexPath"], tuple(e["frame"])) for e in answer["elements"]]
        check(is_same(found, model[:limit]), path, layout.body(), found[:5], model[:5])
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
        check(answer["version"] == int(version.split("-")[0]) + 1, answer)
        check(answer["counts"]["cells"] == sum(layout.counts), update, answer)
        self.layouts[identifier][1] = answer["versionTag"]

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


class Hammer:
    """Asks for one window of a layout, many times at once; every answer is compared bytewise."""

    DEPTH = 64

    def __init__(self, port, seed):
        self.client = Client(port, seed)
        self.counts = self.client.counts
        self.socket = None

    def step(self):
        if not self.socket and not self.start():
            return
        self.socket.sendall(self.request * self.DEPTH)
        length = len(self.answer)
        received = bytearray()
        for start in range(0, self.DEPTH * length, length):
            while len(received) < start + length and not self.is_gone(received, start):
                data = self.socket.recv(1 << 20)
                check(data, "closed after", bytes(received[-length:]))
                received += data
            if self.is_gone(received, start):
                self.socket.close()
                self.socket = None
                return
            answer = self.without_date(received[start : start + length])
            check(answer == self.answer, "was", answer, "and not", self.answer)
            self.client.count("pipelined 200")

    def is_gone(self, received, start=0):
        """Whether the layout has been evicted, which may be when all others had more turns."""
        return received.startswith(b"HTTP/1.1 404 ", start)

    def start(self):
        """Has one answer compared with the model; the same again is the pattern of all others."""
        layout = Grid(self.client.random)
        layout.counts = [1000]
        _, summary = self.client.send("POST", "/layouts/grid/prepare", layout.body())
        path = f"/layouts/{summary['id']}/elements?rect=0,500,300,480"
        response, answer = self.client.send("GET", path)
        if response.status == 404:
            return False
        found = [(e["zIndex"], *e["indexPath"], tuple(e["frame"])) for e in answer["elements"]]
        model = expected(layout, (0, 500, 300, 480), 1000)
        check(is_same(found, model) and found, path, found[:5], model[:5])
        self.request = f"GET {path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: hammer\r\n\r\n".encode()
        self.socket = socket.create_connection(("127.0.0.1", self.client.port), timeout=60)
        self.socket.sendall(self.request)
        with self.socket.makefile("rb") as file:
            head = b"".join(iter(file.readline, b"\r\n"))
            if self.is_gone(head):
                self.socket.close()
                self.socket = None
                return False
            body = file.read(int(re.search(rb"(?i)content-length: (\d+)", head)[1]))
        check(json.loads(body) == answer, path, body, answer)
        self.answer = self.without_date(head + b"\r\n" + body)
        return True

    @staticmethod
    def without_date(answer):
        """Dates are all of one length."""
        return re.sub(rb"Date: [^\r]*", b"Date: " + b"-" * 29, bytes(answer), count=1)


def run_client(port, seed, end, patience, results):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    client = Client(port, seed, patience) if seed else Hammer(port, seed)
    failures = []
    while time.monotonic() < end and len(failures) < 5:
        try:
            client.step()
        except Exception as error:  # Whatever it is, it is reported.
            failures.append(f"{type(error).__name__}: {error}")
            client.connection = client.socket = None
            client.layouts = {}
    results.put((client.counts, failures))


# The server from outside.


def allow_descriptors(count):
    """Lets this process have so many, and leaves it no more."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, most))


class Server:
    def __init__(self, descriptors=4096, connection_timeout=5):
        self.process = subprocess.Popen(
            [PROGRAM, "--port", "0", "--max-sessions", str(MAX_SESSIONS)]
            + ["--max-session-bytes", str(MAX_BYTES)]
            + ["--session-idle-timeout", str(IDLE_SECONDS)]
            + ["--connection-timeout", str(connection_timeout)],
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: allow_descriptors(descriptors),
        )
        line = self.process.stderr.readline()
        self.port = int(line.rsplit("127.0.0.1:", 1)[1].split()[0].strip('",}]'))
        # What it logs later must not fill the pipe.
        multiprocessing.Process(target=self.drain, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.status = self.process.wait(timeout=60)

    def drain(self):
        for line in self.process.stderr:
            print("layoutd:", line, end="", file=sys.stderr)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def sample(self):
        """What it says of itself; nothing when it turns us away."""
        sample = {"resident": self.resident(), "descriptors": self.descriptors()}
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            connection.request("GET", "/metrics")
            response = connection.getresponse()
            text = response.read().decode()
            connection.close()
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            return sample
        if response.status == 200:
            for line in text.splitlines():
                if line.startswith("layoutd_session"):
                    name, value = line.removeprefix("layoutd_").split(" ")
                    sample[name] = int(float(value))
        return sample

    def settled(self):
        """A sample when no client is there any more, and every layout has expired."""
        end = time.monotonic() + 30
        while self.sample()["sessions"] and time.monotonic() < end:
            time.sleep(0.5)
        time.sleep(2)
        return self.sample()


def load(server, seconds, seed, patience=0, meanwhile=lambda: time.sleep(0.05)):
    """Lets clients work for so long.

    Returns what they have done, what was wrong, the most of each number that was sampled, and how
    often that was.
    """
    results = multiprocessing.Queue()
    end = time.monotonic() + seconds
    seeds = [seed + i for i in range(CLIENTS)] + ([] if patience else [0])
    clients = [
        multiprocessing.Process(target=run_client, args=(server.port, s, end, patience, results))
        for s in seeds
    ]
    for client in clients:
        client.start()
    most, samples = {}, 0
    while time.monotonic() < end:
        sample = server.sample()
        for name, value in sample.items():
            most[name] = max(most.get(name, 0), value)
        samples += "session_bytes" in sample
        meanwhile()
    counts, failures = collections.Counter(), []
    for _ in clients:
        client_counts, client_failures = results.get(timeout=120)
        counts.update(client_counts)
        failures += client_failures
    for client in clients:
        client.join()
    return counts, failures, most, samples


def run_full_load():
    with Server() as server:
        warm_up, failures, _, _ = load(server, min(10, SECONDS / 4), seed=1)
        before = server.settled()
        started = time.monotonic()
        counts, more_failures, most, samples = load(server, SECONDS, seed=1000)
        duration = time.monotonic() - started
        after = server.settled()
    failures += more_failures
    requests = total(counts)
    evictions, expiries = (
        after[name] - before[name]
        for name in ("session_evictions_total", "session_expiries_total")
    )
    report(
        "Full load",
        [
            ("seconds", f"{duration:.0f}"),
            ("requests", f"{requests:,}"),
            ("clients that died", f"{counts['died']:,}"),
        ]
        + [(what, f"{counts[what]:,}") for what in sorted(counts) if what != "died"]
        + [
            ("wrong answers", str(len(failures))),
            ("descriptors before, after", f"{before['descriptors']}, {after['descriptors']}"),
            ("resident before, after", f"{mebibytes(before)}, {mebibytes(after)} MiB"),
            ("resident at most", f"{mebibytes(most)} MiB"),
            ("evictions, expiries", f"{evictions:,}, {expiries:,}"),
            ("sessions at most", f"{most['sessions']} of {MAX_SESSIONS}"),
            ("bytes of sessions at most", f"{most['session_bytes']:,} of {MAX_BYTES:,}"),
            ("in samples", f"{samples:,}"),
        ],
        failures,
    )
    assert not failures
    assert server.status == 0, server.status
    assert after["descriptors"] <= before["descriptors"], "descriptors were left open"
    # Allocators keep some of what they had; a leak of one layout in a hundred is far more.
    assert after["resident"] <= before["resident"] * 1.25 + (16 << 20), "memory was left behind"
    assert MAX_BYTES / 2 < most["session_bytes"] <= MAX_BYTES
    assert most["sessions"] <= MAX_SESSIONS
    assert after["sessions"] == after["session_bytes"] == 0
    assert evictions > 0 and expiries > 0
    counts.update(warm_up)
    ends = counts["DELETE 204"] + after["session_evictions_total"] + after["session_expiries_total"]
    assert counts["POST 201"] == ends, f"{counts['POST 201']} were prepared, {ends} have ended"


def run_few_descriptors(seconds, descriptors=64):
    """A crowd larger than the limit comes and goes; who is turned away is served soon after."""
    crowd = []

    def come_and_go():
        if crowd:
            crowd.clear()
        else:
            crowd.extend(
                socket.create_connection(("127.0.0.1", server.port)) for _ in range(2 * descriptors)
            )
        time.sleep(0.5)

    with Server(descriptors) as server:
        before = server.settled()
        counts, failures, most, _ = load(
            server, seconds, seed=2000, patience=10, meanwhile=come_and_go
        )
        crowd.clear()
        after = server.settled()
    rows = [("turned away", f"{counts['turned away']:,}")]
    conclude(f"With {descriptors} descriptors", server, counts, failures, most, before, after, rows)
    assert counts["turned away"] > 0, "the limit was not reached"


def run_idle_connections(seconds, idle=2000):
    """Those who say nothing hold nobody up, and are served when they speak."""
    allow_descriptors(idle + 100)
    with Server(idle + 200, connection_timeout=10_000) as server:
        before = server.settled()
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(idle)]
        counts, failures, most, _ = load(server, seconds, seed=3000)
        for number, connection in enumerate(silent):
            connection.settimeout(60)
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            answer = connection.recv(1000)
            if not answer.startswith(b"HTTP/1.1 200 "):
                failures.append(f"idle connection {number}: {answer}")
            connection.close()
        after = server.settled()
    conclude(f"With {idle:,} idle connections", server, counts, failures, most, before, after)
    assert most["descriptors"] >= idle


def conclude(title, server, counts, failures, most, before, after, rows=()):
    """Reports a load on a server that has ended, and insists that nothing was wrong or left."""
    report(
        title,
        [
            ("requests", f"{total(counts):,}"),
            *rows,
            ("wrong answers", str(len(failures))),
            ("descriptors before, after", f"{before['descriptors']}, {after['descriptors']}"),
            ("descriptors at most", str(most["descriptors"])),
        ],
        failures,
    )
    assert not failures
    assert server.status == 0, server.status
    assert most["session_bytes"] <= MAX_BYTES
    assert after["descriptors"] <= before["descriptors"], "descriptors were left open"


def total(counts):
    return sum(count for what, count in counts.items() if what not in ("died", "turned away"))


def mebibytes(sample):
    return sample["resident"] >> 20


def report(title, rows, failures):
    print(title)
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"| {name.ljust(width)} | {value.rjust(24)} |")
    for failure in failures:
        print("WRONG:", failure)
    sys.stdout.flush()


def main():
    run_full_load()
    run_few_descriptors(max(5, SECONDS / 20))
    run_idle_connections(max(5, SECONDS / 20))


if __name__ == "__main__":
    main()
