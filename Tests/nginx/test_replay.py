"""A server that is killed while it takes a layout over begins anew, and spoils nothing."""

import http.client
import json
import signal
import socket
import threading
import unittest

from four import Four
from servers import ask


class HoldingProxy:
    """Passes bytes on to a store. Of what the store says, it holds back what is too much."""

    def __init__(self, path: str, target: str) -> None:
        self.path, self.target = path, target
        self.left: int | None = None
        self.holds = threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            client = self.listener.accept()[0]
            store = socket.socket(socket.AF_UNIX)
            store.connect(self.target)
            for source, sink, isStore in [(client, store, False), (store, client, True)]:
                threading.Thread(
                    target=self.carry, args=(source, sink, isStore), daemon=True).start()

    def carry(self, source: socket.socket, sink: socket.socket, is_store: bool) -> None:
        try:
            while data := source.recv(1024):
                if is_store and self.left is not None:
                    self.left -= len(data)
                    if self.left < 0:
                        self.holds.set()
                        return
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class ReplayTests(unittest.TestCase):
    def ask(self, index: int, method: str, path: str, body=None):
        status, _, content = ask(self.four.ports[index], method, path, body)
        return status, json.loads(content)

    def set_height(self, index: int, item: int) -> dict:
        status, answer = self.ask(index, "POST", f"{self.path}/updates", {
            "updates": [{"set": {"at": [0, item], "items": [{"height": 1000 + item}]}}]})
        self.assertEqual(status, 200, answer)
        return answer

    def test_killed(self):
        with Four() as self.four:
            heights = [20 + number * 7919 % 997 / 8 for number in range(5000)]
            status, summary = self.ask(0, "POST", "/layouts/list/prepare", {
                "bounds": {"width": 100}, "sections": [{"items": {"height": heights}}]})
            self.assertEqual(status, 201, summary)
            self.path = f"/layouts/{summary['id']}"
            for item in range(200):
                self.set_height(0, item)
            changes = 200
            # In the snapshot, between it and the changes, and in the midst of the changes.
            for limit in [1, 1100, 30_000, 45_000]:
                proxy = HoldingProxy(f"{self.four.folder}/p{limit}", self.four.socket)
                self.four.servers[1].send_signal(signal.SIGKILL)
                self.four.servers[1].wait()
                server = self.four.servers[1] = self.four.start_server(1, proxy.path)
                proxy.left = limit
                refused = []

                def take_over() -> None:
                    try:
                        self.ask(1, "GET", self.path)
                    except (OSError, http.client.HTTPException) as error:
                        refused.append(error)

                asker = threading.Thread(target=take_over)
                asker.start()
                self.assertTrue(proxy.holds.wait(60))
                server.send_signal(signal.SIGKILL)
                server.wait()
                asker.join()
                self.assertEqual(len(refused), 1)
                self.set_height(0, changes)
                changes += 1
                self.four.servers[1] = self.four.start_server(1)
                tag = self.set_height(1, changes)["versionTag"]
                changes += 1
                query = f"{self.path}/elements?rect=0,0,100,1e6&version={tag}"
                answers = [self.ask(index, "GET", query) for index in range(2)]
                self.assertEqual(answers[0], answers[1])
                status, answer = answers[0]
                self.assertEqual((status, answer["version"]), (200, changes + 1))
                expected = [1000 + item for item in range(changes)] + heights[changes:]
                self.assertEqual(
                    [element["frame"][3] for element in answer["elements"]], expected)


if __name__ == "__main__":
    unittest.main()
