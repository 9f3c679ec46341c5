"""Two servers behind nginx are as good as one, and outlive what is killed."""

import json
import signal
import unittest
import urllib.error
import urllib.request

from four import Four


class FourTests(unittest.TestCase):
    def ask(self, method: str, path: str, body=None, port=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{port or self.four.port}{path}", method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def test_all(self):
        with Four() as self.four:
            status, summary = self.ask(
                "POST", "/layouts/list/prepare", {
                    "bounds": {"width": 100}, "sections": [{"items": {"id": ["a"]}}]})
            self.assertEqual(status, 201)
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
                self.four.servers[index].send_signal(signal.SIGKILL)
                self.four.servers[index].wait()
                read()
                self.four.servers[index] = self.four.start_server(index)
                for port in self.four.ports:
                    read(port)
            self.four.store.send_signal(signal.SIGKILL)
            self.four.store.wait()
            self.four.start_store()
            for port, server in zip(self.four.ports, self.four.servers):
                self.four.wait_for(port, server)
                read(port)
            insert("last")
            for port in self.four.ports:
                read(port)


if __name__ == "__main__":
    unittest.main()
