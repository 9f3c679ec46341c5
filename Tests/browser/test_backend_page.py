"""The application in Examples/backend in a browser: its own page, a change by others, a restart, a shared album."""

import json
import pathlib
import sys
import tempfile
import unittest

import harness
from harness import ROOT, wait_until

sys.path.append(str(ROOT / "Tests/application"))
from program import Program
from asking import ask
from test_backend import Worker


class BackendPageTests(unittest.TestCase):
    def test_a_reader_and_a_guest(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        keys = pathlib.Path(folder, "keys")
        keys.write_text("secret\n")
        options = ["--api-keys-file", f"{keys}", "--keys-for", "prepare"]
        layoutd = Program(*options)
        worker = self.enterContext(Worker(layoutd.url, folder))
        photos = [{"id": f"p{i}", "width": 3, "height": 2, "taken": i, "album": "sea" if i % 2 else "port",
                   "people": "Ada"} for i in range(40)]
        ask(worker, "POST", "/api/photos", {"photos": photos})
        token = json.loads(ask(worker, "POST", "/api/share", {"album": "sea"})[1])["token"]
        browser, pages = harness.browser().chromium, []
        for address, count in ((worker.url, 40), (f"{worker.url}/#shared={token}", 20)):
            page = browser.new_page(viewport={"width": 900, "height": 640})
            self.addCleanup(page.close)
            page.goto(address)
            wait_until(page, "(count) => window.view?.store.getSnapshot().layout?.counts.cells === count", arg=count)
            wait_until(page, "() => document.querySelectorAll('figure').length > 3")
            pages.append(page)
        ask(worker, "POST", "/api/photos", {"photos": [{**photos[1], "id": "new", "taken": 99, "people": "Grace"}]})
        for page, count in zip(pages, (41, 21)):
            wait_until(page, "(count) => view.store.getSnapshot().layout.counts.cells === count", arg=count)
            wait_until(page, "() => document.querySelector('#library').textContent.includes('sea, Grace')")
        # layoutd forgets all; both pages ask the backend again.
        port = layoutd.port
        layoutd.stop()
        layoutd = Program(*options, port=port)
        self.addCleanup(layoutd.stop)
        for page, count in zip(pages, (41, 21)):
            page.evaluate("view.store.retry?.()")
            wait_until(page, "(count) => view.store.isSettled() && view.store.getSnapshot().layout.counts.cells === count", arg=count)
            wait_until(page, "() => document.querySelector('#library').textContent.includes('sea, Grace')")
            self.assertNotIn("port", page.locator("#library").inner_text() if page is pages[1] else "")


if __name__ == "__main__":
    unittest.main()
