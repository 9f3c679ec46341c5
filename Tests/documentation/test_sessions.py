"""What the pages show in a shell is what a server prints.

Each page is a session of its own: a new server, and a new shell in an empty folder. The `sh` and
`console` blocks of the page run in order.

- A block `sh` holds commands. If a block of another language follows it directly, that is what the
  commands print.
- A block `console` has a command in each line that begins with `$ `, or with spaces behind a line
  that ends in a backslash. All other lines are what the commands print.
- A comment `<!-- not run: why -->` before a block leaves it out: nobody should install Docker for
  this.

The shell finds `layoutd` in its path. Port 8080 in a block stands for the server's port, 8443 for
another that is free.

These differ from run to run, so they are made equal before texts are compared:

- a layout's id becomes `layout-1`, `layout-2`, … in the order of appearance,
- dates become `DATE`, a generated request id `REQUEST`, the bytes of `memoryBytes` 0.

Blocks of JSON are compared by value, so a page may break lines where it likes. The order of members
and the way in which numbers are written count.
"""

import json
import os
import pathlib
import re
import select
import shutil
import socket
import subprocess
import tempfile
import unittest

import pages

PROGRAM = pathlib.Path(
    os.environ.get("LAYOUTD_PROGRAM", pages.ROOT / ".build/debug/layoutd")).resolve()
# How long a block may take.
PATIENCE = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server on a free port."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [PROGRAM, "--port", "0"], stderr=subprocess.PIPE, text=True, bufsize=1)
        line = self.process.stderr.readline()
        address = re.search(r"127\.0\.0\.1:(\d+)", line)
        if not address:
            self.stop()
            raise RuntimeError(f"the server says: {line}")
        self.port = int(address[1])

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


class Shell:
    """A bash that is given commands and says what they print."""

    END = "end-of-block"

    def __init__(self, folder: str) -> None:
        program_folder = pathlib.Path(folder) / "bin"
        program_folder.mkdir()
        (program_folder / "layoutd").symlink_to(PROGRAM)
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("LAYOUTD_")}
        environment["PATH"] = f"{program_folder}:{environment['PATH']}"
        self.process = subprocess.Popen(
            ["bash"], cwd=folder, env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def run(self, commands: str) -> str:
        self.process.stdin.write(f"{commands}\nprintf '\\n{self.END}\\n'\n".encode())
        self.process.stdin.flush()
        end = f"\n{self.END}\n".encode()
        printed = b""
        while not printed.endswith(end):
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                raise TimeoutError(f"after {printed!r}")
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            if not part:
                raise EOFError(f"after {printed!r}")
            printed += part
        return printed[:-len(end)].decode()

    def stop(self) -> None:
        # The jobs that a page has started go with their shell.
        try:
            self.run("kill $(jobs -p) 2>/dev/null; wait")
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()


class Normaliser:
    """Makes equal what differs from run to run; remembers the ids that it has seen."""

    LAYOUT_ID = re.compile(r"(?<![\w-])[\w-]{22}(?![\w-])")
    REPLACEMENTS = [
        (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "DATE"),
        (re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT"), "DATE"),
        (re.compile(r"\b[0-9a-f]{16}-[0-9a-f]+\b"), "REQUEST"),
        (re.compile(r'("memoryBytes": ?)\d+'), r"\g<1>0"),
    ]

    def __init__(self) -> None:
        self.ids: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        text = self.LAYOUT_ID.sub(
            lambda match: self.ids.setdefault(match[0], f"layout-{len(self.ids) + 1}"), text)
        for pattern, replacement in self.REPLACEMENTS:
            text = pattern.sub(replacement, text)
        return text.replace("\r", "").strip()


def json_values(text: str) -> list:
    """The JSON texts that stand one behind the other, one in each line."""
    decoder = json.JSONDecoder(
        parse_int=lambda text: ("number", text), parse_float=lambda text: ("number", text),
        object_pairs_hook=lambda pairs: pairs)
    values = []
    while text := text.strip():
        value, end = decoder.raw_decode(text)
        values.append(json.dumps(value, indent=1, ensure_ascii=False))
        text = text[end:]
    return values


def console_steps(text: str) -> list[tuple[str, str]]:
    """The commands of a `console` block, each with what it prints."""
    steps: list[tuple[str, str]] = []
    is_continued = False
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], ""))
        elif is_continued:
            steps[-1] = (f"{steps[-1][0]}\n{line}", "")
        else:
            steps[-1] = (steps[-1][0], f"{steps[-1][1]}{line}\n")
            continue
        is_continued = line.endswith("\\")
    return steps


class Sessions(unittest.TestCase):
    maxDiff = None

    def check(self, page: pages.Page) -> None:
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        server = Server()
        self.addCleanup(server.stop)
        shell = Shell(folder)
        self.addCleanup(shell.stop)
        other_port = free_port()
        printed_ids, shown_ids = Normaliser(), Normaliser()

        def run(commands: str) -> str:
            return printed_ids(shell.run(
                commands.replace("8080", f"{server.port}").replace("8443", f"{other_port}")
            ).replace(f":{server.port}", ":8080").replace(f":{other_port}", ":8443"))

        blocks = page.blocks
        for index, block in enumerate(blocks):
            if block.is_skipped or block.language not in ("sh", "console"):
                continue
            with self.subTest(f"{page.name}:{block.line}"):
                if block.language == "console":
                    for command, shown in console_steps(block.text):
                        self.assertEqual(shown_ids(shown), run(command), command)
                    continue
                printed = run(block.text)
                following = blocks[index + 1] if index + 1 < len(blocks) else None
                if not following or not following.follows_block or following.language == "sh":
                    self.assertEqual("", printed, "the page does not show this")
                elif following.language == "json":
                    self.assertEqual(json_values(shown_ids(following.text)), json_values(printed))
                else:
                    self.assertEqual(shown_ids(following.text), printed)


def add_tests() -> None:
    """Adds a test for each page that has a session."""
    for page in pages.all_pages():
        if not any(b.language in ("sh", "console") and not b.is_skipped for b in page.blocks):
            continue
        name = re.sub(r"\W", "_", page.path.stem.lower())
        setattr(Sessions, f"test_{name}", lambda self, page=page: self.check(page))


add_tests()
