#!/usr/bin/env python3
"""Makes the pages' pictures with a running server.

    draw.py [path of layoutd]

Starts the server (by default .build/debug/layoutd) and writes SVG files beside itself. The pictures of the kinds are the server's own, from
GET /layouts/{id}/picture. This script draws those that compare two states, from the frames that the
server answers with.
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys
import urllib.request
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else HERE.parent / ".build/debug/layoutd"

# Mid tones that stand out from white and from black alike.
STYLE = """
text{font:600 11px system-ui,sans-serif;fill:#fff;text-anchor:middle}
.cell{fill:#3d74b8}.supplementary{fill:#7a5bb0;stroke:#fff;stroke-opacity:.4}.decoration{fill:#7f8a99;fill-opacity:.28}
.rest{fill:#687382}.known{fill:#5f8f5a}.new{fill:#b5652b}
.content{fill:none;stroke:#7f8a99}.rect{fill:none;stroke:#d0453a;stroke-width:2.5}
.knownrect{fill:none;stroke:#5f8f5a;stroke-width:2.5;stroke-dasharray:7 5}
.arrow{fill:none;stroke:#d0453a;stroke-width:2}
.from{fill:none;stroke:#7a5bb0;stroke-width:1.5;stroke-dasharray:4 3}
.label{fill:#7f8a99;text-anchor:start}.red{fill:#d0453a}.green{fill:#5f8f5a}
"""

CLASSES = {"id": "NSObject", "children": [
    {"id": "NSArray", "children": [{"id": "NSMutableArray"}]},
    {"id": "NSString", "children": [{"id": "NSMutableString"}]},
    {"id": "NSResponder", "children": [
        {"id": "NSApplication"},
        {"id": "NSView", "children": [
            {"id": "NSControl", "children": [{"id": "NSButton"}]},
            {"id": "NSText"}]},
        {"id": "NSWindow"}]}]}

FOLDERS = {
    "bounds": {"width": 300}, "options": {"indent": 20, "rowSpacing": 2},
    "folded": {"fold": [{"id": "drafts"}]},
    "root": {"id": "home", "children": [
        {"id": "letters", "children": [
            {"id": "drafts", "children": [{"id": "to mum"}]}, {"id": "sent", "children": [
                {"id": "to the harbour"}, {"id": "to the pilots"}]}]},
        {"id": "photos", "children": [{"id": "pier.jpg"}, {"id": "gull.jpg", "height": 44}]}]}}

PHOTOGRAPHS = {
    "id": ["harbour", "gull", "pier", "dunes", "buoy", "ferry",
           "crab", "lamp", "rope", "tide", "net", "shell"],
    "aspectRatio": [1.5, 0.75, 1, 1.6, 0.8, 1.5, 1.25, 0.75, 1, 1.5, 0.8, 1.6]}

GRID = {
    "bounds": {"width": 390},
    "options": {"columns": 4, "headerHeight": 30, "footerHeight": 20, "background": "section",
                "sectionInset": {"top": 5, "bottom": 5}, "sectionSpacing": 10},
    "sections": [{"items": 10}, {"items": 0}, {"items": 6}]}

LIST = {
    "bounds": {"width": 390, "height": 240},
    "options": {"headerHeight": 24, "pinHeaders": True, "rowSpacing": 4, "sectionSpacing": 10,
                "sectionInset": {"top": 4, "left": 8, "bottom": 4, "right": 8}},
    "sections": [
        {"id": "today", "items": [
            {"id": "ferry is late"}, {"id": "picture of a crab", "aspectRatio": 4},
            {"id": "tide table", "height": 64}]},
        {"id": "yesterday", "items": [
            {"id": "lost: a rope"}, {"id": "two gulls"}, {"id": "new lamp", "height": 64}]}]}

WATERFALL = {
    "bounds": {"width": 396, "height": 300},
    "options": {"columns": 3, "placement": "shortestColumn", "headerHeight": 40},
    "sections": [{"items": PHOTOGRAPHS}]}

GALLERY = {
    "bounds": {"width": 390},
    "options": {"minimumItemWidth": 60, "maximumItemWidth": 120, "itemHeight": 70,
                "horizontalInset": 8, "verticalInset": 8, "seed": 7},
    "sections": [{"items": 8, "options": {"headerHeight": 30}},
                 {"items": [{}, {"width": 110}, {}, {}, {}], "options": {"seed": 2}}]}

FLOW = {
    "bounds": {"width": 390},
    "options": {"alignment": "start", "itemSize": {"width": 60, "height": 32},
                "columnSpacing": 8, "rowSpacing": 8},
    "sections": [{"items": {
        "id": ["sea", "harbour", "lighthouse", "gull", "ferry boat", "tide", "fishing net",
               "rope", "sand dunes", "buoy", "shell", "crab", "low water", "pier"],
        "width": [44, 76, 92, 52, 88, None, 92, None, 96, None, None, None, 88, 52]}}]}

JUSTIFIED = {
    "bounds": {"width": 396},
    "options": {"targetRowHeight": 80, "columnSpacing": 6, "rowSpacing": 6},
    "sections": [{"items": PHOTOGRAPHS}]}

GROUP = {
    "bounds": {"width": 390},
    "options": {
        "rowSpacing": 6,
        "group": {
            "direction": "horizontal", "spacing": 6,
            "width": {"fractionalWidth": 1}, "height": {"fractionalWidth": 0.4},
            "subitems": [
                {"width": {"flexible": 2}, "height": {"fractionalHeight": 1}},
                {"direction": "vertical", "count": 2, "spacing": 6,
                 "width": {"flexible": 1}, "height": {"fractionalHeight": 1},
                 "subitems": [{"width": {"fractionalWidth": 1}, "height": {"flexible": 1},
                               "count": 2}]}]}},
    "sections": [{"items": 8}]}

FRAMES = {
    "bounds": {"width": 390},
    "sections": [{"items": {
        "id": ["tides", "low water", "repairs", "crew", "ferry", "inspection", "lunch", "regatta"],
        "x": [50, 50, 137, 224, 50, 224, 137, 311],
        "y": [0, 60, 30, 90, 150, 180, 165, 45],
        "width": [81, 81, 81, 81, 81, 81, 81, 79],
        "height": [45, 75, 105, 60, 105, 60, 45, 180]}}]}

COMPOSITIONAL = {
    "bounds": {"width": 390},
    "options": {"headerHeight": 24, "sectionSpacing": 14,
                "sectionInset": {"top": 6, "left": 8, "right": 8}},
    "sections": [
        {"id": "new", "kind": "list", "orthogonal": {"height": 90},
         "options": {"itemHeight": 150, "rowSpacing": 8}, "items": 4},
        {"id": "places", "kind": "grid",
         "options": {"minimumColumnWidth": 80, "itemAspectRatio": 1.6},
         "items": {"id": ["harbour", "pier", "dunes", "lighthouse", "beach", "market", "ferry",
                          "mill"]}},
        {"id": "photographs", "kind": "justified",
         "options": {"targetRowHeight": 90, "columnSpacing": 5, "rowSpacing": 5},
         "items": {"aspectRatio": [1.5, 0.75, 1, 1.6, 0.8, 1.5]}}]}

# The head of an arrow.
MARKER = (
    '<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" '
    'orient="auto"><path class="red" d="M0 0L8 4L0 8z"/></marker>')

HARBOUR = {"id": "harbour", "width": 110, "height": 44, "children": [
    {"id": "pilots", "children": [{"id": "boat 1"}, {"id": "boat 2"}]},
    {"id": "tower", "height": 90},
    {"id": "ferries", "children": [
        {"id": "north line", "children": [{"id": "Gull"}, {"id": "Tern"}]},
        {"id": "south line"}]}]}


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


def write(file: str, size: dict, parts: list[str], margin: int = 4) -> None:
    width, height = size["width"] + 2 * margin, size["height"] + 2 * margin
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" '
        f'height="{number(height)}" viewBox="{-margin} {-margin} {number(width)} '
        f'{number(height)}"><style>{"".join(STYLE.split(chr(10)))}</style>\n'
        + "\n".join(parts) + "\n</svg>\n")
    (HERE / file).write_text(svg)
    print(file, len(svg.encode()), "bytes")


def content(size: dict) -> str:
    return box([0, 0, size["width"], size["height"]], "content", 0)


def draw_picture(file: str, kind: str, body: dict, width: float | None = None) -> None:
    """The server's own picture of the whole content, or of more than its width."""
    layout = prepare(kind, body)
    size = layout["contentSize"]
    margin = 4
    rect = f"{-margin},{-margin},{(width or size['width']) + 2 * margin},{size['height'] + 2 * margin}"
    with urllib.request.urlopen(f"{SERVER}/layouts/{layout['id']}/picture?rect={rect}") as answer:
        svg = answer.read()
    (HERE / file).write_bytes(svg)
    print(file, len(svg), "bytes")


def draw_pinned() -> None:
    """The list, scrolled: where its header lies, and where a client keeps it."""
    layout = prepare("list", LIST)
    size = layout["contentSize"]
    rect = (0, 60, size["width"], 150)
    parts = [content(size)]
    for element in everything(layout):
        if element["category"] == "cell":
            parts.append(drawn(element, "rest"))
            continue
        x, top, width, height = element["frame"]
        low, high = element["pinRange"]
        y = min(max(rect[1], low), high)
        if y != top:
            parts.append(box(element["frame"], "from"))
            side = x + width + 12
            parts.append(f'<path class="arrow" marker-end="url(#a)" d="M{number(side)} '
                         f'{number(top + height / 2)}V{number(y + height / 2)}"/>')
            parts.append(text(side + 8, top + height / 2, "frame", "label"))
            parts.append(text(side + 8, y + height / 2, "y, kept in sight", "label"))
        parts.append(drawn(element | {"frame": [x, y, width, height]}))
    parts.append(box([-4, rect[1], size["width"] + 8, rect[3]], "rect"))
    parts.append(text(size["width"] + 20, rect[1] + rect[3] - 12, "what is visible", "label red"))
    write("pinned.svg", {"width": size["width"] + 130, "height": size["height"]},
          [MARKER] + parts, margin=6)


def draw_directions() -> None:
    """A grid in each direction."""
    side, pitch = 140, 170
    parts = []
    for panel, (scrolling, reading) in enumerate(itertools.product(
            ("vertical", "horizontal"), ("leftToRight", "rightToLeft"))):
        layout = prepare("grid", {
            "bounds": {"width": side, "height": side},
            "options": {"columns": 3, "headerHeight": 22, "scrollDirection": scrolling,
                        "layoutDirection": reading},
            "sections": [{"items": 5}]})
        parts.append(f'<g transform="translate({panel * pitch} 0)">')
        for element in query(layout, (0, 0, side, side)):
            is_cell = element["category"] == "cell"
            parts.append(drawn(element) if is_cell else box(element["frame"], "supplementary"))
        parts.append("</g>")
        parts.append(text(panel * pitch, side + 16, f"{scrolling}, {reading}", "label"))
    write("directions.svg", {"width": 4 * pitch - 20, "height": side + 26}, parts)


def draw_scrolling() -> None:
    """The photographs: what a rect shows, and what scrolling on brings."""
    layout = prepare("waterfall", WATERFALL)
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
    layout = prepare("waterfall", WATERFALL)
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
    bottom = max(
        e["to"]["frame"][1] + e["to"]["frame"][3]
        for e in transitions["moving"] + transitions["appearing"])
    write("transitions.svg", {"width": 396, "height": bottom}, [MARKER] + parts)


# The cards that scroll sideways reach beyond the content, which is 390 points wide.
SIDEWAYS_WIDTH = 640


def main() -> None:
    draw_picture("grid.svg", "grid", GRID)
    draw_picture("list.svg", "list", LIST)
    draw_picture("waterfall.svg", "waterfall", WATERFALL)
    draw_picture("gallery.svg", "gallery", GALLERY)
    draw_picture("flow.svg", "flow", FLOW)
    draw_picture("justified.svg", "justified", JUSTIFIED)
    draw_picture("group.svg", "group", GROUP)
    draw_picture("frames.svg", "frames", FRAMES)
    draw_picture("compositional.svg", "compositional", COMPOSITIONAL, width=SIDEWAYS_WIDTH)
    draw_picture("tree.svg", "tree", {"root": CLASSES, "options": {"spacing": "rows"}})
    draw_picture("tree-compact.svg", "tree", {"root": CLASSES, "options": {"spacing": "compact"}})
    draw_picture("tree-down.svg", "tree", {"root": HARBOUR, "options": {
        "spacing": "compact", "direction": "down", "itemSize": {"width": 84, "height": 44},
        "insets": {"top": 14, "left": 7, "bottom": 14, "right": 7}}})
    draw_picture("outline.svg", "outline", FOLDERS)
    draw_directions()
    draw_pinned()
    draw_scrolling()
    draw_transitions()


with subprocess.Popen([PROGRAM, "--port", "0"], stderr=subprocess.PIPE, text=True) as server:
    try:
        port = next(filter(None, (re.search(r"127\.0\.0\.1:(\d+)", line) for line in server.stderr)))[1]
        SERVER = f"http://127.0.0.1:{port}"
        main()
    finally:
        server.terminate()
