"""A connection on which tests send what no proper client would, and die."""

import dataclasses
import socket
import struct
import threading
import time


@dataclasses.dataclass
class Answer:
    status: int
    # Names in lowercase, none twice.
    fields: dict[str, str]
    body: bytes = b""


class Connection:
    """What takes longer than its limit is an error, never an end of the connection."""

    def __init__(self, port: int, seconds: float = 60) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), seconds)
        self.received = b""

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        if hasattr(self, "socket"):
            self.socket.close()

    def send(self, text: str | bytes) -> bool:
        """False if the server does not take it any more. Each character is a byte."""
        try:
            self.socket.sendall(text.encode("latin1") if isinstance(text, str) else text)
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def finish(self) -> None:
        """Says that nothing more will be sent."""
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def reset(self) -> None:
        """Dies."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def ask(self, method: str, target: str, body: str | None = None, fields: str = "") -> Answer:
        self.send(request(method, target, body, fields))
        return self.answer(has_body=method != "HEAD")

    def answer(self, has_body: bool = True) -> Answer:
        """The next answer, be it an interim one."""
        head = self.through(b"\r\n\r\n").decode()
        first, *lines = head.strip().split("\r\n")
        assert first.startswith("HTTP/1.1 "), head
        fields = [(name.lower(), value.strip()) for name, value in (line.split(":", 1) for line in lines)]
        answer = Answer(int(first[9:12]), dict(fields))
        assert len(answer.fields) == len(fields), f"a field twice: {head}"
        if has_body and answer.status >= 200 and answer.status not in (204, 304):
            answer.body = self.take(int(answer.fields["content-length"]))
        return answer

    def answers(self) -> list[Answer]:
        """All answers until the server closes."""
        found = []
        while self.received or self.receive():
            found.append(self.answer())
        return found

    def statuses(self) -> list[int]:
        """Those of all answers until the server closes.

        libmicrohttpd's own pages may come with their header section twice; those count once.
        """
        found, previous = [], ""
        for part in self.rest().decode().split("HTTP/1.1 "):
            if part and not (previous and part.startswith(previous)):
                found.append(int(part[:3]))
            previous = part
        return found

    def chunk(self) -> str | None:
        """The next chunk of content in chunked coding; `None` if it is the last one."""
        count = int(self.through(b"\r\n"), 16)
        content = self.take(count + 2)[:-2]
        return content.decode() if count else None

    def rest(self) -> bytes:
        """All that comes until the server closes."""
        while self.receive():
            pass
        return self.received

    def is_closed(self) -> bool:
        """Waits for the next byte, or the end."""
        return not self.received and not self.receive()

    def through(self, end: bytes) -> bytes:
        while end not in self.received:
            assert self.receive(), f"closed after {self.received}"
        return self.take(self.received.index(end) + len(end))

    def take(self, count: int) -> bytes:
        while len(self.received) < count:
            assert self.receive(), f"closed after {len(self.received)} of {count} bytes"
        taken, self.received = self.received[:count], self.received[count:]
        return taken

    def receive(self) -> bool:
        """False when the server has closed the connection, in order or by a reset."""
        try:
            part = self.socket.recv(1 << 20)
        except ConnectionResetError:
            part = b""
        self.received += part
        return bool(part)


def request(method: str, target: str, body: str | None = None, fields: str = "") -> str:
    if body is not None:
        fields += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{method} {target} HTTP/1.1\r\nHost: a\r\n{fields}\r\n{body or ''}"


def eventually(condition) -> bool:
    """Whether a condition comes true within a minute: long enough for a busy machine."""
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def at_once(bodies) -> None:
    """Runs functions on a thread each; what one of them raises is raised here."""
    failures = []

    def run(body) -> None:
        try:
            body()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=[body]) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for failure in failures:
        raise failure
