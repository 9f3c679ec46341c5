"""Small requests that stand for much work, at random.

Each function takes dice, and what a server has; it gives requests as (method, target, body), of which
the first makes a layout. `{}` in a target is the path of that layout.
"""

import random
import urllib.parse

SCRIPTS = ["אבגדהוזחטי", "0123456789", "αβγδεζηθικ", "abcdefghij", "कखगघङचछजझञ", "กขคฆงจฉชซญ",
           "漢字仮名交文句読点", "\u0301\u0302\u0327\u200d\u200f", "😀👍🏽🇩🇪", " \t\n", "-/‐ "]
COLUMNS = [1, 3, 64, 1400, 10_000]
PLACEMENTS = {"grid": [None, "dense"], "waterfall": [None, "shortestColumn", "lanes"]}


def text(dice: random.Random, most: int) -> str:
    """Two or three scripts in turn, or one sign again and again."""
    scripts = dice.sample(SCRIPTS, dice.randint(1, 3))
    run, count = dice.choice([1, 1, 2, 30]), dice.randint(1, most)
    return "".join("".join(dice.choice(scripts[i % len(scripts)]) for _ in range(run))
                   for i in range(count // run + 1))[:most]


def style(dice: random.Random, fonts: list[str]) -> dict:
    tag = "".join(dice.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(dice.choice([2, 3, 8])))
    return {"font": dice.sample(fonts, min(len(fonts), dice.choice([1, 4, 16]))),
            "size": dice.choice([0.5, 16, dice.uniform(1, 200)]), "lineHeight": 20,
            **dice.choice([{}, {"letterSpacing": 0.3}, {"maxLines": 2}, {"whiteSpace": "preWrap"}]),
            **dice.choice([{}, {"language": tag}, {"language": f"zh-{tag}"}, {"language": "ja"}])}


def prepare(kind: str, options: dict, *sections, bounds=1e6) -> tuple:
    return "POST", f"/layouts/{kind}/prepare", {
        "bounds": {"width": bounds}, "options": options, "sections": list(sections)}


def spans(dice: random.Random, _) -> list[tuple]:
    """Items over many of many columns, and appends."""
    kind = dice.choice(list(PLACEMENTS))
    columns, placement = dice.choice(COLUMNS), dice.choice(PLACEMENTS[kind])
    count = dice.choice([20, 400, 2000])
    items = {"columnSpan": [dice.randint(1, max(1, dice.choice([2, columns // 2 + 1, columns]))) for _ in range(count)]}
    if kind == "grid":
        items["rowSpan"] = [dice.choice([1, 2, 9, 10_000]) for _ in range(count)]
    options = {"columns": columns, **({"placement": placement} if placement else {}), **({} if kind == "grid" else {"cellPadding": 0})}
    insert = {"insert": {"at": [0, dice.choice([0, count, "end"])], "items": {"columnSpan": [1]}}}
    return [prepare(kind, options, {"items": items}), ("POST", "{}/updates", {"updates": [insert] * dice.choice([1, 50])}),
            ("PATCH", "{}", {"options": {"columns": dice.choice(COLUMNS)}})]


def sections(dice: random.Random, _) -> list[tuple]:
    """Sections of 10,000 columns and one item."""
    kind, count = dice.choice(list(PLACEMENTS)), dice.choice([10, 300, 3000])
    item = dice.choice([{"columnSpan": [2]}, {"columnSpan": [2], "column": [dice.randint(0, 9998)]}])
    return [prepare(kind, {"columns": 10_000, "headerHeight": 20, "pinHeaders": True}, *[{"items": item}] * count),
            ("GET", "{}/sections?marks=1000", None), ("GET", f"{{}}/sections?rect=0,0,1e9,{dice.choice(['1e9', '1'])}", None)]


def measured(dice: random.Random, fonts: list[str]) -> list[tuple]:
    """Texts, in widths that cut them everywhere."""
    widths = [dice.choice([0.5, 100, dice.uniform(1, 3000)]) for _ in range(dice.choice([1, 8]))]
    return [("POST", "/text/measure", {**style(dice, fonts), "width": widths,
                                       "texts": [text(dice, dice.choice([3, 300, 20_000])) for _ in range(dice.choice([1, 5]))]})]


def cards(dice: random.Random, fonts: list[str]) -> list[tuple]:
    """Cards of many parts of one text, their parts and what is found in them."""
    part = {"text": "t", **style(dice, fonts)}
    posts = [{"text": {"t": text(dice, dice.choice([30, 4000]))}} for _ in range(dice.choice([1, 20]))]
    options = {"card": {"parts": [part] * dice.choice([1, 8, 32])}, "estimates": dice.random() < 0.5}
    sign = dice.choice(dice.choice(SCRIPTS[:7]))
    return [prepare(dice.choice(["list", "waterfall"]), options, {"items": posts}, bounds=dice.choice([1, 300, 1e6])),
            ("GET", "{}/items/0/0?parts=true", None), ("GET", "{}/elements?rect=0,0,1e6,1e6&parts=true", None),
            ("GET", f"{{}}/find?text={urllib.parse.quote(sign)}&marks=1000", None),
            ("PATCH", "{}", {"bounds": {"width": dice.uniform(1, 900)}})]


def groups(dice: random.Random, _) -> list[tuple]:
    """Groups in groups."""
    def group(depth: int) -> dict:
        share = 1 / dice.randint(9, 50)
        made = {"width": {"fractionalWidth": share}, "height": {"fractionalHeight": share}}
        if depth:
            made |= {"direction": dice.choice(["horizontal", "vertical"]), "subitems": [group(depth - 1)] * dice.choice([1, 9])}
        return made

    count = dice.choice([1, 20_000])
    return [prepare("group", {"group": {**group(3), "height": {"absolute": 50}}}, {"items": count}),
            ("POST", "{}/views", {"bounds": {"width": dice.uniform(1, 900)}}),
            ("GET", f"{{}}/elements?rect=-1e9,-1e9,2e9,2e9&limit={dice.choice([1, 100_000])}", None)]


def trees(dice: random.Random, _) -> list[tuple]:
    """A chain, a star, or any tree; and nodes that come and go."""
    count = dice.choice([3, 900])
    parents = dice.choice([lambda i: i - 1, lambda i: 0, lambda i: dice.randrange(i)])
    nodes = {"parent": [None] + [parents(i) for i in range(1, count)]}
    pair = [{"insertNode": {"parent": None, "at": 0, "node": {}}}, {"deleteNode": {"at": [0, 0]}}]
    return [("POST", "/layouts/tree/prepare", {"nodes": nodes}), ("POST", "{}/updates", {"updates": pair * dice.choice([1, 40])}),
            ("GET", "{}/elements?rect=-1e9,-1e9,2e9,2e9", None)]


def changes(dice: random.Random, _) -> list[tuple]:
    """Many changes in one request, and what they did as transitions."""
    count = dice.choice([10, 20_000])

    def update() -> dict:
        at = [0, dice.randrange(count // 2)]
        return dice.choice([{"move": {"from": at, "to": [0, dice.choice([0, "end"])]}}, {"delete": {"at": at}},
                            {"insert": {"at": at, "items": dice.choice([1, [{"height": 1e9}]])}},
                            {"set": {"at": at, "items": [{"height": dice.uniform(0, 900)}]}}])

    updates = [update() for _ in range(dice.choice([1, 60]))]
    return [prepare(dice.choice(["list", "waterfall", "flow"]), {}, {"items": count}, bounds=dice.choice([1, 320, 1e6])),
            ("POST", "{}/updates?rect=0,0,1e6,1e5", {"updates": updates}),
            ("GET", "{}/elements?rect=0,0,1e6,1e6&since=1&known=0,0,1e6,1e6", None), ("GET", "{}/ids?limit=100000", None)]


def arranged(dice: random.Random, _) -> list[tuple]:
    """Views with a section for each item, and without any."""
    count = dice.choice([5, 2000])
    keys = {"a": [dice.choice([i, f"k{i}", None]) for i in range(count)], "b": [dice.random() for _ in range(count)]}
    order = dice.choice(["ascending", "descending"])
    arrangement = dice.choice([{"groupBy": {"key": "a", "order": order}}, {"sortBy": [{"key": "b"}] * 8},
                               {"where": [{"key": "a", "in": list(range(500)), "not": True}], "groupBy": {"key": "b"}},
                               {"sections": [{"ids": ["x"] * 50}] * 50}])
    return [prepare("list", {}, {"items": {"id": [f"x{i}" for i in range(count)], "keys": keys}}),
            ("POST", "{}/views", {"arrange": arrangement})]


MAKERS = [spans, sections, measured, cards, groups, trees, changes, arranged]
