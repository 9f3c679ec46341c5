#!/usr/bin/env python3
"""Answers in JSON and in CBOR, compressed and not: Benchmarks/formats.py [LAYOUTD] [--seconds N]

Asks a server for 50, 1,000 and 100,000 elements of a waterfall of 1,000,000 photographs, and of one
whose items have ids. Prints a table: the bytes of an answer, the microseconds of a processor that the
server takes for a request, and those that JavaScript in Node takes to make objects of the answer.
"""

import argparse
import json
import pathlib
import re
import subprocess

from load import HERE, ROOT, Bench, Program, body, heights

ELEMENTS = (50, 1_000, 100_000)
FORMATS = (("json", False), ("json", True), ("cbor", False), ("cbor", True))


def waterfall(count: int, has_ids: bool) -> bytes:
    columns = f'"height":[{",".join(heights(count))}]'
    if has_ids:
        columns += ',"id":[' + ",".join(f'"IMG_{i:07}.jpeg"' for i in range(count)) + "]"
    return body(
        f'"bounds":{{"width":1200}},"options":{{"columns":6}},"sections":[{{"items":{{{columns}}}}}]')


def target(server: Program, layout: dict, count: int) -> str:
    """A query for so many elements in the middle of a layout. `limit` leaves out a few more."""
    path = f"/layouts/{layout['id']}/elements"
    y = round(layout["contentSize"]["height"] / 3)
    # Six columns of cells that are 250 points high on average, with padding.
    return f"{path}?rect=0,{y},1200,{count * 280 // 6 + 1000}&limit={count}"


def cpu_microseconds(server: Program, path: str, is_packed: bool, seconds: int) -> float:
    """The server's processor time of a request."""
    fields = ["-H", "Accept-Encoding: gzip"] if is_packed else []
    before = server.cpu_seconds()
    output = subprocess.run(
        ["wrk", "-t1", "-c8", f"-d{seconds}s", *fields, f"http://127.0.0.1:{server.port}{path}"],
        capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise SystemExit(output)
    return (server.cpu_seconds() - before) / int(re.search(r"(\d+) requests in", output)[1]) * 1e6


def number(value: float) -> str:
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "server", nargs="?", type=pathlib.Path, default=ROOT / ".build/dist/release/layoutd")
    parser.add_argument("--seconds", type=int, default=3)
    arguments = parser.parse_args()
    bench = Bench(argparse.Namespace(server=arguments.server, tools=None, quick=True), None)
    server = bench.start_server()
    print("| elements | format | bytes | server | client, columns | client, objects |")
    print("|---|---|---|---|---|---|")
    try:
        for has_ids in (False, True):
            text = waterfall(1_000_000, has_ids)
            layout = json.loads(server.request("POST", "/layouts/waterfall/prepare", text))
            paths = [target(server, layout, count) for count in ELEMENTS]
            output = subprocess.run(
                ["node", HERE / "formats.mjs",
                 *(f"http://127.0.0.1:{server.port}{path}" for path in paths)],
                capture_output=True, text=True, check=True).stdout
            for path, line in zip(paths, output.splitlines()):
                said = json.loads(line)
                client = said["microseconds"]
                for index, (name, is_packed) in enumerate(FORMATS):
                    cpu = cpu_microseconds(server, f"{path}&f={name}", is_packed, arguments.seconds)
                    columns = client["cborColumns"] if (name, is_packed) == ("cbor", False) else None
                    print(
                        f"| {said['elements']:,}{', with ids' if has_ids else ''} "
                        f"| {name.upper()}{', gzip' if is_packed else ''} "
                        f"| {said['bytes'][index]:,} | {number(cpu)} µs "
                        f"| {number(columns) + ' µs' if columns else ''} "
                        f"| {number(client[name + 'Packed' if is_packed else name])} µs |",
                        flush=True)
    finally:
        bench.stop()


if __name__ == "__main__":
    main()
