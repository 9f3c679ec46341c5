"""layoutd with `--cache public`, and nginx before it with the documentation's configuration."""

import os
import pathlib
import re
import socket
import subprocess
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGURATION = ROOT / "Documentation/nginx-cache.conf"

MAIN = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr error;
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


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Proxied:
    """Both servers, each on a free port of the loopback."""

    def __init__(self, layoutd=None, arguments=()):
        self.layoutd_program = layoutd or os.environ.get("LAYOUTD", ROOT / ".build/debug/layoutd")
        self.arguments = arguments
        self.folder = tempfile.TemporaryDirectory(prefix="layoutd-nginx-")
        self.processes = []

    def start(self):
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self):
        layoutd = subprocess.Popen(
            [self.layoutd_program, "--port", "0", "--cache", "public", *self.arguments],
            stderr=subprocess.PIPE, text=True)
        self.processes.append(layoutd)
        for line in layoutd.stderr:
            if said := re.search(r"listens on http://127\.0\.0\.1:(\d+)", line):
                self.layoutd_port = int(said[1])
                break
        else:
            raise RuntimeError("layoutd did not start")
        self.nginx_port = free_port()
        folder = self.folder.name
        server = (
            CONFIGURATION.read_text()
            .replace("/var/cache/nginx/layoutd", f"{folder}/cache")
            .replace("127.0.0.1:8080", f"127.0.0.1:{self.layoutd_port}")
            .replace("listen 80;", f"listen 127.0.0.1:{self.nginx_port};"))
        main = pathlib.Path(folder, "nginx.conf")
        main.write_text(MAIN.format(folder=folder, server=server))
        # nginx's workers are of another user where it is root's.
        os.chmod(folder, 0o755)
        nginx = subprocess.Popen(["nginx", "-c", main, "-p", folder])
        self.processes.append(nginx)
        # nginx says nothing when it listens.
        while nginx.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.nginx_port}/healthz").read()
                return
            except OSError:
                continue
        raise RuntimeError("nginx did not start")

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait()
            if process.stderr:
                process.stderr.close()
        self.folder.cleanup()
