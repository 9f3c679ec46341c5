"""What the items of each kind take, as `memoryBytes` says, and the table of it in operations.md."""

import random
import re

import pages
from program import Program

PAGE = pages.ROOT / "Documentation/operations.md"
# A layout without items takes 2 KiB; of so many items, each takes a part of it that nobody sees.
COUNT = 50_000
ROW = re.compile(r"^\| `(\w+)` \| (.*) \| (\d+) \|$", re.MULTILINE)


def table() -> list[tuple[str, str, str]]:
    """The rows of the page's table: kind, what its items have, bytes for each."""
    return ROW.findall(PAGE.read_text().split("\n## Memory\n")[1].split("\n## ")[0])


def measured() -> list[tuple[str, str, str]]:
    """The rows that the table should have."""
    numbers = random.Random(1)

    def some(low: int, high: int, divisor: int) -> list[float]:
        return [numbers.randrange(low, high) / divisor for _ in range(COUNT)]

    ratio, width, height = some(500, 2000, 1000), some(400, 2000, 10), some(400, 2000, 10)
    place = some(0, 9_000_000, 1000)
    parent = [None] + [numbers.randrange(index) for index in range(1, COUNT)]
    shortest, compact = {"placement": "shortestColumn"}, {"spacing": "compact"}
    tallest = {"rowSizing": "tallest"}
    cases = [
        ("grid", "nothing", {"items": COUNT}, {}),
        ("grid", "heights, `rowSizing: \"tallest\"`", {"items": {"height": height}}, tallest),
        ("list", "heights", {"items": {"height": height}}, {}),
        ("waterfall", "ratios", {"items": {"aspectRatio": ratio}}, {}),
        ("waterfall", "ratios, `placement: \"shortestColumn\"`", {"items": {"aspectRatio": ratio}},
         shortest),
        ("flow", "widths and heights", {"items": {"width": width, "height": height}}, {}),
        ("gallery", "widths", {"items": {"width": width}}, {}),
        ("justified", "ratios", {"items": {"aspectRatio": ratio}}, {}),
        ("frames", "frames",
         {"items": {"x": width, "y": place, "width": width, "height": height}}, {}),
        ("tree", "parents", {"parent": parent}, {}),
        ("tree", "parents and sizes, `spacing: \"compact\"`",
         {"parent": parent, "width": width, "height": height}, compact),
    ]
    rows = []
    with Program() as server:
        for kind, items, content, options in cases:
            content = {"nodes": content} if kind == "tree" else {"sections": [content]}
            body = {"bounds": {"width": 1200, "height": 800}, "options": options} | content
            summary = server.request("POST", f"/layouts/{kind}/prepare", body)
            rows.append((kind, items, str(round(summary["memoryBytes"] / COUNT))))
    return rows


def record() -> None:
    """Writes the table anew where it differs."""
    lines = ["| kind | its items have | bytes for each |", "|---|---|---|"]
    lines += ["| `{}` | {} | {} |".format(*row) for row in measured()]
    text = PAGE.read_text()
    start = text.index(lines[0])
    end = text.index("\n\n", start)
    if text[start:end] != "\n".join(lines):
        PAGE.write_text(text[:start] + "\n".join(lines) + text[end:])
        print("Documentation/operations.md: the table of memory")
