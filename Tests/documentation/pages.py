"""The pages of the documentation: their headings, links and fenced blocks."""

import dataclasses
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from program import ROOT

PAGES = sorted(
    [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    + list((ROOT / "Documentation").glob("*.md")))

FENCE = re.compile(r"^```(\S*)\s*$")
HEADING = re.compile(r"^#+ +(.*?) *#*$")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?: \"[^\"]*\")?\)")
NOT_RUN = re.compile(r"^<!-- not run: .+ -->$")


@dataclasses.dataclass
class Block:
    """A fenced block."""

    language: str
    line: int
    text: str
    # Marked as one that a test cannot run.
    is_skipped: bool = False
    # Whether nothing but empty lines stand between it and the block before.
    follows_block: bool = False


@dataclasses.dataclass
class Page:
    path: pathlib.Path
    blocks: list[Block]
    # The lines outside of blocks, with their numbers.
    prose: list[tuple[int, str]]

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def session(self) -> list[tuple[Block, Block | None]]:
        """The blocks of commands, each with the block that shows what it prints, if there is one."""
        following = self.blocks[1:] + [None]
        return [
            (block, shown if shown and shown.follows_block and shown.language != "sh" else None)
            for block, shown in zip(self.blocks, following)
            if block.language == "sh" and not block.is_skipped]

    @property
    def anchors(self) -> set[str]:
        """The anchors that GitHub gives to the headings."""
        anchors: set[str] = set()
        for _, line in self.prose:
            if heading := HEADING.match(line):
                text = LINK.sub(lambda link: link[0].split("](")[0].lstrip("!["), heading[1])
                base = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
                anchor, number = base, 0
                while anchor in anchors:
                    number += 1
                    anchor = f"{base}-{number}"
                anchors.add(anchor)
        return anchors

    @property
    def links(self) -> list[tuple[int, str]]:
        """The targets of links and pictures, with their lines."""
        return [
            (number, link[1]) for number, line in self.prose
            for link in LINK.finditer(re.sub(r"`[^`]*`", "", line))]


def read(path: pathlib.Path) -> Page:
    blocks: list[Block] = []
    prose: list[tuple[int, str]] = []
    lines = path.read_text().splitlines()
    index = 0
    is_skipped = False
    follows_block = False
    while index < len(lines):
        line = lines[index]
        if fence := FENCE.match(line):
            start = index
            index += 1
            while lines[index] != "```":
                index += 1
            text = "".join(f"{line}\n" for line in lines[start + 1:index])
            blocks.append(Block(fence[1], start + 1, text, is_skipped, follows_block))
            is_skipped = False
            follows_block = True
        else:
            prose.append((index + 1, line))
            if NOT_RUN.match(line):
                is_skipped = True
            if line:
                follows_block = False
        index += 1
    return Page(path, blocks, prose)


def all_pages() -> list[Page]:
    return [read(path) for path in PAGES]
