"""Shared caches: nginx before layoutd, with the configuration of the documentation.

    LAYOUTD=.build/debug/layoutd python3 -m unittest discover Tests/nginx
"""

import concurrent.futures
import gzip
import json
import re
import unittest

from follower import comes_true
from servers import ROOT, Proxied, ask

BODY = {
    "bounds": {"width": 1200},
    "options": {"columns": 6},
    "sections": [{"items": {"height": [80 + i * 7919 % 200 for i in range(20_000)]}}],
}


class CachingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.servers = cls.enterClassContext(Proxied("nginx-cache.conf", "--cache", "public"))

    def ask(self, method, target, body=None, port=None, **headers):
        return ask(port or self.servers.nginx_port, method, target, body, **headers)

    def prepare(self):
        status, _, content = self.ask("POST", "/layouts/waterfall/prepare", BODY)
        self.assertEqual(status, 201, content)
        return json.loads(content)

    def queries_of_layoutd(self):
        """How many queries of elements layoutd has answered."""
        _, _, text = self.ask("GET", "/metrics", port=self.servers.layoutd_port)
        pattern = r'^layoutd_requests_total\{[^}]*route="/layouts/\{id\}/elements"[^}]*\} (\S+)$'
        return sum(float(count) for count in re.findall(pattern, text.decode(), re.MULTILINE))

    def assert_queries_since(self, before, count):
        # layoutd counts an answer after its last byte, which may be after nginx has it.
        self.assertTrue(comes_true(lambda: self.queries_of_layoutd() - before == count))

    def test_all_viewers_share_what_names_its_version(self):
        """Forty viewers that ask for the same band at once cost one query."""
        layout = self.prepare()
        target = f"/layouts/{layout['id']}/elements?rect=0,4096,1200,2048&version=1"
        before = self.queries_of_layoutd()
        with concurrent.futures.ThreadPoolExecutor(40) as viewers:
            answers = list(viewers.map(lambda _: self.ask("GET", target), range(40)))
        self.assertEqual({status for status, _, _ in answers}, {200})
        self.assertEqual(len({content for _, _, content in answers}), 1)
        self.assert_queries_since(before, 1)
        _, fields, content = self.ask("GET", target)
        self.assertEqual(fields["X-Cache-Status"], "HIT")
        self.assertEqual(fields["Cache-Control"], "public, max-age=31536000, immutable")
        _, _, direct = self.ask("GET", target, port=self.servers.layoutd_port)
        self.assertEqual(content, direct)

    def test_what_names_no_version_is_asked_for_each_time(self):
        layout = self.prepare()
        target = f"/layouts/{layout['id']}/elements?rect=0,0,1200,900"
        before = self.queries_of_layoutd()
        for _ in range(3):
            _, fields, _ = self.ask("GET", target)
            self.assertNotEqual(fields["X-Cache-Status"], "HIT")
        self.assert_queries_since(before, 3)

    def test_a_change_has_other_addresses(self):
        """After a change, the new version is fetched, and the old one has its old answer still."""
        layout = self.prepare()
        target = f"/layouts/{layout['id']}/elements?rect=0,0,1200,900&version="
        _, _, old = self.ask("GET", target + "1")
        status, _, _ = self.ask(
            "POST", f"/layouts/{layout['id']}/updates",
            {"updates": [{"insert": {"at": [0, 0], "items": [{"height": 500}]}}]})
        self.assertEqual(status, 200)
        status, _, new = self.ask("GET", target + "2")
        self.assertEqual(status, 200)
        self.assertEqual(json.loads(new)["elements"][0]["frame"][3], 500)
        _, fields, again = self.ask("GET", target + "1")
        self.assertEqual((fields["X-Cache-Status"], again), ("HIT", old))

    def test_a_tag_that_nginx_weakened_is_known(self):
        """nginx compresses and says W/; layoutd answers 304 to that tag."""
        layout = self.prepare()
        target = f"/layouts/{layout['id']}/elements?rect=0,0,1200,1600"
        _, fields, content = self.ask("GET", target, Accept_Encoding="gzip")
        self.assertEqual(fields["Content-Encoding"], "gzip")
        self.assertTrue(json.loads(gzip.decompress(content))["elements"])
        tag = fields["ETag"]
        self.assertTrue(tag.startswith('W/"'), tag)
        for port in (self.servers.nginx_port, self.servers.layoutd_port):
            status, _, content = self.ask("GET", target, port=port, If_None_Match=tag)
            self.assertEqual((status, content), (304, b""))

    def test_each_answer_has_the_id_of_its_request(self):
        """An answer that is kept is another request's, but its id is not."""
        target = f"/layouts/{self.prepare()['id']}/elements?rect=0,0,1200,400&version=1"
        answers = [self.ask("GET", target)[1] for _ in range(3)]
        self.assertEqual(answers[2]["X-Cache-Status"], "HIT")
        ids = [identifier for fields in answers for identifier in fields.get_all("X-Request-Id")]
        self.assertEqual(len(set(ids)), 3, ids)
        status, fields, content = self.ask("GET", "/nowhere")
        self.assertEqual((status, json.loads(content)["requestId"]), (404, fields["X-Request-Id"]))

    def test_errors_and_summaries_are_not_kept(self):
        layout = self.prepare()
        path = f"/layouts/{layout['id']}"
        for target, expected in [
            (path, 200), (f"{path}/elements?rect=0,0,1,1&version=9", 400),
            (f"{path}/elements?rect=0", 400), ("/layouts/nobody", 404),
        ]:
            for _ in range(2):
                status, fields, _ = self.ask("GET", target)
                self.assertEqual(status, expected, target)
                self.assertNotEqual(fields["X-Cache-Status"], "HIT", target)


if __name__ == "__main__":
    unittest.main()
