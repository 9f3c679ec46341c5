"""A client that follows a layout, and reads events by the rules of the standard."""

import http.client
import json
import re
import socket
import time

from servers import PATIENCE_SECONDS, ask


class Follower:
    def __init__(
        self, port: int, target: str, last_event_id: str | None = None, *, takes_little=False,
        encoding: str | None = None,
    ) -> None:
        """With `takes_little`, the system takes only some kilobytes that are not read yet.

        `encoding` is what the client says that it accepts, though it could not read it.
        """
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        if takes_little:
            self.connection.sock = socket.socket()
            self.connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            self.connection.sock.settimeout(PATIENCE_SECONDS)
            self.connection.sock.connect(("127.0.0.1", port))
        fields = {"Accept": "text/event-stream"}
        if encoding:
            fields["Accept-Encoding"] = encoding
        if last_event_id:
            fields["Last-Event-ID"] = last_event_id
        self.connection.request("GET", target, headers=fields)
        self.answer = self.connection.getresponse()
        self.last_event_id = last_event_id

    def event(self, beats: bool = False):
        """The data of the next event; `None` at the end of the stream.

        With `beats`, a heartbeat is an event, too, and its data is `"heartbeat"`.
        """
        data = None
        while True:
            try:
                line = self.answer.readline().decode()
            except (ConnectionError, http.client.IncompleteRead):
                return None
            if not line:
                return None
            if line == "\n" and data is not None:
                return data
            name, _, value = line.rstrip("\n").partition(":")
            value = value.removeprefix(" ")
            if line == ":\n" and beats:
                return "heartbeat"
            if name == "data":
                data = json.loads(value)
            if name == "id":
                self.last_event_id = value

    def leave(self) -> None:
        # The answer has the socket, too.
        self.answer.close()
        self.connection.close()


def streams(port: int) -> int:
    """How many streams a server says that it has."""
    _, _, text = ask(port, "GET", "/metrics")
    return int(float(re.search(r"^layoutd_event_streams (\S+)$", text.decode(), re.M)[1]))


def comes_true(condition) -> bool:
    """Waits until something is so."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if condition():
            return True
    return False
