"""A server, a page with the client, and a browser, for the tests of the client.

BROWSER  firefox: the tests that `Tests/browser/run firefox` names run in Debian's Firefox
LATE     in Chromium, requests and answers take up to so many milliseconds more, each another time
"""

import atexit
import functools
import http.server
import os
import pathlib
import random
import sys
import threading

from playwright.sync_api import sync_playwright

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from program import ROOT, Program

# A folder that the client comes from instead of the server, to try changes without a build.
CLIENT = os.environ.get("CLIENT")
IS_FIREFOX = os.environ.get("BROWSER") == "firefox"
# Whether the wide tests run, too: `make test-all`.
IS_WIDE = bool(os.environ.get("TEST_ALL"))
VIEW = {"width": 800, "height": 600}
LATE = int(os.environ.get("LATE", "0"))
LATE_FETCH = f"""{{
  const {{fetch: fetchOfBrowser, setTimeout}} = window, pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * {LATE}))
  window.fetch = async (...request) => {{
    await pause()
    const answer = await fetchOfBrowser(...request)
    await pause()
    return answer
  }}
}}"""


def among(everyday, wide):
    """How much a test does each day, and how much where time does not matter."""
    return wide if IS_WIDE else everyday


def any_seed() -> int:
    """A seed: each day the same, and another one each time where time does not matter."""
    return random.randrange(1 << 30) if IS_WIDE else 1


def wait_until(page, holds: str, arg=None) -> None:
    """Waits for a function of the page, which may be asynchronous. `wait_for_function` evaluates a text, which
    pages of the server do not allow."""
    page.evaluate(f"""async (arg) => {{
      const holds = {holds}, end = performance.now() + 60_000
      while (!await holds(arg)) {{
        if (performance.now() > end) throw new Error('not within a minute')
        await new Promise(requestAnimationFrame)
      }}
    }}""", arg)


class Files(http.server.SimpleHTTPRequestHandler):
    """The page, of another origin than the client and the layouts."""

    def log_message(self, *_) -> None:
        pass


def serve_files() -> http.server.ThreadingHTTPServer:
    handler = functools.partial(Files, directory=pathlib.Path(__file__).parent)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def late(make):
    """Makes pages, or what pages come from, with requests that are late."""
    def made(**options):
        page = make(**options)
        page.add_init_script(LATE_FETCH)
        return page
    return made


class Browser:
    """Debian's Chromium without its windows, which take as much of the processors as the pages."""

    def __init__(self) -> None:
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", ignore_default_args=["--hide-scrollbars"],
            args=["--no-sandbox"])
        if LATE:
            self.chromium.new_page, self.chromium.new_context = map(late, (self.chromium.new_page, self.chromium.new_context))
        self.files = serve_files()

    def close(self) -> None:
        self.chromium.close()
        self.playwright.stop()
        self.files.shutdown()
        self.files.server_close()

    def page(self, server: Program, context=None, **options):
        """A page with the client that a server gives. It keeps what the console says."""
        page = context.new_page() if context else self.chromium.new_page(viewport=VIEW, **options)
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


class FirefoxBrowser:
    """Debian's Firefox."""

    def __init__(self) -> None:
        import firefox
        self.firefox = firefox.Firefox()
        self.files = serve_files()

    def close(self) -> None:
        self.firefox.close()
        self.files.shutdown()
        self.files.server_close()

    def page(self, server: Program):
        page = self.firefox.page(f"http://127.0.0.1:{self.files.server_port}/page.html?server={server.url}", **VIEW)
        page.wait_for_function("!!window.mount")
        return page


@functools.cache
def server() -> Program:
    """The server of all tests that need no other options and do not stop it."""
    one = Program()
    atexit.register(one.stop)
    return one


@functools.cache
def browser() -> Browser | FirefoxBrowser:
    """The browser of all tests; each has a page of its own."""
    one = FirefoxBrowser() if IS_FIREFOX else Browser()
    atexit.register(one.close)
    return one
