"""Debian's Firefox ESR for the tests, over WebDriver BiDi, which it speaks by itself. Its pages do what tests of the
client ask of those of Playwright."""

import contextlib
import json
import re
import subprocess
import tempfile

from websockets.sync.client import connect

PROGRAM = "/usr/bin/firefox-esr"
KEYS = {"Tab": "\ue004", "Control": "\ue009", "Shift": "\ue008", "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010",
        "PageUp": "\ue00e", "PageDown": "\ue00f", "ArrowUp": "\ue013", "ArrowDown": "\ue015", "ArrowLeft": "\ue012", "ArrowRight": "\ue014"}


class Firefox:
    def __init__(self) -> None:
        self.profile = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--remote-debugging-port", "0", "--profile", self.profile.name],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for line in self.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise RuntimeError("Firefox does not listen")
        self.opened = contextlib.ExitStack()
        self.socket = self.opened.enter_context(connect(found[1] + "/session", max_size=None, open_timeout=60))
        self.last, self.pages = 0, {}
        self.version = self.send("session.new", capabilities={})["capabilities"]["browserVersion"]
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method: str, **parameters):
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "method": method, "params": parameters}))
        while (answer := json.loads(self.socket.recv(timeout=1800))).get("id") != self.last:
            if answer.get("method") == "log.entryAdded" and (page := self.pages.get(answer["params"]["source"].get("context"))):
                page.said.append(answer["params"]["text"])
        if answer["type"] != "success":
            raise RuntimeError(f"{method}: {answer['error']} {answer['message']}")
        return answer["result"]

    def page(self, url: str, width: int = 800, height: int = 600) -> "Page":
        return Page(self, url, width, height)

    def close(self) -> None:
        self.opened.close()
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
        self.profile.cleanup()


class Page:
    def __init__(self, firefox: Firefox, url: str, width: int, height: int) -> None:
        self.firefox, self.said, self.keyboard = firefox, [], self
        self.context = firefox.send("browsingContext.create", type="tab")["context"]
        firefox.pages[self.context] = self
        self.send("browsingContext.setViewport", viewport={"width": width, "height": height})
        self.goto(url)

    def send(self, method: str, **parameters):
        return self.firefox.send(method, context=self.context, **parameters)

    def goto(self, url: str) -> None:
        self.send("browsingContext.navigate", url=url, wait="complete")

    def evaluate(self, code: str, argument=None):
        """The value of an expression, or what a function makes of an argument; in JSON."""
        result = self.firefox.send(
            "script.callFunction", target={"context": self.context}, awaitPromise=True, functionDeclaration=f"""async (__argument) => {{
              const value = ({code.strip().removesuffix(";")}\n)
              return JSON.stringify(await (typeof value === 'function' ? value(JSON.parse(__argument)) : value)) ?? 'null'
            }}""", arguments=[{"type": "string", "value": json.dumps(argument)}])
        if result["type"] != "success":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    def wait_for_function(self, code: str, arg=None) -> None:
        self.evaluate(f"""async (arg) => {{
          const end = performance.now() + 60_000, holds = () => {{ const value = ({code}\n); return typeof value === 'function' ? value(arg) : value }}
          while (!await holds()) {{
            if (performance.now() > end) throw new Error('not within a minute')
            await new Promise(requestAnimationFrame)
          }}
        }}""", arg)

    def on(self, *_) -> None:
        """Requests are not told."""

    def set_default_timeout(self, _) -> None:
        """A minute, always."""

    def focus(self, selector: str) -> None:
        self.evaluate("(selector) => document.querySelector(selector).focus()", selector)

    def is_visible(self, selector: str) -> bool:
        return self.evaluate("(selector) => document.querySelector(selector)?.checkVisibility() ?? false", selector)

    def press(self, keys: str) -> None:
        values = [KEYS.get(key, key) for key in keys.split("+")]
        self.__perform([("keyDown", value) for value in values] + [("keyUp", value) for value in reversed(values)])

    def type(self, text: str, delay: int = 0) -> None:
        for letter in text:
            self.press(letter)

    def __perform(self, actions) -> None:
        self.send("input.performActions", actions=[
            {"type": "key", "id": "keys", "actions": [{"type": kind, "value": value} for kind, value in actions]}])

    def close(self) -> None:
        self.send("browsingContext.close")
        del self.firefox.pages[self.context]
