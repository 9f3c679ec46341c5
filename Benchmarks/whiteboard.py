#!/usr/bin/env python3
"""A whiteboard that many look at: how many of them ask again when something changes.

    python3 Benchmarks/whiteboard.py [--server PROGRAM] [--port N] [--frames N] [--followers N]
                                     [--changes N] [--rate N]

Starts a server with a layout of `frames`, and opens a stream of events for each follower, whose
window lies anywhere on the board. Then some frames move, so many times a second. A follower that
believes `invalidatedRects` asks again if one of them meets its window; one that does not believe them
asks at each change. In the end each follower must have what its window shows.

Client and server share the processors.
"""

import argparse
import asyncio
import json
import pathlib
import random
import statistics
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
WINDOW = (1280, 800)
PITCH = 150


def head(method, path, port, body=b""):
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines + ["", ""]).encode() + body


class Connections:
    """Some connections that requests share."""

    def __init__(self, port):
        self.port = port
        self.idle = asyncio.LifoQueue()

    async def open(self, count):
        for _ in range(count):
            self.idle.put_nowait(await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24))

    async def send(self, method, path, body=None):
        connection = await self.idle.get()
        reader, writer = connection
        writer.write(head(method, path, self.port, json.dumps(body).encode() if body else b""))
        fields = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        status = int(fields[0].split()[1])
        length = next(int(field.split(":")[1]) for field in fields
                      if field.lower().startswith("content-length"))
        answer = await reader.readexactly(length)
        self.idle.put_nowait(connection)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {answer[:300]}")
        return json.loads(answer)


def meets(a, b):
    return (a[0] < b[0] + b[2] and b[0] < a[0] + a[2]
            and a[1] < b[1] + b[3] and b[1] < a[1] + a[3])


class Follower:
    def __init__(self, board, window, believes):
        self.board = board
        self.window = window
        self.rect = ",".join(map(str, window))
        self.believes = believes
        self.held = {}
        self.version = None
        self.asked = {}
        self.heard = 0

    async def fetch(self):
        query = f"/layouts/{self.board.id}/elements?rect={self.rect}&limit=100000"
        if self.version:
            query += f"&known={self.rect}&since={self.version}&transitions=true"
        answer = await self.board.connections.send("GET", query)
        if "transitions" in answer and not answer.get("reset"):
            for change in answer["transitions"]["disappearing"] + answer["transitions"]["moving"]:
                self.held.pop(tuple(change["from"]["indexPath"]), None)
            shown = [c["to"] for c in answer["transitions"]["appearing"] + answer["transitions"]["moving"]]
        else:
            if answer.get("reset") or not self.version:
                self.held = {}
            shown = []
        for element in answer["elements"] + shown:
            if meets(element["frame"], self.window):
                self.held[tuple(element["indexPath"])] = element["frame"]
        self.version = answer["versionTag"]

    async def follow(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.board.port, limit=1 << 20)
        writer.write(head("GET", f"/layouts/{self.board.id}/events?since={self.version}",
                          self.board.port))
        try:
            while True:
                line = await reader.readline()
                if not line:
                    return
                if line.startswith(b"data:"):
                    await self.hear(json.loads(line[5:]))
        finally:
            writer.close()

    async def hear(self, event):
        rects = event.get("invalidatedRects")
        if rects is not None and (not self.believes or any(meets(r, self.window) for r in rects)):
            self.asked[event["version"]] = self.asked.get(event["version"], 0) + 1
            await self.fetch()
        self.heard = event.get("version", self.heard)
        self.board.heard.set()


class Board:
    def __init__(self, arguments):
        self.port = arguments.port
        self.arguments = arguments
        self.random = random.Random(1)
        self.columns = round(arguments.frames ** 0.5)
        self.connections = Connections(arguments.port)
        self.heard = asyncio.Event()

    async def prepare(self):
        await self.connections.open(16)
        frames = range(self.arguments.frames)
        items = {
            "x": [PITCH * (i % self.columns) for i in frames],
            "y": [PITCH * (i // self.columns) for i in frames],
            "width": [120] * len(frames), "height": [90] * len(frames)}
        layout = await self.connections.send(
            "POST", "/layouts/frames/prepare",
            {"bounds": {"width": PITCH * self.columns}, "sections": [{"items": items}]})
        self.id = layout["id"]

    async def change(self):
        """Moves a frame to a place nearby."""
        item = self.random.randrange(self.arguments.frames)
        x = PITCH * (item % self.columns) + self.random.randrange(-200, 200)
        y = max(0, PITCH * (item // self.columns) + self.random.randrange(-200, 200))
        return await self.connections.send("POST", f"/layouts/{self.id}/updates", {
            "updates": [{"set": {"at": [0, item], "items": [{"x": x, "y": y}]}}]})

    async def measure(self, believes):
        side = PITCH * self.columns
        followers = []
        for _ in range(self.arguments.followers):
            window = (self.random.randrange(side - WINDOW[0]), self.random.randrange(side - WINDOW[1]),
                      *WINDOW)
            followers.append(Follower(self, window, believes))
        for follower in followers:
            await follower.fetch()
        tasks = [asyncio.ensure_future(follower.follow()) for follower in followers]
        while not all(follower.heard for follower in followers):
            await asyncio.sleep(0.05)
        versions, times = [], []
        for _ in range(self.arguments.changes):
            start = time.monotonic()
            version = (await self.change())["version"]
            versions.append(version)
            while not all(follower.heard >= version for follower in followers):
                self.heard.clear()
                await self.heard.wait()
            times.append(time.monotonic() - start)
            await asyncio.sleep(max(0, start + 1 / self.arguments.rate - time.monotonic()))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for follower in followers:
            fresh = Follower(self, follower.window, believes)
            await fresh.fetch()
            if fresh.held != follower.held:
                raise RuntimeError(f"the window {follower.rect} is not what it should be")
        asked = [sum(follower.asked.get(version, 0) for follower in followers) for version in versions]
        print(
            f"| {'invalidatedRects' if believes else 'every change'} | {statistics.mean(asked):,.1f} "
            f"| {max(asked):,} | {statistics.median(times) * 1000:.0f} ms |", flush=True)


async def run(arguments):
    board = Board(arguments)
    end = time.monotonic() + 30
    while True:
        try:
            await board.connections.open(1)
            break
        except OSError:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.05)
    await board.prepare()
    print("| who asks again at | queries of a change | most | until all have it, median |")
    print("|---|---|---|---|")
    for believes in [False, True]:
        await board.measure(believes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", default=str(HERE.parent / ".build/dist/release/layoutd"))
    parser.add_argument("--port", type=int, default=18089)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--followers", type=int, default=1000)
    parser.add_argument("--changes", type=int, default=50)
    parser.add_argument("--rate", type=float, default=10)
    arguments = parser.parse_args()
    server = subprocess.Popen(
        [arguments.server, "--port", str(arguments.port), "--max-event-streams",
         str(arguments.followers + 10)], stderr=subprocess.DEVNULL)
    try:
        asyncio.run(run(arguments))
    finally:
        server.terminate()
        server.wait(60)


if __name__ == "__main__":
    main()
