"""Small requests that ask for endless work.

Each has a server of its own: one that works for ever could not be ended otherwise.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from connection import Connection
from program import Program

# As many rows as content may be high, nearly.
LARGEST = "100000000000"


def layout(width="100", items=LARGEST, **members: str) -> str:
    members = "".join(f', "{name}": {text}' for name, text in members.items())
    return f'{{"bounds": {{"width": {width}}}{members}, "sections": [{{"items": {items}}}]}}'


def updates(*steps: str) -> tuple:
    return "POST", "/updates", f'{{"updates": [{",".join(steps)}]}}'


def replace(items: str, at: int = 0) -> str:
    return f'{{"replace": {{"at": [0, {at}], "items": {items}}}}}'


HUGE, INSERT = layout(), '{"insert": {"at": [0, 0], "items": 1}}'
ROWS, FAR = '{"background": "row"}', '{"headerHeight": 4e12}'
COLUMNS = '{"columns": 50000, "placement": "shortestColumn"}'
TINY = '{"horizontalInset": 0, "minimumItemWidth": 0.001, "maximumItemWidth": 0.002}'
MIRRORED = ('{"bounds": {"width": 100, "height": 9}, "options": {"scrollDirection": "horizontal", '
            f'"layoutDirection": "rightToLeft", "integral": true}}, "sections": [{{"items": {LARGEST}}}]}}')
SIDEWAYS = ('{"bounds": {"width": 100}, "sections": [{"kind": "flow", "orthogonal": {"height": 200}, '
            f'"items": {LARGEST}}}]}}')
# 200,000 items of which the last has a name.
ONE_NAME = '{"id": [' + "null," * 200_000 + '"a"]}'


def many(name: str, value: str) -> str:
    return f'{{"{name}": [{",".join([value] * 50_000)}]}}'


# What it is, the kind, the body, what is asked of the layout, and how that is answered.
CASES = [
    ("elements that are all known", "grid", HUGE,
     ("GET", "/elements?rect=0,0,1e300,1e300&known=0,0,1e300,1e300"), 200),
    ("rows beside the rect", "grid", layout(options=ROWS), ("GET", "/elements?rect=1000,0,10,1e18"), 200),
    ("a column whose width is lost in rounding", "grid", layout("5.000000000000001"),
     ("GET", "/elements?rect=5,0,10,1e18"), 200),
    ("rows far below the top", "grid", layout(options=FAR), ("GET", "/elements?rect=0,4e12,100,0"), 200),
    ("rows far below the top, all known", "grid", layout(options='{"headerHeight": 4e12, "background": "row"}'),
     ("GET", "/elements?rect=0,3e12,100,5e12&known=0,3.5e12,100,5e12"), 200),
    ("frames in one place that are all known", "frames", HUGE,
     ("GET", "/elements?rect=0,0,1e300,1e300&known=0,0,50,50"), 200),
    ("a mirrored row of items that are all known", "list", MIRRORED,
     ("GET", "/elements?rect=-1e300,0,2e300,9&known=-1e300,0,2e300,9"), 200),
    ("a section that scrolls sideways, all known", "compositional", SIDEWAYS,
     ("GET", "/elements?rect=0,0,1e300,200&known=0,0,1e300,200"), 200),
    ("transitions among elements that stay", "grid", layout(options=ROWS),
     ("POST", "/updates?rect=0,0,1e300,1e300", updates(INSERT)[2]), 400),
    ("transitions among as many columns as items", "waterfall", layout("1e9", many("height", "180"), options=COLUMNS),
     ("POST", "/updates?rect=0,0,1e9,1e9", updates(replace('[{"height": 181}]'))[2]), 200),
    ("an area up to the largest number there may be", "grid", layout("1e300", "5"), updates(INSERT), 200),
    ("items without fields in the place of as many", "grid", HUGE, updates(replace(LARGEST)), 200),
    ("items without fields around one that had a name for a moment", "grid", HUGE,
     updates(replace('[{"id": "a"}]'), replace(LARGEST)), 200),
    ("items without names in the place of as many, over and over", "grid", layout(items=ONE_NAME),
     updates(*[replace("200000")] * 10_000), 200),
    ("replaced items in a row of many that rounding makes alike", "gallery",
     layout("1", many("width", "1e-6"), options=TINY),
     updates(*[replace('[{"width": 2e-6}]', at) for at in range(10_000)]), 200),
]


class WorkTests(unittest.TestCase):
    def test_work_without_end_is_not_taken_on(self) -> None:
        for what, kind, body, asked, status in CASES:
            with self.subTest(what), Program("--threads", "2", "--workers", "2") as server:
                client = Connection(server.port, seconds=600)
                prepared = client.ask("POST", f"/layouts/{kind}/prepare", body)
                self.assertEqual(prepared.status, 201, prepared.body[:300])
                method, target, *content = asked
                answer = client.ask(method, prepared.fields["location"] + target, *content)
                self.assertEqual(answer.status, status, answer.body[:300])
                for _ in range(4):
                    self.assertEqual(Connection(server.port, seconds=600).ask("GET", "/healthz").status, 200)

    def test_faults_deep_inside_a_body_are_told_in_time_in_keeping_with_its_length(self) -> None:
        depth = 100_000
        body = ('{"root": ' + '{"children": [' * depth + '{"x": 1}, ' * 30 + "{}" + "]}" * depth + "}")
        with Program("--threads", "2", "--workers", "2") as server:
            answer = Connection(server.port, seconds=20).ask("POST", "/layouts/tree/prepare", body)
            self.assertEqual(answer.status, 422)
            self.assertLess(len(answer.body), 4 * len(body))


if __name__ == "__main__":
    unittest.main()
