"""A client of layoutd: this file, and Python's standard library.

    import layoutd

    layout = layoutd.Client("http://localhost:8080").prepare("grid", bounds={"width": 320}, sections=[{"items": 1000}])
    for element in layout.elements((0, 0, 320, 480)):
        print(element["indexPath"], element["frame"])
    layout.update({"insert": {"at": [0, "end"], "items": [{"id": "kite"}]}})

Errors of the server are `LayoutError`. While the server is busy (503), a request waits as long as it
says; a broken connection is tried again where that is safe.
"""

from __future__ import annotations

import array
import json
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["Client", "Layout", "LayoutError", "decode"]

Rect = Sequence[float]
JSON = Mapping[str, Any]
# Tags of RFC 8746, with the types of numpy and of the standard library.
_TYPES = {70: ("<u4", "I"), 71: ("<u8", "Q"), 86: ("<f8", "d")}


class LayoutError(Exception):
    """The answer was no success. `problem` is the problem document (RFC 9457), `{}` without one."""

    def __init__(self, status: int, problem: JSON) -> None:
        fault = next(iter(problem.get("errors", [])), None)
        super().__init__(f"{fault['pointer']} {fault['detail']}" if fault else problem.get("detail") or f"The server answered {status}.")
        self.status = status
        self.problem = problem


class Client:
    """A server.

    `authorization` is the value of the field. `retries` says how often a request is sent again, `timeout` how many
    seconds each may take.
    """

    def __init__(self, server: str, authorization: str | None = None, retries: int = 5, timeout: float = 60) -> None:
        self.server = server.rstrip("/")
        self.authorization = authorization
        self.retries = retries
        self.timeout = timeout

    def prepare(self, kind: str, **body: Any) -> Layout:
        """Lays a collection out: `bounds`, `options`, and `sections` or `nodes`."""
        return Layout(self, self.send("POST", f"/layouts/{kind}/prepare", body, is_safe=True))

    def layout(self, id: str) -> Layout:
        """A layout that somebody has prepared."""
        return Layout(self, self.send("GET", f"/layouts/{id}"))

    def open(self, method: str, path: str, body: JSON | None = None, headers: Mapping[str, str] = {}, is_safe: bool | None = None):
        """Sends a request, and again while that helps. Returns the response as `urllib` gives it."""
        fields = {"Accept": "application/json", **headers}
        if self.authorization:
            fields["Authorization"] = self.authorization
        if body is not None:
            fields["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        for failures in range(self.retries + 1):
            pause = 0.25 * 2**failures
            try:
                return urllib.request.urlopen(
                    urllib.request.Request(self.server + path, data, fields, method=method), timeout=self.timeout)
            except urllib.error.HTTPError as error:
                if error.code != 503 or failures == self.retries:
                    text = error.read()
                    is_problem = "json" in error.headers.get("Content-Type", "")
                    raise LayoutError(error.code, json.loads(text) if is_problem else {}) from None
                pause = float(error.headers.get("Retry-After", 1))
            except (urllib.error.URLError, ConnectionError):
                if failures == self.retries or not (method == "GET" if is_safe is None else is_safe):
                    raise
            time.sleep(pause)

    def send(self, method: str, path: str, body: JSON | None = None, headers: Mapping[str, str] = {}, is_safe: bool | None = None) -> Any:
        """Sends a request. Returns what the answer says: JSON or CBOR."""
        with self.open(method, path, body, headers, is_safe) as response:
            content = response.read()
            if "cbor" in response.headers.get("Content-Type", ""):
                return decode(content)
            return json.loads(content) if content else None


class Layout:
    """A layout. `summary` is what the server said of it last."""

    def __init__(self, client: Client, summary: JSON) -> None:
        self.client = client
        self.summary = summary

    @property
    def id(self) -> str:
        return self.summary["id"]

    @property
    def version(self) -> int:
        return self.summary["version"]

    @property
    def path(self) -> str:
        return f"/layouts/{self.id}"

    def refresh(self) -> JSON:
        """Asks for the summary again."""
        self.summary = self.client.send("GET", self.path)
        return self.summary

    def elements(self, rect: Rect | None = None, **parameters: Any) -> Iterator[dict]:
        """The elements that a rect shows, by default all; page after page, as they are asked for.

        `parameters` are those of the query: `data=True`, `category="cell"`, `limit=1000` …
        """
        for answer in self._pages(rect, parameters, "json"):
            yield from answer["elements"]

    def columns(self, rect: Rect | None = None, **parameters: Any) -> dict[str, Any]:
        """The same as columns: `x`, `y`, `width`, `height`, `section`, `item`, `category`, `id` …

        Numbers are numpy arrays if numpy is there, else arrays of the standard library. A member that not all pages
        have is `None` where it is missing.
        """
        pages = [answer["elements"] for answer in self._pages(rect, parameters, "cbor")]
        counts = [len(page["x"]) for page in pages]
        return {name: _joined([_column(name, page, count) for page, count in zip(pages, counts)])
                for name in dict.fromkeys(name for page in pages for name in page) if name not in ("children", "pinRange", "estimated")}

    def _pages(self, rect: Rect | None, parameters: Mapping[str, Any], form: str) -> Iterator[JSON]:
        area = "-1e9,-1e9,2e9,2e9" if rect is None else ",".join(str(number) for number in rect)
        given = {name: str(value).lower() if isinstance(value, bool) else value for name, value in parameters.items()}
        path = f"{self.path}/elements?{urllib.parse.urlencode({'rect': area, **given, 'f': form}, safe=',')}"
        while path:
            answer = self.client.send("GET", path)
            yield answer
            # Behind a proxy, the path begins with a folder of its own.
            path = answer.get("next") and answer["next"][answer["next"].rindex("/layouts/"):]

    def update(self, *updates: JSON, if_match: str | None = None) -> JSON:
        """Changes what the collection holds. Returns the new summary."""
        return self._change("POST", "/updates", {"updates": updates}, if_match)

    def patch(self, if_match: str | None = None, **change: Any) -> JSON:
        """Changes `bounds`, `options`, the `kind`, or how the items are `arrange`d."""
        return self._change("PATCH", "", change, if_match)

    def measure(self, *sizes: JSON, if_match: str | None = None) -> JSON:
        """Says how large cells were measured."""
        return self._change("POST", "/measurements", {"sizes": sizes}, if_match)

    def _change(self, method: str, path: str, body: JSON, if_match: str | None) -> JSON:
        self.summary = self.client.send(method, self.path + path, body, {"If-Match": if_match} if if_match else {})
        return self.summary

    def view(self, **change: Any) -> Layout:
        """Another layout of the same collection."""
        return Layout(self.client, self.client.send("POST", f"{self.path}/views", change))

    def delete(self) -> None:
        self.client.send("DELETE", self.path, is_safe=True)

    def follow(self) -> Iterator[dict]:
        """What becomes of the layout: its version now, then each later one, until it is gone.

        A stream that breaks is taken up again where it was. The last has the member `reason`.
        """
        last = None
        while True:
            fields = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
            try:
                with self.client.open("GET", f"{self.path}/events", headers=fields) as response:
                    event: dict[str, str] = {}
                    for line in response:
                        name, _, value = line.decode().rstrip("\n").partition(": ")
                        if name:
                            event[name] = value
                            continue
                        if "data" in event:
                            last = event.get("id", last)
                            told = json.loads(event["data"])
                            yield told
                            if event.get("event") == "gone":
                                return
                        event = {}
            except (OSError, urllib.error.URLError):
                time.sleep(1)


def _column(name: str, page: JSON, count: int) -> Any:
    column = page.get(name)
    if column is None:
        return [None] * count
    if name in ("category", "kind", "zIndex"):
        return [value for run, value in column for _ in range(run)]
    if name in ("data", "parts"):
        return [None if one is None else json.loads(one) for one in column]
    return column


def _joined(columns: list) -> Any:
    if len(columns) == 1:
        return columns[0]
    if numpy is not None and all(isinstance(one, numpy.ndarray) for one in columns):
        return numpy.concatenate(columns)
    return [value for one in columns for value in one]


def decode(content: bytes) -> Any:
    """Reads an answer in CBOR: all that layoutd writes, which is less than RFC 8949 allows."""
    at = 0

    def take(count: int) -> bytes:
        nonlocal at
        at += count
        return content[at - count:at]

    def read() -> Any:
        head = take(1)[0]
        major, short = head >> 5, head & 31
        if head >= 0xF9:
            return struct.unpack({0xF9: ">e", 0xFA: ">f", 0xFB: ">d"}[head], take(1 << short - 24))[0]
        if major == 7:
            return {0xF4: False, 0xF5: True, 0xF6: None}[head]
        count = short if short < 24 else int.from_bytes(take(1 << short - 24), "big")
        if major == 0:
            return count
        if major == 1:
            return -1 - count
        if major == 2:
            return take(count)
        if major == 3:
            return take(count).decode()
        if major == 4:
            return [read() for _ in range(count)]
        if major == 5:
            return {read(): read() for _ in range(count)}
        return _typed(count, read())

    return read()


def _typed(tag: int, content: bytes) -> Any:
    if numpy is not None:
        return numpy.frombuffer(content, _TYPES[tag][0])
    numbers = array.array(_TYPES[tag][1], content)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
