"""Small requests that stand for much work, from random seeds: each is answered or refused as the
contract says, the memory stays within its bound, nothing is left, and others are answered.

HOSTILE_SEEDS  how many seeds (20; 200 with TEST_ALL)
HOSTILE_SEED   the first seed (1)

What the dearest requests took of a processor is printed; `make soak` has them beside others.
"""

import json
import os
import pathlib
import random
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "soak"))
from attacks import Client
from kept import LIMITS, MEGABYTES_ALLOWED, Attacked
from bodies import MAKERS
from program import PROGRAM

FIRST = int(os.environ.get("HOSTILE_SEED", "1"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("HOSTILE_SEEDS", "200" if os.environ.get("TEST_ALL") else "20")))
# What may come of a request that was meant badly.
EXPECTED = {200, 201, 204, 400, 404, 410, 413, 422, 503}


class HostileTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.attacked = Attacked(PROGRAM)
        cls.fonts = [font["name"] for font in cls.attacked.ask("GET", "/fonts")["fonts"]]
        cls.dearest = []

    @classmethod
    def tearDownClass(cls) -> None:
        for spent, size, status, name in sorted(cls.dearest, reverse=True)[:3]:
            print(f"{name}: {spent * 1000:.0f} ms of a processor for {size} bytes, {status}")
        cls.attacked.server.__exit__()

    def send(self, name: str, method: str, target: str, body) -> tuple[int, dict]:
        server, content = self.attacked.server, b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        before, client = server.cpu_seconds(), Client(server.port)
        status, answer = client.ask(method, target, content)
        client.close()
        self.dearest.append((server.cpu_seconds() - before, len(content), status, f"{name}, {target[:40]}"))
        self.assertIn(status, EXPECTED, (target, answer[:300]))
        told = json.loads(answer) if answer else {}
        if status >= 400:
            self.assertLessEqual({"type", "title", "status"}, told.keys())
        return status, told

    def session_bytes(self) -> str:
        metrics = self.attacked.client.ask("GET", "/metrics")[1].decode()
        return next(line for line in metrics.splitlines() if line.startswith("layoutd_session_bytes "))

    def test_small_requests_that_stand_for_much_work(self) -> None:
        innocent = f"{self.attacked.innocent}/elements?rect=0,0,320,480"
        expected, before = self.attacked.ask("GET", innocent)["elements"], self.session_bytes()
        served = 0
        for seed in SEEDS:
            for maker in MAKERS:
                with self.subTest(maker.__name__, seed=seed):
                    dice, layouts = random.Random(f"{maker.__name__} {seed}"), []
                    for method, target, body in maker(dice, self.fonts):
                        if "{}" in target and not layouts:
                            continue
                        status, told = self.send(maker.__name__, method, target.replace("{}", layouts[0] if layouts else ""), body)
                        served += status < 300
                        if status == 201:
                            layouts.append(f"/layouts/{told['id']}")
                    self.assertEqual(self.attacked.ask("GET", innocent)["elements"], expected)
                    for layout in reversed(layouts):
                        self.attacked.ask("DELETE", layout, expected=(204, 404))
        self.assertEqual(self.session_bytes(), before)
        self.assertLessEqual(self.attacked.server.peak_megabytes(), MEGABYTES_ALLOWED, LIMITS)
        # Most of what is asked is allowed.
        self.assertGreater(served, 3 * len(SEEDS))


if __name__ == "__main__":
    unittest.main()
