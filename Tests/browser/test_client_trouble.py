"""The client over a slow network, and with a server that forgets, stops, refuses and comes back."""

import tempfile
import unittest

from axe_playwright_python.sync_playwright import Axe

from harness import Program
from test_client import Page

LIST = {"kind": "list", "options": {"itemHeight": 30},
        "sections": [{"items": {"id": [f"p{i}" for i in range(20_000)]}}]}
WCAG = {"runOnly": {"type": "tag", "values": [
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}


class SlowNetworkTests(Page):
    def test_no_frame_is_blank_with_latency(self) -> None:
        blank, requests, aborted = self.page.evaluate("""async ([server, layout]) => {
          let requests = 0, aborted = 0
          openLayout({server, layout, fetch: async (url, options) => {
            requests++
            options.signal.addEventListener('abort', () => aborted++)
            await new Promise((resolve) => setTimeout(resolve, 120))
            return fetch(url, options)
          }})
          await settled()
          const blank = [], {left, top, height} = scroller().getBoundingClientRect()
          const look = (step) => {
            for (let y = 5; y < height; y += 30) {
              const found = document.elementsFromPoint(left + 20, top + y)
              if (!found.some((node) => node.dataset.name || node.getAttribute('role') === 'listitem'
                || node.className === 'layoutd-placeholder')) blank.push([step, y])
            }
          }
          for (let step = 0; step < 120; step++) {
            scroller().scrollTop += 60
            await frame()
            look(step)
          }
          for (let step = 0; step < 30; step++) {
            scroller().scrollTop += step % 2 ? 50000 : -49000
            await frame()
            look(step)
          }
          await settled()
          return [blank, requests, aborted]
        }""", [self.server.url, LIST])
        self.assertEqual(blank, [])
        self.assertGreater(aborted, 5)
        self.assert_complete()

    def test_a_reset_draws_only_what_differs(self) -> None:
        self.page.evaluate("""async ([server, layout]) => {
          window.rendered = []
          openLayout({server, layout, render: (element) => {
            rendered.push(element.id)
            return text(element)
          }})
          await settled()
          window.nodes = [...document.querySelectorAll('[data-name]')]
          rendered.length = 0
        }""", [self.server.url, LIST])
        path = f"/layouts/{self.layout()['id']}/updates"
        self.server.request("POST", path, {"updates": [{"replace": {"at": [0, 5], "items": [{"id": "other"}]}}]})
        self.page.evaluate("view.store.refresh()")
        self.assert_complete()
        self.assertEqual(self.page.evaluate("rendered"), ["other"])
        kept = self.page.evaluate("nodes.filter((node) => node.isConnected).length - nodes.length")
        self.assertEqual(kept, -1)


class BadCaseTests(Page):
    """The console says what the network does; nothing else."""

    allowed = ("Failed to load resource",)

    def status(self, text: str) -> None:
        self.page.wait_for_function(
            "(text) => document.querySelector('[role=status]').textContent.includes(text)", arg=text)

    def test_a_server_that_forgets_stops_and_comes_back(self) -> None:
        server = Program()
        try:
            self.page.evaluate("([server, layout]) => openLayout({server, layout})", [server.url, LIST])
            self.page.evaluate("settled()")
            self.page.evaluate("view.scrollTo({id: 'p9000'})")
            first = self.layout()["id"]
            server.request("DELETE", f"/layouts/{first}")
            self.page.evaluate("scroller().scrollBy(0, -450)")
            self.page.wait_for_function(f"view.store.getSnapshot().layout.id !== '{first}'")
            self.assertEqual(self.page.evaluate("settled().then(() => shown()['cell  0,9000 p9000'][1])"), 450)
            second = self.layout()["id"]
            server.stop()
            self.page.evaluate("scroller().scrollBy(0, 6000)")
            self.status("does not answer")
            server.start(server.port)
            self.page.wait_for_function(f"view.store.getSnapshot().layout.id !== '{second}'")
            self.page.evaluate("settled()")
            self.assertEqual(self.page.evaluate("document.querySelector('[role=status]').textContent"), "")
            self.assertEqual(self.visible()[1], 9000 * 30 - 450 + 6000)
            self.assertEqual(self.page.evaluate("faults", server.url), [])
        finally:
            server.stop()

    def test_a_layout_that_is_gone(self) -> None:
        identifier = self.server.prepare("list", {"bounds": {"width": 300}, "sections": [{"items": 10_000}]})
        self.page.evaluate("([server, layout]) => openLayout({server, layout})", [self.server.url, identifier])
        self.assert_complete()
        self.server.request("DELETE", f"/layouts/{identifier}")
        self.page.evaluate("scroller().scrollTop = 200000")
        self.status("This layout is gone")
        self.page.evaluate("([server]) => openLayout({server, layout: 'AAAAAAAAAAAAAAAAAAAAAA'})", [self.server.url])
        self.status("This layout is gone")

    def test_503_waits_as_long_as_the_server_says(self) -> None:
        self.page.evaluate("""([server, layout]) => {
          window.asked = []
          openLayout({server, layout, fetch: async (url, options) => {
            asked.push(performance.now())
            return asked.length > 1 ? fetch(url, options) : new Response('{"title": "Overloaded"}',
              {status: 503, headers: {'Retry-After': '1', 'Content-Type': 'application/problem+json'}})
          }})
        }""", [self.server.url, LIST])
        self.status("busy")
        self.assert_complete()
        waited = self.page.evaluate("asked[1] - asked[0]")
        self.assertGreaterEqual(waited, 999)
        self.assertEqual(self.page.evaluate("document.querySelector('[role=status]').textContent"), "")

    def test_a_key_is_needed(self) -> None:
        with tempfile.NamedTemporaryFile("w") as keys:
            keys.write("a-key-that-nobody-guesses\n")
            keys.flush()
            server = Program("--api-keys-file", keys.name)
            try:
                self.page.evaluate("([server, layout]) => openLayout({server, layout})", [server.url, LIST])
                self.status("needs a key")
                self.page.evaluate("""([server, layout]) => openLayout({server, layout,
                  authorization: async () => 'Bearer a-key-that-nobody-guesses'})""", [server.url, LIST])
                self.page.evaluate("settled()")
                self.assertIsNotNone(self.page.evaluate("shown()['cell  0,0 p0']"))
            finally:
                server.stop()

    def test_a_layout_that_is_too_large(self) -> None:
        server = Program("--max-items", "1000")
        try:
            self.page.evaluate("([server, layout]) => openLayout({server, layout})", [server.url, LIST])
            self.status("too large")
        finally:
            server.stop()

    def test_axe_finds_nothing_in_the_message(self) -> None:
        self.page.evaluate("openLayout({server: 'http://127.0.0.1:9', layout: 'A'})")
        self.page.wait_for_function("document.querySelector('[role=status]').textContent.includes('not answer')")
        found = Axe().run(self.page, options=WCAG)
        self.assertEqual(found.violations_count, 0, found.generate_report())


class AccessibilityTests(Page):
    def test_axe_finds_nothing(self) -> None:
        self.open({"kind": "compositional", "options": {"headerHeight": 24, "pinHeaders": True},
                   "sections": [
                       {"kind": "list", "orthogonal": {"height": 90}, "options": {"itemHeight": 150}, "items": 50},
                       {"kind": "grid", "options": {"background": "section"}, "items": 5000}]})
        self.page.evaluate("scroller().scrollBy(0, 60)")
        self.assert_complete()
        found = Axe().run(self.page, options=WCAG)
        self.assertEqual(found.violations_count, 0, found.generate_report())


del Page

if __name__ == "__main__":
    unittest.main()
