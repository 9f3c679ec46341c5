"""The load test runs against a server, and stops at a broken one."""

import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from program import ROOT, Program


def load(port: int, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [ROOT / "Benchmarks/load-test", "--server", f"http://127.0.0.1:{port}", "--users", "3",
         "--seconds", "2", "--items", "500", *options],
        capture_output=True, text=True, timeout=60)


class Working(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Program()
        self.addCleanup(self.server.stop)

    def test_users_with_pauses(self) -> None:
        for kind in ("waterfall", "tree"):
            with self.subTest(kind=kind):
                result = load(self.server.port, "--kind", kind, "--think", "0.2")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("errors     none", result.stdout)
                self.assertRegex(result.stdout, r"checked +[1-9]")


class Keys(unittest.TestCase):
    def test_a_server_with_keys(self) -> None:
        with tempfile.NamedTemporaryFile("w") as keys:
            keys.write("a-key-of-some-length\n")
            keys.flush()
            server = Program("--api-keys-file", keys.name)
            self.addCleanup(server.stop)
            for rate in ((), ("--rate", "50")):
                result = load(server.port, "--key", "a-key-of-some-length", *rate)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("errors     none", result.stdout)
            self.assertEqual(load(server.port).returncode, 2)


class Broken(unittest.TestCase):
    """A server that prepares a layout and answers queries as `answer` says."""

    def run_against(self, answer, *options: str) -> subprocess.CompletedProcess:
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def send(self, status: int, text: str) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send(201, json.dumps({
                    "id": "a" * 22, "contentSize": {"width": 1200, "height": 9000},
                    "counts": {"cells": 500}}, separators=(",", ":")))

            def do_GET(self) -> None:
                rect = re.search(r"rect=([-\d,]+)", self.path)[1]
                self.send(*answer(rect))

            def do_DELETE(self) -> None:
                self.send(204, "")

            def log_message(self, *_) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_) -> None:
                pass  # The load test has hung up.

        with Server(("127.0.0.1", 0), Handler) as server:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                return load(server.server_port, "--updates", "0", "--think", "0", *options)
            finally:
                server.shutdown()

    def test_wrong_frames(self) -> None:
        def answer(rect: str) -> tuple[int, str]:
            return 200, (f'{{"id":"{"a" * 22}","version":1,"versionTag":"1-aaaaaa","rect":[{rect}],'
                         f'"elements":[{{"category":"cell","frame":[0,-5000,10,10]}}]}}')

        result = self.run_against(answer)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("wrong answer: ", result.stderr)

    def test_errors(self) -> None:
        for options in ((), ("--rate", "50")):
            with self.subTest(options=options):
                result = self.run_against(lambda rect: (500, "{}"), *options)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn("wrong answer: status 500", result.stderr)

    def test_refusals_are_told(self) -> None:
        result = self.run_against(lambda rect: (503, "{}"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("ERRORS", result.stdout)
        self.assertIn("status 503", result.stdout)


if __name__ == "__main__":
    unittest.main()
