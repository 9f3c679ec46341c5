#!/usr/bin/env python3
"""Draws the pages' pictures from a running server's own answers.

    draw.py [http://localhost:8080]

Writes SVG files beside itself. What is drawn are the frames that the server answers with; only the
connectors' lines are ours, as a client would draw them inside a connector's frame.
"""

import json
import pathlib
import sys
import urllib.request
from xml.sax.saxutils import escape

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080"
HERE = pathlib.Path(__file__).resolve().parent

# Mid tones that stand out from white and from black alike.
STYLE = """
text{font:600 11px system-ui,sans-serif;fill:#fff;text-anchor:middle}
.cell{fill:#3d74b8}.supplementary{fill:#7a5bb0;stroke:#fff;stroke-opacity:.4}.decoration{fill:#7f8a99;fill-opacity:.28}
.rest{fill:#687382}.known{fill:#5f8f5a}.new{fill:#b5652b}
.content{fill:none;stroke:#7f8a99}.rect{fill:none;stroke:#d0453a;stroke-width:2.5}
.knownrect{fill:none;stroke:#5f8f5a;stroke-width:2.5;stroke-dasharray:7 5}
.line{fill:none;stroke:#7f8a99;stroke-width:2}.arrow{fill:none;stroke:#d0453a;stroke-width:2}
.label{fill:#7f8a99;text-anchor:start}.red{fill:#d0453a}.green{fill:#5f8f5a}
"""

TREE = {"root": {"id": "NSObject", "children": [
    {"id": "NSArray", "children": [{"id": "NSMutableArray"}]},
    {"id": "NSString", "children": [{"id": "NSMutableString"}]},
    {"id": "NSResponder", "children": [
        {"id": "NSApplication"},
        {"id": "NSView", "children": [
            {"id": "NSControl", "children": [{"id": "NSButton"}]},
            {"id": "NSText"}]},
        {"id": "NSWindow"}]}]}}

PHOTOGRAPHS = {
    "bounds": {"width": 396, "height": 300},
    "options": {"columns": 3, "placement": "shortestColumn", "headerHeight": 40},
    "sections": [{"items": {
        "id": ["harbour", "gull", "pier", "dunes", "buoy", "ferry",
               "crab", "lamp", "rope", "tide", "net", "shell"],
        "aspectRatio": [1.5, 0.75, 1, 1.6, 0.8, 1.5, 1.25, 0.75, 1, 1.5, 0.8, 1.6]}}]}

GRID = {
    "bounds": {"width": 390},
    "options": {"columns": 4, "headerHeight": 30, "footerHeight": 20, "background": "section"},
    "sections": [{"items": 10}, {"items": 0}, {"items": 6}]}

GALLERY = {"bounds": {"width": 1000}, "options": {"seed": 7}, "sections": [{"items": 8}, {"items": 5}]}


def ask(method: str, path: str, body: object = None) -> dict:
    request = urllib.request.Request(
        SERVER + path, method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def prepare(kind: str, body: dict) -> dict:
    return ask("POST", f"/layouts/{kind}/prepare", body)


def query(layout: dict, rect: tuple, **more: str) -> list[dict]:
    parameters = "&".join(f"{name}={value}" for name, value in more.items())
    text = ",".join(map(str, rect)) + ("&" + parameters if parameters else "")
    return ask("GET", f"/layouts/{layout['id']}/elements?rect={text}")["elements"]


def everything(layout: dict) -> list[dict]:
    size = layout["contentSize"]
    return query(layout, (0, 0, size["width"], size["height"]))


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def box(frame: list, style: str, radius: int = 4) -> str:
    x, y, width, height = map(number, frame)
    return f'<rect class="{style}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>'


def text(x: float, y: float, words: str, style: str = "") -> str:
    style = f' class="{style}"' if style else ""
    return f'<text{style} x="{number(x)}" y="{number(y + 4)}">{escape(words)}</text>'


def name(element: dict) -> str:
    section, item = element["indexPath"]
    return element.get("id") or element.get("kind") or f"{section},{item}"


def drawn(element: dict, style: str = "", at_top: bool = False) -> str:
    frame = element["frame"]
    shape = box(frame, style or element["category"])
    if element["category"] == "decoration":
        return shape
    x, y, width, height = frame
    return shape + text(x + width / 2, y + (13 if at_top else height / 2), name(element))


def write(file: str, size: dict, parts: list[str], scale: float = 1, margin: int = 4) -> None:
    width, height = size["width"] + 2 * margin, size["height"] + 2 * margin
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width * scale)}" '
        f'height="{number(height * scale)}" viewBox="{-margin} {-margin} {number(width)} '
        f'{number(height)}"><style>{"".join(STYLE.split(chr(10)))}</style>\n'
        + "\n".join(parts) + "\n</svg>\n")
    (HERE / file).write_text(svg)
    print(file, len(svg.encode()), "bytes")


def content(size: dict) -> str:
    return box([0, 0, size["width"], size["height"]], "content", 0)


def draw_tree(file: str, options: dict) -> None:
    layout = prepare("tree", TREE | {"options": options})
    elements = everything(layout)
    frames = {tuple(e["indexPath"]): e["frame"] for e in elements if e["category"] == "cell"}
    parts = [content(layout["contentSize"])]
    for element in elements:
        if element["category"] == "cell":
            parts.append(drawn(element))
            continue
        x, _, width, _ = element["frame"]
        _, y, _, height = frames[tuple(element["indexPath"])]
        for child in element["children"]:
            _, child_y, _, child_height = frames[tuple(child)]
            parts.append(
                f'<path class="line" d="M{number(x)} {number(y + height / 2)}h{number(width / 2)}'
                f'V{number(child_y + child_height / 2)}h{number(width / 2)}"/>')
    write(file, layout["contentSize"], parts, scale=0.7)


def draw_kind(file: str, kind: str, body: dict, scale: float = 1) -> None:
    layout = prepare(kind, body)
    size = layout["contentSize"]
    write(file, size, [content(size)] + [drawn(element) for element in everything(layout)], scale)


def draw_scrolling() -> None:
    """The photographs: what a rect shows, and what scrolling on brings."""
    layout = prepare("waterfall", PHOTOGRAPHS)
    size = layout["contentSize"]
    known, rect = (0, 0, 396, 200), (0, 120, 396, 200)
    first = {name(e) for e in query(layout, known)}
    later = {name(e) for e in query(layout, rect, known=",".join(map(str, known)))}
    parts = [content(size)]
    for element in everything(layout):
        style = "known" if name(element) in first else "new" if name(element) in later else "rest"
        parts.append(drawn(element, style))
    parts.append(box([-3, *known[1:2], 402, known[3]], "knownrect"))
    parts.append(box([-7, rect[1], 410, rect[3]], "rect"))
    side = size["width"] + 16
    parts.append(text(side, 60, "known, fetched before", "label green"))
    parts.append(text(side, 280, "rect, scrolled to", "label red"))
    parts.append(text(side, 300, "the answer has the orange ones only", "label"))
    parts.append(text(side, 400, "not asked for, not sent", "label"))
    write("scrolling.svg", {"width": side + 230, "height": size["height"]}, parts, margin=10)


def draw_transitions() -> None:
    """The photographs, before and after one is inserted at the front."""
    layout = prepare("waterfall", PHOTOGRAPHS)
    rect = (0, 0, 396, 300)
    answer = ask(
        "POST", f"/layouts/{layout['id']}/updates?rect=" + ",".join(map(str, rect)),
        {"updates": [{"insert": {"at": [0, 0], "items": [{"id": "kite", "aspectRatio": 1.2}]}}]})
    transitions = answer["transitions"]
    parts = []
    for moving in transitions["moving"]:
        parts.append(drawn(moving["to"], "rest", at_top=True))
    for appearing in transitions["appearing"]:
        parts.append(drawn(appearing["to"], "new", at_top=True))
    for moving in transitions["moving"]:
        (x, y, w, h), (to_x, to_y, to_w, to_h) = moving["from"]["frame"], moving["to"]["frame"]
        x, y, to_x, to_y = x + w / 2, y + h / 2, to_x + to_w / 2, to_y + to_h / 2
        parts.append(
            f'<circle class="red" cx="{number(x)}" cy="{number(y)}" r="4"/>'
            f'<path class="arrow" marker-end="url(#a)" d="M{number(x)} {number(y)}'
            f'L{number(to_x)} {number(to_y)}"/>')
    marker = (
        '<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" '
        'orient="auto"><path class="red" d="M0 0L8 4L0 8z"/></marker>')
    bottom = max(
        e["to"]["frame"][1] + e["to"]["frame"][3]
        for e in transitions["moving"] + transitions["appearing"])
    write("transitions.svg", {"width": 396, "height": bottom}, [marker] + parts)


draw_scrolling()
draw_tree("tree.svg", {"spacing": "rows"})
draw_tree("tree-compact.svg", {"spacing": "compact"})
draw_kind("waterfall.svg", "waterfall", PHOTOGRAPHS)
draw_kind("grid.svg", "grid", GRID)
draw_kind("gallery.svg", "gallery", GALLERY, scale=0.5)
draw_transitions()
