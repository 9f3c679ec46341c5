"""Events through nginx, with the configurations of the documentation."""

import json
import unittest

from follower import Follower, comes_true, streams
from servers import Proxied, ask

LIST = {
    "bounds": {"width": 300}, "options": {"itemHeight": 100},
    "sections": [{"items": {"id": ["harbour", "gull", "pier"]}}],
}


class EventTests(unittest.TestCase):
    def start(self, configuration="nginx.conf", *arguments, **changes):
        self.servers = self.enterContext(Proxied(configuration, *arguments, **changes))

    def prepare(self):
        status, _, content = ask(
            self.servers.nginx_port, "POST", "/layouts/list/prepare", LIST)
        self.assertEqual(status, 201, content)
        return f"/layouts/{json.loads(content)['id']}"

    def insert(self, path, port=None):
        """Inserts an item of 100 points at the top, and returns what the event of that says."""
        status, _, content = ask(
            port or self.servers.nginx_port, "POST", f"{path}/updates",
            {"updates": [{"insert": {"at": [0, 0], "items": 1}}]})
        self.assertEqual(status, 200, content)
        answer = json.loads(content)
        members = (
            "version", "versionTag", "contentSize", "invalidatedRect", "invalidatedRects")
        return {name: answer[name] for name in members}

    def follow(self, target, last_event_id=None, **options):
        follower = Follower(self.servers.nginx_port, target, last_event_id, **options)
        self.addCleanup(follower.leave)
        self.assertEqual(follower.answer.status, 200)
        self.assertEqual(follower.answer.headers.get_content_type(), "text/event-stream")
        return follower

    def test_events_come_when_they_are_sent(self):
        """A proxy that collects an answer would keep each of these small events for itself."""
        for configuration in ("nginx.conf", "nginx-cache.conf"):
            with self.subTest(configuration):
                self.start(configuration)
                path = self.prepare()
                followers = [self.follow(f"{path}/events") for _ in range(3)]
                for follower in followers:
                    first = follower.event()
                    self.assertEqual((first["version"], first["recovered"]), (1, False))
                for _ in range(3):
                    said = self.insert(path)
                    for follower in followers:
                        self.assertEqual(follower.event(), said)
                self.assertEqual(ask(self.servers.nginx_port, "DELETE", path)[0], 204)
                for follower in followers:
                    self.assertEqual(follower.event(), {"reason": "deleted"})
                    self.assertIsNone(follower.event())

    def test_a_slow_reader_gets_what_is_newest(self):
        """nginx does not take events that the client has no room for, so layoutd merges them."""
        # The reader takes nothing while the changes are made, however long that takes.
        self.start(listen="sndbuf=16k", send_timeout="300s")
        paths = [self.prepare() for _ in range(64)]
        # The id of each event has the versions of all layouts: two kilobytes.
        ids = "&".join(f"layout={path.rsplit('/')[-1]}" for path in paths)
        follower = self.follow(f"/events?{ids}", takes_little=True)
        for _ in paths:
            self.assertEqual(follower.event()["version"], 1)
        count = 1000
        for _ in range(count):
            newest = self.insert(paths[0], self.servers.layoutd_port)
        versions = []
        while not versions or versions[-1] < newest["version"]:
            versions.append(follower.event()["version"])
        self.assertEqual(versions, sorted(set(versions)))
        self.assertLess(len(versions), count / 2)

    def test_heartbeats_keep_an_idle_stream(self):
        """A heartbeat comes every 15 seconds, so nginx never waits for 16."""
        self.start(proxy_read_timeout="16s")
        path = self.prepare()
        follower = self.follow(f"{path}/events")
        self.assertEqual(follower.event()["version"], 1)
        for _ in range(2):
            self.assertEqual(follower.event(beats=True), "heartbeat")
        self.assertEqual(self.insert(path), follower.event())

    def test_a_client_that_leaves_is_noticed(self):
        self.start()
        path = self.prepare()
        followers = [self.follow(f"{path}/events") for _ in range(3)]
        for follower in followers:
            self.assertEqual(follower.event()["version"], 1)
        port = self.servers.layoutd_port
        self.assertEqual(streams(port), 3)
        followers[0].leave()
        self.assertTrue(comes_true(lambda: streams(port) == 2))
        for follower in followers[1:]:
            follower.leave()
        self.assertTrue(comes_true(lambda: streams(port) == 0))

    def test_a_stream_that_ends_at_its_age_resumes(self):
        """It ends in order, at the next heartbeat, and the client misses nothing."""
        self.start("nginx.conf", "--event-stream-lifetime", "1s")
        path = self.prepare()
        follower = self.follow(f"{path}/events")
        self.assertEqual(follower.event()["version"], 1)
        self.assertIsNone(follower.event())
        said = self.insert(path)
        again = self.follow(f"{path}/events", follower.last_event_id)
        self.assertEqual(again.event(), said | {"recovered": True})

    def test_a_stream_resumes_when_nginx_is_back(self):
        self.start()
        path = self.prepare()
        follower = self.follow(f"{path}/events")
        self.assertEqual(follower.event()["version"], 1)
        self.insert(path)
        self.assertEqual(follower.event()["version"], 2)
        self.servers.nginx.stop()
        self.assertIsNone(follower.event())
        self.assertTrue(comes_true(lambda: streams(self.servers.layoutd_port) == 0))
        said = self.insert(path, self.servers.layoutd_port)
        self.servers.nginx.start()
        again = self.follow(f"{path}/events", follower.last_event_id)
        self.assertEqual(again.event(), said | {"recovered": True})
        said = self.insert(path)
        self.assertEqual(again.event(), said)


if __name__ == "__main__":
    unittest.main()
