"""Events through proxies that compress what they pass on: HAProxy, and express."""

import gzip
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from follower import Follower
from servers import ask, free_port, start_layoutd, stop, wait_for

HAPROXY = """
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  compression algo gzip
  compression type text/event-stream application/json
frontend proxy
  bind 127.0.0.1:{port}
  default_backend layoutd
backend layoutd
  server one 127.0.0.1:{layoutd}
"""

EXPRESS = pathlib.Path(__file__).with_name("express-proxy.js")


class CompressingProxyTests(unittest.TestCase):
    def setUp(self):
        self.layoutd_port, self.port = free_port(), free_port()
        layoutd = start_layoutd(self.layoutd_port)
        self.addCleanup(stop, layoutd)

    def start(self, *command):
        # Where Debian has the modules of Node.js, for one that is not Debian's own.
        proxy = subprocess.Popen(command, env=os.environ | {"NODE_PATH": "/usr/share/nodejs"})
        self.addCleanup(stop, proxy)
        wait_for(self.port, proxy)

    def follow(self):
        body = {"bounds": {"width": 300}, "sections": [{"items": 200}]}
        status, _, content = ask(self.port, "POST", "/layouts/list/prepare", body)
        self.assertEqual(status, 201, content)
        path = f"/layouts/{json.loads(content)['id']}"
        # That the proxy does compress.
        _, fields, content = ask(
            self.port, "GET", f"{path}/elements?rect=0,0,300,9000&f=json", Accept_Encoding="gzip")
        self.assertEqual(fields["Content-Encoding"], "gzip")
        self.assertTrue(json.loads(gzip.decompress(content))["elements"])
        # A proxy that compresses events keeps each until there are kilobytes, and this one waits.
        follower = Follower(self.port, f"{path}/events", encoding="gzip")
        self.addCleanup(follower.leave)
        self.assertEqual(follower.answer.status, 200)
        self.assertIsNone(follower.answer.headers["Content-Encoding"])
        self.assertEqual(follower.event()["version"], 1)
        for version in (2, 3):
            status, _, content = ask(
                self.port, "POST", f"{path}/updates",
                {"updates": [{"insert": {"at": [0, 0], "items": 1}}]})
            self.assertEqual(status, 200, content)
            self.assertEqual(follower.event()["version"], version)

    def test_haproxy(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="layoutd-haproxy-"))
        configuration = pathlib.Path(folder, "haproxy.cfg")
        configuration.write_text(HAPROXY.format(port=self.port, layoutd=self.layoutd_port))
        self.start("haproxy", "-q", "-db", "-f", f"{configuration}")
        self.follow()

    def test_express(self):
        self.start("node", f"{EXPRESS}", f"{self.port}", f"{self.layoutd_port}")
        self.follow()


if __name__ == "__main__":
    unittest.main()
