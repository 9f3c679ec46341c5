"""The tour of the source says truly what adding something touches."""

import re
import unittest

import pages

SOURCES = pages.ROOT / "Sources"


class Tour(unittest.TestCase):
    def test_examples_are_where_the_tour_says(self):
        page = (pages.ROOT / "Documentation/source-tour.md").read_text()
        table = page.split("\n## What adding touches\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| \[(\w+)\]\((#[\w-]+)\) \| `(\w+)` \| (.*) \|$", table, re.MULTILINE)
        self.assertEqual([row[0] for row in rows],
                         ["kind", "option", "update", "operation", "format", "problem"])
        texts = {path.relative_to(SOURCES).as_posix(): path.read_text()
                 for path in SOURCES.rglob("*.swift")}
        for thing, _, example, cell in rows:
            with self.subTest(thing):
                told = set(re.findall(r"`([\w/]+\.swift)`", cell))
                word = re.compile(rf"\b{example}\b")
                self.assertEqual({path for path, text in texts.items() if word.search(text)}, told)


if __name__ == "__main__":
    unittest.main()
