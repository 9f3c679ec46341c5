"""A folder of a site, Unix sockets, sockets of systemd, and who the client is: with nginx and
HAProxy."""

import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import unittest

from follower import Follower, comes_true
from servers import (
    PATIENCE_SECONDS, PROGRAM, Nginx, Proxied, ask, free_port, stop, wait_for)

LIST = {"bounds": {"width": 300}, "sections": [{"items": 200}]}

HAPROXY = """
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend proxy
  bind 127.0.0.1:{port}
  default_backend layoutd
backend layoutd
  server one 127.0.0.1:{layoutd}
"""


class FolderTests(unittest.TestCase):
    """Each address that the service gives leads somewhere, as the client uses it."""

    def expect_addresses(self, port):
        def get(address, **fields):
            return ask(port, "GET", address, **fields)

        status, fields, content = ask(port, "POST", "/tiles/layouts/list/prepare", LIST)
        self.assertEqual(status, 201, content)
        path = fields["Location"]
        self.assertEqual(path, f"/tiles/layouts/{json.loads(content)['id']}")
        self.assertEqual(get(path)[0], 200)
        elements, address = [], f"{path}/elements?rect=0,0,300,1e6&limit=90"
        while address:
            status, _, content = get(address)
            self.assertEqual(status, 200, content)
            page = json.loads(content)
            elements += page["elements"]
            address = page.get("next")
        self.assertEqual(len(elements), 200)
        _, _, content = get(f"{path}/elements")
        self.assertEqual(get(json.loads(content)["type"])[0], 200)
        _, _, page = get("/tiles/", Accept="text/html")
        addresses = re.findall(r'(?:src|href)="([^"#:]+)"', page.decode())
        self.assertGreater(len(addresses), 2)
        for address in addresses:
            self.assertFalse(address.startswith("/"), address)
            self.assertEqual(get(f"/tiles/{address.removeprefix('./')}")[0], 200, address)
        follower = Follower(port, f"{path}/events")
        self.assertEqual(follower.event()["version"], 1)
        follower.leave()

    def test_a_proxy_that_keeps_the_folder(self):
        servers = self.enterContext(Proxied("nginx-folder.conf", "--base-path", "/tiles"))
        self.expect_addresses(servers.nginx_port)
        status, fields, _ = ask(servers.nginx_port, "GET", "/tiles")
        self.assertEqual(status, 301)
        self.assertTrue(fields["Location"].endswith("/tiles/"))

    def test_a_proxy_that_removes_it(self):
        servers = self.enterContext(
            Proxied("nginx-folder.conf", "--base-path", "/tiles", proxy_pass="http://layoutd/"))
        self.expect_addresses(servers.nginx_port)


class SocketTests(unittest.TestCase):
    def expect_service(self, port):
        status, _, content = ask(port, "POST", "/layouts/list/prepare", LIST)
        self.assertEqual(status, 201, content)
        path = f"/layouts/{json.loads(content)['id']}"
        follower = Follower(port, f"{path}/events")
        self.addCleanup(follower.leave)
        self.assertEqual(follower.event()["version"], 1)
        updates = {"updates": [{"insert": {"at": [0, 0], "items": 1}}]}
        self.assertEqual(ask(port, "POST", f"{path}/updates", updates)[0], 200)
        self.assertEqual(follower.event()["version"], 2)

    def folder(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="layoutd-socket-"))
        # nginx's workers are of another user where it is root's.
        os.chmod(folder, 0o755)
        return folder

    def test_a_unix_socket(self):
        path = f"{self.folder()}/socket"
        layoutd = subprocess.Popen(
            [PROGRAM, "--listen", f"unix:{path}"], stderr=subprocess.DEVNULL)
        self.addCleanup(stop, layoutd)
        self.assertTrue(comes_true(pathlib.Path(path).exists))
        nginx = Nginx("nginx.conf", {"127.0.0.1:8080": f"unix:{path}"})
        self.enterContext(nginx)
        self.expect_service(nginx.port)

    def test_a_socket_of_systemd(self):
        """As systemd does it: the socket listens before the server runs, and is descriptor 3."""
        path = f"{self.folder()}/socket"
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(path)
        os.chmod(path, 0o666)
        listener.listen()
        # The shell's own number is that of the program that it becomes.
        layoutd = subprocess.Popen(
            ["sh", "-c", f'exec 3<&{listener.fileno()}; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0"',
             str(PROGRAM)],
            pass_fds=[listener.fileno()], stderr=subprocess.DEVNULL)
        self.addCleanup(stop, layoutd)
        nginx = Nginx("nginx.conf", {"127.0.0.1:8080": f"unix:{path}"})
        self.enterContext(nginx)
        self.expect_service(nginx.port)
        stop(layoutd)
        self.assertTrue(pathlib.Path(path).exists())


class ClientAddressTests(unittest.TestCase):
    def setUp(self):
        self.layoutd_port, self.port = free_port(), free_port()
        self.log = self.enterContext(tempfile.TemporaryFile("w+"))

    def start(self, *arguments):
        """Starts layoutd with a log of requests, and HAProxy before it."""
        layoutd = subprocess.Popen(
            [PROGRAM, "--port", f"{self.layoutd_port}", "--access-log", "on", "--log-format", "json",
             *arguments],
            stderr=self.log)
        self.addCleanup(stop, layoutd)
        wait_for(self.layoutd_port, layoutd)
        self.layoutd = layoutd
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="layoutd-haproxy-"))
        configuration = pathlib.Path(folder, "haproxy.cfg")
        configuration.write_text(
            HAPROXY.format(port=self.port, layoutd=self.layoutd_port))
        proxy = subprocess.Popen(["haproxy", "-q", "-db", "-f", f"{configuration}"])
        self.addCleanup(stop, proxy)
        wait_for(self.port, proxy)

    def logged(self, **fields):
        """What is logged of a request that comes from 127.0.0.9."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE_SECONDS, source_address=("127.0.0.9", 0))
        connection.request("GET", "/kinds", headers={"X-Request-Id": "mine"} | fields)
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        stop(self.layoutd)
        self.log.seek(0)
        entries = [json.loads(line) for line in self.log if line.startswith("{")]
        return next(entry for entry in entries if entry.get("request_id") == "mine")

    def test_x_forwarded_for(self):
        self.start("--trusted-proxies", "127.0.0.1")
        entry = self.logged(**{"X-Forwarded-For": "192.0.2.7, 127.0.0.1"})
        self.assertEqual(entry["client"], "192.0.2.7")
        self.assertTrue(entry["peer"].startswith("127.0.0.1:"))

    def test_nobody_else_is_believed(self):
        self.start()
        entry = self.logged(**{"X-Forwarded-For": "192.0.2.7"})
        self.assertNotIn("client", entry)


if __name__ == "__main__":
    unittest.main()
