#!/usr/bin/env python3
"""Followers that are killed and come again, beside changes: no change is lost, nothing grows.

    python3 Tests/soak/events.py .build/dist/release/layoutd

SOAK_SECONDS  how long (600)
SOAK_PORT     the server's port (8140)

Writers change layouts all the time and note what each version touched. Followers are processes of
their own, each with many streams. They note every event in a file before they go on. Now and then a
stream comes again with Last-Event-ID or since, and all the time followers are killed with SIGKILL
and started again where their files end. Others open streams and read nothing.

In the end every event is compared with the writers' notes: the area of an event has to be exactly
the union of what the versions since the stream's last event touched. And every stream must have
come to the last version. Descriptors and memory of the server must not have grown.
"""

import http.client
import json
import os
import pathlib
import random
import re
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

STREAMS = 25
FOLLOWERS = 8
KNOWN_VERSIONS = 64


# MARK: The follower's process


class Stream:
    """One stream, which notes each event as a line: slot, layout, version before, event."""

    def __init__(self, slot, layout, position, tag, port, log, selector):
        self.slot, self.layout, self.position, self.tag = slot, layout, position, tag
        self.port, self.log, self.selector = port, log, selector
        self.socket = None

    def open(self):
        if self.socket:
            self.selector.unregister(self.socket)
            self.socket.close()
        self.text = ""
        self.is_first = True
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        head, query = "", ""
        if self.position and random.random() < 0.5:
            head = f"Last-Event-ID: {self.tag}\r\n"
        elif self.position:
            query = f"?since={random.choice([self.position, self.tag])}"
        # HTTP/1.0, so that the content is not chunked.
        self.socket.sendall(
            f"GET /layouts/{self.layout}/events{query} HTTP/1.0\r\n{head}\r\n".encode())
        self.selector.register(self.socket, selectors.EVENT_READ, self)

    def receive(self):
        data = self.socket.recv(65536)
        if not data:
            return self.open()
        self.text += data.decode()
        while "\n\n" in self.text or "\r\n\r\n" in self.text:
            if self.text.startswith("HTTP/1.1"):
                head, self.text = self.text.split("\r\n\r\n", 1)
                assert head.startswith("HTTP/1.1 200"), head
                continue
            event, self.text = self.text.split("\n\n", 1)
            data = [line[6:] for line in event.split("\n") if line.startswith("data: ")]
            if not data:
                continue
            news = json.loads(data[0])
            line = json.dumps([self.slot, self.layout, self.position, news])
            os.write(self.log, (line + "\n").encode())
            assert self.is_first or news["version"] > self.position, line
            self.is_first = False
            self.position, self.tag = news["version"], news["versionTag"]
            if random.random() < 0.02:
                return self.open()


def follow(port, path, layouts):
    """Follows, from where the file ends."""
    places = {}
    lines, end = notes(path)
    for line in lines:
        places[line[0]] = (line[1], line[3]["version"], line[3]["versionTag"])
    log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.ftruncate(log, end)
    selector = selectors.DefaultSelector()
    for slot in range(STREAMS):
        place = places.get(slot, (layouts[slot % len(layouts)], None, None))
        Stream(slot, *place, port, log, selector).open()
    while True:
        for key, _ in selector.select():
            try:
                key.data.receive()
            except ConnectionError:
                key.data.open()


def notes(path, start=0):
    """The lines of a file from an offset on, without one that was cut off, and where they end."""
    if not path.exists():
        return [], 0
    with path.open("rb") as file:
        file.seek(start)
        text = file.read()
    end = text.rfind(b"\n") + 1
    return [json.loads(line) for line in text[:end].splitlines()], start + end


# MARK: The judge


class Service:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def send(self, method, path, body=None):
        self.connection.request(
            method, path, body and json.dumps(body), {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        content = answer.read()
        assert answer.status < 300, (method, path, answer.status, content)
        return json.loads(content) if content else None


def change(port, layout, touched, is_over):
    """Changes a layout and notes what each version touched."""
    service = Service(port)
    while not is_over.is_set():
        item = random.randrange(40)
        update = random.choice([
            {"set": {"at": [0, item], "items": [{"height": random.randrange(5, 90)}]}},
            {"move": {"from": [0, item], "to": [0, random.randrange(40)]}},
        ])
        answer = service.send("POST", f"/layouts/{layout}/updates", {"updates": [update]})
        # What changes nothing makes no version.
        touched.setdefault(answer["version"], answer["invalidatedRect"])
        # Now and then many at a time, and no more in all than can be judged.
        time.sleep(random.choice([0, 0, 0.05, 0.5]))


def union(rects):
    rects = [rect for rect in rects if rect]
    if not rects:
        return None
    x, y = min(rect[0] for rect in rects), min(rect[1] for rect in rects)
    return [x, y, max(rect[0] + rect[2] for rect in rects) - x,
            max(rect[1] + rect[3] for rect in rects) - y]


def judge(line, touched):
    """Checks one event against the notes of what each version touched."""
    _, layout, before, news = line
    if layout not in touched:
        return
    version = news["version"]
    if news.get("recovered") is False:
        assert before is None or version - before > KNOWN_VERSIONS, line
        return
    versions = range(before + 1, version + 1)
    assert all(number in touched[layout] for number in versions), line
    assert news["invalidatedRect"] == union(touched[layout][number] for number in versions), line


def size_of(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return len(os.listdir(f"/proc/{pid}/fd")), int(re.search(r"VmRSS:\s+(\d+)", status)[1])


def run(program, seconds, port):
    server = subprocess.Popen([program, "--port", str(port)], stderr=subprocess.DEVNULL)
    followers = {}
    try:
        end = time.monotonic() + 10
        while True:
            try:
                service = Service(port)
                service.send("GET", "/healthz")
                break
            except OSError:
                assert time.monotonic() < end, "no server"
                time.sleep(0.05)
        touched = {}
        layouts = []
        for columns in range(1, 5):
            source = service.send("POST", "/layouts/waterfall/prepare", {
                "bounds": {"width": 390}, "options": {"columns": columns},
                "sections": [{"items": {"height": [20 + 7 * n % 50 for n in range(40)]}}]})["id"]
            view = service.send("POST", f"/layouts/{source}/views", {"bounds": {"width": 800}})["id"]
            touched[source] = {}
            layouts += [source, view]
        descriptors, _ = size_of(server.pid)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            files = [folder / f"{number}" for number in range(FOLLOWERS)]

            def start(number):
                followers[number] = subprocess.Popen(
                    [sys.executable, __file__, "--follow", str(port), str(files[number]), *layouts])

            for number in range(FOLLOWERS):
                start(number)
            is_over = threading.Event()
            writers = [
                threading.Thread(target=change, args=(port, layout, touched[layout], is_over))
                for layout in touched]
            for writer in writers:
                writer.start()
            begun, kills, sizes, sleepers = time.monotonic(), 0, [], []
            while time.monotonic() - begun < seconds:
                time.sleep(random.uniform(0.2, 1))
                number = random.randrange(FOLLOWERS)
                assert followers[number].poll() is None, "a follower has failed"
                followers[number].send_signal(signal.SIGKILL)
                followers[number].wait()
                kills += 1
                start(number)
                # Some that read nothing, and go with a reset.
                sleeper = socket.create_connection(("127.0.0.1", port))
                sleeper.sendall(
                    f"GET /layouts/{random.choice(layouts)}/events HTTP/1.0\r\n\r\n".encode())
                sleepers.append(sleeper)
                if len(sleepers) > 50:
                    sleepers.pop(random.randrange(50)).close()
                sizes.append((time.monotonic() - begun, *size_of(server.pid)))
            is_over.set()
            for writer in writers:
                writer.join()
            # One more change that all must hear of.
            # The server has closed the idle connection.
            service = Service(port)
            for layout in touched:
                answer = service.send("POST", f"/layouts/{layout}/updates", {"updates": [
                    {"set": {"at": [0, 0], "items": [{"height": 99}]}}]})
                touched[layout].setdefault(answer["version"], answer["invalidatedRect"])
            last = {layout: service.send("GET", f"/layouts/{layout}")["version"] for layout in layouts}
            end = time.monotonic() + 60
            places, ends, events = {}, dict.fromkeys(files, 0), 0
            while True:
                for path in files:
                    lines, ends[path] = notes(path, ends[path])
                    for line in lines:
                        judge(line, touched)
                        places[path, line[0]] = (line[1], line[3]["version"])
                    events += len(lines)
                    if lines:
                        end = time.monotonic() + 60
                late = {place for place in places.values() if place[1] != last[place[0]]}
                if len(places) == FOLLOWERS * STREAMS and not late:
                    break
                assert time.monotonic() < end, f"never came to {late}"
                time.sleep(0.2)
            for follower in followers.values():
                assert follower.poll() is None, "a follower has failed"
                follower.kill()
                follower.wait()
            for sleeper in sleepers:
                sleeper.close()
            end = time.monotonic() + 30
            while size_of(server.pid)[0] > descriptors + 2:
                assert time.monotonic() < end, f"{size_of(server.pid)} of {descriptors} descriptors"
                time.sleep(0.1)
            early = max(size for at, _, size in sizes if at < seconds / 2)
            late = max(size for at, _, size in sizes if at >= seconds / 2)
            print(f"{seconds} s, {kills} followers killed, {events} events, "
                  f"{sum(map(len, touched.values()))} versions of four layouts; descriptors "
                  f"{descriptors} before, at most {max(count for _, count, _ in sizes)}, "
                  f"{size_of(server.pid)[0]} after; memory at most {early / 1000:.0f} MB in the first "
                  f"half, {late / 1000:.0f} MB in the second")
            assert late < early * 1.2 + 10_000, "memory grows"
    finally:
        for follower in followers.values():
            follower.kill()
        server.terminate()
        server.wait(60)


if __name__ == "__main__":
    if sys.argv[1] == "--follow":
        follow(int(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:])
    else:
        run(sys.argv[1], float(os.environ.get("SOAK_SECONDS", 600)),
            int(os.environ.get("SOAK_PORT", 8140)))
