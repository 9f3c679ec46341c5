"""The tables of the pages list what the server has, and nothing else."""

import json
import re
import unittest
import urllib.error
import urllib.request

import pages
from test_sessions import Server


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}{path}") as answer:
            return answer.read().decode()

    def page(self, name: str) -> str:
        return (pages.ROOT / "Documentation" / name).read_text()

    def test_every_kind_has_a_section(self):
        headings = re.findall(r"^## ([a-z]+)$", self.page("kinds.md"), re.MULTILINE)
        self.assertEqual(headings, json.loads(self.get("/"))["kinds"])

    def test_every_option_of_a_kind_is_listed(self):
        sections = re.split(r"^## ", self.page("kinds.md"), flags=re.MULTILINE)
        for section in sections:
            kind = section.split("\n")[0]
            if kind not in json.loads(self.get("/"))["kinds"]:
                continue
            with self.subTest(kind):
                self.assertEqual(self.listed_options(section), self.known_options(kind))

    def listed_options(self, section: str) -> set[str]:
        """The options in the first cells of the table of options."""
        table = section.split("| option |")[1].split("\n\n")[0]
        cells = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        return {name.split(".")[0] for cell in cells for name in re.findall(r"`([a-z]\w+)", cell)}

    def known_options(self, kind: str) -> set[str]:
        """The options that the server names when it refuses one that there is not."""
        body = json.dumps({"bounds": {"width": 1}, "options": {"?": 1}, "sections": [], "nodes": 0})
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.server.port}/layouts/{kind}/prepare", body.encode(),
            {"Content-Type": "application/json"})
        with self.assertRaises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request)
        with refusal.exception as answer:
            details = [e["detail"] for e in json.load(answer)["errors"]
                       if e["pointer"].startswith("/options/")]
        return set(re.findall(r"\w+", details[0].split("known:")[1]))

    def test_every_type_of_problem_is_listed(self):
        source = (pages.ROOT / "Sources/LayoutService/ProblemType+All.swift").read_text()
        codes = set(re.findall(r'^    "([a-z-]+)", \d{3}, "', source, re.MULTILINE))
        table = self.page("errors.md").split("## The types")[1]
        rows = re.findall(r"^\| \d{3} \| (.*?) \|", table, re.MULTILINE)
        listed = {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)}
        self.assertLessEqual(codes, listed)
        for code in sorted(listed):
            with self.subTest(code):
                json.loads(self.get(f"/problems/{code}"))

    def test_every_metric_is_listed(self):
        told = set(re.findall(r"^# TYPE (layoutd_\w+)", self.get("/metrics"), re.MULTILINE))
        rows = re.findall(r"^\| `(layoutd_\w+)", self.page("operations.md"), re.MULTILINE)
        self.assertEqual(set(rows), told)
