"""A server, a page with the client, and a browser, for the tests of the client."""

import atexit
import functools
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import urllib.request

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("LAYOUTD", ROOT / ".build/debug/layoutd"))
# A folder that the client comes from instead of the server, to try changes without a build.
CLIENT = os.environ.get("CLIENT")
# Whether the wide tests run, too: `make test-all`.
IS_WIDE = bool(os.environ.get("TEST_ALL"))
VIEW = {"width": 800, "height": 600}


def among(everyday, wide):
    """How much a test does each day, and how much where time does not matter."""
    return wide if IS_WIDE else everyday


class Server:
    """layoutd as a process."""

    def __init__(self, *options: str, port: int = 0) -> None:
        self.options = options
        self.start(port)

    def start(self, port: int) -> None:
        self.process = subprocess.Popen(
            [PROGRAM, "--port", str(port), *self.options], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                break
        else:
            raise RuntimeError("layoutd did not start")
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stderr.close()

    def request(self, method: str, path: str, body=None):
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={} if body is None else {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            data = answer.read()
        return json.loads(data) if data else None

    def prepare(self, kind: str, body) -> str:
        return self.request("POST", f"/layouts/{kind}/prepare", body)["id"]


class Files(http.server.SimpleHTTPRequestHandler):
    """The page, of another origin than the client and the layouts."""

    def log_message(self, *_) -> None:
        pass


def serve_files() -> http.server.ThreadingHTTPServer:
    handler = functools.partial(Files, directory=pathlib.Path(__file__).parent)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Browser:
    """Debian's Chromium."""

    def __init__(self) -> None:
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(
            executable_path="/usr/bin/chromium", ignore_default_args=["--hide-scrollbars"],
            args=["--no-sandbox"])
        self.files = serve_files()

    def close(self) -> None:
        self.chromium.close()
        self.playwright.stop()
        self.files.shutdown()
        self.files.server_close()

    def page(self, server: Server, **options):
        """A page with the client that a server gives. It keeps what the console says."""
        page = self.chromium.new_page(viewport=VIEW, **options)
        page.said = []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(f"{error}\n{error.stack}"))
        page.set_default_timeout(60_000)
        if CLIENT:
            page.route("**/client/*", lambda route: route.fulfill(
                path=pathlib.Path(CLIENT, route.request.url.rsplit("/", 1)[1]),
                headers={"Content-Type": "text/javascript", "Access-Control-Allow-Origin": "*"}))
        page.goto(f"http://127.0.0.1:{self.files.server_port}/page.html?server={server.url}")
        page.wait_for_function("!!window.mount")
        return page


@functools.cache
def server() -> Server:
    """The server of all tests that need no other options and do not stop it."""
    one = Server()
    atexit.register(one.stop)
    return one


@functools.cache
def browser() -> Browser:
    """The browser of all tests; each has a page of its own."""
    one = Browser()
    atexit.register(one.close)
    return one
