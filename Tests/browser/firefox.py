"""Firefox, as far as a test needs it that only looks how texts are laid out: one page, and a
function that runs in it. Over WebDriver BiDi, which Firefox speaks by itself."""

import json
import re
import subprocess
import tempfile

from websockets.sync.client import connect

PROGRAM = "/usr/bin/firefox-esr"


class Firefox:
    def __init__(self, url: str) -> None:
        self.profile = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--remote-debugging-port", "0", "--profile", self.profile.name],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for line in self.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise RuntimeError("Firefox does not listen")
        self.socket = connect(found[1] + "/session", max_size=None, open_timeout=60)
        self.last = 0
        said = self.send("session.new", capabilities={})
        self.version = said["capabilities"]["browserVersion"]
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def send(self, method: str, **parameters):
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "method": method, "params": parameters}))
        while (answer := json.loads(self.socket.recv(timeout=1800))).get("id") != self.last:
            pass
        if answer["type"] != "success":
            raise RuntimeError(f"{method}: {answer['error']} {answer['message']}")
        return answer["result"]

    def evaluate(self, function: str, argument):
        """What an asynchronous function of JSON makes of an argument, as Playwright's does."""
        result = self.send(
            "script.callFunction", target={"context": self.context}, awaitPromise=True,
            functionDeclaration=f"async text => JSON.stringify(await ({function})(JSON.parse(text)))",
            arguments=[{"type": "string", "value": json.dumps(argument)}])
        if result["type"] != "success":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    def close(self) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
        self.profile.cleanup()
