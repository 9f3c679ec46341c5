#!/usr/bin/env python3
"""Attacks on the server's memory and time, each measured: attacks.py PROGRAM [ATTACK …]

Each attack gets a server of its own, on loopback, and ends after some seconds. `BoundsTests` is what
fails if a bound of Documentation/bounds.md is broken.
"""

import concurrent.futures
import json
import os
import pathlib
import socket
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from program import Program

SECONDS = float(os.environ.get("ATTACK_SECONDS", "10"))


class Server(Program):
    """A server with a free port; what it takes of memory and processors."""

    def __init__(self, program, *options):
        super().__init__(*options, program=program)

    def peak_megabytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) // 1000

    def client(self):
        return Client(self.port)

    def prepare(self, kind, body):
        status, answer = self.client().ask("POST", f"/layouts/{kind}/prepare", body)
        assert status == 201, (status, answer[:200])
        return "/layouts/" + json.loads(answer)["id"]


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=300)
        self.received = b""

    def send(self, method, target, body=b"", fields=""):
        head = f"{method} {target} HTTP/1.1\r\nHost: a\r\n{fields}"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.socket.sendall(head.encode() + b"\r\n" + body)

    def answer(self):
        while b"\r\n\r\n" not in self.received:
            self.receive()
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                       if line.lower().startswith(b"content-length:")), 0)
        status = int(head.split()[1])
        parts = [self.received]
        count = 0 if status == 304 else length - len(self.received)
        while count > 0:
            part = self.socket.recv(min(count, 1 << 20))
            assert part, "closed"
            parts.append(part)
            count -= len(part)
        self.received = b""
        return status, b"".join(parts)

    def receive(self):
        part = self.socket.recv(1 << 16)
        if not part:
            raise ConnectionError("closed")
        self.received += part

    def ask(self, method, target, body=b"", fields=""):
        self.send(method, target, body, fields)
        return self.answer()

    def close(self):
        self.socket.close()


def ids(count, length=None):
    """A grid of items with ids: short ones, or of so many bytes that take six each as JSON."""
    if length is None:
        texts = (f'"n{number:07}"' for number in range(count))
    else:
        texts = ('"' + "\\u0000" * (length - len(str(n))) + f'{n}"' for n in range(count))
    return (b'{"bounds": {"width": 320}, "sections": [{"items": {"id": ['
            + ",".join(texts).encode() + b"]}}]}")


def during(seconds, clients, attack):
    """Calls `attack` again and again on so many threads; returns when all are done."""
    end = time.monotonic() + seconds

    def run(number):
        while time.monotonic() < end:
            try:
                attack(number)
            except OSError:
                pass

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(clients)]
    for thread in threads:
        thread.start()
    return threads


def latencies(seconds, ask):
    """Milliseconds of requests one after the other: how many, median, p99, the longest."""
    end = time.monotonic() + seconds
    times = []
    while time.monotonic() < end:
        start = time.perf_counter()
        ask()
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return (f"{len(times)} requests, p50 {times[len(times) // 2]:.2f} ms, "
            f"p99 {times[(len(times) - 1) * 99 // 100]:.2f} ms, longest {times[-1]:.1f} ms")


def pages(program):
    """Sixty connections ask for long pages at once."""
    limits = ("--max-session-bytes", "128MiB", "--max-buffer-bytes", "128MiB")
    with Server(program, *limits) as server:
        path = server.prepare("grid", ids(60_000, 128))
        for clients in (6, 60):
            with concurrent.futures.ThreadPoolExecutor(clients) as pool:
                statuses = list(pool.map(
                    lambda _: server.client().ask(
                        "GET", f"{path}/elements?rect=0,0,1e9,1e9&limit=100000")[0],
                    range(clients)))
            print(f"  {clients} clients: at most {server.peak_megabytes()} MB, "
                  f"{statuses.count(200)} of {clients} answered")


def change_and_find(server, path):
    def attack(number):
        client = server.client()
        client.ask("PATCH", path, b'{"bounds": {"width": %d}}' % (300 + time.monotonic_ns() % 99))
        client.ask("GET", f"{path}/items?id=n0000007")
        client.close()

    return attack


def waterfall(count):
    """Items with ids and heights: a change of the width makes all frames anew."""
    heights = ",".join(str(10 + number % 90) for number in range(count))
    texts = ",".join(f'"n{number:07}"' for number in range(count))
    return (b'{"bounds": {"width": 320}, "sections": [{"items": {"id": [' + texts.encode()
            + b'], "height": [' + heights.encode() + b"]}}]}")


def versions(program):
    """64 connections change one layout, and look for an id in it."""
    with Server(program) as server:
        path = server.prepare("waterfall", waterfall(1_300_000))
        before = json.loads(server.client().ask("GET", path)[1])["memoryBytes"] // 1_000_000
        start = server.peak_megabytes()
        for thread in during(SECONDS, 64, change_and_find(server, path)):
            thread.join()
        print(f"  a layout of {before} MB: at most {server.peak_megabytes()} MB, "
              f"{start} after the prepare")


def index(program):
    """Finds of an id among five million, after changes and at once."""
    with Server(program) as server:
        path = server.prepare("grid", ids(5_000_000))

        def find():
            status, answer = server.client().ask("GET", f"{path}/items?id=n4999999")
            assert status == 200, answer

        def measure(what, work):
            before, start = server.cpu_seconds(), time.monotonic()
            work()
            print(f"  {what}: {server.cpu_seconds() - before:.2f} s of a processor, "
                  f"{time.monotonic() - start:.2f} s")

        def sixteen():
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                list(pool.map(
                    lambda _: server.client().ask("GET", f"{path}/items?id=n4999999"), range(16)))

        def change(method, target, body):
            status, answer = server.client().ask(method, target, body)
            assert status == 200, answer

        measure("16 finds at once, the first ones", sixteen)
        measure("a find", find)
        change("PATCH", path, b'{"options": {"columns": 7}}')
        measure("a find after a PATCH of columns", find)
        change("POST", f"{path}/updates",
               b'{"updates": [{"set": {"at": [0, 9], "items": [{"height": 7}]}}]}')
        measure("a find after a set of a size", find)
        change("POST", f"{path}/updates", b'{"updates": [{"delete": {"at": [0, 0]}}]}')
        measure("16 finds after a delete", sixteen)
        print(f"  at most {server.peak_megabytes()} MB")


def queue(program):
    """Somebody prepares three nodes beside each of two attacks."""
    body = b'{"root": {"children": [{}, {}]}}'

    def probe(server):
        client = server.client()

        refused = 0

        def ask():
            nonlocal refused
            status, answer = client.ask("POST", "/layouts/tree/prepare", body)
            assert status in (201, 503), answer
            refused += status == 503

        return f"{latencies(SECONDS, ask)}, {refused} refused"

    with Server(program) as server:
        print(f"  quiet: {probe(server)}")
        nodes = 39_000
        parents = ",".join(str(number - 1) if number else "null" for number in range(nodes))
        path = server.prepare(
            "tree", b'{"nodes": {"parent": [' + parents.encode() + b"]}}")
        pair = (b'{"insertNode": {"parent": null, "at": 0, "node": {}}}, '
                b'{"deleteNode": {"at": [0, 0]}}')
        updates = b'{"updates": [' + b", ".join([pair] * 120) + b"]" + b" " * 24_000 + b"}"

        def vanish(number):
            client = server.client()
            client.send("POST", f"{path}/updates", updates)
            client.close()
            time.sleep(0.05)

        before = server.cpu_seconds()
        threads = during(SECONDS, 8, vanish)
        print(f"  beside eight that send {len(updates) // 1000} kB of updates and close: "
              f"{probe(server)}")
        for thread in threads:
            thread.join()
        print(f"    it took {server.cpu_seconds() - before:.1f} s of a processor")
    with Server(program, "--workers", "1") as server:
        path = server.prepare("waterfall", waterfall(1_300_000))
        threads = during(SECONDS, 64, change_and_find(server, path))
        print(f"  beside 64 that change and find, one worker: {probe(server)}")
        for thread in threads:
            thread.join()


def elements(program):
    """Somebody queries beside ten requests a second for long pages of long ids."""
    with Server(program) as server:
        path = server.prepare("grid", ids(60_000, 128))
        small = server.prepare("grid", b'{"bounds": {"width": 320}, "sections": [{"items": 900}]}')

        def probe():
            client = server.client()
            return latencies(
                SECONDS, lambda: client.ask("GET", f"{small}/elements?rect=0,0,320,480"))

        print(f"  quiet: {probe()}")
        for limit in (19_000, 21_000):
            client = server.client()

            def page(number):
                start = time.monotonic()
                client.ask("GET", f"{path}/elements?rect=0,0,1e9,1e9&limit={limit}")
                time.sleep(max(0, 0.1 - (time.monotonic() - start)))

            threads = during(SECONDS, 1, page)
            print(f"  beside limit={limit}: {probe()}")
            for thread in threads:
                thread.join()


def tags(program):
    """A tag that is none of ours."""
    with Server(program) as server:
        path = server.prepare("grid", b'{"bounds": {"width": 320}, "sections": [{"items": 9}]}')
        _, summary = server.client().ask("GET", path)
        tag = json.loads(summary)["versionTag"]
        status, answer = server.client().ask(
            "GET", f"{path}/elements?rect=0,0,320,480",
            fields=f'If-None-Match: "{tag}.1099511627775"\r\n')
        print(f"  {status} with {len(answer)} bytes")


def run(parts):
    """Runs the parts that the command names, or all of them, with the program that it names."""
    program, *names = sys.argv[1:]
    for part in parts:
        if not names or part.__name__ in names:
            print(f"{part.__name__}: {part.__doc__}", flush=True)
            part(program)


if __name__ == "__main__":
    run([pages, versions, index, queue, elements, tags])
