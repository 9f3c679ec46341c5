#!/usr/bin/env python3
"""Small bodies that stand for much work: hostile.py PROGRAM [ATTACK …]

Each attack gets a server of its own, which may take 247 MB and its fonts. Its bodies are random, from
a seed that is printed (HOSTILE_SEED). Of the dearest request of each attack the bytes and the time of
a processor are told; of the server the memory at its peak; and how long somebody waits meanwhile who
asks a small question.
"""

import gzip
import json
import os
import pathlib
import random
import sys

from attacks import Client, during, run
from kept import GZIP, Attacked

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "hostile"))
from bodies import MAKERS

SEED = int(os.environ.get("HOSTILE_SEED", "1"))
HEBREW, DIGITS, GREEK = "אבגדהוזחטי", "0123456789", "αβγδεζηθικ"


class Hostile(Attacked):
    """Sends requests and keeps the dearest."""

    def __init__(self, program):
        super().__init__(program)
        self.dice = random.Random(SEED)
        self.dearest = (0, 0, 0, "")
        self.fonts = [font["name"] for font in self.ask("GET", "/fonts")["fonts"]]

    def processor_ms(self):
        tasks = pathlib.Path(f"/proc/{self.server.process.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e6

    def cost(self, method, target, body=None, packed=False):
        """Sends a request, which may be refused, and gives its answer."""
        text = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        if packed:
            text = gzip.compress(text)
        before = self.processor_ms()
        status, answer = self.client.ask(method, target, text, GZIP if packed else "")
        self.dearest = max(self.dearest, (self.processor_ms() - before, len(text), status, target[:40]))
        assert status < 500 or status == 503, (status, answer[:200])
        return json.loads(answer) if answer and status < 300 else None

    def prepare(self, kind, options, *sections, packed=False):
        return self.cost("POST", f"/layouts/{kind}/prepare", {
            "bounds": {"width": 1e6}, "options": options, "sections": list(sections)}, packed)

    def end(self, what):
        ms, count, status, target = self.dearest
        print(f"    seed {SEED}, the dearest: {ms:.0f} ms of a processor for {count} bytes, {status} from {target}")
        super().end(what)


def attack(make):
    """An attack whose requests are sent by `make` while somebody asks small questions."""
    def attacked(program):
        hostile = Hostile(program)
        hostile.during(lambda: make(hostile))
        hostile.end(make.__doc__)
    attacked.__name__, attacked.__doc__ = make.__name__, make.__doc__
    return attacked


@attack
def sparse(hostile):
    """items over half of 10,000 columns"""
    for _ in range(10):
        hostile.prepare("grid", {"columns": 10_000}, {"items": {
            "columnSpan": [5001] * 560, "rowSpan": [hostile.dice.randint(2, 9) for _ in range(560)]}})


@attack
def dense(hostile):
    """a dense grid whose items are all of other sizes"""
    roll = hostile.dice.randint
    for columns, count in ((10_000, 2000), (3, 40_000), (64, 40_000)):
        hostile.prepare("grid", {"columns": columns, "placement": "dense"}, {"items": {
            "columnSpan": [roll(2, max(2, columns // 2)) for _ in range(count)],
            "rowSpan": [roll(1, 10_000) for _ in range(count)]}}, packed=True)
        hostile.prepare("grid", {"columns": columns, "placement": "dense"}, {"items": {
            "columnSpan": [2] * count, "rowSpan": [max(1, 10_000 - i) for i in range(count)]}}, packed=True)


@attack
def lanes(hostile):
    """many items over two of many lanes"""
    for placement in ("shortestColumn", "lanes"):
        for columns in (10_000, 1400):
            made = hostile.prepare("waterfall", {"columns": columns, "placement": placement, "cellPadding": 0}, {
                "items": {"columnSpan": [2] * 70_000}}, packed=True)
            if made:
                for _ in range(3):
                    hostile.cost("POST", f"/layouts/{made['id']}/updates", {"updates": [
                        {"insert": {"at": [0, 70_000], "items": {"columnSpan": [2]}}}]})


@attack
def sections(hostile):
    """thousands of sections of 10,000 columns and one item"""
    for kind, count, column in (("waterfall", 3000, None), ("waterfall", 20_000, 9998), ("grid", 20_000, 5000)):
        item = {"columnSpan": [2]} | ({"column": [column]} if column else {})
        hostile.prepare(kind, {"columns": 10_000}, *[{"items": item}] * count, packed=True)


@attack
def fonts(hostile):
    """500 layouts whose cards have other fonts and sizes"""
    for number in range(500):
        parts = [{"text": "t", "font": hostile.dice.sample(hostile.fonts, 4), "size": 10 + number + i / 10,
                  "lineHeight": 20} for i in range(4)]
        hostile.prepare("list", {"card": {"parts": parts}}, {"items": [{"text": {"t": "a b"}}]})


@attack
def cards(hostile):
    """a card of 32 parts of one long text, and 10,000 posts in two directions"""
    text = "".join(hostile.dice.choice(HEBREW) + hostile.dice.choice(DIGITS) + " " for _ in range(16_000))
    parts = [{"text": "t", "font": hostile.fonts[:2], "size": 16, "lineHeight": 20}] * 32
    made = hostile.prepare("list", {"card": {"parts": parts}}, {"items": [{"text": {"t": text}}]})
    for _ in range(3):
        hostile.cost("GET", f"/layouts/{made['id']}/items/0/0?parts=true")
        hostile.cost("GET", f"/layouts/{made['id']}/elements?rect=0,0,1000000,100000&parts=true")
    posts = [f"{HEBREW * 3} and {GREEK * 3} {n}" for n in range(10_000)]
    made = hostile.prepare("list", {"card": {"parts": parts[:1]}, "estimates": True}, {
        "items": [{"text": {"t": post}} for post in posts]}, packed=True)
    hostile.cost("GET", f"/layouts/{made['id']}/elements?rect=0,0,1000000,1000000&limit=10000")


@attack
def texts(hostile):
    """texts of 64 kB that turn, change their script or pile up marks"""
    turns = "".join(hostile.dice.choice(HEBREW) + hostile.dice.choice(DIGITS) for _ in range(21_000))
    scripts = "".join(hostile.dice.choice(GREEK) + hostile.dice.choice("abcdef") for _ in range(21_000))
    for text in (turns, scripts, "e" + "\u0301" * 30_000, "e\u0301" * 21_000, " e\u0301" * 16_000,
                 "\u0301" * 30_000, "😀\u200d" * 8_000, "a" * 64_000, "a-" * 32_000):
        for width in (0.5, 100, 1000):
            hostile.cost("POST", "/text/measure", {
                "font": hostile.fonts[:4], "size": 16, "lineHeight": 20, "width": [width], "texts": [text]},
                packed=True)


@attack
def languages(hostile):
    """texts in as many languages as there are names"""
    letters = "abcdefghijklmnopqrstuvwxyz"
    text = "abc αβγ где אבג ابج कखग กขค 漢字 かな ㄱㄴ"
    for number in range(300):
        tag = "".join(hostile.dice.choice(letters) for _ in range(hostile.dice.choice([2, 3, 8])))
        hostile.cost("POST", "/text/measure", {
            "font": hostile.fonts[:16], "size": 16, "lineHeight": 20, "width": [100],
            "language": hostile.dice.choice([tag, f"zh-{tag}", f"en-x-{tag}"]), "texts": [text]})


def together(program):
    """16 clients that send random bodies for a minute"""
    hostile = Hostile(program)

    def send(number):
        client, layout = Client(hostile.server.port), ""
        for method, target, body in hostile.dice.choice(MAKERS)(hostile.dice, hostile.fonts):
            if "{}" in target and not layout:
                break
            content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
            status, answer = client.ask(method, target.replace("{}", layout), content)
            assert status < 500 or status == 503, (status, answer[:200])
            layout = layout or f"/layouts/{json.loads(answer).get('id')}" if status == 201 else layout
        client.close()

    hostile.during(lambda: [thread.join() for thread in during(60, 16, send)])
    Attacked.end(hostile, together.__doc__)


if __name__ == "__main__":
    run([sparse, dense, lanes, sections, fonts, cards, texts, languages, together])
