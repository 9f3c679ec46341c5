"""What pages of users found: faults of theirs, of the network, and of other people."""

import re
import unittest

import harness
from harness import among
from test_client import Page

LIST = {"kind": "list", "options": {"itemHeight": 30}, "sections": [{"items": {"id": [f"p{i}" for i in range(2000)]}}]}


class PagesTests(Page):
    allowed = ("Failed to load resource", "layoutd:")

    def status_says(self, text: str) -> None:
        self.page.wait_for_function(
            "(text) => document.querySelector('[role=status]').textContent.includes(text)", arg=text)

    def test_measuring_beside_foreign_changes_comes_to_rest(self) -> None:
        sent = []
        self.page.on("request", lambda request: "/layouts/" in request.url and sent.append(request.url))
        self.page.evaluate("""async ([server, layout]) => {
          window.tall = 41
          window.rough = (element) => Object.assign(text(element),
            {style: `display: block; height: ${element.id === 'p3' ? tall : 41}px`})
          openLayout({server, layout, measure: true, render: rough})
          await settled()
        }""", [self.server.url, LIST])
        path = f"/layouts/{self.layout()['id']}/updates"
        self.server.request("POST", path, {"updates": [{"insert": {"at": [0, 0], "items": [{"id": "new"}]}}]})
        # A row grows, and its size is sent with the tag of a version that is no longer current.
        self.page.evaluate("document.querySelector('[data-name$=\" p3\"]').style.height = `${window.tall = 70}px`")
        self.page.wait_for_function(
            "view.store.isSettled() && view.store.getSnapshot().elements.find(({id}) => id === 'p3').frame[3] === 70")
        self.page.evaluate("settled()")
        before = len(sent)
        self.page.evaluate("(async () => { for (let i = 0; i < 30; i++) await frame() })()")
        self.assertEqual(len(sent), before, "nothing is asked any more")
        self.assert_complete()

    def test_measured_rows_never_overlap(self) -> None:
        overlaps = self.page.evaluate("""async ([server, layout]) => {
          window.rough = (element) => Object.assign(text(element),
            {style: `display: block; height: ${25 + element.indexPath[1] * 37 % 60}px`})
          openLayout({server, layout, measure: true, render: rough, fetch: async (...request) => {
            await new Promise((resolve) => setTimeout(resolve, 150))
            return fetch(...request)
          }})
          const found = [], look = (step) => {
            const boxes = [...document.querySelectorAll('[data-name^=cell]')].map((node) =>
              node.parentElement.getBoundingClientRect()).sort((a, b) => a.top - b.top)
            boxes.forEach(({top}, i) => {
              if (i && boxes[i - 1].bottom > top + 0.1) found.push([step, boxes[i - 1].bottom - top])
            })
          }
          for (let step = 0; step < 90; step++) {
            if (step > 30 && step % 3 === 0) scroller().scrollTop += 60
            await frame()
            look(step)
          }
          return found
        }""", [self.server.url, LIST])
        self.assertEqual(overlaps, [])

    def test_the_fonts_of_the_server_are_there_before_anything_is_drawn(self) -> None:
        names = [font["name"] for font in self.server.request("GET", "/fonts")["fonts"]]
        name = next(name for name in ("dejavusans", "opensans-regular", *names) if name in names)
        was_there, widths = self.page.evaluate("""async ([server, layout, name]) => {
          const there = []
          openLayout({server, layout, fonts: [name], render: (element) => {
            there.push(document.fonts.check(`16px "${name}"`) && [...document.fonts].some(({status}) => status === 'loaded'))
            return Object.assign(text(element), {style: `font: 16px/20px "${name}"; text-rendering: geometricPrecision`})
          }})
          await settled()
          while (!there.length) await frame()
          return [there.every(Boolean), [...document.querySelectorAll('[data-name]')].map((node) => node.getBoundingClientRect().width)]
        }""", [self.server.url, LIST, name])
        self.assertTrue(was_there)
        measured = self.server.request("POST", "/text/measure", {"font": name, "size": 16, "lineHeight": 20, "texts": ["p0"]})
        self.assertAlmostEqual(widths[0], measured["texts"][0]["widest"][0], delta=1 / 32)

    def test_who_scrolls_to_a_place_waits_for_the_fonts_that_it_is_measured_in(self) -> None:
        names = [font["name"] for font in self.server.request("GET", "/fonts")["fonts"]]
        at, height = self.page.evaluate("""async ([server, layout, fonts]) => {
          openLayout({server, layout, fonts, measure: true,
            render: (element) => Object.assign(text(element), {style: 'display: block; height: 77px'}),
            fetch: async (url, ...how) => {
              if (url.endsWith('/fonts')) await new Promise((resolve) => setTimeout(resolve, 1500))
              return fetch(url, ...how)
            }})
          await view.scrollTo({id: 'p40', align: 'end'})
          return [1, 3].map((i) => shown()['cell  0,40 p40']?.[i])
        }""", [self.server.url, LIST, names[:1]])
        self.assertEqual(height, 77)
        self.assertAlmostEqual(at + height, 600, delta=0.01)

    def test_fonts_that_the_server_has_not_are_told(self) -> None:
        self.page.evaluate("""async ([server, layout]) => {
          openLayout({server, layout, fonts: ['no-such-font']})
          await settled()
          while (!document.querySelector('[data-name]')) await frame()
        }""", [self.server.url, LIST])
        self.assertEqual([text for text in self.page.said if "no-such-font" in text],
                         ["layoutd: the server has no font no-such-font."])

    def test_items_without_ids_leave_no_node_behind(self) -> None:
        self.open({"kind": "list", "options": {"itemHeight": 30}, "sections": [{"items": 2000}]})
        self.page.evaluate("scroller().scrollTop = 3000")
        self.page.evaluate("settled()")
        # Not so far that more is asked for, and what is drawn goes further than what is known.
        self.page.evaluate("""async () => {
          // Who pauses is not on the way, so nothing is asked for ahead.
          for (const end = performance.now() + 300; performance.now() < end;) await frame()
          const {covered: [, top, , height]} = view.store.getSnapshot()
          scroller().scrollTop = top + height - 600 - 160
          await settled()
          const item = view.store.reading().indexPath[1] + 4
          for (let i = 0; i < 4; i++) await view.store.update([{insert: {at: [0, item], items: [{}, {}, {}]}}])
        }""")
        self.page.evaluate("settled()")
        nodes = self.page.evaluate("[...document.querySelectorAll('[data-name]')].map((node) => node.dataset.name)")
        self.assertEqual(len(nodes), len(set(nodes)))
        self.page.evaluate("() => { scroller().scrollTop = 0 }")
        self.assert_complete()
        self.page.evaluate("() => { scroller().scrollTop = 3300 }")
        self.assert_complete()
        shown, held = self.page.evaluate("""[document.querySelectorAll('[role=listitem]').length,
          view.store.getSnapshot().elements.length]""")
        self.assertLessEqual(shown, held)

    def test_a_kind_that_takes_no_measured_sizes_says_so_once(self) -> None:
        layout = self.server.prepare("gallery", {"bounds": {"width": 500}, "sections": [{"items": 500}]})
        sent = []
        self.page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
        self.page.evaluate("""([server, layout]) => openLayout({server, layout, measure: true, render: (element) =>
          Object.assign(text(element), {style: 'display: block; height: 60px'})})""", [self.server.url, layout])
        self.status_says("cannot be kept")
        self.page.evaluate("(async () => { for (let i = 0; i < 10; i++) await frame() })()")
        self.assertEqual(len(sent), 1)
        self.assertEqual(len([text for text in self.page.said if text.startswith("layoutd:")]), 1)

    def test_each_width_measures_its_own_and_nothing_twice(self) -> None:
        """A chat in three widths at once: a layout and two views."""
        sizes = []
        self.page.on("request", lambda request: "/measurements" in request.url and sizes.append(
            (request.url.split("/layouts/")[1].split("/")[0], request.post_data_json["sizes"])))
        source = self.server.prepare("list", {
            "bounds": {"width": 500}, "options": {"estimates": True, "itemHeight": 50},
            "sections": [{"items": {"id": [f"p{i}" for i in range(among(5000, 100_000))]}}]})
        layouts = [source] + [
            self.server.request("POST", f"/layouts/{source}/views", {"bounds": {"width": width}})["id"]
            for width in (320, 760)]
        moved = self.page.evaluate("""async ([server, layouts]) => {
          container.remove()
          // As high as its width makes it, like a text.
          const heightOf = (id, width) => 20 + 18 * Math.ceil((40 + Number(id.slice(1)) * 97 % 900) * 8 / width)
          const views = [500, 320, 760].map((width, i) => {
            const box = document.body.appendChild(document.createElement('div'))
            Object.assign(box.style, {position: 'relative', width: `${width}px`, height: '400px'})
            const view = mount(box, {server, layout: layouts[i], fit: false, measure: true, follow: true, animate: false,
              render: ({id}) => Object.assign(document.createElement('div'), {style: `height: ${heightOf(id, width)}px`})})
            return Object.assign(view, {box, heightOf: (id) => heightOf(id, width)})
          })
          const wait = async () => {
            for (let calm = 0; calm < 5;) {
              await new Promise(requestAnimationFrame)
              calm = views.every(({store}) => store.getSnapshot().layout && store.isSettled()) ? calm + 1 : 0
            }
          }
          await wait()
          const faults = []
          for (const item of [300, 302, 2000, 4100, 1999, 4990, 0, 300]) {
            await Promise.all(views.map((view) => view.scrollTo({item: [0, item], align: 'start'})))
            await wait()
            for (const [i, view] of views.entries()) {
              const {elements} = view.store.getSnapshot(), [x, y, width, height] = view.visible
              for (const {id, frame} of elements) {
                const isSeen = frame[1] < y + height && frame[1] + frame[3] > y
                if (isSeen && frame[3] !== view.heightOf(id)) faults.push([i, item, id, frame[3], view.heightOf(id)])
              }
              const read = view.store.reading()
              if (read.id !== `p${item}` && item < 4990) faults.push([i, item, read.id])
              else if (item < 4990 && Math.abs(read.frame[1] - y) > 0.01) faults.push([i, item, 'moved', read.frame[1] - y])
            }
          }
          window.views = views
          return faults
        }""", [self.server.url, layouts])
        self.assertEqual(moved, [])
        # Each cell was measured once in each width.
        told = [(layout, size["id"]) for layout, some in sizes for size in some]
        self.assertEqual(len(told), len(set(told)))
        self.assertEqual({layout for layout, _ in told}, set(layouts))
        # After a reload by export, nothing is measured again.
        sizes.clear()
        export = {"kind": "list", **self.server.request("GET", f"/layouts/{layouts[1]}/collection")}
        self.page.evaluate("""async ([server, layout]) => {
          views.forEach((view) => view.destroy())
          const [{heightOf}] = views.slice(1)
          const box = document.body.appendChild(document.createElement('div'))
          Object.assign(box.style, {position: 'relative', width: '320px', height: '400px'})
          window.view = mount(box, {server, layout, fit: false, measure: true, animate: false,
            render: ({id}) => Object.assign(document.createElement('div'), {style: `height: ${heightOf(id)}px`})})
          await view.scrollTo({item: [0, 302], align: 'start'})
          for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame)
        }""", [self.server.url, export])
        again = {size["id"] for _, some in sizes for size in some}
        self.assertEqual(again & {item for layout, item in told if layout == layouts[1]}, set())
        self.assertEqual(self.page.evaluate("view.store.getSnapshot().elements.find(({id}) => id === 'p302').frame[3]"),
                         self.page.evaluate("views[1].heightOf('p302')"))

    def test_a_cell_whose_content_fails_stays_empty(self) -> None:
        errors = self.page.evaluate("""async ([server, layout]) => {
          const errors = []
          window.reportError = (error) => errors.push(error.message)
          openLayout({server, layout, render: (element) => {
            if (element.id === 'p3') throw new Error('no picture')
            return text(element)
          }})
          await settled()
          return errors
        }""", [self.server.url, LIST])
        self.assertIn("no picture", errors)
        self.assertEqual(self.page.evaluate("view.store.getSnapshot().status"), "ready")
        names = self.page.evaluate("Object.keys(shown())")
        self.assertIn("cell  0,4 p4", names)
        self.assertNotIn("cell  0,3 p3", names)

    def test_mistakes_are_told_once(self) -> None:
        self.page.evaluate("""async ([server, layout]) => {
          openLayout({server, layout, rendr: 1, measured: true, render: (element) => { text(element) }})
          await settled()
        }""", [self.server.url, LIST])
        unknown, nothing = [said for said in self.page.said if said.startswith("layoutd:")]
        self.assertEqual(unknown, "layoutd: mount has no option rendr, measured.")
        self.assertTrue(nothing.startswith("layoutd: render has returned nothing."), nothing)
        self.assertEqual(self.page.evaluate("new Set([...document.querySelectorAll('[role=listitem]')].map((node) => node.textContent)).size"), 1)
        for target in ("{}", "5", "undefined", "{align: 'end'}"):
            message = self.page.evaluate(f"view.scrollTo({target}).catch(({{message}}) => message)")
            self.assertIn("A place has an item", message, target)

    def test_all_options_of_the_types_are_known(self) -> None:
        types = (harness.ROOT / "Sources/Web/Client/layoutd.d.ts").read_text()
        found = re.findall(r"^export interface (?:Store|View)Options .*?^}", types, re.M | re.S)
        names = re.findall(r"^  (\w+)\??: ", "".join(found), re.M)
        self.assertGreater(len(names), 10)
        self.page.evaluate("""([server, layout, names]) => openLayout({...Object.fromEntries(names.map((name) => [name, undefined])),
          server, layout, render: text})""", [self.server.url, LIST, names])
        self.assert_complete()
        self.assertEqual(self.page.said, [])

    def test_a_server_without_a_scheme_is_an_error_at_once(self) -> None:
        for server in ("localhost:8300", "127.0.0.1:8300", "example.com", "example.com/layouts", None):
            message = self.page.evaluate("""([server, layout]) => {
              try { mount(container, {server, layout, render: text}) } catch ({message}) { return message }
            }""", [server, LIST])
            self.assertIn("server must be an address", message)
        self.assertEqual(self.page.evaluate("container.childElementCount"), 0)

    def test_the_first_fault_of_a_body_is_told(self) -> None:
        self.page.evaluate("(options) => openLayout(options)", {"server": self.server.url, "layout": {
            **LIST, "options": {"itemHeight": -3, "colums": 2}}})
        self.status_says("This layout cannot be shown. /options/itemHeight must be a finite number ≥ 0, was -3")

    def test_a_page_opens_at_the_end(self) -> None:
        horizontal = {"scrollDirection": "horizontal", "itemHeight": 120}
        for options in ({"itemHeight": 30, "footerHeight": 50, "contentInset": {"bottom": 30}}, horizontal,
                        {**horizontal, "layoutDirection": "rightToLeft"}):
            for measure in (False, True):
                with self.subTest(options=options, measure=measure):
                    self.page.evaluate("""async ([server, layout, measure]) => {
                      openLayout({server, layout, measure, render: (element) => Object.assign(text(element), {style:
                        `display: block; width: ${90 + element.indexPath[1] * 37 % 80}px; height: ${20 + element.indexPath[1] * 37 % 80}px`})})
                      await view.scrollTo('end')
                    }""", [self.server.url, {**LIST, "options": options}, measure])
                    self.page.evaluate("settled()")
                    left, top, width, height = self.visible()
                    x, y, w, h = self.page.evaluate("view.store.getSnapshot().content")
                    self.assertGreater(w * h, 2000 * 30 * 700)
                    self.assertAlmostEqual(top + height, y + h, delta=0.5)
                    self.assertAlmostEqual(left if x < 0 else left + width, x if x < 0 else x + w, delta=0.5)
                    self.assert_complete()

    def test_the_end_of_an_empty_layout(self) -> None:
        self.page.evaluate("(options) => openLayout(options)", {"server": self.server.url, "layout": {"kind": "list", "sections": []}})
        self.assertEqual(self.page.evaluate("view.scrollTo('end')")["isInterrupted"], False)

    def test_the_neighbour_of_a_cell_that_is_deleted_gets_the_focus(self) -> None:
        self.open(LIST)
        self.page.evaluate("document.querySelector('[data-name$=\" p5\"]').parentElement.focus()")
        self.page.evaluate("view.store.update([{delete: {at: [0, 5]}}])")
        self.page.evaluate("settled()")
        self.assertEqual(self.page.evaluate("document.activeElement.firstChild?.dataset?.name"), "cell  0,5 p6")

    def test_a_view_that_ends_during_a_scroll_or_a_change_rejects_nothing_by_itself(self) -> None:
        self.page.evaluate("""async ([server, layout]) => {
          for (let i = 0; i < 5; i++) {
            openLayout({server, layout, fetch: async (...request) => {
              await new Promise((resolve) => setTimeout(resolve, 20))
              return fetch(...request)
            }})
            await settled()
            view.scrollTo({id: 'p900'})
            const changed = view.store.update([{delete: {at: [0, 0]}}])
            changed.catch(() => {})
            view.destroy()
            for (let k = 0; k < 5; k++) await frame()
          }
          window.view = null
        }""", [self.server.url, LIST])

    def test_a_store_that_is_closed_can_be_used_again(self) -> None:
        count = self.page.evaluate("""async ([server, layout]) => {
          const store = createStore({server, layout, bounds: {width: 300}})
          const end = store.subscribe(() => {})
          store.show([0, 0, 300, 300])
          // As React does in StrictMode.
          store.close()
          end()
          store.subscribe(() => {})
          store.show([0, 0, 300, 300])
          while (!store.getSnapshot().elements.length) await frame()
          store.close()
          return store.getSnapshot().elements.length
        }""", [self.server.url, LIST])
        self.assertGreater(count, 9)

    def test_a_page_that_is_online_again_asks_at_once(self) -> None:
        asked = self.page.evaluate("""async ([server, layout]) => {
          let isAway = true, asked = 0
          openLayout({server, layout, fetch: (...request) => {
            asked++
            return isAway ? Promise.reject(new TypeError('Failed to fetch')) : fetch(...request)
          }})
          // By now, the pauses are long.
          while (asked < 5) await frame()
          isAway = false
          const before = asked
          dispatchEvent(new Event('online'))
          await null
          await null
          for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve))
          return asked - before
        }""", [self.server.url, LIST])
        self.assertGreaterEqual(asked, 1)
        self.assert_complete()

    def test_a_container_without_a_size_is_told_once(self) -> None:
        self.page.evaluate("""async ([server, layout]) => {
          container.style.height = '0'
          openLayout({server, layout})
          for (let i = 0; i < 5; i++) await frame()
          container.style.height = ''
          await settled()
        }""", [self.server.url, LIST])
        said = [text for text in self.page.said if "no size" in text]
        self.assertEqual(len(said), 1)
        self.assert_complete()

    def test_a_scrolled_frame_without_news_changes_no_node(self) -> None:
        self.open(LIST, overscan=4)
        changed = self.page.evaluate("""async () => {
          scroller().scrollTop = 310
          await settled()
          await frame()
          const seen = []
          const observer = new MutationObserver((records) => seen.push(...records.map(({type, attributeName, target}) =>
            [type, attributeName, target.outerHTML.slice(0, 80)].join(' '))))
          observer.observe(scroller(), {subtree: true, childList: true, attributes: true, characterData: true})
          // Less than a row, so that no other row comes near.
          for (let i = 0; i < 4; i++) { scroller().scrollTop += 1; await frame() }
          await frame()
          observer.disconnect()
          return seen
        }""")
        self.assertEqual(changed, [])

    def test_tab_enters_a_first_section_that_scrolls_sideways(self) -> None:
        self.open({"kind": "compositional", "sections": [
            {"kind": "list", "orthogonal": {"height": 90}, "options": {"itemHeight": 150}, "items": 50},
            {"kind": "grid", "items": 500}]})
        for _ in range(3):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("document.activeElement.firstChild?.dataset?.name"):
                break
        self.assertEqual(self.page.evaluate("document.activeElement.firstChild?.dataset?.name"), "cell  0,0 ")

    def test_a_layout_that_is_wider_than_its_container_still_scrolls_down(self) -> None:
        layout = self.server.prepare("list", {"bounds": {"width": 900}, "options": {
            "itemHeight": 40, "headerHeight": 30, "pinHeaders": True}, "sections": [{"items": 1000}]})
        self.page.evaluate("() => { container.style.width = '390px' }")
        self.open(layout)
        self.page.evaluate("scroller().scrollTop = 400")
        self.page.evaluate("settled()")
        top = self.page.evaluate("document.querySelector('[data-name^=\"supplementary\"]').getBoundingClientRect().top")
        self.assertEqual(top, 0, "the header stays in sight")
        self.page.evaluate("[...document.querySelectorAll('[data-name^=cell]')].find((node) =>"
                           " node.getBoundingClientRect().top > 40).parentElement.focus()")
        before = self.visible()[1]
        self.page.keyboard.press("PageDown")
        self.page.wait_for_function("(before) => view.visible[1] >= before + 400", arg=before)

    def test_the_end_is_followed_by_who_is_there(self) -> None:
        self.open(LIST, keep="end", follow=True)
        path = f"/layouts/{self.layout()['id']}/updates"
        self.page.evaluate("view.scrollTo({ordinal: 1999, align: 'end'})")
        for count in (2000, 2001):
            version = self.layout()["version"] + 1
            self.server.request("POST", path, {"updates": [
                {"insert": {"at": [0, count], "items": [{"id": f"new{version}", "height": 77}]}}]})
            self.page.wait_for_function(
                "(version) => view.store.getSnapshot().version === version && view.store.isSettled()", arg=version)
            self.assertAlmostEqual(self.place_of(f"new{version}")[1], 600 - 77, delta=1)
        # Who reads above is left there, and so is who is at the start.
        for target in ("p1000", "p0"):
            self.page.evaluate("(id) => view.scrollTo({id})", target)
            version = self.layout()["version"] + 2
            self.server.request("POST", path, {"updates": [{"insert": {"at": [0, 0], "items": [{}] * 3}}]})
            self.server.request("POST", path, {"updates": [{"insert": {"at": [0, 1990], "items": [{}] * 3}}]})
            self.page.wait_for_function(
                "(version) => view.store.getSnapshot().version === version && view.store.isSettled()", arg=version)
            self.assertAlmostEqual(self.place_of(target)[1], 0, delta=1)


del Page

if __name__ == "__main__":
    unittest.main()
