"""The program from its start to its end."""

import contextlib
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from connection import Connection, eventually, request
from program import PROGRAM, ROOT, Program, plain_environment

GRID = '{"bounds": {"width": 320}, "sections": [{"items": 100}]}'
MISSING = "/nonexistent/keys"


def running(*options: str, **environment: str) -> Program:
    return Program("--threads", "2", "--workers", "2", *options, **environment)


def ended(*options: str, **environment: str) -> tuple[int, str]:
    """The status with which a program ends by itself, and what it tells."""
    process = subprocess.run(
        [PROGRAM, *options], env=plain_environment() | environment, stderr=subprocess.PIPE, text=True, timeout=60)
    return process.returncode, process.stderr.rstrip("\n")


def begin(client: Connection) -> None:
    """Begins to prepare a layout, so that the program knows; the body is still to be sent."""
    client.send("POST /layouts/grid/prepare HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(GRID)}\r\nExpect: 100-continue\r\n\r\n")
    assert client.answer().status == 100


class StopTests(unittest.TestCase):
    @contextlib.contextmanager
    def busy(self):
        """A program with an hour's grace, a client whose request is under way, and one on an open connection."""
        with running("--shutdown-grace", "3600", "--request-timeout", "3600") as program:
            working, probing = Connection(program.port), Connection(program.port)
            begin(working)
            self.assertEqual(probing.ask("GET", "/readyz").status, 200)
            yield program, working, probing

    def last_answer(self, program: Program, client: Connection):
        """Has the program stop, and asks `/readyz` until an answer ends the connection."""
        program.process.send_signal(signal.SIGTERM)
        answers = []

        def is_last() -> bool:
            answers.append(client.ask("GET", "/readyz"))
            return answers[-1].fields.get("connection") == "close"

        self.assertTrue(eventually(is_last))
        return answers[-1]

    def test_after_sigterm_it_is_not_ready_finishes_what_is_under_way_and_ends_well(self) -> None:
        with self.busy() as (program, working, probing):
            answer = self.last_answer(program, probing)
            self.assertEqual(answer.status, 503)
            self.assertIn(b"/problems/not-ready", answer.body)
            self.assertIn("retry-after", answer.fields)
            self.assertTrue(probing.is_closed())
            self.assertIsNone(program.process.poll())
            working.send(GRID)
            self.assertEqual(working.answer().status, 201)
            self.assertTrue(working.is_closed())
            self.assertEqual(program.status(), 0)
            # Behind where it listens, and the line for people.
            self.assertRegex(program.log[2], "signal=15.*stopping")
            self.assertIn("stopped", program.log[-1])
            self.assertNotIn("at once", "\n".join(program.log))

    def test_it_says_in_a_line_for_people_where_it_listens_and_how_to_stop_it_and_sigint_does(self) -> None:
        with running() as program:
            program.process.send_signal(signal.SIGINT)
            self.assertEqual(program.status(), 0)
            version = re.search(r"^  version: (\S+)", (ROOT / "openapi.yaml").read_text(), re.MULTILINE)[1]
            self.assertEqual(program.log[1], f"layoutd {version} listens on {program.url}, press Ctrl-C to stop")

    def test_a_second_signal_ends_the_grace(self) -> None:
        with self.busy() as (program, _, probing):
            self.assertEqual(self.last_answer(program, probing).status, 503)
            program.process.send_signal(signal.SIGTERM)
            self.assertEqual(program.status(), 0)
            self.assertIn("stopping at once", "\n".join(program.log))

    def test_without_a_grace_nothing_is_waited_for(self) -> None:
        with running("--shutdown-grace", "0", "--request-timeout", "3600") as program:
            begin(Connection(program.port))
            program.process.send_signal(signal.SIGTERM)
            self.assertEqual(program.status(), 0)


class OptionTests(unittest.TestCase):
    def test_answers_are_compressed_unless_that_is_off(self) -> None:
        for value in ["on", "off"]:
            with self.subTest(value), running("--compression", value) as program:
                client = Connection(program.port)
                path = client.ask("POST", "/layouts/grid/prepare", GRID).fields["location"]
                answer = client.ask("GET", f"{path}/elements?rect=0,0,320,1e6", None, "Accept-Encoding: gzip\r\n")
                self.assertEqual(
                    (answer.status, answer.fields.get("content-encoding"), answer.body.startswith(b"{")),
                    (200, "gzip" if value == "on" else None, value == "off"))

    def test_requests_are_logged_only_where_that_is_on(self) -> None:
        for value in ["on", "off"]:
            with self.subTest(value), running("--access-log", value) as program:
                answer = Connection(program.port).ask("GET", "/healthz", None, "X-Request-Id: wanted\r\n")
                self.assertEqual(answer.status, 200)
                program.process.send_signal(signal.SIGTERM)
                self.assertEqual(program.status(), 0)
                lines = [line for line in program.log if "request_id=wanted" in line]
                self.assertEqual(len(lines), value == "on")
                for line in lines:
                    for text in ["method=GET", "target=/healthz", "status=200"]:
                        self.assertIn(text, line)

    def test_the_log_is_json_where_that_is_asked_for_be_it_by_the_environment(self) -> None:
        with running(LAYOUTD_LOG_FORMAT="json", LAYOUTD_MAX_ITEMS="10") as program:
            line = json.loads(program.log[0])
            expected = {"level": "info", "message": "listening", "address": f"127.0.0.1:{program.port}", "tls": False,
                        "max_items": 10, "max_body_bytes": "64MiB", "session_idle_timeout": "15m"}
            self.assertEqual(expected, {name: line[name] for name in expected})
            body = '{"bounds": {"width": 1}, "sections": [{"items": 11}]}'
            self.assertEqual(Connection(program.port).ask("POST", "/layouts/justified/prepare", body).status, 413)
            program.process.send_signal(signal.SIGTERM)
            self.assertEqual(program.status(), 0)
            for line in program.log:
                json.loads(line)

    def test_layouts_that_nobody_uses_are_forgotten_by_themselves(self) -> None:
        with running("--session-idle-timeout", "1") as program:
            program.prepare("grid", json.loads(GRID))
            # Asked for the metrics alone, since a layout that is asked for is used.
            self.assertTrue(eventually(lambda: program.metric("layoutd_session_expiries_total") == 1))
            self.assertEqual(program.metric("layoutd_sessions"), 0)

    def test_the_metrics_know_the_connections_the_layouts_and_what_waits(self) -> None:
        with running() as program:
            client = Connection(program.port)
            self.assertEqual(client.ask("POST", "/layouts/grid/prepare", GRID).status, 201)
            lines = client.ask("GET", "/metrics").body.decode().splitlines()
            for line in ["layoutd_connections 1.0", "layoutd_sessions 1.0", "layoutd_queue_depth 0.0"]:
                self.assertIn(line, lines)

    def test_the_metrics_know_what_is_being_worked_on(self) -> None:
        with running("--workers", "1") as program:
            working = Connection(program.port)
            working.send(request("POST", "/layouts/tree/prepare", '{"nodes": 5000000}'))
            self.assertTrue(eventually(lambda: program.metric("layoutd_queue_depth") == 1))


class FailureTests(unittest.TestCase):
    def test_an_option_that_there_is_not_is_told_with_the_one_that_is_meant(self) -> None:
        status, told = ended("--max-session-memory", "1GiB")
        self.assertEqual(status, 64)
        self.assertIn("Did you mean --max-session-bytes?", told)
        self.assertIn("Unknown option '--max-session-memory'", told)

    def test_a_variable_that_is_no_options_is_warned_about_before_anything_else_is_done(self) -> None:
        status, told = ended("--port", "0", "--api-keys-file", MISSING, LAYOUTD_MAX_BODYBYTES="1MiB")
        self.assertEqual((status, told.count("\n")), (1, 1))
        self.assertRegex(told, r"warning.*LAYOUTD_MAX_BODYBYTES is set, but there is no such option\. "
                         r"Did you mean LAYOUTD_MAX_BODY_BYTES\?\n")

    def test_a_start_that_fails_is_told_in_a_line_and_the_status_is_1_or_for_an_option_64(self) -> None:
        self.assertEqual(
            ended("--port", "0", "--api-keys-file", MISSING), (1, f"layoutd: {MISSING}: No such file or directory"))
        status, told = ended("--port", "65536")
        self.assertEqual(status, 64)
        self.assertIn("--port must be from 0 to 65535, was 65536", told)
        status, told = ended("--threads", "1", LAYOUTD_PORT="tcp://10.0.0.1:8080", LAYOUTD_THREADS="2")
        self.assertEqual(status, 64)
        self.assertIn("'tcp://10.0.0.1:8080' is invalid for '--port", told)
        self.assertIn("the environment sets LAYOUTD_PORT\n", told)


class StoreTests(unittest.TestCase):
    """The program where its store is not there yet."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.socket = f"{folder.name}/redis.sock"
        self.options = ["--store", f"unix://{self.socket}", "--store-wait"]

    def start(self) -> None:
        redis = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", ""], stdout=subprocess.DEVNULL)
        self.addCleanup(redis.wait)
        self.addCleanup(redis.kill)

    def test_a_server_waits_for_its_store_and_says_so(self) -> None:
        heard = []

        def hear(line: str) -> None:
            if not heard:
                self.start()
            heard.append(line)

        with running(*self.options, "3600", heard=hear) as program:
            self.assertIn("waiting for the store", heard[0])
            client = Connection(program.port)

            def is_ready() -> bool:
                # It serves reads before it hears of others' changes.
                answer = client.ask("GET", "/readyz")
                return answer.status == 200 and b'"store":"reachable"' in answer.body

            self.assertTrue(eventually(is_ready))

    def test_a_server_whose_store_does_not_come_ends_with_a_sentence(self) -> None:
        status, told = ended("--port", "0", *self.options, "0")
        self.assertEqual(status, 1)
        self.assertIn(self.socket, told)
        self.assertNotIn("waiting for the store", told)

    def test_a_signal_ends_the_wait(self) -> None:
        process = subprocess.Popen(
            [PROGRAM, "--port", "0", *self.options, "3600"], env=plain_environment(), stderr=subprocess.PIPE, text=True)
        with process:
            self.assertIn("waiting for the store", process.stderr.readline())
            process.terminate()
            self.assertEqual(process.wait(60), 0)


if __name__ == "__main__":
    unittest.main()
