#!/usr/bin/env python3
"""What a store costs those who have nothing to do with it: store.py PROGRAM [PART …]

Each part starts a redis-server of its own, and servers that share it, and ends within a minute. The
figures are for commits. `RedisStoreTests` is what fails if something is wrong.
"""

import asyncio
import contextlib
import gzip
import json
import multiprocessing
import os
import secrets
import socket
import subprocess
import tempfile
import threading
import time

from attacks import Server, run
from kept import Followed

SMALL = b'{"bounds": {"width": 320}, "sections": [{"items": 900}]}'


class Store:
    """A redis-server with a socket in a folder of its own, which goes with it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "s")
        self.process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.path, "--save", "",
             "--dir", self.folder.name], stdout=subprocess.DEVNULL)
        while not os.path.exists(self.path):
            time.sleep(0.05)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def relay(path, delay, ready):
    """Passes bytes on between a port and a socket, each so many seconds late."""
    async def copy(reader, writer):
        try:
            while data := await reader.read(1 << 16):
                await asyncio.sleep(delay)
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()

    async def connect(reader, writer):
        other = await asyncio.open_unix_connection(path)
        await asyncio.gather(copy(reader, other[1]), copy(other[0], writer))

    async def serve():
        server = await asyncio.start_server(connect, "127.0.0.1", 0, backlog=512)
        ready.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


def told(times):
    times = sorted(times)
    return (f"p50 {times[len(times) // 2] * 1000:.0f} ms, "
            f"p99 {times[len(times) * 99 // 100] * 1000:.0f} ms, at most {times[-1] * 1000:.0f} ms")


class Asked:
    """Somebody who asks a server for layouts again and again, and whether it is ready."""

    def __init__(self, server, paths):
        self.server, self.paths = server, paths
        self.times, self.statuses, self.ready = [], {}, {}
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        client = self.server.client()
        while not self.is_over.is_set():
            for path in self.paths:
                start = time.perf_counter()
                try:
                    status, _ = client.ask("GET", f"{path}/elements?rect=0,0,320,480")
                    ready, _ = client.ask("GET", "/readyz?changes=true")
                except OSError:
                    status = ready = "closed"
                    client = self.server.client()
                self.times.append(time.perf_counter() - start)
                self.statuses[status] = self.statuses.get(status, 0) + 1
                self.ready[ready] = self.ready.get(ready, 0) + 1
                time.sleep(0.005)

    def end(self, name):
        self.is_over.set()
        self.thread.join()
        print(f"    {name}: answers {self.statuses}, readiness {self.ready}; {told(self.times)}; "
              f"memory at most {self.server.peak_megabytes()} MB", flush=True)


def large(program):
    """A layout whose snapshot has some 300 MB, beside 43 others, on two servers."""
    store = Store()
    options = ("--store", f"unix://{store.path}", "--max-body-bytes", "400MiB",
               "--max-buffer-bytes", "800MiB", "--max-session-bytes", "2GiB")
    a, b = Server(program, *options), Server(program, *options)
    others = [a.prepare("grid", SMALL) for _ in range(43)]
    for path in others:
        assert b.client().ask("GET", path)[0] == 200
    count = 6_000_000
    items = ",".join(f'"{number:036}"' for number in range(count))
    heights = ",".join(f"{10 + number % 90}.12345" for number in range(count))
    body = (f'{{"bounds": {{"width": 320}}, "sections": [{{"items": {{"id": [{items}], '
            f'"height": [{heights}]}}}}]}}').encode()
    print(f"  a body of {len(body) / 1e6:.0f} MB", flush=True)

    def step(name, work):
        asked = [Asked(a, others), Asked(b, others)]
        start = time.perf_counter()
        work()
        print(f"  {name}: {time.perf_counter() - start:.1f} s")
        for which, each in zip("AB", asked):
            each.end(which)

    path = ""

    def prepare():
        nonlocal path
        packed = gzip.compress(body, 1)
        status, answer = a.client().ask(
            "POST", "/layouts/grid/prepare", packed, "Content-Encoding: gzip\r\n")
        assert status == 201, (status, answer[:300])
        path = "/layouts/" + json.loads(answer)["id"]

    def read():
        status, answer = b.client().ask("GET", path)
        assert status == 200, (status, answer[:300])

    def change():
        client = a.client()
        for number in range(260):
            update = {"updates": [{"set": {"at": [0, count - 1], "items": [{"height": number}]}}]}
            status, answer = client.ask("POST", f"{path}/updates", json.dumps(update).encode())
            assert status == 200, (status, answer[:300])
        deadline = time.monotonic() + 60
        while b"layoutd_store_compactions_total 1" not in client.ask("GET", "/metrics")[1]:
            assert time.monotonic() < deadline, "no new snapshot"
            time.sleep(0.1)

    step("A prepares it, and writes the snapshot", prepare)
    step("B reads it", read)
    step("260 changes, and A writes a new snapshot", change)
    for server in (a, b):
        server.__exit__()
    store.end()


def unknown(program):
    """80 clients that ask for random ids, and the events of random ids, where a store is 1 ms away."""
    store = Store()
    ready = multiprocessing.Queue()
    process = multiprocessing.Process(target=relay, args=(store.path, 0.001, ready), daemon=True)
    process.start()
    server = Server(program, "--store", f"redis://127.0.0.1:{ready.get()}/0",
                    "--max-connections-per-address", "0")
    path = server.prepare("grid", SMALL)
    is_over = threading.Event()
    asked = []

    def anybody():
        return secrets.token_urlsafe(16)

    def ask():
        client, count = server.client(), 0
        while not is_over.is_set():
            try:
                client.ask("GET", f"/layouts/{anybody()}/elements?rect=0,0,9,9")
            except OSError:
                client = server.client()
            count += 1
        asked.append(count)

    def follow():
        while not is_over.is_set():
            query = "&".join(f"layout={anybody()}" for _ in range(64))
            try:
                with socket.create_connection(("127.0.0.1", server.port), timeout=10) as stream:
                    stream.sendall(f"GET /events?{query} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                    stream.recv(1 << 16)
            except OSError:
                pass

    def changes(count, follower=None):
        client, statuses, times, late = server.client(), {}, [], []
        for number in range(count):
            start = time.perf_counter()
            body = json.dumps({"bounds": {"width": 321 + number % 2}}).encode()
            status, _ = client.ask("PATCH", path, body)
            times.append(time.perf_counter() - start)
            statuses[status] = statuses.get(status, 0) + 1
            if follower and status == 200:
                try:
                    follower.wait()
                except TimeoutError:
                    return f"{statuses}, {told(times)}; no event within 10 s"
                late.append(time.perf_counter() - start)
            time.sleep(0.02)
        return f"{statuses}, {told(times)}" + (f"; events {told(late)}" if late else "")

    @contextlib.contextmanager
    def beside(count, do):
        """Has as many threads do something until the end."""
        threads = [threading.Thread(target=do) for _ in range(count)]
        for thread in threads:
            thread.start()
        yield
        is_over.set()
        for thread in threads:
            thread.join()
        is_over.clear()

    print(f"  60 changes while nobody asks: {changes(60)}", flush=True)
    start = time.perf_counter()
    with beside(80, ask):
        print(f"  60 changes while 80 ask: {changes(60)}", flush=True)
    print(f"    {sum(asked) / (time.perf_counter() - start):.0f} random ids a second")
    follower = Followed(server.port, [path])
    follower.drain(1)
    follower.socket.settimeout(10)
    with beside(8, follow):
        print(f"  20 changes beside 8 who follow 64 random ids: {changes(20, follower)}", flush=True)
    server.__exit__()
    process.terminate()
    store.end()


if __name__ == "__main__":
    run([large, unknown])
