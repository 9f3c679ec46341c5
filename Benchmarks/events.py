#!/usr/bin/env python3
"""Streams of events: from a change to its events, and what idle streams cost.

    python3 Benchmarks/events.py [--server PROGRAM] [--port N] [--streams 1000,10000] [--idle SECONDS]

Starts a server, opens streams of one layout with Benchmarks/events.c, lets them idle for some
heartbeats, and changes the layout. Client and server share the processors.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid):
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def post(url, body):
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=10))


def wait_for(url):
    end = time.monotonic() + 10
    while True:
        try:
            return urllib.request.urlopen(url, timeout=1).read()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def measure(arguments, client, streams):
    server = subprocess.Popen(
        [arguments.server, "--port", str(arguments.port), "--max-event-streams", str(streams)],
        stderr=subprocess.DEVNULL)
    try:
        base = f"http://127.0.0.1:{arguments.port}"
        wait_for(base + "/healthz")
        layout = post(
            base + "/layouts/list/prepare", {"bounds": {"width": 390}, "sections": [{"items": 1000}]})
        before = resident_bytes(server.pid)
        follower = subprocess.Popen(
            [client, str(arguments.port), layout["id"], str(streams), str(arguments.changes),
             str(arguments.idle)], stdout=subprocess.PIPE, text=True)
        assert follower.stdout.readline() == "open\n"
        start, used = time.monotonic(), processor_seconds(server.pid)
        assert follower.stdout.readline() == "idle\n"
        core = (processor_seconds(server.pid) - used) / (time.monotonic() - start)
        memory = resident_bytes(server.pid)
        p50, p99, largest, last = (int(word) / 1000 for word in follower.stdout.readline().split())
        print(
            f"| {streams:,} | {memory / 1e6:.0f} MB | {(memory - before) / streams / 1000:.1f} kB "
            f"| {core:.2%} | {p50:.1f} ms | {p99:.1f} ms | {largest:.1f} ms | {last:.1f} ms |",
            flush=True)
        assert follower.wait(10) == 0
    finally:
        server.terminate()
        server.wait(60)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", default=str(HERE.parent / ".build/dist/release/layoutd"))
    parser.add_argument("--port", type=int, default=8140)
    parser.add_argument("--streams", default="1,1000,10000")
    parser.add_argument("--changes", type=int, default=100)
    parser.add_argument("--idle", type=int, default=45)
    arguments = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print("| streams | memory | each | idle: of a core | p50 | p99 | largest | all have it |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        client = f"{folder}/events"
        subprocess.run(
            ["cc", "-O2", "-Wall", "-Wextra", "-o", client, str(HERE / "events.c")], check=True)
        for streams in arguments.streams.split(","):
            measure(arguments, client, int(streams))


if __name__ == "__main__":
    main()
