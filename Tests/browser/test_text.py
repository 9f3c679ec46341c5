"""The lines of fresh paragraphs in all scripts: those of the server beside Chromium's own.

TEXT_PARAGRAPHS  how many (150)
TEXT_SEED        of the paragraphs (1)
TEXT_TABLE       whether to print the table of Documentation/text.md
BROWSER          firefox: reports how many lines are those of Firefox ESR, whose differences are no faults
"""

import collections
import json
import os
import random
import re
import unittest

import harness

RECORDED = harness.ROOT / "Tests/TextMeasureTests/Fixtures/paragraphs.json"
COUNT = int(os.environ.get("TEXT_PARAGRAPHS", 150))
SEED = int(os.environ.get("TEXT_SEED", 1))
# The share that must agree.
SAME_COUNTS, SAME_STARTS = 0.9995, 0.999

# Where each line begins: the first character that lies in it.
LINES = """async ({paragraphs, fonts}) => {
  const refused = new Set();
  for (const [name, {url, weights}] of Object.entries(fonts)) {
    const face = new FontFace(name, `url(${url})`, weights ? {weight: weights.join(" ")} : {});
    try { document.fonts.add(await face.load()); } catch { refused.add(name); }
  }
  const range = document.createRange();
  return paragraphs.map(({text, style, width}) => {
    if ([style.font].flat().some((name) => refused.has(name))) return null;
    const element = document.createElement("p");
    element.lang = style.language ?? "en";
    element.style.cssText = `position: absolute; left: 0; top: 0; margin: 0; overflow-wrap: break-word;
      unicode-bidi: plaintext; text-spacing-trim: space-all; font-optical-sizing: none;
      text-rendering: geometricPrecision`;
    const space = {preLine: "pre-line", preWrap: "pre-wrap"}[style.whiteSpace] ?? "normal";
    const names = [style.font].flat().map((name) => `"${name}"`).join(", ");
    element.style.font = `normal ${style.weight ?? 400} ${style.size}px/${style.lineHeight}px ${names}`;
    element.style.letterSpacing = `${style.letterSpacing ?? 0}px`;
    element.style.whiteSpace = space;
    element.style.wordBreak = {breakAll: "break-all", keepAll: "keep-all"}[style.wordBreak] ?? "normal";
    element.style.width = `${width}px`;
    element.textContent = text;
    document.body.append(element);
    const top = element.getBoundingClientRect().top;
    const starts = [], blanks = [];
    for (let index = 0; index < text.length; index += 1) {
      range.setStart(element.firstChild, index);
      range.setEnd(element.firstChild, index + 1);
      const [rect] = range.getClientRects();
      if (!rect) continue;
      const line = Math.floor((rect.top + rect.height / 2 - top) / style.lineHeight);
      // A blank that collapsed lies somewhere, with no width. A newline alone makes a line.
      const isNothing = rect.width === 0 && " \\t\\r\\n".includes(text[index]);
      if (isNothing && text[index] === "\\n") blanks[line] ??= index;
      if (!isNothing) starts[line] ??= index;
    }
    for (const line of blanks.keys()) starts[line] ??= blanks[line];
    if (starts.length) starts[0] = 0;
    const lines = Math.round(element.getBoundingClientRect().height / style.lineHeight);
    element.remove();
    return {lines, starts};
  });
}"""


def fresh(recorded, variable: list, count: int, seed: int):
    """Paragraphs of pieces of the recorded ones, in other orders, sizes and widths."""
    chance = random.Random(seed)
    groups = collections.defaultdict(list)
    for paragraph in recorded:
        groups[paragraph["group"]].append(paragraph)
    pieces = {
        group: [piece for one in paragraphs for piece in re.findall(r"\S+\s*|\s+", one["text"])]
        for group, paragraphs in groups.items()}
    made = []
    for number in range(count):
        group = sorted(groups)[number % len(groups)]
        style = dict(chance.choice(groups[group])["style"])
        if chance.random() < 0.3:
            style["wordBreak"] = chance.choice(["breakAll", "keepAll"])
        if variable and chance.random() < 0.15:
            font = chance.choice(variable)
            low, high = font["weights"]
            style |= {"font": font["name"], "weight": chance.choice([chance.randint(1, 1000), low, high])}
        style["size"] = chance.choice([10, 12, 14, 15, 16, 18, 20, 24, 13.333, 17.3])
        text = "".join(chance.choice(pieces[group]) for _ in range(chance.randint(1, 30)))[:400]
        # Half of a pair of surrogates is no text of JSON.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
        width = chance.choice([chance.randint(80, 700), round(chance.uniform(80, 700), 2)])
        made.append({"group": "weights" if "weight" in style else style.get("wordBreak", group), "text": text, "style": style, "width": width})
    return made


class TextTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = harness.server()

    def test_fresh_paragraphs_break_where_chromium_breaks_them(self) -> None:
        recorded = json.loads(RECORDED.read_text())
        fonts = self.server.request("GET", "/fonts")["fonts"]
        here = {font["name"]: font["url"] for font in fonts}
        weights = {font["name"]: font["weights"] for font in fonts if "weights" in font}
        same = {font["name"] for font in recorded["fonts"]
                if here.get(font["name"], "").endswith(font["sha256"])}
        usable = [paragraph for paragraph in recorded["paragraphs"]
                  if set(names(paragraph["style"])) <= same]
        if not usable:
            self.skipTest("the fonts of the recorded paragraphs are not installed")
        variable = [font for font in fonts if font["name"].endswith("roman.var")]
        paragraphs = fresh(usable, variable, COUNT, SEED)
        fonts = {name: {"url": self.server.url + here[name], "weights": weights.get(name)}
                 for paragraph in paragraphs for name in names(paragraph["style"])}
        page = open_page(self.server)
        try:
            theirs = page.evaluate(LINES, {"paragraphs": paragraphs, "fonts": fonts})
        finally:
            page.close()
        table = collections.defaultdict(lambda: [0, 0, 0, 0])
        differing = []
        if None in theirs:
            self.assertTrue(harness.IS_FIREFOX, "the browser refuses a font")
            print(f"{theirs.count(None)} paragraphs are in fonts that the browser refuses")
        for paragraph, their in zip(paragraphs, theirs):
            if their is None:
                continue
            own = self.server.request("POST", "/text/measure", {
                **paragraph["style"], "width": paragraph["width"], "texts": [paragraph["text"]],
                "lines": True})["texts"][0]
            row = table[paragraph["group"]]
            if own["estimated"]:
                row[3] += 1
                continue
            row[0] += 1
            # A text without a line is as high as none in a browser, too.
            row[1] += own["lines"][0] == their["lines"]
            if own["starts"][0] == their["starts"]:
                row[2] += 1
            else:
                differing.append((paragraph, own["starts"][0], their["starts"]))
        for paragraph, own, their in differing:
            print(f"seed {SEED}: {json.dumps(paragraph, ensure_ascii=False)}\n"
                  f"  the server  {own}\n  the browser {their}")
        whole, counts, starts, estimated = map(sum, zip(*table.values()))
        if os.environ.get("TEXT_TABLE"):
            for group, row in sorted(table.items()):
                print(f"| {group} | {' | '.join(map(str, row))} |")
            print(f"| all | {whole} | {counts} | {starts} | {estimated} |")
        self.assertGreater(whole, COUNT / 2)
        if harness.IS_FIREFOX:
            return
        self.assertGreaterEqual(counts / whole, SAME_COUNTS)
        self.assertGreaterEqual(starts / whole, SAME_STARTS)

    def test_a_text_that_is_cut_says_where(self) -> None:
        texts = ["aaa bbb ccc", "One\n\ntwo and three\nfour", "\u0645\u0631\u062d\u0628\u0627 \u0628\u0643 abc def",
                 "uncharacteristically long", "a", ""]
        style = {"font": ["dejavusans"], "size": 16, "lineHeight": 20, "whiteSpace": "preLine",
                 "width": [30, 45, 100, 1_000], "texts": texts, "lines": True}
        measure = lambda **more: self.server.request("POST", "/text/measure", {**style, **more})["texts"]
        whole = measure()
        # Of 1,000 px a single line is not cut; of 45 px one word is a line.
        self.assertEqual(measure(maxLines=1)[0]["end"][1], 4)
        self.assertNotIn("cut", whole[0])
        for limit in (1, 2, 3):
            for text, uncut, own in zip(texts, whole, measure(maxLines=limit)):
                ends = [(*starts, *[None] * (limit + 1))[limit] for starts in uncut["starts"]]
                isCut = [end is not None for end in ends]
                self.assertEqual((own.get("end"), own.get("cut")), (ends, isCut) if any(isCut) else (None, None), text)
                self.assertEqual(own["starts"], [starts[:limit] for starts in uncut["starts"]])
        card = {"parts": [{"text": "t", "font": "dejavusans", "size": 16, "lineHeight": 20, "maxLines": 1}]}
        prepared = self.server.request("POST", "/layouts/list/prepare", {
            "bounds": {"width": 45}, "options": {"card": card},
            "sections": [{"items": [{"text": {"t": "aaa bbb ccc"}}, {"text": {"t": "a"}}]}]})
        elements = self.server.request("GET", f"/layouts/{prepared['id']}/elements?rect=0,0,45,900&parts=true")["elements"]
        self.assertEqual([(one["parts"][0].get("end"), one["parts"][0].get("cut")) for one in elements], [(4, True), (None, None)])


def open_page(server):
    page = harness.browser().page(server)
    if harness.IS_FIREFOX:
        print(f"Firefox {page.firefox.version}")
    return page


def names(style) -> list[str]:
    return [style["font"]] if isinstance(style["font"], str) else style["font"]


if __name__ == "__main__":
    unittest.main()
