#!/usr/bin/env python3
"""Texts that are measured, and cards whose heights follow from texts.

    text.py [--server PATH] [--cards N] [--rounds N]

Measures over loopback: 1,000 texts of 140 characters with POST /text/measure, in a server that has
seen none of their words and in one that has; a list of cards with a text each, prepared; the same at
other widths; and the memory that it takes. Beside it: the time that Chromium takes to lay out the
same 1,000 paragraphs at the same width, in the same font. Needs the fonts of fonts-inter, and
Tests/browser/run to have installed Playwright:
.build/browser/venv/bin/python Benchmarks/text.py
"""

import argparse
import http.client
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import threading
import time

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
FONT = {"font": "inter-regular", "size": 14, "lineHeight": 20}
LENGTH, TEXTS, WIDTH = 140, 1000, 320

# The time until the browser knows how high all paragraphs are: they are made first, and laid out
# when somebody asks. Then at another width.
LAY_OUT = """async ({texts, font, url, width, rounds}) => {
  const face = new FontFace(font.font, `url(${url})`);
  document.fonts.add(await face.load());
  const times = {first: [], again: []};
  let height = 0;
  for (let round = 0; round < rounds; round += 1) {
    const box = document.createElement("div");
    box.style.cssText = `width: ${width}px; font: 400 ${font.size}px/${font.lineHeight}px ${font.font};
      text-spacing-trim: space-all; overflow-wrap: break-word; text-rendering: geometricPrecision`;
    for (const text of texts) {
      const paragraph = document.createElement("p");
      paragraph.textContent = text;
      box.append(paragraph);
    }
    document.body.append(box);
    let start = performance.now();
    height = box.offsetHeight;
    times.first.push(performance.now() - start);
    box.style.width = `${width + 40}px`;
    start = performance.now();
    height += box.offsetHeight;
    times.again.push(performance.now() - start);
    box.remove();
  }
  return times;
}"""


def texts(count: int, seed: int) -> list[str]:
    """English as far as lengths and letters go: of 5,000 words the n-th is as frequent as 1/n."""
    chance = random.Random(seed)
    letters = "eeeeeeeetttttaaaaaoooooiiiiinnnnnssssshhhhrrrrddddlllcccuuummwwffggyyppbbvkjxqz"
    words = ["".join(chance.choices(letters, k=2 + min(place, 40) // 8 + chance.randrange(6)))
             for place in range(5000)]
    weights = [1 / (place + 1) for place in range(5000)]
    made = []
    for _ in range(count):
        text = ""
        for word in chance.choices(words, weights, k=60):
            ending = chance.choices(["", ",", ".", "?"], [85, 8, 6, 1])[0]
            text += (word.capitalize() if chance.random() < 0.1 else word) + ending + " "
            if len(text) > LENGTH:
                break
        made.append(text[:LENGTH].strip())
    return made


class Server:
    def __init__(self, program: pathlib.Path) -> None:
        self.process = subprocess.Popen(
            [program, "--port", "0"], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"127\.0\.0\.1:(\d+)", line):
                break
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.port = int(found[1])
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)

    def request(self, method: str, path: str, body=None) -> tuple[dict, float, float]:
        """The answer, the seconds until it was there, and those of processors that the server took."""
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        before, start = self.cpu_seconds(), time.perf_counter()
        self.connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = self.connection.getresponse()
        text = answer.read()
        seconds = time.perf_counter() - start
        if answer.status >= 300:
            raise SystemExit(f"{method} {path}: {answer.status} {text[:500]!r}")
        return json.loads(text), seconds, self.cpu_seconds() - before

    def cpu_seconds(self) -> float:
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def row(name: str, figures: list[tuple[float, float]], aim: str) -> None:
    times, processor = zip(*figures)
    print(f"| {name} | {statistics.median(times) * 1000:,.1f} ms | {min(times) * 1000:,.1f} ms | "
          f"{statistics.median(processor) * 1000:,.0f} ms | {aim} |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--server", type=pathlib.Path, default=ROOT / ".build/dist/release/layoutd", metavar="PATH")
    parser.add_argument("--cards", type=int, default=200_000, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    arguments = parser.parse_args()
    measured = {**FONT, "width": WIDTH, "texts": texts(TEXTS, 1)}
    cold, warm, prepares, widths = [], [], [], []
    for _ in range(arguments.rounds):
        server = Server(arguments.server)
        server.request("POST", "/text/measure", {**FONT, "texts": ["."]})  # Opens the font.
        cold.append(server.request("POST", "/text/measure", measured)[1:])
        warm += [server.request("POST", "/text/measure", measured)[1:] for _ in range(5)]
        server.stop()
    server = Server(arguments.server)
    cards = texts(arguments.cards, 2)
    body = json.dumps({
        "bounds": {"width": WIDTH},
        "options": {"card": {"padding": 12, "parts": [{"text": "body", **FONT}]}},
        "sections": [{"items": {"text": {"body": cards}}}]}).encode()
    try:
        for _ in range(arguments.rounds):
            layout, *figures = server.request("POST", "/layouts/list/prepare", body)
            prepares.append(figures)
            for width in (360, 280, 500):
                widths.append(server.request(
                    "PATCH", f"/layouts/{layout['id']}", {"bounds": {"width": width}})[1:])
            told = server.request("GET", f"/layouts/{layout['id']}")[0]
            server.connection.request("DELETE", f"/layouts/{layout['id']}")
            server.connection.getresponse().read()
        fonts = server.request("GET", "/fonts")[0]["fonts"]
        url = next(font["url"] for font in fonts if font["name"] == FONT["font"])
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.port}/livez")
            rival = page.evaluate(LAY_OUT, {
                "texts": measured["texts"], "font": FONT, "width": WIDTH,
                "url": f"http://127.0.0.1:{server.port}{url}", "rounds": arguments.rounds * 3})
            version = browser.version
            browser.close()
    finally:
        server.stop()
    length = sum(len(text.encode()) for text in cards)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; Chromium {version}\n")
    print("| what | median | least | processor, median | aim |")
    print("|---|---|---|---|---|")
    row("1,000 texts measured, none of the words seen before", cold, "")
    row("1,000 texts measured, words seen before", warm, "15 ms")
    for name, times in (("Chromium lays them out", "first"), ("Chromium, at another width", "again")):
        print(f"| {name} | {statistics.median(rival[times]):,.1f} ms | {min(rival[times]):,.1f} ms | | |")
    row(f"{arguments.cards:,} cards prepared, {len(body) / 1e6:.1f} MB", prepares, "1,000 ms")
    row(f"{arguments.cards:,} cards at another width", widths, "60 ms")
    print(f"\nmemory: {told['memoryBytes']:,} B, texts {length:,} B: "
          f"{told['memoryBytes'] / length - 1:.2f} B beside each byte of text (aim 3)")


if __name__ == "__main__":
    main()
