"""Requests that break RFC 9110 or RFC 9112, beyond those that the HTTP layer's own tests have."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from connection import Connection, request
from program import ROOT, Program

HOST = "Host: a\r\n"
GET = f"GET /healthz HTTP/1.1\r\n{HOST}"
PREPARE = f"POST /layouts/tree/prepare HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n"
CHUNKED = f"{PREPARE}Transfer-Encoding: chunked\r\n\r\n"
SMUGGLING = json.loads((ROOT / "Tests/cases/Smuggling.json").read_text())
# What an attacker wants to have answered in somebody else's name.
HIDDEN = f"GET /hidden HTTP/1.1\r\n{HOST}\r\n"

# What is wrong, what is sent, and the statuses of all answers; none where the library closes without
# a word.
REQUEST_LINES = [
    ("no version", "GET /healthz\r\n\r\n", 400),
    ("a version to come", f"GET /healthz HTTP/2.0\r\n{HOST}\r\n", 505),
    ("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    ("a version in lowercase", f"GET /healthz http/1.1\r\n{HOST}\r\n", 400),
    ("a version of three parts", f"GET /healthz HTTP/1.1.1\r\n{HOST}\r\n", 400),
    ("tabs between", f"GET\t/healthz\tHTTP/1.1\r\n{HOST}\r\n"),
    ("a space before", f" {GET}\r\n"),
    ("an escape in a method", f"GE\x1bT /healthz HTTP/1.1\r\n{HOST}\r\n", 400),
    ("bytes beyond ASCII", f"GET /h\xe9 HTTP/1.1\r\n{HOST}\r\n", 400),
    ("a greeting of TLS", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"),
    ("an unknown method", f"BREW /healthz HTTP/1.1\r\n{HOST}\r\n", 405),
    ("a method of 10,000 letters", f"{'M' * 10_000} /healthz HTTP/1.1\r\n{HOST}\r\n", 405),
]

PATHS = [
    ("NUL, encoded", "/healthz%00", 404),
    ("NUL, encoded, before a query", "/%00?a", 404),
    ("dots, encoded", "/layouts/%2e%2e/healthz", 404),
    ("dots", "/layouts/../healthz", 404),
    ("a slash, encoded", "/%2fhealthz", 404),
    ("two slashes", "//healthz", 404),
    ("a slash behind", "/healthz/", 404),
    ("a backslash", "/..\\healthz", 404),
    ("a lone percent sign", "/%", 404),
    ("7,000 slashes", "/" * 7000, 404),
    ("a path of 9,000 letters", f"/{'p' * 9000}", 414),
]

FIELDS = [
    ("a field of 40,000 letters", f"{GET}X: {'x' * 40_000}\r\n\r\n", 431),
    ("a name of 40,000 letters", f"{GET}{'x' * 40_000}: 1\r\n\r\n", 431),
    ("3,000 fields", GET + "X: 1\r\n" * 3000 + "\r\n", 431),
    ("200 fields of one name", GET + "X: 1\r\n" * 200 + "\r\n", 200),
    ("a line feed alone", f"GET /healthz HTTP/1.1\n{HOST}\r\n", 200),
    ("an unknown expectation", f"{GET}Expect: tea\r\n\r\n", 200),
    ("an upgrade to HTTP/2", f"{GET}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
     "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", 200),
    ("a name in brackets", f"{GET}X[0]: 1\r\n\r\n", 400),
    ("a name beyond ASCII", f"{GET}X\xe9: 1\r\n\r\n", 400),
    ("two hosts in one", "GET /healthz HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
    ("a host with a path", "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
]

LENGTHS = [
    ("more than 64 bits", "18446744073709551616\r\n\r\n{}", 413),
    ("2⁶³", "9223372036854775808\r\n\r\n{}", 400),
    ("2⁶³ − 1", "9223372036854775807\r\n\r\n{}", 413),
    ("a fraction", "2.0\r\n\r\n{}", 400),
    ("two numbers", "2 2\r\n\r\n{}", 400),
    ("an underscore", "1_0\r\n\r\n{}", 400),
    ("no-break space", "\xa02\r\n\r\n{}", 400),
    ("leading zeros", '0000000011\r\n\r\n{"nodes":0}', 201),
]

CHUNKS = [
    ("a size of 17 digits", "10000000000000002\r\n{}\r\n0\r\n\r\n", 413),
    # A size like another, of which most never comes.
    ("a size of sixteen Fs", "FFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n"),
    ("a negative size", "-2\r\n{}\r\n0\r\n\r\n", 400),
    ("a signed size", "+2\r\n{}\r\n0\r\n\r\n", 400),
    ("a size with 0x", "0x2\r\n{}\r\n0\r\n\r\n", 400),
    ("a space before a size", " 2\r\n{}\r\n0\r\n\r\n", 400),
    ("no size", "\r\n{}\r\n0\r\n\r\n", 400),
    ("a chunk longer than it says", "1\r\n{}\r\n0\r\n\r\n", 400),
    ("no end of a chunk", "2\r\n{}0\r\n\r\n", 400),
    ("a size of 5,000 zeros", f'{"0" * 5000}b\r\n{{"nodes":0}}\r\n0\r\n\r\n', 201),
    ("an extension", 'b;a="b"\r\n{"nodes":0}\r\n0\r\n\r\n', 201),
    # The library's own answer: 400 or 413 would be right.
    ("an extension of 40,000 letters", f'b;{"x" * 40_000}\r\n{{"nodes":0}}\r\n0\r\n\r\n', 500),
    ("trailers that would frame", 'b\r\n{"nodes":0}\r\n0\r\nContent-Length: 5\r\nHost: b\r\n\r\n', 201),
]


class RequestTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Program("--threads", "2", "--workers", "2", "--max-body-bytes", "1MiB")
        cls.addClassCleanup(cls.server.__exit__)

    def sessions(self) -> float:
        return self.server.metric("layoutd_sessions")

    def sent(self, text: str) -> list[int]:
        """Sends a text and no more, and reads until the server closes; others are served then."""
        client = Connection(self.server.port)
        client.send(text)
        client.finish()
        statuses = client.statuses()
        client.close()
        self.assertEqual(self.server.request("GET", "/healthz"), {"status": "ok"})
        return statuses

    def expect(self, cases: list, head: str = "", tail: str = "") -> None:
        for what, text, *statuses in cases:
            with self.subTest(what):
                self.assertEqual(self.sent(head + text + tail), statuses)

    def test_a_request_line(self) -> None:
        self.expect(REQUEST_LINES)

    def test_a_path(self) -> None:
        self.expect(PATHS, "GET ", f" HTTP/1.1\r\n{HOST}\r\n")

    def test_header_fields(self) -> None:
        self.expect(FIELDS)

    def test_a_length(self) -> None:
        self.expect(LENGTHS, f"{PREPARE}Content-Length: ")

    def test_chunks(self) -> None:
        self.expect(CHUNKS, CHUNKED)

    # Requests whose end two servers could see in different places (RFC 9112, section 11.2).

    def test_framing_that_is_not_certain_is_answered_with_400_once_and_nothing_behind_it(self) -> None:
        before = self.sessions()
        self.expect([(fields, fields, 400) for fields in SMUGGLING["uncertain"]], PREPARE, HIDDEN)
        self.assertEqual(self.sessions(), before)

    def test_a_request_in_a_body_stays_a_body_whether_the_body_is_wanted_or_not(self) -> None:
        for line, status in SMUGGLING["inBody"]:
            with self.subTest(line):
                client = Connection(self.server.port)
                client.send(request(*line.split(), HIDDEN) + f"{GET}\r\n")
                self.assertEqual(client.answer(has_body=not line.startswith("HEAD")).status, status)
                answer = client.answer()
                self.assertEqual((answer.status, answer.body), (200, b'{"status":"ok"}'))
                client.finish()
                self.assertEqual(client.answers(), [])

    def test_a_request_in_a_chunk_stays_in_it_and_what_follows_the_last_chunk_is_the_next_request(self) -> None:
        client = Connection(self.server.port)
        client.send(f"{CHUNKED}{len(HIDDEN):x}\r\n{HIDDEN}\r\n0\r\n\r\n{GET}\r\n")
        self.assertEqual([client.answer().status, client.answer().status], [400, 200])

    def test_nothing_of_one_clients_body_is_ever_told_to_another(self) -> None:
        secret = "geheim"
        for index in range(100):
            client = Connection(self.server.port)
            body = f'{{"nodes": {{"id": ["{secret}"]}}, "{secret}": '
            client.send(f"{PREPARE}Content-Length: {len(body) + index % 3}\r\n\r\n{body}")
            client.finish() if index % 2 else client.reset()
            # Its own text is shorter than what was in the same memory before it.
            answer = Connection(self.server.port).ask("POST", "/layouts/tree/prepare", '{"nodes": ')
            self.assertEqual(answer.status, 400)
            self.assertNotIn(secret.encode(), answer.body)


if __name__ == "__main__":
    unittest.main()
