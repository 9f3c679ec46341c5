"""Two servers behind nginx are as good as one, and outlive what is killed."""

import json
import signal
import unittest

from follower import Follower, streams
from four import Four
from servers import ask, stop, wait_for


class FourTests(unittest.TestCase):
    def ask(self, method: str, path: str, body=None, port=None):
        status, _, content = ask(port or self.four.port, method, path, body)
        return status, json.loads(content)

    def prepare(self) -> dict:
        status, summary = self.ask(
            "POST", "/layouts/list/prepare", {
                "bounds": {"width": 100}, "sections": [{"items": {"id": ["a"]}}]})
        self.assertEqual(status, 201)
        return summary

    def test_all(self):
        with Four() as self.four:
            summary = self.prepare()
            path = f"/layouts/{summary['id']}"
            tag, made = summary["versionTag"], []

            def insert(name: str) -> None:
                nonlocal tag
                status, answer = self.ask(
                    "POST", f"{path}/updates",
                    {"updates": [{"insert": {"at": [0, 0], "items": [{"id": name}]}}]})
                self.assertEqual(status, 200, answer)
                tag = answer["versionTag"]
                made.insert(0, name)

            def read(port=None) -> None:
                # Whichever server it is, it does not go back in time.
                status, answer = self.ask(
                    "GET", f"{path}/elements?rect=0,0,100,1e6&version={tag}", port=port)
                self.assertEqual(status, 200, answer)
                self.assertEqual([element["id"] for element in answer["elements"]], made + ["a"])

            for number in range(20):
                insert(f"{number}")
                read()
                read()
            for index in range(2):
                stop(self.four.servers[index], by=signal.SIGKILL)
                read()
                self.four.servers[index] = self.four.start_server(index)
                for port in self.four.ports:
                    read(port)
            stop(self.four.store, by=signal.SIGKILL)
            self.four.start_store()
            for port, server in zip(self.four.ports, self.four.servers):
                wait_for(port, server, target="/readyz?changes=true")
                read(port)
            insert("last")
            for port in self.four.ports:
                read(port)

    def test_a_stream_goes_on_at_the_other_server(self):
        with Four() as self.four:
            summary = self.prepare()
            path = f"/layouts/{summary['id']}"

            def insert(port: int) -> dict:
                status, answer = self.ask(
                    "POST", f"{path}/updates",
                    {"updates": [{"insert": {"at": [0, 0], "items": 1}}]}, port)
                self.assertEqual(status, 200, answer)
                members = (
                    "version", "versionTag", "contentSize", "invalidatedRect", "invalidatedRects")
                return {name: answer[name] for name in members}

            follower = Follower(self.four.port, f"{path}/events")
            self.assertEqual(follower.event()["version"], 1)
            here = next(index for index in range(2) if streams(self.four.ports[index]))
            other = self.four.ports[1 - here]
            said = insert(other)
            self.assertEqual(follower.event(), said)
            stop(self.four.servers[here], by=signal.SIGKILL)
            self.assertIsNone(follower.event())
            said = insert(other)
            again = Follower(self.four.port, f"{path}/events", follower.last_event_id)
            self.assertEqual(again.event(), said | {"recovered": True})
            said = insert(other)
            self.assertEqual(again.event(), said)
            for client in (follower, again):
                client.leave()


if __name__ == "__main__":
    unittest.main()
