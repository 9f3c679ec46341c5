#!/usr/bin/env python3
"""Attacks on what the server keeps, each measured: kept.py PROGRAM [ATTACK …]

Each attack gets a server of its own, with limits of 64, 16 and 32 MiB: it may take 247 MB. Beside
the attacks that last, somebody asks a small question again and again. `StoredPlacesTests` is what
fails if a bound of Documentation/bounds.md is broken.
"""

import gzip
import json
import resource
import select
import socket
import threading
import time

from attacks import Server, ids, latencies, run

LIMITS = ("--max-session-bytes", "64MiB", "--max-history-bytes", "16MiB",
          "--max-buffer-bytes", "32MiB", "--session-idle-timeout", "3600")
MEGABYTES_ALLOWED = 247
GZIP = "Content-Encoding: gzip\r\n"


def numbers(count, value):
    return ",".join([str(value)] * count)


def group(number, subitems=999):
    subitem = {"width": {"flexible": 1}, "height": {"fractionalHeight": 1}}
    return {"direction": "horizontal", "width": {"absolute": 20_000 + number},
            "height": {"absolute": 50}, "subitems": [subitem] * subitems}


class Attacked:
    """A server with an innocent layout, about which somebody asks meanwhile."""

    def __init__(self, program, *options):
        self.server = Server(program, *LIMITS, *options)
        self.client = self.server.client()
        self.innocent = self.server.prepare(
            "grid", b'{"bounds": {"width": 320}, "sections": [{"items": 900}]}')

    def ask(self, method, target, body=None, fields="", expected=(200, 201)):
        text = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            status, answer = self.client.ask(method, target, text, fields)
        except OSError:
            # The server closes a connection that was idle, while another one prepared for long.
            self.client = self.server.client()
            status, answer = self.client.ask(method, target, text, fields)
        assert status in expected, (method, target, status, answer[:300])
        return json.loads(answer) if answer else None

    def view(self, path, body):
        return "/layouts/" + self.ask("POST", f"{path}/views", body)["id"]

    def during(self, work):
        """Does some work while somebody asks small questions, and says how long these take."""
        results = []
        is_over = threading.Event()

        def probe():
            client = self.server.client()

            def ask():
                nonlocal client
                try:
                    status, _ = client.ask("GET", f"{self.innocent}/elements?rect=0,0,320,480")
                except OSError:
                    client = self.server.client()
                    return
                assert status == 200
                time.sleep(0.001)

            while not is_over.is_set():
                results.append(latencies(3, ask))

        thread = threading.Thread(target=probe)
        thread.start()
        work()
        is_over.set()
        thread.join()
        for result in results[:-1] or results:
            print(f"    meanwhile, with 1 ms of sleep: {result}")

    def end(self, what):
        # The server may have closed the connection, which was idle.
        metrics = self.server.client().ask("GET", "/metrics")[1].decode()
        counted = {line.split()[0]: float(line.split()[1]) for line in metrics.splitlines()
                   if line.startswith(("layoutd_session_bytes ", "layoutd_history_bytes "))}
        print(f"  {what}: at most {self.server.peak_megabytes()} MB, {MEGABYTES_ALLOWED} allowed; "
              + ", ".join(f"{name} {value / 1e6:.1f} MB" for name, value in counted.items()),
              flush=True)
        self.server.__exit__()


def behind(program):
    """Views that nobody asks for again, and replaces of a million items."""
    attacked = Attacked(program)
    body = '{"bounds": {"width": 320}, "sections": [{"items": {"height": [%s]}}]}'
    path = attacked.server.prepare("grid", (body % numbers(1_000_000, 5)).encode())

    def work():
        for number in range(80):
            attacked.view(path, {"bounds": {"width": 300 + number}})
            update = '{"updates": [{"replace": {"at": [0, 0], "items": {"height": [%s]}}}]}'
            attacked.ask("POST", f"{path}/updates",
                         gzip.compress((update % numbers(1_000_000, number)).encode()), GZIP)

    attacked.during(work)
    attacked.end("80 views and replaces")


def options(program):
    """2,000 views of groups with 999 subitems, half of them deleted again."""
    attacked = Attacked(program)
    path = attacked.innocent

    def work():
        for number in range(2000):
            body = json.dumps({"kind": "group", "options": {"group": group(number)}}).encode()
            view = "/layouts/" + attacked.ask(
                "POST", f"{path}/views", gzip.compress(body), GZIP)["id"]
            if number % 2:
                attacked.ask("DELETE", view, expected=(204,))

    attacked.during(work)
    attacked.end("2,000 views")


def views(program):
    """30,000 small views."""
    attacked = Attacked(program)

    def work():
        for number in range(30_000):
            attacked.view(attacked.innocent, {"bounds": {"width": 321 + number}})

    attacked.during(work)
    attacked.end("30,000 views")


def search(program):
    """A reader's search through a view, and then the editor's change."""
    attacked = Attacked(program)
    path = attacked.server.prepare("grid", ids(1_300_000))
    view = attacked.view(path, {"bounds": {"width": 99}})
    attacked.ask("GET", f"{view}/items?id=n0000005")
    statuses = []
    for _ in range(5):
        statuses.append(attacked.client.ask(
            "POST", f"{path}/updates", b'{"updates": [{"delete": {"at": [0, 9]}}]}')[0])
    print(f"  changes after the search: {statuses}")
    attacked.end("an index of 1,300,000 ids")


def settings(program):
    """64 setSections of 20 large groups each."""
    attacked = Attacked(program)
    body = {"bounds": {"width": 320}, "options": {"group": group(0, 1)},
            "sections": [{"items": [{"height": 5}]}] * 20}
    path = attacked.server.prepare("group", json.dumps(body).encode())

    def work():
        for step in range(64):
            updates = [{"setSection": {"at": at, "options": {"group": group(step * 20 + at)}}}
                       for at in range(20)]
            attacked.ask("POST", f"{path}/updates",
                         gzip.compress(json.dumps({"updates": updates}).encode()), GZIP)

    attacked.during(work)
    attacked.end("64 setSections")


def streams(program):
    """4,000 streams of 64 layouts each, which nobody reads, and changes of all."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, 8192))
    attacked = Attacked(program, "--max-event-streams", "5000", "--max-connections-per-address", "0")
    paths = [attacked.server.prepare(
        "grid", b'{"bounds": {"width": %d}, "sections": [{"items": 9}]}' % (100 + number))
        for number in range(64)]
    query = "&".join("layout=" + path.rsplit("/", 1)[1] for path in paths)
    open_streams = []
    for _ in range(4000):
        stream = socket.create_connection(("127.0.0.1", attacked.server.port))
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stream.sendall(f"GET /events?{query} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        open_streams.append(stream)

    def work():
        for step in range(20):
            for path in paths:
                attacked.ask("PATCH", path, {"bounds": {"width": 200 + step}})

    attacked.during(work)
    attacked.end("4,000 streams")


class Followed:
    """A stream of the events of layouts."""

    def __init__(self, port, paths):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        query = "&".join("layout=" + path.rsplit("/", 1)[1] for path in paths)
        self.socket.sendall(f"GET /events?{query} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        self.text = b""

    def drain(self, seconds):
        """Reads what comes until nothing has come for some time."""
        while select.select([self.socket], [], [], seconds)[0]:
            if not self.socket.recv(1 << 16):
                return
        self.text = b""

    def wait(self):
        """The time until an event has come, in milliseconds."""
        start = time.perf_counter()
        while b"data:" not in self.text:
            self.text += self.socket.recv(1 << 16)
        self.text = b""
        return (time.perf_counter() - start) * 1000


def followers(program):
    """A stranger's event beside 640 followed views of 200,000 items each."""
    attacked = Attacked(program, "--max-session-bytes", "4GiB", "--max-connections-per-address", "0")
    heights = ",".join(str(10 + number % 90) for number in range(200_000))
    path = attacked.server.prepare(
        "waterfall",
        ('{"bounds": {"width": 320}, "sections": [{"items": {"height": [%s]}}]}' % heights).encode())
    many = [attacked.view(path, {"bounds": {"width": 321 + number}}) for number in range(640)]
    streams = [Followed(attacked.server.port, many[at:at + 64]) for at in range(0, 640, 64)]
    own = attacked.view(attacked.innocent, {"bounds": {"width": 100}})
    stranger = Followed(attacked.server.port, [own])
    for stream in [*streams, stranger]:
        stream.drain(3)
    times = []
    for step in range(5):
        attacked.ask("POST", f"{path}/updates",
                     {"updates": [{"set": {"at": [0, 0], "items": [{"height": 7 + step}]}}]})
        attacked.ask("POST", f"{attacked.innocent}/updates",
                     {"updates": [{"insert": {"at": [0, 0], "items": 1}}]})
        times.append(stranger.wait())
        for stream in streams:
            stream.drain(3)
    print("  the stranger's event comes after " + ", ".join(f"{each:.0f} ms" for each in times))
    attacked.end("640 followed views")


if __name__ == "__main__":
    run([behind, options, views, search, settings, streams, followers])
