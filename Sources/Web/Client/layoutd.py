"""A client of layoutd: this file, and Python's standard library.

    import layoutd

    layout = layoutd.Client("http://localhost:8080").prepare("grid", bounds={"width": 320}, sections=[{"items": 1000}])
    for element in layout.elements((0, 0, 320, 480)):
        print(element["indexPath"], element["frame"])
    layout.update({"insert": {"at": [0, "end"], "items": [{"id": "kite"}]}})

Errors of the server are `LayoutError`. While the server is busy (503), a request waits as long as it
says; a broken connection is tried again where that is safe. Connections are kept open and used again.
Threads may share a client.
"""

from __future__ import annotations

import array
import http.client
import json
import selectors
import struct
import sys
import time
import urllib.parse
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
        self._idle: list[http.client.HTTPConnection] = []

    def close(self) -> None:
        """Closes what is open and not in use."""
        while self._idle:
            self._idle.pop().close()

    __del__ = close

    def prepare(self, kind: str, *, name: str | None = None, **body: Any) -> Layout:
        """Lays a collection out: `bounds`, `options`, and `sections` or `nodes`. Of a `name` there is one layout."""
        return Layout(self, self.send("POST", f"/layouts/{kind}/prepare{_query({'name': name})}", body, is_safe=True))

    def named(self, name: str) -> Layout | None:
        """The layout that was prepared under a name, if it is there."""
        found = self.send("GET", f"/layouts{_query({'name': name})}")["layouts"]
        return Layout(self, found[0]) if found else None

    def layout(self, id: str) -> Layout:
        """A layout that somebody has prepared."""
        return Layout(self, self.send("GET", f"/layouts/{id}"))

    def open(self, method: str, path: str, body: JSON | None = None, headers: Mapping[str, str] = {}, is_safe: bool | None = None) -> _Answer:
        """Sends a request, and again while that helps. Returns the answer, to be read in a `with`."""
        fields = {"Accept": "application/json", **headers}
        if self.authorization:
            fields["Authorization"] = self.authorization
        if body is not None:
            fields["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        for failures in range(self.retries + 1):
            pause = 0.25 * 2**failures
            connection = self._connection()
            try:
                connection.request(method, urllib.parse.urlsplit(self.server).path + path, data, fields)
                answer = _Answer(self, connection, connection.getresponse())
            except (OSError, http.client.HTTPException):
                connection.close()
                if failures == self.retries or not (method == "GET" if is_safe is None else is_safe):
                    raise
            else:
                if answer.status < 300:
                    return answer
                with answer:
                    text = answer.read()
                if answer.status != 503 or failures == self.retries:
                    is_problem = "json" in answer.headers.get("Content-Type", "")
                    raise LayoutError(answer.status, json.loads(text) if is_problem else {})
                pause = float(answer.headers.get("Retry-After", 1))
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _connection(self) -> http.client.HTTPConnection:
        """One that is open, or another. Of an open one that nobody uses, nothing can be read but its end."""
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                address = urllib.parse.urlsplit(self.server)
                kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
                return kind(address.netloc.rpartition("@")[2], timeout=self.timeout)
            with selectors.DefaultSelector() as selector:
                if connection.sock:
                    selector.register(connection.sock, selectors.EVENT_READ)
                    if not selector.select(0):
                        return connection
            connection.close()

    def send(self, method: str, path: str, body: JSON | None = None, headers: Mapping[str, str] = {}, is_safe: bool | None = None) -> Any:
        """Sends a request. Returns what the answer says: JSON or CBOR."""
        with self.open(method, path, body, headers, is_safe) as answer:
            content = answer.read()
            if "cbor" in answer.headers.get("Content-Type", ""):
                return decode(content)
            return json.loads(content) if content else None


class _Answer:
    """An answer. Its connection is used again when it was read to its end, and closed otherwise."""

    def __init__(self, client: Client, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._client, self._connection, self._response = client, connection, response
        self.status, self.headers, self.read = response.status, response.headers, response.read

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._response)

    def __enter__(self) -> _Answer:
        return self

    def __exit__(self, *_: object) -> None:
        if self._response.isclosed() and self._connection.sock:
            self._client._idle.append(self._connection)
        else:
            self._response.close()
            self._connection.close()


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
                for name in dict.fromkeys(name for page in pages for name in page) if name not in ("children", "pinRange", "estimated", "cut")}

    def _pages(self, rect: Rect | None, parameters: Mapping[str, Any], form: str) -> Iterator[JSON]:
        area = "-1e9,-1e9,2e9,2e9" if rect is None else ",".join(str(number) for number in rect)
        return self._following("elements", {"rect": area, **parameters, "f": form})

    def _following(self, what: str, parameters: Mapping[str, Any]) -> Iterator[JSON]:
        """An answer with all pages behind it."""
        path = f"{self.path}/{what}{_query(parameters)}"
        while path:
            answer = self.client.send("GET", path)
            yield answer
            # Behind a proxy, the path begins with a folder of its own.
            path = answer.get("next") and answer["next"][answer["next"].rindex("/layouts/", 0, answer["next"].index("?")):]

    def item(self, id: str | None = None, *, at: Sequence[int] | None = None, ordinal: int | None = None) -> dict:
        """The cell of an item: by its id, its index path or how many items come before it."""
        where = f"/{at[0]}/{at[1]}" if at is not None else _query({"id": id, "ordinal": ordinal})
        return self.client.send("GET", f"{self.path}/items{where}")

    def ids(self, *, from_: str | Sequence[int] | None = None, to: str | Sequence[int] | None = None, **parameters: Any) -> Iterator[str | None]:
        """Which items the cells show, in their order: all, those between two ids or index paths, or those of a `section`."""
        ends = {name: place if place is None or isinstance(place, str) else f"{place[0]},{place[1]}" for name, place in (("from", from_), ("to", to))}
        for answer in self._following("ids", {"limit": 100_000, **ends, **parameters}):
            yield from answer["ids"]

    def sections(self, rect: Rect | None = None, **parameters: Any) -> Iterator[dict]:
        """The sections that a rect shows, by default all."""
        area = {} if rect is None else {"rect": ",".join(str(number) for number in rect)}
        for answer in self._following("sections", {**area, **parameters}):
            yield from answer["sections"]

    def find(self, text: str, **parameters: Any) -> Iterator[dict]:
        """The matches of a text in the texts of items: each once, in the order of the cells.

        `parameters` are those of the query: `name="body"`, `exact=True` …
        """
        told = 0
        for answer in self._following("find", {"limit": 1000, **parameters, "text": text}):
            # Links lead around the end.
            matches = answer["matches"][:answer["count"] - told]
            yield from matches
            told += len(matches)
            if not matches or told >= answer["count"]:
                return

    def update(self, *updates: JSON, if_match: str | None = None) -> JSON:
        """Changes what the collection holds. Returns the new summary."""
        return self._change("POST", "/updates", {"updates": updates}, if_match)

    def patch(self, if_match: str | None = None, **change: Any) -> JSON:
        """Changes `bounds`, `options`, the `kind`, or how the items are `arrange`d."""
        return self._change("PATCH", "", change, if_match)

    def measure(self, *sizes: JSON, if_match: str | None = None) -> JSON:
        """Says how large cells were measured."""
        return self._change("POST", "/measurements", {"sizes": sizes}, if_match)

    def fold(self, if_match: str | None = None, **folds: Any) -> JSON:
        """Folds and unfolds nodes or sections: `from_`, `fold`, `unfold`, `levels`, `reveal`."""
        return self._change("POST", "/folds", {name.rstrip("_"): value for name, value in folds.items()}, if_match)

    def _change(self, method: str, path: str, body: JSON, if_match: str | None) -> JSON:
        self.summary = self.client.send(method, self.path + path, body, {"If-Match": if_match} if if_match else {})
        return self.summary

    def view(self, **change: Any) -> Layout:
        """Another layout of the same collection; with `readOnly=True` one whose arrangement nobody changes who has its id."""
        return Layout(self.client, self.client.send("POST", f"{self.path}/views", change))

    def delete_view(self, id: str) -> None:
        self.client.send("DELETE", f"{self.path}/views/{id}", is_safe=True)

    def delete(self) -> None:
        self.client.send("DELETE", self.path, is_safe=True)

    def follow(self) -> Iterator[dict]:
        """What becomes of the layout: its version now, then each later one, until it is gone.

        A stream that breaks is taken up again where it was. The last has the member `reason`: `unknown` if the layout
        has gone while nobody listened.
        """
        last, pause = None, 2.0
        while True:
            fields = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
            try:
                with self.client.open("GET", f"{self.path}/events", headers=fields) as answer:
                    event: dict[str, str] = {}
                    for line in answer if answer.status == 200 else ():
                        name, _, value = line.decode().rstrip("\n").partition(": ")
                        if name:
                            event[name] = value
                            continue
                        pause = float(event.get("retry", 1000 * pause)) / 1000
                        if "data" in event:
                            last = event.get("id", last)
                            told = json.loads(event["data"])
                            yield told
                            if event.get("event") == "gone":
                                return
                        event = {}
                    is_gone = answer.status == 204
            except (OSError, http.client.HTTPException):
                is_gone = False
            except LayoutError as error:
                if error.status != 404 or last is None:
                    raise
                is_gone = True
            if is_gone:
                yield {"reason": "unknown"}
                return
            time.sleep(pause)


def _query(parameters: Mapping[str, Any]) -> str:
    """Parameters of a query. `from_` stands for `from`, which Python keeps for itself; a list is several values."""
    given = {name.removesuffix("_"): str(value).lower() if isinstance(value, bool) else value
             for name, value in parameters.items() if value is not None}
    text = urllib.parse.urlencode(given, doseq=True, safe=",", quote_via=urllib.parse.quote)
    return f"?{text}" if text else ""


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
