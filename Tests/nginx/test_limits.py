"""Where the limits of nginx and layoutd meet, with the configurations of the documentation."""

import re
import unittest

from servers import ROOT, Proxied, ask

CONFIGURATIONS = sorted((ROOT / "Documentation").glob("nginx*.conf"))


class LimitTests(unittest.TestCase):
    def test_nginx_closes_idle_connections_first(self):
        """Else a change may be on its way when layoutd closes, and nobody may send it again."""
        page = (ROOT / "Documentation/operations.md").read_text()
        layoutd = int(re.search(r"`--connection-timeout` .*?\| (\d+) \|", page)[1])
        self.assertGreaterEqual(len(CONFIGURATIONS), 3)
        for path in CONFIGURATIONS:
            with self.subTest(path.name):
                upstream = re.search(r"^upstream layoutd {(.*?)^}", path.read_text(), re.M | re.S)[1]
                seconds = int(re.search(r"\bkeepalive_timeout (\d+)s;", upstream)[1])
                self.assertLess(seconds, layoutd)

    def test_cookies_of_the_site_do_not_matter(self):
        """A site may have kilobytes of cookies, which are counted twice by layoutd."""
        cookies = "; ".join(f"cookie{i}={'x' * 200}" for i in range(36))
        self.assertGreater(len(cookies), 7000)
        for name in ("nginx.conf", "nginx-cache.conf"):
            with self.subTest(name):
                servers = self.enterContext(Proxied(name))
                status, _, _ = ask(servers.layoutd_port, "GET", "/kinds", Cookie=cookies)
                self.assertEqual(status, 431)
                status, _, content = ask(servers.nginx_port, "GET", "/kinds", Cookie=cookies)
                self.assertEqual(status, 200, content)


if __name__ == "__main__":
    unittest.main()
