#!/usr/bin/env python3
"""What a shared store costs: Benchmarks/store.py [path of layoutd]

Needs redis-server and wrk. Prints medians; both servers run at once, and are asked in turns.
"""

import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/dist/release/layoutd"
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

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def load(self, path, connections=16, *arguments):
        """Starts to put load on a path."""
        return subprocess.Popen(
            ["wrk", "-t1", f"-c{connections}", "-d2", *arguments,
             f"http://127.0.0.1:{self.port}{path}"], stdout=subprocess.PIPE, text=True)

    def throughput(self, path):
        return requests_per_second(self.load(path))


def requests_per_second(load):
    said = load.communicate()[0]
    assert load.returncode == 0 and "Non-2xx" not in said, said
    return float(re.search(r"Requests/sec: +([\d.]+)", said)[1])


def together(servers, paths, *arguments):
    """Requests per second of all servers at once, and their microseconds of a processor for each."""
    before = sum(server.processor_seconds() for server in servers)
    start = time.perf_counter()
    loads = [server.load(path, 16 // len(servers), *arguments)
             for server, path in zip(servers, paths)]
    rate = sum(requests_per_second(load) for load in loads)
    seconds = sum(server.processor_seconds() for server in servers) - before
    return rate, seconds / (rate * (time.perf_counter() - start)) * 1e6


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
        script = pathlib.Path(folder, "update.lua")
        script.write_text(
            f"wrk.method = 'POST' wrk.body = '{update}' "
            "wrk.headers['Content-Type'] = 'application/json'")
        pair = [shared, other]
        own = [server.prepare(small)[0] for server in pair]
        for name, suffix, arguments in (
            ("queries", query, ()), ("updates", "/updates", ("-s", str(script)))
        ):
            found = {1: [], 2: []}
            for _ in range(ROUNDS):
                for count in found:
                    found[count].append(
                        together(pair[:count], [path + suffix for path in own], *arguments))
            (one, one_cost), (two, two_cost) = (
                (median([rate for rate, _ in each]), median([cost for _, cost in each]))
                for each in found.values())
            print(f"{name} per second: {one:,.0f} of one server, {two:,.0f} of two, ratio "
                  f"{two / one:.2f}; {one_cost:.1f} and {two_cost:.1f} microseconds of a processor "
                  "in the servers for each")
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
