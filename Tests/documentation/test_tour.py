"""The tour of the source says truly what adding something touches."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

import pages

SOURCES = pages.ROOT / "Sources"
BUILD = pages.ROOT / ".build/debug.yaml"
# Options of the compiler that say how a module is read, and not what is made of it.
KEPT = {"-I", "-Xcc", "-enable-upcoming-feature", "-module-cache-path", "-package-name",
        "-swift-version", "-target"}


class Tour(unittest.TestCase):
    def setUp(self):
        self.page = (pages.ROOT / "Documentation/source-tour.md").read_text()
        table = self.section("What adding touches")
        rows = re.findall(r"^\| \[(\w+)\]\(#([\w-]+)\) \| `(\w+)` \| (.*) \|$", table, re.MULTILINE)
        self.rows = [
            (thing, anchor.capitalize().replace("-", " "), example,
             set(re.findall(r"`([\w/]+\.swift)`", cell)))
            for thing, anchor, example, cell in rows]
        self.assertEqual([row[0] for row in rows],
                         ["kind", "option", "update", "operation", "format", "problem"])

    def section(self, heading: str) -> str:
        return self.page.split(f"\n## {heading}\n")[1].split("\n## ")[0]

    def test_examples_of_the_product_are_where_the_tour_says(self):
        texts = {path.relative_to(SOURCES).as_posix(): path.read_text()
                 for path in SOURCES.rglob("*.swift")}
        for thing, _, example, told in self.rows:
            with self.subTest(thing):
                word = re.compile(rf"\b{example}\b")
                self.assertEqual({path for path, text in texts.items() if word.search(text)}, told)

    def test_new_examples_compile(self):
        changed: dict[str, str] = {}
        for thing, heading, _, told in self.rows:
            with self.subTest(thing):
                before = set(changed)
                files = self.apply(self.section(heading), changed)
                self.assertEqual(len(files), len(told), "as many files as the table has")
                # What is not new is where the table says, or is shared with an earlier example.
                self.assertLessEqual(
                    {file for file in files - before if (SOURCES / file).exists()}, told)
        with tempfile.TemporaryDirectory() as folder:
            # Each module reads those before it as they are with the examples.
            for module in ["CollectionLayout", "WireFormat", "LayoutService"]:
                self.compile(module, changed, pathlib.Path(folder))

    def apply(self, section: str, changed: dict[str, str]) -> set[str]:
        """Puts the code of a section into sources, and returns which.

        A block of Swift is a new file, which its first line names. A block `diff` has a line
        `+++ file`, and hunks with `@@` between them. What a hunk has before must be in the file
        once.
        """
        files = set()
        for language, text in re.findall(r"^```(swift|diff)\n(.*?)^```$", section, re.M | re.S):
            head, body = text.split("\n", 1)
            file = re.fullmatch(r"(?://|\+\+\+) Sources/(\S+\.swift)", head)[1]
            files.add(file)
            if language == "swift":
                self.assertFalse((SOURCES / file).exists(), file)
                changed[file] = body
                continue
            source = changed.get(file) or (SOURCES / file).read_text()
            for hunk in body.split("@@\n"):
                lines = hunk.splitlines(keepends=True)
                before = "".join(line[1:] for line in lines if line[0] != "+")
                self.assertEqual(source.count(before), 1, f"{file}: {before}")
                source = source.replace(
                    before, "".join(line[1:] for line in lines if line[0] != "-"))
            changed[file] = source
        return files

    def compile(self, module: str, changed: dict[str, str], folder: pathlib.Path) -> None:
        """Type-checks a module, and leaves it in a folder."""
        sources = [f"{path}" for path in (SOURCES / module).rglob("*.swift")
                   if path.relative_to(SOURCES).as_posix() not in changed]
        for name, text in changed.items():
            if name.startswith(f"{module}/"):
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                sources.append(f"{path}")
        compiler, options = self.options(module)
        result = subprocess.run(
            [compiler, "-frontend", "-emit-module", "-module-name", module, "-parse-as-library",
             "-I", f"{folder}", *options, *sources, "-o", f"{folder / module}.swiftmodule"],
            capture_output=True, text=True)
        self.assertEqual(
            result.returncode, 0, "\n".join(re.findall(r".*error: .*", result.stderr)[:20]))

    def options(self, module: str) -> tuple[str, list[str]]:
        """The compiler, and how the build has it read a module."""
        command = BUILD.read_text().split(f'\n  "C.{module}-')[1]
        compiler, *words = json.loads(re.search(r"^    args: (\[.*\])$", command, re.MULTILINE)[1])
        kept = []
        words = iter(words)
        for word in words:
            if word in KEPT:
                kept += [word, next(words)]
            elif word.startswith(("-D", "-I")):
                kept.append(word)
        return compiler, kept


if __name__ == "__main__":
    unittest.main()
