"""What the pages show in a shell is what a server prints.

Each page is a session of its own: a new server, and a new shell in an empty folder. The `sh` blocks
of the page run in order. If a block of another language follows one directly, that is what it
prints; otherwise it prints nothing.

Commands that a test cannot run, since they need Docker or take a quarter of an hour, stand in
`console` blocks behind a comment `<!-- not run: why -->`.

The shell finds `layoutd` in its path. Port 8080 in a block stands for the server's port, 8443 for
another that is free.

These differ from run to run, so they are made equal before texts are compared:

- a layout's id becomes `layout-1`, `layout-2`, … in the order of appearance,
- the hash in the tag of a version becomes `hash-1`, … like an id,
- dates become `DATE`, a generated request id `REQUEST`.

Blocks of JSON are compared without the space between tokens, so a page may break lines where it
likes.
"""

import os
import pathlib
import re
import select
import socket
import subprocess
import tempfile
import unittest

import pages
from program import PROGRAM, Program, plain_environment

# How long a block may take.
PATIENCE = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Shell:
    """A bash that is given commands and says what they print."""

    END = "end-of-block"

    def __init__(self, folder: str) -> None:
        program_folder = pathlib.Path(folder) / "bin"
        program_folder.mkdir()
        (program_folder / "layoutd").symlink_to(PROGRAM)
        environment = plain_environment()
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
    """Makes equal what differs from run to run; remembers the ids and hashes that it has seen."""

    LAYOUT_ID = re.compile(r"(?<![\w-])[\w-]{22}(?![\w-])")
    HASH = re.compile(r"(?<![\w-])([1-9]\d*-)([0-9a-f]{6})(?![0-9a-f])")
    REPLACEMENTS = [
        (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "DATE"),
        (re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT"), "DATE"),
        (re.compile(r"\b[0-9a-f]{16}-[0-9a-f]+\b"), "REQUEST"),
        (re.compile(r"\bretry: \d{4}\b"), "retry: 0"),
    ]

    def __init__(self) -> None:
        self.ids: dict[str, str] = {}
        self.hashes: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        text = self.LAYOUT_ID.sub(
            lambda match: self.ids.setdefault(match[0], f"layout-{len(self.ids) + 1}"), text)
        text = self.HASH.sub(
            lambda match: match[1]
            + self.hashes.setdefault(match[2], f"hash-{len(self.hashes) + 1}"), text)
        for pattern, replacement in self.REPLACEMENTS:
            text = pattern.sub(replacement, text)
        return text.replace("\r", "").strip()


def json_lines(text: str) -> list[str]:
    """JSON without the space between its tokens, and each object on a line of its own."""
    tokens = re.findall(r'"(?:\\.|[^"\\])*"|[^\s"]+', text)
    return "".join(tokens).replace("{", "\n{").split("\n")


class PageSession:
    """A server and a shell for one page."""

    def __enter__(self) -> "PageSession":
        self.folder = tempfile.TemporaryDirectory()
        self.server = Program()
        self.shell = Shell(self.folder.name)
        self.ports = {"8080": self.server.port, "8443": free_port()}
        return self

    def __exit__(self, *_) -> None:
        self.shell.stop()
        self.server.stop()
        self.folder.cleanup()

    def run(self, commands: str) -> str:
        """What commands of the page print, with the page's ports."""
        for shown, port in self.ports.items():
            commands = commands.replace(shown, f"{port}")
        printed = self.shell.run(commands)
        for shown, port in self.ports.items():
            printed = printed.replace(f":{port}", f":{shown}")
        return printed


class Sessions(unittest.TestCase):
    maxDiff = None

    def check(self, page: pages.Page) -> None:
        shown_ids, printed_ids = Normaliser(), Normaliser()
        with PageSession() as session:
            for block, shown in page.session:
                with self.subTest(f"{page.name}:{block.line}"):
                    printed = printed_ids(session.run(block.text))
                    if not shown:
                        self.assertEqual("", printed, "the page does not show this")
                    elif shown.language == "json":
                        self.assertEqual(json_lines(shown_ids(shown.text)), json_lines(printed))
                    else:
                        self.assertEqual(shown_ids(shown.text), printed)


def add_tests() -> None:
    """Adds a test for each page that has a session."""
    for page in pages.all_pages():
        if not page.session:
            continue
        name = re.sub(r"\W", "_", page.path.stem.lower())
        setattr(Sessions, f"test_{name}", lambda self, page=page: self.check(page))


add_tests()
