"""layoutd as a process, for tests and benchmarks in Python.

LAYOUTD  the program, if it is not that of the debug build
"""

import asyncio
import contextlib
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ.get("LAYOUTD", ROOT / ".build/debug/layoutd")).resolve()


def plain_environment() -> dict[str, str]:
    """The environment without the program's options."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LAYOUTD_")}


# At most how long news of the store is under way, in seconds. On busy machines it takes as long.
LATE = 0.05


async def bring_late(store: str, path: str, end: threading.Event) -> None:
    """A way to a store on which news of changes comes late, until the end."""
    async def carry(reader, writer) -> None:
        from_store, to_store = await asyncio.open_unix_connection(store)
        is_late = False

        async def pass_on(source, target) -> None:
            nonlocal is_late
            with contextlib.suppress(ConnectionError):
                while data := await source.read(1 << 16):
                    is_late |= b"SUBSCRIBE" in data
                    if is_late:
                        await asyncio.sleep(random.uniform(0, LATE))
                    target.write(data)

        ways = [pass_on(reader, to_store), pass_on(from_store, writer)]
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait(map(asyncio.create_task, ways), return_when=asyncio.FIRST_COMPLETED)
        to_store.close()
        writer.close()

    async with await asyncio.start_unix_server(carry, path):
        await asyncio.to_thread(end.wait)


@contextlib.contextmanager
def shared_store():
    """A Redis of its own: its socket, and the options of servers that share it and hear of it late."""
    with tempfile.TemporaryDirectory() as folder:
        path, late = f"{folder}/redis.sock", f"{folder}/late.sock"
        redis = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL)
        end = threading.Event()
        bringing = threading.Thread(target=lambda: asyncio.run(bring_late(path, late, end)))
        bringing.start()
        try:
            yield path, ["--store", f"unix://{late}", "--store-wait", "30s"]
        finally:
            end.set()
            bringing.join()
            redis.kill()
            redis.wait()


class Program:
    """A server on a port of the loopback, until `stop` or the end of its `with`."""

    def __init__(
        self, *options: str, program=PROGRAM, port: int = 0, descriptors: int | None = None, heard=None, **environment: str
    ) -> None:
        """Starts it; with port 0 on a free one, which `port` is then.

        `descriptors` are how many it may have. `heard` is told each line of its log until it listens.
        """
        self.command = [program, *options]
        self.environment = environment
        self.limit = descriptors and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)))
        self.heard = heard or (lambda line: None)
        self.start(port)

    def start(self, port: int = 0) -> None:
        self.reader = None
        self.process = subprocess.Popen(
            [*self.command, "--port", f"{port}"], env=plain_environment() | self.environment, text=True,
            stderr=subprocess.PIPE, preexec_fn=self.limit)
        self.log = []
        for line in self.process.stderr:
            self.log.append(line.rstrip("\n"))
            self.heard(line)
            if found := re.search(r"127\.0\.0\.1:(\d+)", line):
                break
        else:
            self.stop()
            raise RuntimeError(f"{self.command[0]} did not start: {self.log}")
        # What it says later must not fill the pipe.
        self.reader = threading.Thread(
            target=lambda: self.log.extend(line.rstrip("\n") for line in self.process.stderr), daemon=True)
        self.reader.start()
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self, by=signal.SIGTERM) -> None:
        self.process.send_signal(by)
        self.status()
        self.process.stderr.close()

    def status(self) -> int:
        """Waits until it has ended, and all that it says is in the log."""
        status = self.process.wait()
        if self.reader:
            self.reader.join()
        return status

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_) -> None:
        self.stop(signal.SIGKILL)

    def request(self, method: str, path: str, body=None):
        """The answer in JSON; None if it has no content."""
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={} if body is None else {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            data = answer.read()
        return json.loads(data) if data else None

    def ask(self, method: str, path: str, body=None) -> dict:
        """Like `request`; a refusal is told with what was asked and said."""
        try:
            return self.request(method, path, body) or {}
        except urllib.error.HTTPError as problem:
            raise AssertionError(
                f"{method} {path} {body}: {problem.code} {problem.read()[:500]}") from None

    def prepare(self, kind: str, body) -> str:
        """The id of a new layout."""
        return self.request("POST", f"/layouts/{kind}/prepare", body)["id"]

    def metric(self, name: str) -> float | None:
        """What `/metrics` has for a name."""
        with urllib.request.urlopen(f"{self.url}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        return next((float(line.split()[1]) for line in lines if line.startswith(f"{name} ")), None)

    def descriptors(self) -> list[str]:
        """Where its descriptors lead."""
        found = []
        for link in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir():
            # One that has been closed meanwhile leads nowhere.
            with contextlib.suppress(FileNotFoundError):
                found.append(os.readlink(link))
        return found

    def sockets(self) -> list[str]:
        """That on which it listens, and one for each connection. Threads that still start open other descriptors."""
        return [path for path in self.descriptors() if path.startswith("socket:")]

    def memory(self, name: str) -> int:
        """The bytes in a line of the kernel's status of it: VmRSS, VmHWM, VmSize."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+)", status)[1]) << 10

    def cpu_seconds(self) -> float:
        """What it has taken of the processors."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
