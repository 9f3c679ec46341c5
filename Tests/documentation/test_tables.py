"""The tables of the pages list what the server has, and nothing else."""

import http.client
import json
import re
import unittest

import memory
import pages
from program import Program


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Program()
        cls.addClassCleanup(cls.server.stop)
        # One connection: a request is counted before the next one is read.
        cls.connection = http.client.HTTPConnection("127.0.0.1", cls.server.port)
        cls.addClassCleanup(cls.connection.close)

    def ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        self.connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode()

    def get(self, path: str) -> str:
        status, text = self.ask("GET", path)
        self.assertEqual(status, 200, path)
        return text

    def page(self, name: str) -> str:
        return (pages.ROOT / "Documentation" / name).read_text()

    def test_every_kind_has_a_section(self):
        headings = re.findall(r"^## ([a-z]+)$", self.page("kinds.md"), re.MULTILINE)
        self.assertEqual(headings, json.loads(self.get("/"))["kinds"])

    def test_every_option_of_a_kind_is_listed(self):
        kinds = json.loads(self.get("/"))["kinds"]
        for kind in kinds:
            if kind == "compositional":
                continue
            with self.subTest(kind):
                known = self.known_options(kind)
                common = known & self.known_options("compositional")
                # Common options are listed once; a kind may say what differs.
                self.assertEqual(self.listed_options(kind) - common, known - common)

    def test_every_common_option_is_listed(self):
        listed = [self.listed_options(f"Options of {what}")
                  for what in ("all sections", "the whole layout")]
        self.assertEqual(set.union(*listed), self.known_options("compositional"))
        self.assertEqual(set.intersection(*listed), set())

    def listed_options(self, heading: str) -> set[str]:
        """The options in the first cells of the table of options below a heading."""
        section = self.page("kinds.md").split(f"\n## {heading}\n")[1].split("\n## ")[0]
        table = section.split("| option |")[1].split("\n\n")[0]
        cells = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        return {name.split(".")[0] for cell in cells for name in re.findall(r"`([a-z]\w+)", cell)}

    def known_options(self, kind: str) -> set[str]:
        """The options that the server names when it refuses one that there is not."""
        body = json.dumps({"bounds": {"width": 1}, "options": {"?": 1}, "sections": [], "nodes": 0})
        status, answer = self.ask("POST", f"/layouts/{kind}/prepare", body)
        self.assertEqual(status, 422)
        details = [error["detail"] for error in json.loads(answer)["errors"]
                   if error["pointer"].startswith("/options/")]
        return set(re.findall(r"\w+", details[0].split("known:")[1]))

    def test_every_type_of_problem_is_listed(self):
        source = (pages.ROOT / "Sources/LayoutService/ProblemType.swift").read_text()
        codes = set(re.findall(r'^ +"([a-z-]+)", \d{3}, "', source, re.MULTILINE))
        table = self.page("errors.md").split("## The types")[1]
        rows = re.findall(r"^\| \d{3} \| (.*?) \|", table, re.MULTILINE)
        listed = {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)}
        self.assertLessEqual(codes, listed)
        for code in sorted(listed):
            with self.subTest(code):
                json.loads(self.get(f"/problems/{code}"))

    def test_every_metric_is_listed(self):
        self.get("/healthz")
        told = set(re.findall(r"^# TYPE (layoutd_\w+)", self.get("/metrics"), re.MULTILINE))
        rows = re.findall(r"^\| `(layoutd_\w+)", self.page("operations.md"), re.MULTILINE)
        self.assertEqual(set(rows), told)

    def test_what_an_item_takes_is_what_the_program_says(self):
        self.assertEqual(memory.table(), memory.measured())

    def test_the_libraries_are_those_that_the_program_needs(self):
        makefile = (pages.ROOT / "Makefile").read_text().replace("\\\n", "")
        needed = re.search(r"^RUNTIME_PACKAGES = (.*)$", makefile, re.MULTILINE)[1].split()
        line = self.page("operations.md").split("or the packages ")[1].split(". Both are")[0]
        self.assertEqual(re.findall(r"`([^`]+)`", line), needed)
