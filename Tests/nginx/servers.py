"""Servers on free ports of the loopback: layoutd, and nginx with a configuration of the
documentation."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from program import PROGRAM, ROOT

PATIENCE_SECONDS = 60

MAIN = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr crit;
worker_processes 1;
events {{ worker_connections 4096; }}
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


def ask(port: int, method: str, target: str, body=None, **headers):
    """Status, header fields and content of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        fields["Content-Type"] = "application/json"
    try:
        connection.request(method, target, None if body is None else json.dumps(body), fields)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def wait_for(
    port: int, process: subprocess.Popen, statuses=(200,), target="/readyz"
) -> None:
    """Returns when the process answers that it is ready, or something else that will do."""
    end = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            if ask(port, "GET", target)[0] in statuses:
                return
        except (OSError, http.client.HTTPException):
            pass
    raise RuntimeError(f"nothing answers on port {port}")


def stop(process: subprocess.Popen | None, by=signal.SIGTERM) -> None:
    if process:
        process.send_signal(by)
        process.wait()


def start_layoutd(port: int, *arguments: str, program=None) -> subprocess.Popen:
    """A server that listens; of LAYOUTD, if no program is named."""
    layoutd = subprocess.Popen(
        [program or PROGRAM, "--port", f"{port}", *arguments], stderr=subprocess.DEVNULL)
    try:
        wait_for(port, layoutd)
    except BaseException:
        stop(layoutd)
        raise
    return layoutd


class Nginx:
    """nginx with a configuration of the documentation, which names other addresses there."""

    def __init__(
        self, configuration: str, addresses: dict[str, int | str], **changes: str
    ) -> None:
        """Takes the servers by the addresses that the configuration has for them: a port, or an
        address.

        `changes` are directives with other values: `proxy_read_timeout="16s"`. That of `listen` is
        put behind the address.
        """
        self.directory = tempfile.TemporaryDirectory(prefix="layoutd-nginx-")
        folder = self.directory.name
        # nginx's workers are of another user where it is root's.
        os.chmod(folder, 0o755)
        self.port = free_port()
        server = (ROOT / "Documentation" / configuration).read_text()
        for address, port in addresses.items():
            assert f"server {address}" in server, address
            place = f"127.0.0.1:{port}" if isinstance(port, int) else port
            server = server.replace(f"server {address}", f"server {place}")
        changes["listen"] = f"127.0.0.1:{self.port} {changes.get('listen', '')}"
        for name, value in changes.items():
            server, count = re.subn(rf"\b{name} [^;]*;", f"{name} {value};", server)
            assert count == 1, name
        server = server.replace("/var/cache/nginx/layoutd", f"{folder}/cache")
        pathlib.Path(folder, "nginx.conf").write_text(MAIN.format(folder=folder, server=server))
        self.process = None

    def __enter__(self) -> "Nginx":
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self) -> None:
        folder = self.directory.name
        self.process = subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf", "-p", folder])
        # Where layoutd is below a folder, there is nothing else.
        wait_for(self.port, self.process, (200, 404))

    def stop(self) -> None:
        stop(self.process)
        self.process = None

    def __exit__(self, *_) -> None:
        self.stop()
        self.directory.cleanup()


class Proxied:
    """layoutd and nginx before it."""

    def __init__(self, configuration: str, *arguments: str, program=None, **changes: str) -> None:
        """`arguments` are layoutd's, `changes` are directives of nginx with other values."""
        self.layoutd_port = free_port()
        self.arguments, self.program = arguments, program
        self.nginx = Nginx(configuration, {"127.0.0.1:8080": self.layoutd_port}, **changes)
        self.nginx_port = self.nginx.port

    def __enter__(self) -> "Proxied":
        with contextlib.ExitStack() as stack:
            layoutd = start_layoutd(self.layoutd_port, *self.arguments, program=self.program)
            stack.callback(stop, layoutd)
            stack.enter_context(self.nginx)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_) -> None:
        self.stack.close()
