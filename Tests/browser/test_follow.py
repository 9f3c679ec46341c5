"""The client follows what other people change."""

import tempfile
import unittest

from harness import Program, among
from test_client import Page

LIST = {"bounds": {"width": 785}, "options": {"itemHeight": 30},
        "sections": [{"items": {"id": [f"p{i}" for i in range(20_000)]}}]}


class FollowTests(Page):
    def follow(self, layout, **options) -> None:
        self.open(layout, follow=True, **options)
        self.page.evaluate("""() => {
          window.steps = []
          view.store.subscribe(() => {
            const {transitions} = view.store.getSnapshot()
            if (transitions) steps.push(transitions)
          })
        }""")

    def update(self, layout, *updates) -> None:
        """By somebody else."""
        self.server.request("POST", f"/layouts/{layout}/updates", {"updates": updates})

    def wait_for_version(self, version: int) -> None:
        self.page.wait_for_function(
            "(version) => view.store.getSnapshot().version === version && view.store.isSettled()", arg=version)

    def test_what_somebody_else_changes_appears_and_is_animated(self) -> None:
        layout = self.server.prepare("list", LIST)
        self.follow(layout)
        self.update(layout, {"insert": {"at": [0, 2], "items": [{"id": "new"}]}}, {"delete": {"at": [0, 5]}})
        self.wait_for_version(2)
        step, = self.page.evaluate("steps")
        self.assertEqual([element["id"] for element in step["appearing"]], ["new"])
        self.assertEqual([element["id"] for element in step["disappearing"]], ["p4"])
        self.assertEqual([(one["from"]["frame"][1], one["to"]["frame"][1]) for one in step["moving"]],
                         [(60, 90), (90, 120)])
        self.assert_complete()
        self.assertEqual(self.place_of("new")[1], 60)

    def test_what_is_read_stays_while_others_change_what_is_above(self) -> None:
        layout = self.server.prepare("list", LIST)
        self.follow(layout)
        self.page.evaluate("view.scrollTo({id: 'p9000'})")
        for version, count in ((2, 1), (3, 300), (4, 1)):
            self.update(layout, {"insert": {"at": [0, 10], "items": [{"height": 17.3}] * count}})
            self.wait_for_version(version)
            self.assertAlmostEqual(self.place_of("p9000")[1], 0, delta=0.02, msg=f"version {version}")
            self.assert_complete()

    def test_many_changes_leave_nothing_out(self) -> None:
        layout = self.server.prepare("waterfall", {
            "bounds": {"width": 785}, "options": {"columns": 4, "headerHeight": 30, "pinHeaders": True},
            "sections": [{"items": [{"id": f"{s}-{i}", "aspectRatio": 0.5 + (i * 7 + s) % 5 / 4} for i in range(300)]}
                         for s in range(4)]})
        self.follow(layout)
        faults = self.page.evaluate("""async ([server, steps]) => {
          const roll = dice(9), whole = (n) => Math.floor(roll() * n), {id} = view.store.getSnapshot().layout
          for (let step = 0; step < steps; step++) {
            scroller().scrollBy(0, whole(1600) - 700)
            const updates = Array.from({length: 1 + whole(3)}, (_, i) => {
              const at = [whole(4), whole(200)]
              return [{insert: {at, items: [{id: `new-${step}-${i}`, aspectRatio: 1.2}]}}, {delete: {at}},
                {move: {from: at, to: [at[0], whole(200)]}}, {set: {at, items: [{aspectRatio: 2}]}}][whole(4)]
            })
            const {version} = await (await fetch(`${server}/layouts/${id}/updates`, {method: 'POST',
              headers: {'Content-Type': 'application/json'}, body: JSON.stringify({updates})})).json()
            while (view.store.getSnapshot().version < version) await frame()
            const found = await faults(server)
            if (found.length) return [`step ${step}`, ...found]
          }
          return []
        }""", [self.server.url, among(20, 60)])
        self.assertEqual(faults, [])
        self.assertGreater(len(self.page.evaluate("steps")), 5)

    def test_two_views_of_a_page_have_one_stream(self) -> None:
        streams = []
        self.page.on("request", lambda request: "/events" in request.url and streams.append(request))
        layouts = [self.server.prepare("list", LIST) for _ in range(2)]
        self.page.evaluate("""async ([server, layouts]) => {
          container.style.height = '50%'
          document.body.append(Object.assign(document.createElement('div'), {id: 'second', style: 'height: 50%'}))
          window.views = ['container', 'second'].map((id, i) =>
            mount(document.getElementById(id), {server, layout: layouts[i], render: text, follow: true}))
          window.view = views[0]
        }""", [self.server.url, layouts])
        self.page.wait_for_function("views.every(({store}) => store.isSettled())")
        for layout in layouts:
            self.update(layout, {"delete": {"at": [0, 0]}})
        self.page.wait_for_function("views.every(({store}) => store.getSnapshot().version === 2)")
        self.assertEqual(set(streams[-1].url.split("?")[1].split("&")), {f"layout={layout}" for layout in layouts})
        self.page.evaluate("views.forEach((view) => view.destroy())")
        self.page.evaluate("() => { container.style.height = '' }")

    def test_pages_that_nobody_looks_at_hold_no_connection(self) -> None:
        layout = self.server.prepare("list", LIST)
        context = self.browser.chromium.new_context()
        self.addCleanup(context.close)
        look = """(isHidden) => {
          for (const [name, value] of [['hidden', isHidden], ['visibilityState', isHidden ? 'hidden' : 'visible']])
            Object.defineProperty(document, name, {configurable: true, value})
          document.dispatchEvent(new Event('visibilitychange'))
        }"""
        pages = [self.browser.page(self.server, context) for _ in range(7)]
        streams = []
        pages[0].on("request", lambda request: "/events" in request.url and streams.append(request))
        ended = []
        pages[0].on("requestfailed", lambda request: "/events" in request.url and ended.append(request))
        # Browsers open six connections to a host.
        for page in pages:
            page.evaluate("(options) => openLayout(options)", {"server": self.server.url, "layout": layout, "follow": True})
            page.evaluate("settled()")
            page.evaluate(look, True)
        self.assertEqual(ended, streams)
        self.update(layout, {"delete": {"at": [0, 0]}})
        first, last = pages[0], pages[-1]
        first.evaluate(look, False)
        first.wait_for_function("view.store.getSnapshot().version === 2 && shown()['cell  0,0 p1']")
        begun, again = streams
        self.assertIsNone(begun.headers.get("last-event-id"))
        self.assertIn("1-", again.headers["last-event-id"])
        self.assertEqual(last.evaluate("view.store.getSnapshot().version"), 1)

    def test_a_server_that_starts_again(self) -> None:
        server = Program()
        self.allowed = ("Failed to load resource",)
        try:
            self.page.evaluate("([server, layout]) => openLayout({server, layout, follow: true})",
                               [server.url, {"kind": "list", **LIST}])
            self.page.evaluate("settled()")
            self.page.evaluate("view.scrollTo({id: 'p9000'})")
            before = self.layout()["id"]
            server.stop()
            server.start(server.port)
            # Nobody scrolls: the stream says that the layout is not there.
            self.page.wait_for_function(
                "(before) => view.store.getSnapshot().layout.id !== before && view.store.isSettled()", arg=before)
            self.assertAlmostEqual(self.place_of("p9000")[1], 0, delta=0.02)
            server.request("POST", f"/layouts/{self.layout()['id']}/updates", {"updates": [{"delete": {"at": [0, 0]}}]})
            self.wait_for_version(2)
            self.assertAlmostEqual(self.place_of("p9000")[1], 0, delta=0.02)
        finally:
            server.stop()

    def test_a_key(self) -> None:
        with tempfile.NamedTemporaryFile("w") as keys:
            keys.write("a-key-that-nobody-guesses\n")
            keys.flush()
            server = Program("--api-keys-file", keys.name)
            try:
                self.page.evaluate("""([server, layout]) => openLayout({server, layout, follow: true,
                  authorization: () => 'Bearer a-key-that-nobody-guesses'})""", [server.url, {"kind": "list", **LIST}])
                self.page.evaluate("settled()")
                self.page.evaluate("""async (server) => {
                  const {id} = view.store.getSnapshot().layout
                  await fetch(`${server}/layouts/${id}/updates`, {method: 'POST',
                    headers: {'Content-Type': 'application/json', Authorization: 'Bearer a-key-that-nobody-guesses'},
                    body: '{"updates": [{"delete": {"at": [0, 0]}}]}'})
                }""", server.url)
                self.wait_for_version(2)
                self.page.evaluate("settled()")
                self.assertEqual(self.place_of("p1")[1], 0)
            finally:
                server.stop()


del Page

if __name__ == "__main__":
    unittest.main()
