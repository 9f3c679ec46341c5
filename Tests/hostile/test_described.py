"""Every list that openapi.yaml describes in a body, at its bound, above it, and very long: packed,
sixteen at once, some abandoned. Others are answered meanwhile, and the memory stays within its bound.

HOSTILE_SEED  which of the bodies are sent (1)
"""

import concurrent.futures
import json
import os
import pathlib
import random
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "soak"))
from attacks import Client
from described import cases, operations
from kept import GZIP, LIMITS, MEGABYTES_ALLOWED, Attacked
from program import PROGRAM

SEED = int(os.environ.get("HOSTILE_SEED", "1"))
IS_WIDE = "TEST_ALL" in os.environ
AT_ONCE = 16
# How long a body is, unpacked.
MOST = (24 if IS_WIDE else 6) << 20
EXPECTED = {200, 201, 400, 404, 409, 411, 413, 415, 422, 503}
LAYOUT = json.dumps({"bounds": {"width": 300}, "sections": [
    {"items": [{"id": f"p{i}", "height": i % 7, "keys": {"a": i % 5}} for i in range(50)]}]}).encode()
VIEW = json.dumps({"arrange": {"sortBy": [{"key": "a"}]}}).encode()


class DescribedTests(unittest.TestCase):
    def elements(self, attacked: Attacked) -> list[dict]:
        """What somebody else gets."""
        path = attacked.server.prepare("list", LAYOUT)
        return attacked.ask("GET", f"{path}/elements?rect=0,0,320,480")["elements"]

    def test_every_list_of_every_body(self) -> None:
        dice = random.Random(SEED)
        attacked = Attacked(PROGRAM)
        try:
            asked = []
            for method, path, schema in operations():
                own = [(method, path, *case) for case in cases(schema, MOST)]
                asked += own if IS_WIDE else dice.sample(own, min(len(own), 6))
            dice.shuffle(asked)
            expected = self.elements(attacked)

            def send(number: int) -> tuple[str, int | None]:
                method, path, name, make = asked[number]
                client = Client(attacked.server.port)
                status, told = client.ask("POST", "/layouts/list/prepare", LAYOUT)
                layout = "/layouts/" + json.loads(told)["id"] if status == 201 else "/layouts/none"
                if number % 3 and "updates" not in path:
                    status, told = client.ask("POST", f"{layout}/views", VIEW)
                    layout = "/layouts/" + json.loads(told)["id"] if status == 201 else layout
                target = path.replace("/layouts/{id}", layout)
                client.send(method, target, make(), GZIP)
                status = None if number % 4 == 0 else client.answer()[0]
                client.close()
                return f"{method} {target} {name}", status

            with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
                for name, status in pool.map(send, range(len(asked))):
                    self.assertIn(status, EXPECTED | {None}, f"seed {SEED}: {name}")
            self.assertEqual(self.elements(attacked), expected)
            peak = attacked.server.peak_megabytes()
            print(f"seed {SEED}: {len(asked)} bodies, at most {peak} MB")
            self.assertLessEqual(peak, MEGABYTES_ALLOWED, LIMITS)
        finally:
            attacked.server.__exit__()


if __name__ == "__main__":
    unittest.main()
