"""Pages that people make: a library of photographs in React, titles, a chat, cards, a table.

Each of them on a slow line, and with a server that stops and comes back.
"""

import unittest

import harness
from harness import Program
from test_client import Page
from test_examples import bundle

# A slow mobile line: milliseconds, and bytes a second.
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
# The cells that are seen from their start on, with where they stand.
SEEN = """() => {
  const scroller = document.querySelector('[role=list]'), {top, bottom} = scroller.getBoundingClientRect()
  return [...scroller.querySelectorAll('[data-id]')].filter((node) => node.dataset.id).map((node) => {
    const box = node.closest('[role=listitem]').getBoundingClientRect()
    return [node.dataset.id, box.top - top, box.height]
  }).filter(([, at]) => at >= 0 && at < bottom - top)
}"""


class UseTests(Page):
    allowed = ("Failed to load resource",)

    def setUp(self) -> None:
        super().setUp()
        self.own = Program()
        self.addCleanup(self.own.stop)

    def open_page(self, name: str) -> None:
        session = self.page.context.new_cdp_session(self.page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW)
        if name == "library":
            code = (harness.ROOT / "Tests/browser/pages/library.js").read_text()
            self.page.add_script_tag(content=bundle(code))
            self.page.evaluate("async (server) => { window.view = await example.open(container, server) }", self.own.url)
        else:
            self.page.evaluate("""async ([server, name]) => {
              window.use = await import(`./pages/${name}.js`)
              window.view = await use.open(mount, container, server)
            }""", [self.own.url, name])
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_function("view.store.getSnapshot().status === 'ready' && view.store.isSettled()")
        self.page.evaluate("settled()")

    def reading(self):
        """The id of what is read, and where it stands."""
        self.settle()
        identifier = self.page.evaluate("view.store.reading().id")
        return identifier, {name: at for name, at, _ in self.page.evaluate(SEEN)}[identifier]

    def assert_reads(self, reading, message: str) -> None:
        identifier, at = reading
        self.settle()
        seen = {name: at for name, at, _ in self.page.evaluate(SEEN)}
        self.assertIn(identifier, seen, message)
        self.assertAlmostEqual(seen[identifier], at, delta=1, msg=message)

    def change(self, *updates) -> None:
        """By somebody else. Waits until the page shows it."""
        layout = self.layout()["id"]
        version = self.own.request("POST", f"/layouts/{layout}/updates", {"updates": updates})["version"]
        self.page.wait_for_function("(version) => view.store.getSnapshot().version >= version", arg=version)

    def resize(self, width: int) -> None:
        before = self.layout()["version"]
        self.page.evaluate("(width) => { container.style.width = `${width}px` }", width)
        self.page.wait_for_function("(before) => view.store.getSnapshot().version > before", arg=before)

    def stop_and_start(self) -> None:
        """The server stops, forgets all layouts, and comes back."""
        before = self.layout()["id"]
        self.own.stop()
        self.own.start(self.own.port)
        self.page.wait_for_function("(before) => view.store.getSnapshot().layout.id !== before", arg=before)

    def test_a_library_of_200_000_photographs_in_react(self) -> None:
        self.open_page("library")
        self.page.evaluate("view.scrollTo({id: 'p120000'})")
        reading = self.reading()
        self.assertEqual(reading[0], "p120000")
        for name in ("More", "Fewer", "Fewer"):
            version = self.layout()["version"]
            self.page.get_by_text(name).click()
            self.page.wait_for_function("(version) => view.store.getSnapshot().version > version", arg=version)
            self.assert_reads(reading, name)
        self.change({"insert": {"at": [0, 0], "items": {"id": ["a", "b"], "aspectRatio": [1, 2]}}}, {"delete": {"at": [0, 500]}})
        self.assert_reads(reading, "somebody else's photographs")
        for width in (400, 785):
            self.resize(width)
            self.assert_reads(reading, f"{width} wide")
        self.stop_and_start()
        self.assert_reads(reading, "a server that comes back")

    def test_titles_of_200_000_photographs_take_one_request_a_screen(self) -> None:
        self.open_page("titles")
        asked = []
        self.page.on("request", lambda request: request.method == "GET" and asked.append(request.url.split("?")[0].split("/", 5)[-1]))
        def in_sight():
            self.settle()
            return self.page.evaluate("""() => {
              const box = container.getBoundingClientRect()
              return [...container.querySelectorAll('figure')].filter((node) => {
                const {top, bottom} = node.getBoundingClientRect()
                return bottom > box.top && top < box.bottom
              }).map((node) => [node.dataset.id, node.textContent])
            }""")
        for screen in range(5):
            asked.clear()
            self.page.evaluate("(screen) => view.scrollTo({ordinal: 30_000 * screen + 700})", screen)
            seen = in_sight()
            self.assertGreater(len(seen), 10)
            for name, text in seen:
                self.assertEqual(text, f"Photograph {name[1:]}")
            # Where the item is, and what is around it.
            self.assertEqual(sorted(asked), ["elements", "items"])
        asked.clear()
        chosen = self.page.evaluate("view.ids({from: 'p149999', to: [0, 50_000]})")
        self.assertEqual(chosen, [f"p{number}" for number in range(50_000, 150_000)])
        self.assertEqual(asked, ["ids"])
        self.assertEqual(self.page.evaluate("view.ids({section: 0})"), [f"p{number}" for number in range(200_000)])
        # Titles change here and elsewhere.
        name = in_sight()[5][0]
        at = [0, int(name[1:])]
        self.page.evaluate("(at) => view.store.update([{set: {at, items: [{data: {title: 'Mine'}}]}}])", at)
        self.page.wait_for_function("(name) => container.querySelector(`[data-id=${name}]`)?.textContent === 'Mine'", arg=name)
        self.change({"set": {"at": at, "items": [{"data": {"title": "Theirs"}}]}})
        self.page.wait_for_function("(name) => container.querySelector(`[data-id=${name}]`)?.textContent === 'Theirs'", arg=name)

    def test_a_chat(self) -> None:
        self.open_page("chat")
        newest = lambda: self.page.evaluate(SEEN)[-1]
        self.settle()
        self.assertEqual(newest()[0], "m2999")
        # Who is at the end sees what is said.
        for n in (3000, 3001):
            self.page.evaluate("(n) => use.say(view, n)", n)
            self.settle()
            name, at, height = newest()
            self.assertEqual(name, f"m{n}")
            self.assertAlmostEqual(at + height, 600, delta=1)
        self.change({"insert": {"at": [0, 3002], "items": [{"id": "m3002"}]}})
        self.settle()
        self.assertEqual(newest()[0], "m3002")
        # Who reads what was said earlier is left there.
        self.page.evaluate("view.scrollTo({id: 'm20'})")
        reading = self.reading()
        self.page.evaluate("use.loadEarlier(view, -200, 200)")
        self.assert_reads(reading, "earlier messages")
        self.change({"insert": {"at": [0, 3203], "items": [{"id": "m3003"}]}})
        self.assert_reads(reading, "a new message")
        self.resize(420)
        self.assert_reads(reading, "narrow")
        rows = sorted((at, height) for _, at, height in self.page.evaluate(SEEN))
        for (at, height), (next_at, _) in zip(rows, rows[1:]):
            self.assertAlmostEqual(at + height, next_at, delta=0.1)
        # The messages are again those that the page began with.
        self.stop_and_start()
        self.assert_reads(reading, "a server that comes back")
        # Who is at the end is there again, and sees what is said from then on.
        self.page.evaluate("view.scrollTo({id: 'm2999', align: 'end'})")
        self.settle()
        self.stop_and_start()
        self.settle()
        name, at, height = newest()
        self.assertEqual(name, "m2999")
        self.assertAlmostEqual(at + height, 600, delta=1)
        self.page.evaluate("use.say(view, 3000)")
        self.settle()
        name, at, height = newest()
        self.assertEqual(name, "m3000")
        self.assertAlmostEqual(at + height, 600, delta=1)

    def test_cards(self) -> None:
        self.open_page("cards")
        self.page.evaluate("view.scrollTo({id: 'c900'})")
        reading = self.reading()
        # A card above opens as it is seen, and cards come and go.
        self.page.evaluate("""() => [...document.querySelectorAll('[data-id]')].find((node) =>
          node.getBoundingClientRect().bottom < 0).querySelector('button').click()""")
        self.assert_reads(reading, "a card above opens")
        self.change({"delete": {"at": [0, 100], "count": 3}}, {"insert": {"at": [0, 5], "items": [{"id": "c5000"}]}})
        self.assert_reads(reading, "others come and go")
        for width in (500, 785):
            self.resize(width)
            self.assert_reads(reading, f"{width} wide")
        self.stop_and_start()
        self.assert_reads(reading, "a server that comes back")

    def test_a_table(self) -> None:
        self.open_page("table")
        self.page.evaluate("view.scrollTo({id: 'r51500'})")
        reading = self.reading()
        for identifier in ("r51490", "r51502", "r3"):
            self.page.evaluate("(id) => use.openRow(view, id)", identifier)
            self.assert_reads(reading, f"{identifier} opens")
        self.change({"move": {"from": [51, 600], "to": [51, 10]}}, {"deleteSections": {"at": 3}})
        self.assert_reads(reading, "another order")
        self.page.evaluate("view.store.patch({options: {itemHeight: 44}})")
        self.assert_reads(reading, "higher rows")
        self.stop_and_start()
        self.assert_reads(reading, "a server that comes back")


del Page

if __name__ == "__main__":
    unittest.main()
