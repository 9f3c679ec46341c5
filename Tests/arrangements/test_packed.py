"""Sections that share rows: each alone gives its box, and a plain flex-wrap of the boxes all frames.

SEED  a seed alone
"""

import math
import os
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from program import Program

SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(
    200 if "TEST_ALL" in os.environ else 12)
EVERYTHING = "-1000000,-1000000,3000000,3000000"
KINDS = ["flow", "justified", "grid", "list", "waterfall"]


class Model:
    """A layout as a client would describe it, and where its elements stand by the contract."""

    def __init__(self, server: Program, chance: random.Random) -> None:
        self.server, self.chance = server, chance
        self.width, self.length = chance.choice([320, 500.5, 1000]), chance.choice([200, 700])
        self.is_horizontal, self.is_flipped = chance.random() < 0.25, chance.random() < 0.3
        self.kind = chance.choice(["flow", "justified", "grid", "compositional", "compositional"])
        spacing, inset = chance.choice([0, 4, 13.3]), lambda: chance.choice([0, 0, 5, 8.25])
        self.options = {
            "headerHeight": chance.choice([0, 20]), "footerHeight": chance.choice([0, 11]),
            "pinHeaders": chance.random() < 0.5, "background": chance.choice(["none", "section", "body"]),
            "sectionInset": {side: inset() for side in ("top", "left", "bottom", "right")},
            "backgroundInset": {"left": inset(), "right": inset(), "top": 1, "bottom": 0},
        }
        self.stack = {
            "sectionSpacing": spacing, "sectionPlacement": "packed",
            "scrollDirection": "horizontal" if self.is_horizontal else "vertical",
            "layoutDirection": "rightToLeft" if self.is_flipped else "leftToRight",
            "emptySections": chance.choice(["keep", "hide"]),
            "minimumSectionWidth": chance.choice([0, 0, 60, 5000]),
        }
        if chance.random() < 0.6:
            self.stack["sectionColumnSpacing"] = chance.choice([0, 3, 20.7])
        self.sections = [self.section() for _ in range(chance.randint(1, 14))]

    def options_of(self, kind: str) -> dict:
        chance, gap = self.chance, self.chance.choice([0, 6])
        return {
            "flow": {"itemSize": {"width": 41.3, "height": 30}, "columnSpacing": gap, "rowSpacing": 3,
                     "alignment": chance.choice(["start", "start", "start", "center", "justified"])},
            "justified": {"targetRowHeight": 80, "columnSpacing": gap,
                          "lastRow": chance.choice(["left", "left", "center", "justify"])},
            "grid": {"columns": chance.choice([3, 7]), "rowHeight": 40, "columnSpacing": gap,
                     "background": chance.choice(["none", "row", "section"])},
            "list": {"itemHeight": 20}, "waterfall": {"columns": 3, "itemHeight": 25},
        }[kind]

    def item(self, kind: str) -> dict:
        chance = self.chance
        if kind == "grid":
            return {"columnSpan": 2} if chance.random() < 0.05 else {}
        if kind == "justified":
            return {"aspectRatio": chance.choice([0.4, 0.75, 1, 1.5, 2.2])}
        return {"width": chance.uniform(10, 90), "height": chance.randint(5, 50)} if chance.random() < 0.5 else {}

    def section(self) -> dict:
        chance = self.chance
        kind = self.kind if self.kind != "compositional" else chance.choice(KINDS)
        section = {"items": [self.item(kind) for _ in range(chance.choice([0, 1, 1, 2, 2, 3, 5, 9, 25]))],
                   "options": self.options_of(kind)}
        if self.kind == "compositional":
            section["kind"] = kind
            if chance.random() < 0.1:
                section["orthogonal"] = {"height": 60}
        return section

    def body(self, sections: list, **stack) -> dict:
        bounds = {"width": self.width, "height": self.length}
        if self.is_horizontal:
            bounds = {"width": self.length, "height": self.width}
        return {"bounds": bounds, "options": {**self.options, **stack}, "sections": sections}

    def kind_of(self, section: dict) -> str:
        return section.get("kind", self.kind)

    def across(self, frame: list) -> list:
        """A frame as [across, along, width, height] where the layout scrolls."""
        x, y, width, height = frame
        return [y, x, height, width] if self.is_horizontal else frame

    def end_of_short_row(self, section: dict, cells: list):
        """Where the last cell of a short section ends; nothing for another section."""
        items, kind = section["items"], self.kind_of(section)
        options = {**self.options, **section["options"]}
        if not cells or "orthogonal" in section:
            return None
        in_one_row = all(a[0] < b[0] for a, b in zip(cells, cells[1:]))
        inset = options["sectionInset"]
        left, right = ("top", "bottom") if self.is_horizontal else ("left", "right")
        room = self.width - (inset[left] + inset[right])
        if kind == "flow":
            is_short = options["alignment"] == "start" and in_one_row
        elif kind == "grid":
            is_short = len(items) < options["columns"] and not any("columnSpan" in item for item in items)
        elif kind == "justified" and options["lastRow"] == "left" and in_one_row:
            ratios = [1 / item["aspectRatio"] if self.is_horizontal else item["aspectRatio"] for item in items]
            full = (room - (len(items) - 1) * options["columnSpacing"]) / sum(ratios)
            is_short = cells[0][2] / ratios[0] < full * (1 - 1e-9)
        else:
            is_short = False
        return inset[left] + (cells[-1][0] - inset[left] + cells[-1][2]) if is_short else None

    def frames(self) -> dict:
        """By category, kind and index path, the frame of each element."""
        spacing = self.stack["sectionSpacing"]
        gap = self.stack.get("sectionColumnSpacing", spacing)
        spacing = round(spacing * 1024) / 1024
        frames, self.boxes = {}, []
        x, top, bottom, end_of_last, is_begun = 0, 0, 0, 0, False
        for index, section in enumerate(self.sections):
            alone = self.body([section], scrollDirection=self.stack["scrollDirection"])
            layout = self.server.ask("POST", f"/layouts/{self.kind}/prepare", alone)
            elements = self.server.ask("GET", f"/layouts/{layout['id']}/elements?rect={EVERYTHING}")["elements"]
            height = self.across([0, 0, *layout["contentSize"].values()])[3]
            self.server.ask("DELETE", f"/layouts/{layout['id']}")
            if not section["items"] and self.stack["emptySections"] == "hide":
                self.boxes.append((index, [0, end_of_last, self.width, 0]))
                continue
            cells = [self.across(e["frame"]) for e in elements if e["category"] == "cell"]
            options = {**self.options, **section["options"]}
            inset = options["sectionInset"]
            right = inset["bottom" if self.is_horizontal else "right"]
            end = self.end_of_short_row(section, cells)
            width = self.width if end is None else min(
                self.width, max(self.stack["minimumSectionWidth"], end + right))
            if is_begun and x + gap + width <= self.width * (1 + 1e-9):
                left = x + gap
            else:
                left, top, is_begun = 0, bottom + spacing if is_begun else 0, True
            x, bottom, end_of_last = left + width, max(bottom, top + height), top + height
            self.boxes.append((index, [left, top, width, height]))
            for element in elements:
                frame = list(self.across(element["frame"]))
                is_cell = element["category"] == "cell"
                if element["category"] == "decoration" and options["background"] == "row":
                    before = inset["top" if self.is_horizontal else "left"]
                    frame[2] = width - (before + right) if end is not None else frame[2]
                elif element["category"] == "decoration":
                    low, high = ("top", "bottom") if self.is_horizontal else ("left", "right")
                    behind = options["backgroundInset"]
                    frame[0] = min(behind.get(low, 0), width)
                    frame[2] = max(0, width - (behind.get(low, 0) + behind.get(high, 0)))
                elif not is_cell:
                    frame[2] = width
                place = (element["category"], element.get("kind"), index, element["indexPath"][1])
                frames[place] = self.turned([frame[0] + left, frame[1] + top, *frame[2:]])
        return frames

    def turned(self, frame: list) -> list:
        x, y, width, height = frame
        if self.is_horizontal:
            x, y, width, height = y, x, height, width
        if self.is_flipped:
            x = (self.length if self.is_horizontal else self.width) - (x + width)
        return [x, y, width, height]

    def step(self) -> dict:
        """A random update, done to the model too."""
        chance, sections = self.chance, self.sections
        at = chance.randrange(len(sections))
        section, count = sections[at], len(sections[at]["items"])
        kind, roll = self.kind_of(section), chance.random()
        if roll < 0.35 or count == 0:
            item, i = self.item(kind), chance.randint(0, count)
            section["items"].insert(i, item)
            return {"insert": {"at": [at, i], "items": [item]}}
        i = chance.randrange(count)
        if roll < 0.7:
            del section["items"][i]
            return {"delete": {"at": [at, i]}}
        if roll < 0.85:
            section["items"][i] = self.item(kind)
            return {"replace": {"at": [at, i], "items": [section["items"][i]]}}
        to = chance.randrange(len(sections))
        sections.insert(to, sections.pop(at))
        return {"moveSection": {"from": at, "to": to}}


def named(elements: list) -> dict:
    return {(e["category"], e.get("kind"), *e["indexPath"]): e["frame"] for e in elements}


class PackedTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Program()
        cls.addClassCleanup(cls.server.stop)

    def elements(self, layout: str, rect: str = EVERYTHING) -> list:
        return self.server.ask("GET", f"/layouts/{layout}/elements?rect={rect}")["elements"]

    def assert_alike(self, found: dict, expected: dict) -> None:
        self.assertEqual(sorted(map(str, found)), sorted(map(str, expected)))
        for name, frame in expected.items():
            for a, b in zip(found[name], frame):
                self.assertTrue(math.isclose(a, b, abs_tol=0.0041), f"{name}: {found[name]}, not {frame}")

    def check(self, layout: str, model: Model) -> None:
        elements = self.elements(layout)
        self.assert_alike(named(elements), model.frames())
        sections = self.server.ask("GET", f"/layouts/{layout}/sections?limit=100")["sections"]
        for index, box in model.boxes:
            self.assert_alike({index: sections[index]["frame"]}, {index: model.turned(box)})
        chance = model.chance
        for _ in range(6):
            x, y, width, height = (chance.uniform(-50, 400), chance.uniform(-50, 900), chance.uniform(1, 300),
                                   chance.uniform(1, 300))

            def meets(frame: list) -> bool:
                return (frame[0] < x + width and x < frame[0] + frame[2] and frame[1] < y + height
                        and y < frame[1] + frame[3])

            def swept(element: dict) -> list:
                frame, pins = list(element["frame"]), element.get("pinRange")
                if pins:
                    i = 0 if model.is_horizontal else 1
                    frame[i], frame[i + 2] = pins[0], pins[1] - pins[0] + frame[i + 2]
                return frame

            shown = named(self.elements(layout, f"{x},{y},{width},{height}"))
            self.assertEqual(shown, named([e for e in elements if meets(swept(e))]))

    def test_packed_sections(self) -> None:
        for seed in SEEDS:
            with self.subTest(seed=seed):
                model = Model(self.server, random.Random(seed))
                layout = self.server.prepare(model.kind, model.body(model.sections, **model.stack))
                self.check(layout, model)
                for _ in range(5):
                    before = named(self.elements(layout))
                    answer = self.server.ask("POST", f"/layouts/{layout}/updates", {
                        "updates": [model.step() for _ in range(model.chance.randint(1, 3))]})
                    self.check(layout, model)
                    export = self.server.ask("GET", f"/layouts/{layout}/collection")
                    export.pop("kind", None)
                    fresh = self.server.prepare(model.kind, export)
                    after = named(self.elements(layout))
                    self.assertEqual(after, named(self.elements(fresh)))
                    self.assert_area(answer["invalidatedRect"], before, after)
                wider = model.width * 1.37
                model.width = wider
                bounds = model.body([])["bounds"]
                self.server.ask("PATCH", f"/layouts/{layout}", {"bounds": bounds})
                self.check(layout, model)

    def assert_area(self, area, before: dict, after: dict) -> None:
        """What stands elsewhere lies in what is invalidated."""
        for name in before.keys() | after.keys():
            if before.get(name) != after.get(name):
                for frame in filter(None, (before.get(name), after.get(name))):
                    self.assertIsNotNone(area, name)
                    for i in (0, 1):
                        self.assertGreaterEqual(frame[i] + 0.0041, area[i], name)
                        self.assertLessEqual(frame[i] + frame[i + 2], area[i] + area[i + 2] + 0.0041, name)


if __name__ == "__main__":
    unittest.main()
