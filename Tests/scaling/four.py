#!/usr/bin/env python3
"""What Documentation/scaling.yaml starts, without an engine: a store, two servers, and nginx.

Alone, it runs until Ctrl-C: Tests/scaling/four.py
"""

import os
import pathlib
import re
import socket
import subprocess
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]

MAIN = """
daemon off;
pid {folder}/nginx.pid;
error_log /dev/null;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  {server}
}}
"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Four:
    """The four processes, on free ports of the loopback."""

    def __init__(self) -> None:
        self.program = os.environ.get("LAYOUTD", ROOT / ".build/debug/layoutd")
        self.directory = tempfile.TemporaryDirectory(prefix="layoutd-four-")
        self.folder = self.directory.name
        os.chmod(self.folder, 0o755)
        self.socket = f"{self.folder}/s"
        self.ports = [free_port(), free_port()]
        self.port = free_port()
        self.servers: list[subprocess.Popen] = []
        self.store = self.nginx = None

    def __enter__(self) -> "Four":
        try:
            self.start_store()
            self.servers = [self.start_server(index) for index in range(2)]
            server = (ROOT / "Documentation/nginx-scaled.conf").read_text()
            for index, port in enumerate(self.ports):
                server = server.replace(f"layoutd-{index + 1}:8080", f"127.0.0.1:{port}")
            server = server.replace("listen 80;", f"listen 127.0.0.1:{self.port};")
            main = pathlib.Path(self.folder, "nginx.conf")
            main.write_text(MAIN.format(folder=self.folder, server=server))
            self.nginx = subprocess.Popen(["nginx", "-c", main, "-p", self.folder])
            self.wait_for(self.port, self.nginx)
            return self
        except BaseException:
            self.__exit__()
            raise

    def start_store(self) -> None:
        self.store = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.folder,
             "--appendonly", "yes", "--appendfsync", "always", "--save", ""],
            stdout=subprocess.DEVNULL)
        while self.store.poll() is None:
            said = subprocess.run(
                ["redis-cli", "-s", self.socket, "PING"], capture_output=True, text=True)
            if "PONG" in said.stdout:
                return
        raise RuntimeError("redis-server did not start")

    def start_server(self, index: int) -> subprocess.Popen:
        server = subprocess.Popen(
            [self.program, "--port", f"{self.ports[index]}", "--store", f"unix://{self.socket}"],
            stderr=subprocess.DEVNULL)
        self.wait_for(self.ports[index], server)
        return server

    @staticmethod
    def wait_for(port: int, process: subprocess.Popen) -> None:
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz").read()
                return
            except OSError:
                continue
        raise RuntimeError(f"nothing listens on port {port}")

    def __exit__(self, *_) -> None:
        for process in [self.nginx, *self.servers, self.store]:
            if process:
                process.terminate()
                process.wait()
        self.directory.cleanup()


if __name__ == "__main__":
    with Four() as four:
        print(f"http://127.0.0.1:{four.port}, press Ctrl-C to stop")
        try:
            four.nginx.wait()
        except KeyboardInterrupt:
            pass
