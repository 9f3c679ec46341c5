#!/usr/bin/env python3
"""Writes into pages what their sessions print now, and what an item takes: record.py [page …]

Only blocks that differ are written anew. Read the difference before you commit it: a page must show
what is right, not what is printed.
"""

import json
import pathlib
import sys

import memory
import pages
from test_sessions import Normaliser, PageSession, json_lines

WIDTH = 100
# An element is easier to read in one line.
ELEMENT_WIDTH = 150


class Number(str):
    """A number as it was written."""


def parsed(text: str) -> list:
    decoder = json.JSONDecoder(parse_int=Number, parse_float=Number)
    values = []
    while text := text.strip():
        value, end = decoder.raw_decode(text)
        values.append(value)
        text = text[end:]
    return values


def in_a_line(value) -> str:
    if isinstance(value, Number):
        return value
    if isinstance(value, dict):
        members = (f"{json.dumps(name)}: {in_a_line(member)}" for name, member in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(in_a_line, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def broken(value, indent: int = 0) -> str:
    """JSON in lines: what fits into one stays in it, but for a list of elements."""
    line = in_a_line(value)
    is_element = isinstance(value, dict) and "category" in value
    has_elements = isinstance(value, dict) and value.get("elements")
    fits = len(line) + indent <= (ELEMENT_WIDTH if is_element else WIDTH)
    if fits and not has_elements or not isinstance(value, (dict, list)):
        return line
    space = "\n" + " " * (indent + 1)
    if isinstance(value, list):
        return f"[{space} " + f",{space} ".join(broken(part, indent + 2) for part in value) + "]"
    lines = [""]
    for name, member in value.items():
        text = f"{json.dumps(name)}: {broken(member, indent + 1)}"
        if lines[-1] and ("\n" in text + lines[-1] or len(lines[-1] + text) + indent > WIDTH - 2):
            lines.append(text)
        else:
            lines[-1] += (", " if lines[-1] else "") + text
    return "{" + f",{space}".join(lines) + "}"


def record(page: pages.Page) -> None:
    lines = page.path.read_text().splitlines()
    shown_ids, printed_ids = Normaliser(), Normaliser()
    edits = []
    with PageSession() as session:
        for block, shown in page.session:
            printed = session.run(block.text)
            if not shown:
                continue
            before, after = shown_ids(shown.text), printed_ids(printed)
            if shown.language == "json":
                is_same = json_lines(before) == json_lines(after)
                text = "\n".join(map(broken, parsed(printed)))
            else:
                is_same = before == after
                text = printed.replace("\r", "").strip()
            if not is_same:
                edits.append((shown, text))
    # The page keeps its ids and hashes, so that all its blocks speak of the same layouts.
    ids = dict(zip(printed_ids.ids, shown_ids.ids))
    ids |= zip(printed_ids.hashes, shown_ids.hashes)
    for shown, text in reversed(edits):
        for printed_id, shown_id in ids.items():
            text = text.replace(printed_id, shown_id)
        lines[shown.line:shown.line + len(shown.text.splitlines())] = text.splitlines()
    if edits:
        page.path.write_text("\n".join(lines) + "\n")
        print(f"{page.name}: {len(edits)} blocks")


for path in map(pathlib.Path, sys.argv[1:]) if sys.argv[1:] else pages.PAGES:
    record(pages.read(path.resolve()))
    if path.resolve() == memory.PAGE:
        memory.record()
