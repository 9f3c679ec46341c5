#!/usr/bin/env python3
"""Measures the running server over loopback beside programs on bare libmicrohttpd.

    load.py [--quick] [--only PART]… [--server PATH] [--tools DIRECTORY]

Starts the server, `bare` and `parse` on free ports of 127.0.0.1, prepares layouts, and lets wrk
(for 304s `revalidate`) and a client of its own ask them in turn: a round for the one, a round for
the other, and again. A ratio is that of two rounds side by side; of all rounds' ratios the median
counts, and beside it stands how far it is to be trusted. Prints one table in Markdown, on the error
output what it is at.
"""

import argparse
import contextlib
import http.client
import json
import math
import os
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
WINDOW = (1200, 1600)
ANSWER_BYTES = 4500
CORES = len(os.sched_getaffinity(0))
# What a page's fetch sends that the server looks at.
BROWSER_FIELDS = (
    "Accept: */*",
    "Accept-Encoding: gzip, deflate, br, zstd",
    "Origin: http://localhost:3000",
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
)


def progress(text: str) -> None:
    print(f"load: {text}", file=sys.stderr, flush=True)


# Processes


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """A server of ours in a process of its own, and a connection to it."""

    def __init__(self, command: list[str], port: int):
        self.port = port
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 10
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"{command[0]} does not start")
            time.sleep(0.02)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def stop(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.wait(40)

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict | None = None
    ) -> bytes:
        fields = {"Content-Type": "application/json"} if body is not None else {}
        self.connection.request(method, path, body, fields | (headers or {}))
        response = self.connection.getresponse()
        text = response.read()
        if response.status >= 400:
            raise SystemExit(f"{method} {path}: {response.status} {text[:500]!r}")
        return text

    def cpu_seconds(self) -> float:
        """What the process has had of the processors."""
        text = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = text.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, label: str) -> int:
        """Bytes by a label of /proc/…/status: VmRSS for now, VmHWM for the most since the start."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(label + ":"):
                return int(line.split()[1]) * 1024
        raise KeyError(label)


class Bench:
    """The programs that run, and how long to measure."""

    def __init__(self, arguments: argparse.Namespace, table: "Table"):
        self.table = table
        self.server_path = arguments.server
        self.tools = arguments.tools
        self.quick = arguments.quick
        self.rounds = 4 if arguments.quick else 20
        self.programs: list[Program] = []

    def start(self, command: list[str], port: int) -> Program:
        program = Program(command, port)
        self.programs.append(program)
        return program

    def start_server(self) -> Program:
        port = free_port()
        limits = ["--max-body-bytes", str(1 << 30), "--max-session-bytes", str(16 << 30)]
        # Our own connection must outlast the rounds in which it is idle.
        limits += ["--connection-timeout", "3600"]
        return self.start([str(self.server_path), "--port", str(port), *limits], port)

    def start_bare(self, byte_count: int, status: int = 200) -> Program:
        port = free_port()
        arguments = [str(port), str(CORES), str(byte_count), str(status)]
        return self.start([str(self.tools / "bare"), *arguments], port)

    def start_parse(self) -> Program:
        port = free_port()
        return self.start([str(self.tools / "parse"), str(port)], port)

    def stop(self) -> None:
        for program in self.programs:
            program.stop()


# Layouts

POOL = [f"{number / 100:.2f}" for number in range(10_000, 40_000)]


def heights(count: int) -> list[str]:
    return random.Random(1).choices(POOL, k=count)


def body(members: str) -> bytes:
    return ("{" + members + "}").encode()


def waterfall_rows(count: int) -> bytes:
    rows = ",".join(f'{{"height": {height}}}' for height in heights(count))
    return body(
        f'"bounds":{{"width":1200}},"options":{{"columns":6}},"sections":[{{"items":[{rows}]}}]'
    )


def waterfall_columns(count: int) -> bytes:
    column = ",".join(heights(count))
    return body(
        f'"bounds":{{"width":1200}},"options":{{"columns":6}},'
        f'"sections":[{{"items":{{"height":[{column}]}}}}]'
    )


def gallery(count: int) -> bytes:
    widths = ",".join(random.Random(1).choices(POOL[5_000:20_000], k=count))
    return body(f'"bounds":{{"width":1200}},"sections":[{{"items":{{"width":[{widths}]}}}}]')


def grid(count: int) -> bytes:
    return body(
        f'"bounds":{{"width":1200}},"options":{{"columns":6,"rowHeight":272}},'
        f'"sections":[{{"items":{count}}}]'
    )


def tree(count: int, spacing: str = "rows") -> bytes:
    """About three children to a node, level by level."""
    generator = random.Random(1)
    jitter = generator.choices(range(8), k=count)
    parents = ",".join(str(max(0, (node - 1) // 3 - jitter[node])) for node in range(1, count))
    return body(f'"options":{{"spacing":"{spacing}"}},"nodes":{{"parent":[null,{parents}]}}')


@dataclass
class Layout:
    """A prepared layout and the windows that are asked of it."""

    id: str
    content: tuple[float, float]
    x: float = 0
    height: int = WINDOW[1]
    # Added to each query.
    query: str = ""

    @property
    def arguments(self) -> list[str]:
        return [
            f"layout={self.id}",
            f"content={self.content[1]:.0f}",
            f"width={WINDOW[0]}",
            f"height={self.height}",
            f"x={self.x:g}",
            f"query={self.query}",
        ]

    def answers(self, server: Program, count: int = 200) -> list[bytes]:
        """The answers to windows at random heights."""
        generator = random.Random(2)
        reach = max(0, int(self.content[1]) - self.height)
        return [
            server.request(
                "GET",
                f"/layouts/{self.id}/elements?rect="
                f"{self.x:g},{generator.randint(0, reach)},{WINDOW[0]},{self.height}{self.query}",
            )
            for _ in range(count)
        ]

    def mean_answer_bytes(self, server: Program) -> int:
        return round(statistics.fmean(map(len, self.answers(server))))

    def fit(self, server: Program, byte_count: int) -> None:
        """Makes the window so high that answers have about so many bytes."""
        for _ in range(4):
            size = self.mean_answer_bytes(server)
            self.height = max(1, round(self.height * byte_count / size))


def prepare(server: Program, kind: str, text: bytes, at_right_edge: bool = False) -> Layout:
    summary = json.loads(server.request("POST", f"/layouts/{kind}/prepare", text))
    size = summary["contentSize"]
    x = max(0, size["width"] - WINDOW[0]) if at_right_edge else 0
    return Layout(summary["id"], (size["width"], size["height"]), x)


def delete(server: Program, layout: Layout) -> None:
    server.request("DELETE", f"/layouts/{layout.id}")


# Measuring


@dataclass
class Load:
    """What wrk asks of a program."""

    program: Program
    arguments: list[str]
    connections: int = 32
    seconds: int = 1
    # What asks instead of wrk; the program's port and the arguments follow.
    client: list[str] | None = None
    # Header fields of each request, beside Host.
    fields: tuple[str, ...] = ()
    rates: list[float] = field(default_factory=list)
    p99s: list[float] = field(default_factory=list)
    bytes_per_second: list[float] = field(default_factory=list)
    cpu_per_request: list[float] = field(default_factory=list)

    @property
    def command(self) -> list[str]:
        threads, connections = str(min(CORES, 2)), str(self.connections)
        if self.client:
            port = str(self.program.port)
            return [*self.client, port, threads, connections, str(self.seconds), *self.arguments]
        return (
            ["wrk", "-t", threads, "-c", connections, "-d", f"{self.seconds}s"]
            + [part for line in self.fields for part in ("-H", line)]
            + ["-s", str(HERE / "scroll.lua"), f"http://127.0.0.1:{self.program.port}"]
            + ["--", *self.arguments]
        )

    def run(self) -> None:
        cpu = self.program.cpu_seconds()
        output = subprocess.run(
            self.command, capture_output=True, text=True, check=True
        ).stdout
        figures = json.loads(output.splitlines()[-1])
        if figures["errors"] or not figures["requests"]:
            raise SystemExit(f"there were errors:\n{' '.join(self.command)}\n{output}")
        cpu = self.program.cpu_seconds() - cpu
        self.rates.append(figures["requests"] / figures["seconds"])
        self.bytes_per_second.append(figures["bytes"] / figures["seconds"])
        self.p99s.append(figures.get("p99", 0) / 1e6)
        self.cpu_per_request.append(cpu / figures["requests"])

    def forget(self) -> None:
        for list_ in (self.rates, self.p99s, self.bytes_per_second, self.cpu_per_request):
            list_.clear()

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)


def run_in_turn(bench: Bench, loads: list[Load]) -> None:
    """A round for each, then a round for each in reverse, and so on; the first is a warm-up."""
    if not bench.quick:
        for load in loads:
            load.run()
            load.forget()
    for number in range(bench.rounds):
        for load in loads if number % 2 == 0 else reversed(loads):
            load.run()


class Ratios:
    """Of pairs of rounds side by side."""

    def __init__(self, figures: list[float], others: list[float]):
        self.all = sorted(a / b for a, b in zip(figures, others, strict=True))
        self.median = statistics.median(self.all)

    @property
    def interval(self) -> str:
        """Between which two of the ratios the median of many more rounds would lie, 19 times of 20,
        whatever their distribution; of fewer than six the smallest and the largest."""
        count = len(self.all)

        def chance_outside(left_out: int) -> float:
            """When so many are left out at either end, by tossing a coin for each ratio."""
            return 2 * sum(math.comb(count, heads) for heads in range(left_out + 1)) / 2**count

        left_out = 0
        while chance_outside(left_out + 1) <= 0.05:
            left_out += 1
        return f"{self.all[left_out]:.3f} – {self.all[-1 - left_out]:.3f}"


def cpu_text(load: Load, bare: Load) -> str:
    ours, theirs = map(statistics.median, (load.cpu_per_request, bare.cpu_per_request))
    return f"{ours * 1e6:.1f} : {theirs * 1e6:.1f} µs"


def rate_text(rate: float) -> str:
    return f"{rate:,.0f}/s"


def time_text(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


class Table:
    """One row for each thing measured, with what it is held against and what is aimed at."""

    COLUMNS = ["what", "figure", "beside it", "ratio", "interval", "CPU/request", "aim", "met"]

    def __init__(self) -> None:
        self.rows: list[list[str]] = []

    def add(
        self, what: str, figure: str, *, beside: str = "", ratio: float | None = None,
        interval: str = "", cpu: str = "", aim: str = "", met: bool | None = None,
    ) -> None:
        verdict = "" if met is None else "yes" if met else "no"
        text = "" if ratio is None else f"{ratio:.3f}"
        self.rows.append([what, figure, beside, text, interval, cpu, aim, verdict])

    def print(self) -> None:
        widths = [max(map(len, column)) for column in zip(self.COLUMNS, *self.rows)]
        rule = ["-" * width for width in widths]
        for cells in [self.COLUMNS, rule, *self.rows]:
            line = " | ".join(cell.ljust(width) for cell, width in zip(cells, widths))
            print(f"| {line} |")


# Parts


def add_queries(
    bench: Bench, what: str, load: Load, bare: Load, aim: float | None = None,
    later_aim: float | None = None,
) -> float:
    """Adds a row and returns its ratio; the aim is met when the later one is, too."""
    ratios = Ratios(load.rates, bare.rates)
    aims = [each for each in (aim, later_aim) if each is not None]
    bench.table.add(
        what, rate_text(load.rate), beside=f"bare {rate_text(bare.rate)}", ratio=ratios.median,
        interval=ratios.interval, cpu=cpu_text(load, bare),
        aim=", then ".join(f"≥ {each}" for each in aims),
        met=all(ratios.median >= each for each in aims) if aims else None,
    )
    return ratios.median


def beside_bare(bench: Bench, server: Program, layout: Layout) -> tuple[Load, Load]:
    """Queries of a layout, and the same of bare libmicrohttpd with as many bytes."""
    bare = bench.start_bare(layout.mean_answer_bytes(server))
    return Load(server, layout.arguments), Load(bare, layout.arguments)


def measure_throughput_by_size(bench: Bench) -> None:
    """Queries of waterfalls of all sizes."""
    server = bench.start_server()
    sizes = [1_000, 1_000_000] if bench.quick else [1_000, 100_000, 1_000_000, 10_000_000]
    pairs = []
    for size in sizes:
        layout = prepare(server, "waterfall", waterfall_columns(size))
        answers = [json.loads(answer) for answer in layout.answers(server)]
        found = statistics.fmean(len(answer["elements"]) for answer in answers)
        pairs.append((size, found, *beside_bare(bench, server, layout)))
    run_in_turn(bench, [load for _, _, *loads in pairs for load in loads])
    ratios = []
    for size, found, load, bare in pairs:
        what = f"query a waterfall of {size:,}, {found:.0f} elements"
        aims = (0.85, 0.95) if size == 1_000_000 else ()
        ratios.append(add_queries(bench, what, load, bare, *aims))
    spread = max(ratios) / min(ratios) - 1
    bench.table.add(
        f"from {sizes[0]:,} to {sizes[-1]:,} items", f"{spread:.1%} apart",
        aim="≤ 5 %", met=spread <= 0.05,
    )


def measure_cbor(bench: Bench) -> None:
    """Queries in CBOR, each beside bare libmicrohttpd with as many bytes, and in JSON."""
    server = bench.start_server()
    cases = {}
    for name, text in (
        ("waterfall", waterfall_columns(1_000_000)), ("grid", grid(1_000_000)),
        ("gallery", gallery(1_000_000)),
    ):
        for form, aim in (("json", None), ("cbor", 0.92)):
            layout = prepare(server, name, text)
            layout.query = f"&f={form}"
            size = layout.mean_answer_bytes(server)
            what = f"query a {name} of 1,000,000 in {form.upper()}, {size:,} B"
            cases[what] = (*beside_bare(bench, server, layout), aim)
    run_in_turn(bench, [load for *pair, _ in cases.values() for load in pair])
    for what, (load, bare, aim) in cases.items():
        add_queries(bench, what, load, bare, aim)


def measure_throughput_by_kind(bench: Bench) -> None:
    """Queries of all kinds, with windows whose answers are of one size."""
    server = bench.start_server()
    count = 1_000_000
    layouts = {
        "grid": prepare(server, "grid", grid(count)),
        "waterfall": prepare(server, "waterfall", waterfall_columns(count)),
        "gallery": prepare(server, "gallery", gallery(count)),
        "tree": prepare(server, "tree", tree(count), at_right_edge=True),
    }
    pairs = {}
    for kind, layout in layouts.items():
        layout.fit(server, ANSWER_BYTES)
        pairs[kind] = beside_bare(bench, server, layout)
    run_in_turn(bench, [load for pair in pairs.values() for load in pair])
    for kind, (load, bare) in pairs.items():
        what = f"query a {kind} of {count:,}, {layouts[kind].mean_answer_bytes(server):,} B"
        add_queries(bench, what, load, bare)
    rates = [statistics.median(load.bytes_per_second) for load, _ in pairs.values()]
    spread = max(rates) / min(rates) - 1
    bench.table.add(
        "the four kinds, per byte", f"{spread:.1%} apart",
        beside=" ".join(f"{kind} {rate / 1e6:.0f} MB/s" for kind, rate in zip(pairs, rates)),
        aim="≤ 25 %", met=spread <= 0.25,
    )


def measure_prepare(bench: Bench) -> None:
    """Prepare requests beside a program that only parses the same body.

    Each case has servers of its own: what one leaves behind would speed up the next.
    """
    count = 1_000_000
    cases: list[tuple[str, str, bytes, str, float]] = [
        ("waterfall, rows", "waterfall", waterfall_rows(count), "/rows", 1.5),
        ("waterfall, columns", "waterfall", waterfall_columns(count), "/columns", 1.5),
        ("tree, rows", "tree", tree(count), "/parents", 4),
        ("tree, compact", "tree", tree(count, "compact"), "/parents", 8),
    ]
    for name, kind, text, path, aim in cases:
        progress(f"prepare {name}")
        server, parse = bench.start_server(), bench.start_parse()
        times: list[float] = []
        limits: list[float] = []
        for number in range(bench.rounds + 1):
            start = time.perf_counter()
            summary = server.request("POST", f"/layouts/{kind}/prepare", text)
            ours = time.perf_counter() - start
            server.request("DELETE", f"/layouts/{json.loads(summary)['id']}")
            start = time.perf_counter()
            parse.request("POST", path, text)
            limit = time.perf_counter() - start
            if number > 0:
                times.append(ours)
                limits.append(limit)
        ratios = Ratios(times, limits)
        bench.table.add(
            f"prepare {name}, {count:,}, {len(text) / 1e6:.1f} MB",
            time_text(statistics.median(times)),
            beside=f"simdjson {time_text(statistics.median(limits))}", ratio=ratios.median,
            interval=ratios.interval, aim=f"≤ {aim}", met=ratios.median <= aim,
        )


def measure_memory(bench: Bench) -> None:
    """What the process takes that prepares one waterfall."""
    count = 1_000_000
    for name, text in (("rows", waterfall_rows(count)), ("columns", waterfall_columns(count))):
        server = bench.start_server()
        before = server.memory("VmRSS")
        layout = prepare(server, "waterfall", text)
        peak = server.memory("VmHWM") - before
        # When this is answered, the request before is over for certain and its body freed.
        said = json.loads(server.request("GET", f"/layouts/{layout.id}"))["memoryBytes"]
        held = server.memory("VmRSS") - before
        most = len(text) + 64 * count
        bench.table.add(
            f"waterfall of {count:,}, {name}: held", f"{held / count:.1f} B/element",
            beside=f"memoryBytes {said / count:.1f}", aim="≤ 32 B", met=held <= 32 * count,
        )
        bench.table.add(
            f"waterfall of {count:,}, {name}: peak", f"{peak / 1e6:.1f} MB",
            beside=f"body {len(text) / 1e6:.1f} MB", aim=f"≤ {most / 1e6:.1f} MB", met=peak <= most,
        )


@contextlib.contextmanager
def prepares_without_pause(server: Program, text: bytes) -> Iterator[Callable[[], int]]:
    """Sends prepare requests one after the other; gives how many have been answered."""
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    stopped = threading.Event()
    answered = 0

    def run() -> None:
        nonlocal answered
        while not stopped.is_set():
            headers = {"Content-Type": "application/json"}
            client.request("POST", "/layouts/waterfall/prepare", text, headers)
            summary = json.loads(client.getresponse().read())
            client.request("DELETE", f"/layouts/{summary['id']}")
            client.getresponse().read()
            answered += 1

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield lambda: answered
    finally:
        stopped.set()
        thread.join()
        client.close()


def measure_latency(bench: Bench) -> None:
    """The p99 of queries with and without prepares; and, to see how much of that is the
    processors' being shared, that of bare libmicrohttpd while the server prepares."""
    server = bench.start_server()
    layout = prepare(server, "waterfall", waterfall_columns(1_000_000))
    text = waterfall_rows(1_000_000)
    seconds = 1 if bench.quick else 2
    rounds = 2 if bench.quick else 5
    bare_program = bench.start_bare(layout.mean_answer_bytes(server))
    loads = {
        "queries while rows of 1,000,000 are prepared": server,
        "bare libmicrohttpd while rows of 1,000,000 are prepared": bare_program,
    }
    for name, program in loads.items():
        quiet, busy = (
            Load(program, layout.arguments, connections=16, seconds=seconds) for _ in range(2)
        )
        prepared = 0
        for _ in range(rounds):
            quiet.run()
            with prepares_without_pause(server, text) as answered:
                time.sleep(0.3)
                before = answered()
                busy.run()
                prepared += answered() - before
        ratios = Ratios(busy.p99s, quiet.p99s)
        is_server = program is server
        bench.table.add(
            f"p99 of {name} ({prepared / rounds / seconds:.1f}/s)",
            time_text(statistics.median(busy.p99s)),
            beside=f"without {time_text(statistics.median(quiet.p99s))}", ratio=ratios.median,
            interval=ratios.interval, aim="≤ 3" if is_server else "",
            met=ratios.median <= 3 if is_server else None,
        )


def measure_empty_answers(bench: Bench) -> None:
    """Answers that have nothing new."""
    server = bench.start_server()
    layout = prepare(server, "waterfall", waterfall_columns(1_000_000))
    path = f"/layouts/{layout.id}/elements?rect=0,1000000,1200,1600"
    server.connection.request("GET", path)
    response = server.connection.getresponse()
    response.read()
    asked = [path, response.headers["ETag"]]
    client = [str(bench.tools / "revalidate")]
    still = [*layout.arguments, "trace=still"]
    length = int(response.headers["Content-Length"])
    bare = bench.start_bare(0, 200)
    pairs = {
        "304, unchanged": [
            Load(program, asked, client=client)
            for program in (server, bench.start_bare(length, 304))
        ],
        "known, nothing new": [Load(program, still) for program in (server, bare)],
        "the same for a browser": [
            Load(program, still, fields=BROWSER_FIELDS) for program in (server, bare)
        ],
    }
    run_in_turn(bench, [load for pair in pairs.values() for load in pair])
    for name, pair in pairs.items():
        add_queries(bench, name, *pair, None if pair[0].fields else 0.97)


def measure_large_grid(bench: Bench) -> None:
    """A grid of 1,000,000,000 items."""
    server = bench.start_server()
    times = []
    for _ in range(100):
        start = time.perf_counter()
        layout = prepare(server, "grid", grid(1_000_000_000))
        times.append(time.perf_counter() - start)
        delete(server, layout)
    middle = statistics.median(times)
    bench.table.add(
        "prepare a grid of 1,000,000,000", time_text(middle), aim="< 1 ms", met=middle < 1e-3
    )
    pairs = {}
    for count in (1_000_000_000,) if bench.quick else (1_000, 1_000_000_000):
        layout = prepare(server, "grid", grid(count))
        pairs[count] = beside_bare(bench, server, layout)
    run_in_turn(bench, [load for pair in pairs.values() for load in pair])
    for count, (load, bare) in pairs.items():
        add_queries(bench, f"query a grid of {count:,}", load, bare)


PARTS: dict[str, Callable[[Bench], None]] = {
    "size": measure_throughput_by_size,
    "kind": measure_throughput_by_kind,
    "cbor": measure_cbor,
    "prepare": measure_prepare,
    "memory": measure_memory,
    "latency": measure_latency,
    "empty": measure_empty_answers,
    "grid": measure_large_grid,
}


def output(*command: str) -> str:
    with contextlib.suppress(OSError):
        run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        if run.stdout.strip():
            return run.stdout.strip().splitlines()[0]
    return "unknown"


def head() -> str:
    models = [
        line.partition(":")[2].strip()
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    system = os.uname()
    packages = ["libmicrohttpd-dev", "libsimdjson-dev", "wrk"]
    libraries = output("dpkg-query", "-W", "-f", "${Package} ${Version} ", *packages)
    commit = output("git", "--no-optional-locks", "describe", "--always", "--dirty")
    return "\n".join(
        [
            "## load: over loopback, with wrk on the same cores",
            "",
            f"- machine: {(models or ['unknown'])[0]}, {CORES} cores, {memory / 1e9:.1f} GB, "
            f"{system.sysname} {system.release}",
            f"- toolchain: {output('swift', '--version')}; {output('cc', '--version')}",
            f"- libraries: {libraries}",
            f"- commit: {commit}",
            "- interval: where the ratio of many more rounds would lie, 19 times of 20; of fewer than "
            "six rounds the smallest and the largest",
            "- CPU/request: the server's : the rival's",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer sizes, fewer rounds")
    parser.add_argument("--only", action="append", choices=PARTS, help="only this, repeatable")
    build = ROOT / ".build"
    parser.add_argument("--server", type=pathlib.Path, default=build / "dist/release/layoutd")
    parser.add_argument("--tools", type=pathlib.Path, default=build / "bench")
    arguments = parser.parse_args()
    print(head() + "\n", flush=True)
    table = Table()
    for part in arguments.only or PARTS:
        progress(part)
        bench = Bench(arguments, table)
        try:
            PARTS[part](bench)
        finally:
            bench.stop()
    table.print()


if __name__ == "__main__":
    main()
