#!/usr/bin/env python3
"""A shared cache before layoutd: Benchmarks/cache.py LAYOUTD [--seconds N]

200 viewers scroll through one layout of 1,000,000 photographs, by wrk with bands.lua: once through
nginx with the documentation's configuration, which begins empty, and once without it; in JSON and in
CBOR. Prints requests per second, and how many of them reach layoutd.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/nginx"))

from servers import Proxied  # noqa: E402

ITEMS = 1_000_000


def prepare(port):
    heights = ",".join(str(80 + i * 7919 % 200) for i in range(ITEMS))
    body = ('{"bounds": {"width": 1200}, "options": {"columns": 6}, '
            f'"sections": [{{"items": {{"height": [{heights}]}}}}]}}')
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/layouts/waterfall/prepare", body.encode(),
        {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))


def queries(port):
    """How many queries of elements layoutd has answered."""
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    pattern = r'^layoutd_requests_total\{[^}]*route="/layouts/\{id\}/elements"[^}]*\} (\S+)$'
    return sum(float(count) for count in re.findall(pattern, text, re.MULTILINE))


def run(port, layout, format, seconds, layoutd_port):
    before = queries(layoutd_port)
    output = subprocess.run(
        ["wrk", "-t2", "-c200", f"-d{seconds}s", "-s", ROOT / "Benchmarks/bands.lua",
         f"http://127.0.0.1:{port}", "--", f"layout={layout['id']}",
         f"content={layout['contentSize']['height']}",
         f"version={layout.get('versionTag', layout['version'])}", f"format={format}"],
        capture_output=True, text=True, check=True).stdout
    result = json.loads(output.strip().splitlines()[-1])
    if result["errors"]:
        sys.exit(f"{result['errors']} of {result['requests']} requests failed")
    result["reached"] = queries(layoutd_port) - before
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layoutd")
    parser.add_argument("--seconds", type=int, default=10)
    arguments = parser.parse_args()
    with Proxied("nginx-cache.conf", "--cache", "public", program=arguments.layoutd) as servers:
        layout = prepare(servers.layoutd_port)
        print("| through | format | requests/s | p50 | p99 | reach layoutd | hit ratio |")
        print("|---|---|---|---|---|---|---|")
        for format in ("json", "cbor"):
            for name, port in [
                ("nginx, empty at first", servers.nginx_port),
                ("nginx, the same again", servers.nginx_port), ("nothing", servers.layoutd_port),
            ]:
                result = run(port, layout, format, arguments.seconds, servers.layoutd_port)
                requests, reached = result["requests"], result["reached"]
                print(
                    f"| {name} | {format.upper()} | {requests / result['seconds']:,.0f} "
                    f"| {result['p50'] / 1000:.1f} ms | {result['p99'] / 1000:.1f} ms "
                    f"| {reached:,.0f} of {requests:,} | {max(0, 1 - reached / requests):.3f} |",
                    flush=True)


if __name__ == "__main__":
    main()
