#!/usr/bin/env python3
"""What Documentation/scaling.yaml starts, without an engine: a store, two servers, and nginx.

Alone, it runs until Ctrl-C: Tests/nginx/four.py
"""

import contextlib
import subprocess
import tempfile
import time

from servers import PATIENCE_SECONDS, Nginx, free_port, start_layoutd, stop


class Four:
    """The four processes, on free ports of the loopback."""

    def __init__(self) -> None:
        self.ports = [free_port(), free_port()]
        self.nginx = Nginx(
            "nginx-scaled.conf",
            {f"layoutd-{index + 1}:8080": port for index, port in enumerate(self.ports)})
        self.port = self.nginx.port
        self.servers: list[subprocess.Popen] = []
        self.store = None

    def __enter__(self) -> "Four":
        with contextlib.ExitStack() as stack:
            self.folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="layoutd-four-"))
            self.socket = f"{self.folder}/s"
            stack.callback(lambda: stop(self.store))
            self.start_store()
            stack.callback(lambda: [stop(server) for server in self.servers])
            for index in range(2):
                self.servers.append(self.start_server(index))
            stack.enter_context(self.nginx)
            self.stack = stack.pop_all()
        return self

    def start_store(self) -> None:
        self.store = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.folder,
             "--appendonly", "yes", "--appendfsync", "always", "--save", ""],
            stdout=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE_SECONDS
        while self.store.poll() is None and time.monotonic() < end:
            said = subprocess.run(
                ["redis-cli", "-s", self.socket, "PING"], capture_output=True, text=True)
            if "PONG" in said.stdout:
                return
        raise RuntimeError("redis-server did not start")

    def start_server(self, index: int, socket: str | None = None) -> subprocess.Popen:
        return start_layoutd(self.ports[index], "--store", f"unix://{socket or self.socket}")

    def __exit__(self, *_) -> None:
        self.stack.close()


if __name__ == "__main__":
    with Four() as four:
        print(f"http://127.0.0.1:{four.port}, press Ctrl-C to stop", flush=True)
        try:
            four.nginx.process.wait()
        except KeyboardInterrupt:
            pass
