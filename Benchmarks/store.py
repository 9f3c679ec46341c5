#!/usr/bin/env python3
"""What a shared store costs: Benchmarks/store.py [path of layoutd]

Needs redis-server and wrk. Prints medians; both servers run at once, and are asked in turns.
"""

import http.client
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/release/layoutd"
ROUNDS = 5


class Server:
    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [PROGRAM, "--port", "0", *arguments], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if said := re.search(r"listens on http://127\.0\.0\.1:(\d+)", line):
                self.port = int(said[1])
                break
        while self.ask("GET", "/readyz")[0] != 200:
            time.sleep(0.01)

    def ask(self, method, path, body=None):
        """The status, the answer and the milliseconds."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        start = time.perf_counter()
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        milliseconds = (time.perf_counter() - start) * 1000
        connection.close()
        return answer.status, text, milliseconds

    def prepare(self, body):
        status, text, milliseconds = self.ask("POST", "/layouts/waterfall/prepare", body)
        assert status == 201, text
        return "/layouts/" + json.loads(text)["id"], milliseconds

    def throughput(self, path):
        said = subprocess.run(
            ["wrk", "-t1", "-c16", "-d2", f"http://127.0.0.1:{self.port}{path}"],
            capture_output=True, text=True, check=True).stdout
        assert "Non-2xx" not in said, said
        return float(re.search(r"Requests/sec: +([\d.]+)", said)[1])


def body(count):
    heights = ",".join(str(50 + (i * 37) % 101) for i in range(count))
    return f'{{"bounds": {{"width": 1200}}, "sections": [{{"items": {{"height": [{heights}]}}}}]}}'


def median(values):
    return statistics.median(values)


with tempfile.TemporaryDirectory() as folder:
    socket = f"{folder}/s"
    store = subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder],
        stdout=subprocess.DEVNULL)
    servers = []
    try:
        while not pathlib.Path(socket).exists():
            time.sleep(0.01)
        alone, shared, other = servers = [
            Server(), Server("--store", f"unix://{socket}"), Server("--store", f"unix://{socket}")]
        small = body(1000)
        paths = [server.prepare(small)[0] for server in (alone, shared)]
        query = "/elements?rect=0,2000,1200,800"
        rates = [[], []]
        for _ in range(ROUNDS):
            for server, path, found in zip((alone, shared), paths, rates):
                found.append(server.throughput(path + query))
        print(f"queries per second: {median(rates[0]):,.0f} alone, {median(rates[1]):,.0f} with a "
              f"store, ratio {median(rates[1]) / median(rates[0]):.3f}")
        update = '{"updates": [{"set": {"at": [0, 5], "items": [{"height": 70}]}}]}'
        for name, work in (
            ("a prepare of 1,000 items", lambda server, path: server.prepare(small)[1]),
            ("an update", lambda server, path: server.ask("POST", path + "/updates", update)[2]),
        ):
            times = [median([work(server, path) for _ in range(200)])
                     for server, path in zip((alone, shared), paths)]
            print(f"{name}: {times[0]:.2f} ms alone, {times[1]:.2f} ms with a store")
        large = body(1_000_000)
        prepares, takeovers = [], []
        for _ in range(ROUNDS):
            path, milliseconds = shared.prepare(large)
            prepares.append(alone.prepare(large)[1])
            status, text, milliseconds = other.ask("GET", path)
            assert status == 200, text
            takeovers.append(milliseconds)
        print(f"1,000,000 items: a prepare alone {median(prepares):.0f} ms, taking it over from the "
              f"store {median(takeovers):.0f} ms, ratio {median(takeovers) / median(prepares):.2f}")
    finally:
        for server in servers:
            server.process.terminate()
            server.process.wait()
        store.terminate()
        store.wait()
