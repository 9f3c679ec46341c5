"""Connections that do more, or less, than a proper client's."""

import json
import pathlib
import random
import resource
import signal
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from connection import Connection, at_once, eventually, request
from program import ROOT, Program

HALVES = json.loads((ROOT / "Tests/cases/Connection.json").read_text())["stops"]
SMALL = ["--threads", "2", "--workers", "2"]


class ConnectionTests(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Program(*SMALL)
        self.addCleanup(self.server.__exit__)

    def connect(self) -> Connection:
        return Connection(self.server.port)

    def test_a_pipeline_of_1000_requests_is_answered_in_its_order(self) -> None:
        def asked(index: int) -> str:
            named = f"X-Request-Id: r{index}\r\n"
            return [
                request("GET", "/healthz", None, named),
                request("GET", f"/nothing/{index}", None, named),
                request("POST", "/layouts/tree/prepare", f'{{"nodes":{index % 10}}}', named),
                request("POST", "/layouts/cone/prepare", "{}", named),
                request("OPTIONS", "*", None, named),
            ][index % 5]

        client = self.connect()
        # The socket may not take everything before answers are read.
        writer = threading.Thread(target=client.send, args=["".join(map(asked, range(1000)))])
        writer.start()
        for index in range(1000):
            answer = client.answer()
            self.assertEqual((answer.status, answer.fields["x-request-id"]),
                             ([200, 404, 201, 404, 204][index % 5], f"r{index}"))
        writer.join()

    def test_a_client_that_has_said_all_it_will_say_still_gets_its_answers(self) -> None:
        client = self.connect()
        client.send(request("POST", "/layouts/tree/prepare", '{"nodes": 5000}') + request("GET", "/healthz"))
        client.finish()
        self.assertEqual([answer.status for answer in client.answers()], [201, 200])

    def test_a_client_that_stops_in_the_middle_is_let_go(self) -> None:
        for text in HALVES:
            with self.subTest(text):
                client = self.connect()
                client.send(text)
                client.finish()
                self.assertLessEqual({answer.status for answer in client.answers()}, {400})
                # That of the question itself.
                self.assertTrue(eventually(lambda: self.server.metric("layoutd_connections") == 1))
                self.assertEqual(self.server.metric("layoutd_sessions"), 0)

    def test_200_clients_that_die_while_they_send_or_receive_leave_nothing_behind(self) -> None:
        large = self.connect()
        body = '{"bounds": {"width": 320}, "sections": [{"items": 100000}]}'
        path = large.ask("POST", "/layouts/grid/prepare", body).fields["location"]
        before = len(self.server.sockets())
        page = request("GET", f"{path}/elements?rect=0,0,1e6,1e6&limit=5000")
        for index in range(200):
            client = self.connect()
            # An answer is some megabytes, of which nothing is read, or its head.
            client.send([
                "GET /healthz HTTP/1.1\r\nHo",
                request("POST", "/layouts/grid/prepare", body.ljust(100_000))[:200], page, page][index % 4])
            if index % 4 == 3:
                client.answer(has_body=False)
            client.reset()
        self.assertTrue(eventually(lambda: len(self.server.sockets()) == before))
        metrics = large.ask("GET", "/metrics").body.decode().splitlines()
        self.assertLessEqual({"layoutd_connections 1.0", "layoutd_sessions 1.0", "layoutd_queue_depth 0.0"}, set(metrics))

    def test_50_clients_that_promise_64_mib_each_reserve_next_to_nothing(self) -> None:
        clients = [self.connect() for _ in range(50)]
        before = self.server.memory("VmRSS")
        for client in clients:
            client.send("POST /layouts/tree/prepare HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        f"Expect: 100-continue\r\nContent-Length: {64 << 20}\r\n\r\n")
        # From then on each has its place.
        self.assertEqual({client.answer().status for client in clients}, {100})
        self.assertLess(self.server.memory("VmRSS") - before, 32 << 20)

    def test_clients_that_never_close_are_let_go_all_the_same(self) -> None:
        before = len(self.server.sockets())
        clients = [self.connect() for _ in range(10)]
        for client in clients:
            client.send("GET / HTTP/1.1\r\n\r\n")
            self.assertEqual(client.answer().status, 400)
        self.assertTrue(eventually(lambda: len(self.server.sockets()) == before))


class ManyConnectionsTests(unittest.TestCase):
    def test_2000_idle_connections_hold_nobody_up(self) -> None:
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], 4500), limits[1]))
        with Program(*SMALL, "--max-connections", "4096") as server:
            idle = [Connection(server.port) for _ in range(2000)]
            busy = Connection(server.port)
            self.assertIn(b"layoutd_connections 2001.0\n", busy.ask("GET", "/metrics").body)
            # Idle is not dead.
            for client in [busy] * 200 + [idle[0], idle[999], idle[1999]]:
                self.assertEqual(client.ask("GET", "/healthz").status, 200)

    def test_with_64_descriptors_it_answers_whom_it_can_turns_others_away_and_recovers(self) -> None:
        with Program(*SMALL, descriptors=64) as server:
            def status(client: Connection) -> int:
                # One that is turned away may be told so, or find the connection closed.
                try:
                    return client.ask("GET", "/healthz").status
                except AssertionError:
                    return 0

            regular, crowd, statuses = Connection(server.port), [], []
            for _ in range(100):
                crowd.append(Connection(server.port))
                statuses.append(status(crowd[-1]))
                self.assertEqual(status(regular), 200)
            self.assertEqual(set(statuses) | {0}, {0, 200, 503}, statuses)
            self.assertGreaterEqual(statuses.count(200), 20, statuses)
            for client in crowd:
                client.close()
            self.assertTrue(eventually(lambda: status(Connection(server.port)) == 200))
            self.assertEqual(status(regular), 200)

    def test_that_there_is_no_descriptor_is_only_told_where_somebody_was_turned_away(self) -> None:
        # So few that nobody could be let in; at its end it looks who waits.
        with Program(*SMALL, descriptors=13) as server:
            server.process.terminate()
            self.assertEqual(server.status(), 0)
            self.assertIn("stopped", server.log[-1])
            self.assertNotIn("no descriptor", "\n".join(server.log))

    def test_with_hardly_any_it_does_not_start_or_it_answers(self) -> None:
        for descriptors in range(6, 17):
            with self.subTest(descriptors=descriptors):
                try:
                    server = Program(*SMALL, descriptors=descriptors)
                except RuntimeError as error:
                    self.assertIn("Too many open files", str(error))
                    # The standard streams, the socket, two for each thread, the wake-up and the
                    # reserve, and three for streams.
                    self.assertLess(descriptors, 13)
                    continue
                with server:
                    self.assertIn(Connection(server.port).ask("GET", "/healthz").status, [200, 503])

    def test_a_prepare_that_there_is_no_memory_for_is_refused_and_the_layouts_stay(self) -> None:
        with Program(*SMALL) as server:
            client = Connection(server.port)

            def prepare(kind: str, items: int):
                body = {"bounds": {"width": 320}, "sections": [{"items": items}]}
                return client.ask("POST", f"/layouts/{kind}/prepare", json.dumps(body))

            path = prepare("grid", 9).fields["location"]
            limit = server.memory("VmSize") + 300_000_000
            subprocess.run(["prlimit", f"--pid={server.process.pid}", f"--as={limit}"], check=True)
            refused = prepare("justified", 10_000_000)
            self.assertEqual(refused.status, 503)
            self.assertIn(b"/problems/buffers-full", refused.body)
            self.assertIn("retry-after", refused.fields)
            self.assertEqual(prepare("grid", 9).status, 201)
            self.assertEqual(client.ask("GET", path).status, 200)
            self.assertIsNone(server.process.poll())


class StreamTests(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Program(*SMALL)
        self.addCleanup(self.server.__exit__)
        body = {"bounds": {"width": 300}, "sections": [{"items": 3}]}
        self.layout = f"/layouts/{self.server.prepare('list', body)}"

    def update(self, client: Connection) -> None:
        body = '{"updates": [{"insert": {"at": [0, 0], "items": 1}}]}'
        self.assertEqual(client.ask("POST", f"{self.layout}/updates", body).status, 200)

    def follower(self) -> Connection:
        client = Connection(self.server.port)
        client.send(request("GET", f"{self.layout}/events"))
        self.assertEqual(client.answer(has_body=False).status, 200)
        self.assertRegex(self.event(client), "^retry: ")
        return client

    def event(self, client: Connection) -> str | None:
        """The next event; `None` at the end. Heartbeats come as they will."""
        return next(chunk for chunk in iter(client.chunk, 0) if chunk != ":\n\n")

    def test_160_streams_of_which_some_leave_all_the_time_cost_no_descriptor_in_the_end(self) -> None:
        editor = Connection(self.server.port)
        self.update(editor)
        before = len(self.server.descriptors())

        def follow(seed: int) -> None:
            dice = random.Random(seed)
            followers = [self.follower() for _ in range(40)]
            editor = Connection(self.server.port)
            for _ in range(60):
                self.update(editor)
                for index in range(40):
                    if dice.random() < 0.1:
                        if dice.random() < 0.5:
                            followers[index].reset()
                        followers[index] = self.follower()
            # Each hears of the last change, whatever it has heard of before.
            self.update(editor)
            for follower in followers:
                self.assertRegex(self.event(follower), "^id: ")

        at_once([lambda seed=seed: follow(seed) for seed in range(4)])
        self.assertTrue(eventually(lambda: len(self.server.descriptors()) <= before))

    def test_sigterm_ends_streams_after_their_last_event_and_then_the_program(self) -> None:
        clients = [self.follower() for _ in range(20)]
        self.update(Connection(self.server.port))
        self.server.process.send_signal(signal.SIGTERM)
        for client in clients:
            self.assertRegex(self.event(client), "^id: 2-")
            self.assertIsNone(self.event(client))
            self.assertTrue(client.is_closed())
        self.assertEqual(self.server.status(), 0)


if __name__ == "__main__":
    unittest.main()
