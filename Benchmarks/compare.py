#!/usr/bin/env python3
"""Compares two programs of layoutd, and both with bare libmicrohttpd, in turns in one run.

    compare.py OLD NEW [--only KIND,…] [--rounds N]

OLD is a program, or a commit, which is built in a folder of its own under .build/compare first.

For each workload it prints, of both: the time of a processor that the server takes for a query
(user and system), queries a second with wrk on the same machine beside those of bare libmicrohttpd,
the bytes of an answer, the time of a prepare, and memoryBytes of an element. The last column is what
a query costs NEW, divided by what it costs OLD. Above 1.05 somebody feels it. Only ratios of one
run count: the machine is another in the next.
"""

import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

from load import ROOT, Program, free_port, progress

FELT = 1.05
COUNT = 300_000
# Rects all over the content, whose height is in the environment.
SCRIPT = """
local height = tonumber(os.getenv("HEIGHT"))
math.randomseed(7)
request = function()
  local y = math.random(0, math.max(1, height - 1000))
  return wrk.format("GET", os.getenv("LAYOUT") .. "/elements?rect=0," .. y .. ",1200,900")
end
"""


def workloads() -> dict[str, tuple[str, dict]]:
    """The kind and the body of each, by name."""
    generator = random.Random(3)
    heights = [round(generator.uniform(80, 400), 2) for _ in range(COUNT)]
    ratios = [round(generator.uniform(0.5, 2), 2) for _ in range(COUNT)]
    parents = [None] + [generator.randrange(max(0, i - 200), i) for i in range(1, 100_000)]
    bounds = {"bounds": {"width": 1200, "height": 800}}

    def one(kind: str, options: dict, items) -> tuple[str, dict]:
        return kind, {**bounds, "options": options, "sections": [{"items": items}]}

    def sections(kinds: tuple[str, ...]) -> list[dict]:
        return [{"kind": kinds[i % len(kinds)], "items": 60} for i in range(2000)]

    return {
        "list of heights": one("list", {}, {"height": heights}),
        "uniform list, 1M": one("list", {"itemHeight": 60}, 1_000_000),
        "waterfall": one("waterfall", {"columns": 6}, {"height": heights}),
        "shortest column": one(
            "waterfall", {"columns": 6, "placement": "shortestColumn"}, {"height": heights}
        ),
        "grid, 1M": one("grid", {"columns": 8, "rowHeight": 80}, 1_000_000),
        "gallery": one("gallery", {}, COUNT),
        "flow": one("flow", {}, {"width": [h / 2 for h in heights], "height": [30] * COUNT}),
        "justified": one("justified", {"targetRowHeight": 200}, {"aspectRatio": ratios}),
        "frames": one(
            "frames",
            {},
            {
                "x": [i % 10 * 100 for i in range(COUNT)],
                "y": [i // 10 * 50 for i in range(COUNT)],
                "width": [90] * COUNT,
                "height": [45] * COUNT,
            },
        ),
        "tree": ("tree", {"nodes": {"parent": parents}}),
        "2,000 sections": (
            "compositional",
            {
                **bounds,
                "options": {"headerHeight": 24, "sectionSpacing": 10},
                "sections": sections(("grid", "list", "waterfall")),
            },
        ),
    }


def built(commit: str) -> str:
    """The program of a commit."""
    name = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--verify", f"{commit}^{{commit}}"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()
    folder = ROOT / ".build/compare" / name
    if not folder.exists():
        subprocess.run(["git", "-C", ROOT, "worktree", "prune"], check=True)
        subprocess.run(
            ["git", "-C", ROOT, "worktree", "add", "--detach", "-f", folder, name], check=True
        )
    # Earlier commits had one way to build.
    has_dist = "\ndist:" in (folder / "Makefile").read_text()
    subprocess.run(
        ["make", "-C", folder, "dist" if has_dist else "build"], check=True, stdout=sys.stderr)
    return str(folder / (".build/dist" if has_dist else ".build") / "release/layoutd")


def load(server: Program, layout: str, height: float) -> tuple[float, float]:
    """Queries a second, and microseconds of a processor for each."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT)
        script.flush()
        before = server.cpu_seconds()
        text = subprocess.run(
            ["wrk", "-t1", "-c16", "-d2s", "-s", script.name, f"http://127.0.0.1:{server.port}/"],
            env=os.environ | {"LAYOUT": layout, "HEIGHT": str(int(height))},
            check=True, capture_output=True, text=True,
        ).stdout
    if "Non-2xx" in text:
        raise SystemExit(text)
    seconds = server.cpu_seconds() - before
    count = int(re.search(r"(\d+) requests in", text)[1])
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), seconds / count * 1e6


def prepare(servers: dict[str, Program], kind: str, text: bytes) -> tuple[dict, dict]:
    """A layout of each server, and the least time of its prepares in milliseconds."""
    made, times = {}, {name: [] for name in servers}
    for _ in range(5):
        for name, server in servers.items():
            start = time.perf_counter()
            summary = json.loads(server.request("POST", f"/layouts/{kind}/prepare", text))
            times[name].append((time.perf_counter() - start) * 1e3)
            if name in made:
                server.request("DELETE", f"/layouts/{summary['id']}")
            else:
                made[name] = summary
    return made, {name: min(all) for name, all in times.items()}


def compare(servers: dict[str, Program], name: str, kind: str, body: dict, rounds: int) -> float:
    """Prints a line about a workload, and returns NEW / OLD."""
    made, prepares = prepare(servers, kind, json.dumps(body).encode())
    paths = {key: f"/layouts/{made[key]['id']}" for key in servers}
    lengths = {
        key: len(server.request("GET", f"{paths[key]}/elements?rect=0,10000,1200,900"))
        for key, server in servers.items()
    }
    port = free_port()
    bare = Program([str(ROOT / ".build/bench/bare"), str(port), "1", str(lengths["new"])], port)
    figures = {"old": [], "new": [], "bare": []}
    height = made["new"]["contentSize"]["height"]
    for _ in range(rounds):
        for key, server in (*servers.items(), ("bare", bare)):
            figures[key].append(load(server, paths.get(key, "/"), height))
    bare.stop()
    for key, server in servers.items():
        # It has been idle for so long that the server may have closed it.
        server.connection.close()
        server.request("DELETE", paths[key])
    cost = {key: statistics.median(cpu for _, cpu in rows) for key, rows in figures.items()}
    part = {
        key: statistics.median(a[0] / b[0] for a, b in zip(figures[key], figures["bare"]))
        for key in servers
    }
    elements = max(1, sum(made["new"]["counts"].values()))
    memory = {key: made[key]["memoryBytes"] / elements for key in servers}
    print(
        f"| {name} | {cost['old']:.1f} → {cost['new']:.1f} | {cost['bare']:.1f} "
        f"| {part['old']:.2f} → {part['new']:.2f} | {lengths['old']} → {lengths['new']} "
        f"| {prepares['old']:.1f} → {prepares['new']:.1f} "
        f"| {memory['old']:.1f} → {memory['new']:.1f} | {cost['new'] / cost['old']:.2f} |",
        flush=True,
    )
    return cost["new"] / cost["old"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", help="a program, or a commit")
    parser.add_argument("new", help="a program")
    parser.add_argument("--only", help="workloads whose names begin so, with commas between them")
    parser.add_argument("--rounds", type=int, default=6)
    arguments = parser.parse_args()
    old = arguments.old if pathlib.Path(arguments.old).is_file() else built(arguments.old)
    wanted = tuple(arguments.only.split(",")) if arguments.only else ("",)
    servers = {}
    for name, program in (("old", old), ("new", arguments.new)):
        port = free_port()
        servers[name] = Program([program, "--port", str(port)], port)
    print("| workload | µs a query | bare | of bare | bytes | ms a prepare | B an element | new / old |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    slower = []
    try:
        for name, (kind, body) in workloads().items():
            if not name.startswith(wanted):
                continue
            progress(name)
            ratio = compare(servers, name, kind, body, arguments.rounds)
            if ratio > FELT:
                slower.append(f"{name} {ratio:.2f}")
    finally:
        for server in servers.values():
            server.stop()
    print("\nslower: " + ", ".join(slower) if slower else "\nnothing is slower by more than 5 %")


if __name__ == "__main__":
    main()
