"""What is found in texts, against a plain loop over them.

SEED  a seed alone
"""

import concurrent.futures
import os
import pathlib
import random
import sys
import unicodedata
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from program import Program

SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(
    400 if "TEST_ALL" in os.environ else 60)
BLANKS = " \t\n\r"
# What differs in case, in length in UTF-8 and UTF-16, and what is nearly a blank.
LETTERS = ["a", "A", "b", "B", "k", "K", "\u212a", "s", "S", "\u017f", "ß", "\u1e9e", "é", "É", "e\u0301",
           "\u0301", "\u1e69", "s\u0323\u0307", "\u0323", "\uac01", "\u1100\u1161\u11a8", "\u2126",
           "İ", "i", "I", "ı", "😀", "𐐀", "𐐨", "\u00a0", "\u3000", "+", "%", "Σ", "σ", "ς", "ﬁ", "ᾈ", "ᾀ"]


def folded(character: str) -> str:
    """Unicode's simple case folding (C and S). Python has the full one."""
    full = character.casefold()
    if len(full) == 1:
        return full
    return character.lower() if len(character.lower()) == 1 else character


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def matches(text: str, pattern: str, exact: bool) -> list[tuple[int, int]]:
    """Where a pattern is in a text, in characters: as it is, composed or decomposed."""
    def tokens(string: str) -> list[tuple[str, int, int]]:
        made = []
        for place, character in enumerate(string):
            if not exact and character in BLANKS:
                if made and made[-1][0] == " ":
                    made[-1] = (" ", made[-1][1], place + 1)
                else:
                    made.append((" ", place, place + 1))
            else:
                made.append((character if exact else folded(character), place, place + 1))
        return made
    forms = {pattern, unicodedata.normalize("NFC", pattern), unicodedata.normalize("NFD", pattern)}
    wanted = sorted(([t[0] for t in tokens(form)] for form in forms), key=len, reverse=True)
    given, found, place = tokens(text), [], 0
    while place < len(given):
        longest = next((len(form) for form in wanted
                        if [t[0] for t in given[place:place + len(form)]] == form), 0)
        if longest:
            found.append((given[place][1], given[place + longest - 1][2]))
        place += longest or 1
    return found


class Find(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Program()
        cls.ask = staticmethod(cls.server.ask)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def find(self, layout: str, text: str, **parameters) -> dict:
        query = urllib.parse.urlencode({"text": text, **parameters}, quote_via=urllib.parse.quote)
        return self.ask("GET", f"/layouts/{layout}/find?{query}")

    def test_it_finds_what_a_plain_loop_finds(self) -> None:
        for seed in SEEDS:
            with self.subTest(f"SEED={seed}"):
                self.walk(random.Random(seed))

    def test_ten_finds_at_once_beside_queries_are_all_right(self) -> None:
        items = [{"text": {"body": f"gull {place % 7} " * (1 + place % 50)}} for place in range(3000)]
        layout = self.ask("POST", "/layouts/list/prepare", {
            "bounds": {"width": 300}, "sections": [{"items": items}]})["id"]
        counts = [sum(one["text"]["body"].count(f"gull {number}") for one in items) for number in range(7)]

        def find(number: int) -> int:
            return self.find(layout, f"GULL  {number % 7}", limit=0)["count"]

        def query(number: int) -> int:
            answer = self.ask("GET", f"/layouts/{layout}/elements?rect=0,{number * 440},300,440")
            return answer["elements"][0]["indexPath"][1]

        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            finds = [pool.submit(find, number) for number in range(100)]
            queries = [pool.submit(query, number) for number in range(100)]
            self.assertEqual([one.result() for one in finds], [counts[number % 7] for number in range(100)])
            self.assertEqual([one.result() for one in queries], [number * 10 for number in range(100)])

    def test_runs_of_blanks_and_of_one_letter_are_counted(self) -> None:
        texts = [" " * 60_000 + "x", "a " * 30_000, "a" * 65_000, "\t\n" * 20_000 + "a"]
        layout = self.ask("POST", "/layouts/list/prepare", {
            "bounds": {"width": 300}, "sections": [{"items": [{"text": {"t": text}} for text in texts]}]})["id"]
        for pattern in (" ", " x", "a a", "a" * 256, "a" * 200 + "b", " " * 256, "a ", " a"):
            expected = sum(len(matches(text, pattern, False)) for text in texts)
            self.assertEqual(self.find(layout, pattern, limit=0)["count"], expected, repr(pattern[:9]))

    def walk(self, chance: random.Random) -> None:
        some = chance.sample(LETTERS, 5) + [" ", "\t", "\n"]
        def text() -> str:
            return "".join(chance.choice(some) for _ in range(chance.choice([0, 1, 5, 20, 60])))
        def item() -> dict:
            return {"text": {name: text() for name in ("body", "title", "é") if chance.random() < 0.6},
                    "keys": {"n": chance.randint(0, 9)}}
        sections = [[item() for _ in range(chance.choice([0, 2, 12]))] for _ in range(3)]
        kind = chance.choice(["list", "grid", "waterfall"])
        layout = self.ask("POST", f"/layouts/{kind}/prepare", {
            "bounds": {"width": 300}, "sections": [{"items": items} for items in sections]})["id"]
        view = self.ask("POST", f"/layouts/{layout}/views", {"arrange": {
            "where": [{"key": "n", "from": 3}], "sortBy": [{"key": "n"}]}})["id"]
        for _ in range(6):
            if chance.random() < 0.4:
                at = chance.randrange(3)
                sections[at].insert(0, item())
                self.ask("POST", f"/layouts/{layout}/updates", {"updates": [
                    {"insert": {"at": [at, 0], "items": [sections[at][0]]}}]})
            pattern = "".join(chance.choice(some) for _ in range(chance.choice([1, 1, 2, 3])))
            # The next letter typed looks through what was found.
            for typed in (pattern, pattern + chance.choice(some)):
                self.check(layout, sections, typed, chance)
            arranged = sorted((i for items in sections for i in items if i["keys"]["n"] >= 3),
                              key=lambda one: one["keys"]["n"])
            self.check(view, [arranged], pattern, chance)
            # What is found is a condition, too.
            name, exact = chance.choice([None, "body"]), chance.random() < 0.3
            found = [one for items in sections for one in items if any(
                matches(text, pattern, exact) for key, text in one["text"].items() if name in (None, key))]
            for condition, cells in (
                ({}, len(found)), ({"not": True}, sum(map(len, sections)) - len(found))):
                answer = self.ask("POST", f"/layouts/{layout}/views", {"arrange": {"where": [
                    {"text": pattern, "name": name, "exact": exact, **condition}]}})
                self.assertEqual(answer["counts"]["cells"], cells, (pattern, name, exact))

    def check(self, layout: str, sections: list, pattern: str, chance: random.Random) -> None:
        name = chance.choice([None, None, "body", "none"])
        exact = chance.random() < 0.3
        expected, cells = [], []
        for section, items in enumerate(sections):
            for place, one in enumerate(items):
                cells.append([section, place])
                for key in sorted(one["text"], key=str.encode):
                    if name not in (None, key):
                        continue
                    string = one["text"][key]
                    for begin, end in matches(string, pattern, exact):
                        expected.append((
                            [section, place], key, [units(string[:begin]), units(string[begin:end])]))
        parameters = {"exact": "true"} if exact else {}
        if name:
            parameters["name"] = name
        def told(answer: dict) -> list:
            for match in answer["matches"]:
                self.assertEqual(
                    expected[match["number"] - 1],
                    (match["indexPath"], match["name"], match["range"]), (pattern, exact))
            return [match["number"] - 1 for match in answer["matches"]]
        answer = self.find(layout, pattern, limit=1000, marks=7, **parameters)
        self.assertEqual(answer["count"], len(expected), (pattern, exact, name))
        self.assertTrue(answer["complete"])
        self.assertEqual(told(answer), list(range(min(1000, len(expected)))))
        self.assertEqual(sum(count for _, count in answer["marks"]), len(expected))
        count = len(expected)
        if not cells or count == 0:
            return
        # From a cell on, around the ends, in both directions.
        start, back, limit = chance.choice(cells), chance.random() < 0.5, chance.randint(1, 5)
        places = [i for i in range(count) if (expected[i][0] <= start if back else expected[i][0] >= start)]
        first = (places or [count - 1 if back else 0])[-1 if back else 0]
        answer = self.find(
            layout, pattern, limit=limit, back=str(back).lower(), **{"from": ",".join(map(str, start))}, **parameters)
        step = -1 if back else 1
        self.assertEqual(told(answer), [(first + step * i) % count for i in range(min(limit, count))])
        if count <= limit:
            self.assertNotIn("next", answer)
            return
        self.assertEqual(
            told(self.ask("GET", answer["next"])),
            [(first + step * (limit + i)) % count for i in range(limit)])
        before = self.ask("GET", answer["previous"])
        self.assertEqual(told(before), [(first - step * (1 + i)) % count for i in range(limit)])
        again = self.ask("GET", before["previous"])
        self.assertEqual(told(again), [(first + step * i) % count for i in range(limit)])


if __name__ == "__main__":
    unittest.main()
