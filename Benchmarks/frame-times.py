#!/usr/bin/env python3
"""Measures frame times in Chromium while a page flings through 1,000,000 photographs.

    frame-times.py [--server PATH] [--rounds N]

Two pages take turns: one uses the client, the other positions the same nodes and knows all frames
in advance. Both make the same flings. Needs Tests/browser/run to have installed Playwright:
.build/browser/venv/bin/python Benchmarks/frame-times.py
"""

import argparse
import functools
import http.server
import os
import pathlib
import re
import statistics
import subprocess
import threading

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
PHOTOGRAPHS = 1_000_000


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_) -> None:
        pass


def share(values: list[float], limit: float) -> str:
    return f"{100 * sum(value > limit for value in values) / len(values):.1f} %"


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[int(part * (len(values) - 1))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--server", default=ROOT / ".build/dist/release/layoutd", metavar="PATH")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    arguments = parser.parse_args()
    server = subprocess.Popen([arguments.server, "--port", "0"], stderr=subprocess.PIPE, text=True)
    files = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Files, directory=ROOT))
    threading.Thread(target=files.serve_forever, daemon=True).start()
    try:
        for line in server.stderr:
            if found := re.search(r"127\.0\.0\.1:(\d+)", line):
                break
        threading.Thread(target=server.stderr.read, daemon=True).start()
        figures = {"client": [], "frames known": []}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            pages = {}
            for name in figures:
                page = browser.new_page(viewport={"width": 1200, "height": 900})
                page.set_default_timeout(120_000)
                page.goto(f"http://127.0.0.1:{files.server_port}/Benchmarks/frame-times.html")
                page.evaluate("([server, count, name]) => window.open_(server, count, name)",
                              [f"http://127.0.0.1:{found[1]}", PHOTOGRAPHS, name])
                pages[name] = page
            for _ in range(arguments.rounds):
                for name, page in pages.items():
                    page.bring_to_front()
                    figures[name].append(page.evaluate("fling()"))
            browser.close()
    finally:
        files.shutdown()
        server.terminate()
        server.wait()
    print(f"{arguments.rounds} rounds; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    print("| page | frames | work above 16.7 ms | missed | work, median | p99 | nodes | blank |")
    print("|---|---|---|---|---|---|---|---|")
    for name, rounds in figures.items():
        work = [value for figure in rounds for value in figure["work"]]
        intervals = [value for figure in rounds for value in figure["intervals"]]
        # A frame was missed if the next one came a frame and a half later.
        print(f"| {name} | {len(work):,} | {share(work, 16.7)} | {share(intervals, 25)} | "
              f"{statistics.median(work):.1f} ms | {percentile(work, 0.99):.1f} ms | "
              f"{max(figure['nodes'] for figure in rounds)} | {sum(figure['blank'] for figure in rounds)} |")


if __name__ == "__main__":
    main()
