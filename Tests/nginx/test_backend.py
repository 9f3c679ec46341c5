"""nginx that adds the key to what pages do with ids, with TLS and HTTP/2, before layoutd and a backend."""

import http.server
import json
import pathlib
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

from servers import PATIENCE_SECONDS, Nginx, ask, free_port, start_layoutd, stop

LIST = {"bounds": {"width": 300}, "sections": [{"items": 20}]}


class Backend(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"key": self.headers["Authorization"]}).encode())

    def log_message(self, *_) -> None:
        pass


class SecureNginx(Nginx):
    def start(self) -> None:
        folder = self.directory.name
        self.process = subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf", "-p", folder])
        end = time.monotonic() + PATIENCE_SECONDS
        while self.ask("/")[0] != "2 200" and time.monotonic() < end:
            pass

    def ask(self, target: str, *options: str) -> tuple[str, str]:
        """The version of HTTP with the status, and the content."""
        said = subprocess.run(
            ["curl", "-sk", "--http2", "-w", "\n%{http_version} %{http_code}", *options,
             f"https://127.0.0.1:{self.port}{target}"], capture_output=True, text=True).stdout
        content, _, status = said.rpartition("\n")
        return status, content


class BackendTests(unittest.TestCase):
    def test_pages_need_no_key_and_may_not_prepare(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "keys").write_text("secret\n")
        (folder / "key.conf").write_text('proxy_set_header Authorization "Bearer secret";')
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
             "-keyout", folder / "key.pem", "-out", folder / "pem"], check=True, capture_output=True)
        layoutd = free_port()
        self.addCleanup(stop, start_layoutd(layoutd, "--api-keys-file", f"{folder}/keys"))
        backend = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Backend)
        threading.Thread(target=backend.serve_forever, daemon=True).start()
        self.addCleanup(backend.server_close)
        self.addCleanup(backend.shutdown)
        nginx = self.enterContext(SecureNginx(
            "nginx-backend.conf",
            {"127.0.0.1:8080": layoutd, "127.0.0.1:8000": backend.server_port}, listen="ssl http2",
            ssl_certificate=f"{folder}/pem", ssl_certificate_key=f"{folder}/key.pem",
            include=f"{folder}/key.conf"))
        status, _, content = ask(
            layoutd, "POST", "/layouts/list/prepare?name=x", LIST, Authorization="Bearer secret")
        self.assertEqual(status, 201)
        layout = json.loads(content)["id"]
        self.assertEqual(ask(layoutd, "GET", f"/layouts/{layout}")[0], 401)
        self.assertEqual(nginx.ask("/anything"), ("2 200", '{"key": null}'))
        for target, body, status in (
            (f"/layouts/{layout}", None, 200), (f"/layouts/{layout}/elements?rect=0,0,9,9", None, 200),
            (f"/layouts/{layout}/views", "{}", 201), ("/fonts", None, 200), ("/client/layoutd.js", None, 200),
            ("/layouts/list/prepare", "{}", 404), ("/layouts?name=x", None, 404), ("/layouts", None, 404),
            ("/metrics", None, 404), ("/text/measure", "{}", 404),
            (f"/layouts/{layout}/updates", '{"updates": []}', 404),
        ):
            options = () if body is None else ("--json", body)
            self.assertEqual(nginx.ask(target, *options)[0], f"2 {status}", target)


if __name__ == "__main__":
    unittest.main()
