"""The viewer at / in a real browser: what it shows, what its controls do, how it fails."""

import json
import re
import tempfile
import unittest
from urllib.parse import parse_qs, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import harness

WCAG = {"runOnly": {"type": "tag", "values": [
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
HTTP_ERROR = re.compile("Failed to load resource")
expect.set_options(timeout=20_000)


class ViewerTest(unittest.TestCase):
    """A server, and a page of its own for each test."""

    @classmethod
    def setUpClass(cls):
        cls.layoutd = harness.Server()
        cls.addClassCleanup(cls.layoutd.stop)
        cls.browser = harness.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.server = cls.layoutd.url

    def setUp(self):
        self.page = self.new_page()

    def new_page(self, **options):
        context = self.browser.chromium.new_context(viewport={"width": 1280, "height": 1200}, **options)
        self.addCleanup(context.close)
        page = context.new_page()
        page.said = []
        page.on("console", lambda message: page.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: page.said.append(f"error: {error}"))
        return page

    def open(self, path="/", page=None):
        page = page or self.page
        page.goto(self.server + path)
        expect(page.locator(".pane .cell").first).to_be_visible()

    def choose(self, kind):
        before = self.layout_id()
        self.page.locator(".kind", has_text=re.compile(f"^{kind}$")).click()
        expect(self.page).not_to_have_url(re.compile(before))
        self.expect_kind(kind)
        expect(self.page.locator(".pane .cell").first).to_be_visible()

    def expect_kind(self, kind):
        expect(self.page.locator("#stage-title")).to_have_text(kind)

    def expect_figure(self, name, text):
        row = self.page.locator("#figures div", has=self.page.locator("dt", has_text=name))
        expect(row.locator("dd").first).to_have_text(text)

    def cell(self, label):
        return self.page.locator(".pane .cell").filter(
            has=self.page.locator(".name", has_text=re.compile(f"^{label}$")))

    def layout_id(self, page=None):
        page = page or self.page
        expect(page).to_have_url(re.compile("#id="))
        return parse_qs(urlsplit(page.url).fragment)["id"][0]

    def summary(self):
        return self.page.request.get(f"{self.server}/layouts/{self.layout_id()}").json()

    def prepare_wanted(self, kind, count, sizes="none"):
        before = self.layout_id()
        self.page.select_option("#kind", kind)
        expect(self.page).not_to_have_url(re.compile(before))
        self.page.fill("#count", count)
        self.page.select_option("#sizes", sizes)
        self.page.get_by_role("button", name="Prepare", exact=True).click()

    def assert_axe_finds_nothing(self, page):
        results = Axe().run(page, options=WCAG)
        self.assertEqual(
            [(each["id"], [node["html"] for node in each["nodes"]][:3])
             for each in results.response["violations"]], [])

    def assert_nothing_said(self, page=None, but=None):
        said = [line for line in (page or self.page).said if not (but and but.search(line))]
        self.assertEqual(said, [])


class Showing(ViewerTest):
    def test_the_page_opens_with_ten_million_cells_and_says_nothing_to_the_console(self):
        self.open()
        self.expect_figure("cells", "10,000,000")
        expect(self.page.locator("#query .got")).to_contain_text("received")
        expect(self.page.locator(".picture")).to_have_count(10)
        self.assert_nothing_said()

    def test_each_kind_of_the_server_has_an_example_and_its_command(self):
        self.open()
        kinds = [kind["name"] for kind in self.page.request.get(self.server + "/kinds").json()["kinds"]]
        self.assertEqual(self.page.locator(".kind-name").all_inner_texts(), kinds)
        for kind in kinds:
            with self.subTest(kind):
                self.choose(kind)
                expect(self.page.locator("#curl")).to_contain_text(f"/layouts/{kind}/prepare --json")
                expect(self.page.locator("#notice")).to_be_hidden()
        self.assert_nothing_said()

    def test_the_last_query_is_one_of_the_layout_and_shows_what_it_asks(self):
        self.open()
        # Those of the pictures are none of this layout.
        expect(self.page.locator(".picture")).to_have_count(10)
        code = self.page.locator("#query code")
        expect(code).to_have_text(re.compile(rf"^GET /layouts/{self.layout_id()}/elements\?rect=[-0-9,.]+"))
        place, box = (self.page.locator(f"#query {each}").bounding_box() for each in [".query-path", ".what"])
        self.assertLess(box["x"], place["x"] + place["width"] / 2)

    def test_the_command_is_copied_or_selected_where_the_clipboard_is_not_there(self):
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.open()
        command = self.page.locator("#curl").inner_text()
        self.assertTrue(command.startswith(f"curl {self.server}/layouts/group/prepare --json "))
        self.page.get_by_role("button", name="Copy").click()
        expect(self.page.locator("#copy-curl")).to_have_text("Copied")
        self.assertEqual(self.page.evaluate("navigator.clipboard.readText()"), command)
        # As in a page of plain http from another machine.
        self.page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        expect(self.page.locator("#copy-curl")).to_have_text("Copy")
        self.page.get_by_role("button", name="Copy").click()
        expect(self.page.locator("#copy-curl")).to_have_text("Selected")
        self.assertEqual(self.page.evaluate("getSelection().toString()"), command)
        self.assert_nothing_said()

    def test_the_form_has_a_field_for_each_option_of_the_data(self):
        self.open()
        for kind in self.page.request.get(self.server + "/kinds").json()["kinds"]:
            with self.subTest(kind["name"]):
                self.choose(kind["name"])
                fields = self.page.eval_on_selector_all(
                    "#playground [id^='option-']:is(input, select, textarea)",
                    "fields => fields.map(field => field.id.slice('option-'.length))")
                self.assertEqual(sorted(fields), sorted(option["name"] for option in kind["options"]))

    def test_an_option_that_only_the_data_knows_gets_a_field(self):
        def with_novelty(route):
            answer = route.fetch()
            kinds = answer.json()
            for kind in kinds["kinds"]:
                kind["options"].append({
                    "name": "novelty", "scope": "kind", "type": "choice",
                    "choices": ["one", "two"], "default": "one"})
            route.fulfill(response=answer, json=kinds)
        self.page.route("**/kinds", with_novelty)
        self.open()
        self.page.get_by_label("novelty").select_option("two")
        # The server does not know it, and its words stand at the field.
        expect(self.page.locator("#option-novelty-fault")).to_be_visible()

    def test_a_narrow_window_shows_all_without_scrolling_sideways(self):
        self.page.set_viewport_size({"width": 360, "height": 740})
        self.open()
        for kind in ["group", "compositional", "tree"]:
            with self.subTest(kind):
                self.choose(kind)
                beyond = self.page.evaluate(
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth")
                self.assertEqual(beyond, 0)

    def test_axe_finds_nothing_in_either_scheme(self):
        for scheme in ["light", "dark"]:
            with self.subTest(scheme):
                page = self.new_page(color_scheme=scheme)
                self.open(page=page)
                expect(page.locator(".picture")).to_have_count(10)
                page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
                self.assert_axe_finds_nothing(page)


class Scrolling(ViewerTest):
    def test_a_thousand_million_cells_are_reached_at_both_ends(self):
        self.open()
        self.prepare_wanted("grid", "1,000,000,000")
        self.expect_figure("cells", "1,000,000,000")
        expect(self.cell("0, 0")).to_be_visible()
        self.page.locator("#minimap").press("End")
        expect(self.cell("0, 999999999")).to_be_in_viewport(ratio=0.5)
        self.page.locator("#minimap").press("Home")
        expect(self.cell("0, 0")).to_be_in_viewport(ratio=0.5)

    def test_a_million_cards_with_heights_are_reached_at_both_ends(self):
        self.open()
        self.prepare_wanted("waterfall", "1,000,000", "heights")
        self.expect_figure("cells", "1,000,000")
        self.page.locator("#minimap").press("End")
        expect(self.cell("0, 999999")).to_be_in_viewport(ratio=0.5)
        self.page.locator("#minimap").press("Home")
        expect(self.cell("0, 0")).to_be_in_viewport(ratio=0.5)

    def test_go_to_item_shows_it(self):
        self.open()
        self.page.get_by_label("Item", exact=True).fill("4,999,999")
        self.page.get_by_label("Item", exact=True).press("Enter")
        expect(self.cell("0, 4999999")).to_be_in_viewport(ratio=0.5)

    def test_the_minimap_follows_keys_and_pointer(self):
        self.open()
        minimap = self.page.get_by_role("slider", name="Place in the whole content")
        minimap.press("PageDown")
        expect(minimap).to_have_attribute("aria-valuenow", re.compile(r"^(9\.9|10\.0)"))
        minimap.press("ArrowDown")
        expect(minimap).to_have_attribute("aria-valuenow", re.compile(r"^(10\.9|11\.0)"))
        box = minimap.bounding_box()
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(minimap).to_have_attribute("aria-valuenow", re.compile(r"^(49\.9|50\.)"))

    def test_the_server_draws_what_is_in_sight(self):
        self.open()
        self.page.get_by_label("Item", exact=True).fill("4,999,999")
        self.page.get_by_label("Item", exact=True).press("Enter")
        expect(self.cell("0, 4999999")).to_be_in_viewport(ratio=0.5)
        expect(self.page).to_have_url(re.compile(r"rect=0,\d{8,},"))
        answer = self.page.request.get(self.page.locator("#picture").get_attribute("href"))
        self.assertEqual(answer.headers["content-type"], "image/svg+xml")
        self.assertIn(">0, 4999999<", answer.text())

    def test_a_link_opens_a_layout_at_a_place(self):
        self.open()
        self.page.get_by_label("Item", exact=True).fill("7,000,000")
        self.page.get_by_label("Item", exact=True).press("Enter")
        expect(self.cell("0, 7000000")).to_be_in_viewport(ratio=0.5)
        expect(self.page).to_have_url(re.compile(r"rect=0,\d{8,},"))
        other = self.new_page()
        other.goto(self.page.url)
        there = other.locator(".pane .cell .name", has_text=re.compile("^0, 7000000$"))
        expect(there).to_be_in_viewport()
        expect(other.locator("#stage-title")).to_have_text("group")
        self.assert_nothing_said(other)


class Changing(ViewerTest):
    def test_insert_and_delete(self):
        self.open()
        self.page.get_by_role("button", name="Insert at top").click()
        self.expect_figure("cells", "10,000,001")
        self.page.get_by_role("button", name="Delete").click()
        self.expect_figure("cells", "10,000,000")
        self.assertEqual(self.summary()["version"], 3)

    def test_measure_gives_the_cells_in_sight_other_heights(self):
        self.open()
        self.choose("waterfall")
        before = self.summary()
        self.page.get_by_role("button", name="Measure").click()
        expect(self.page.locator("#said")).to_contain_text("have new sizes")
        after = self.summary()
        self.assertEqual(after["version"], before["version"] + 1)
        self.assertEqual(after["counts"], before["counts"])

    def test_the_same_items_as_list_grid_and_waterfall(self):
        self.open()
        self.page.evaluate("""() => {
          const isInPane = ({effect}) => effect.target?.closest('.pane')
          const look = () => {
            window.hasMoved ||= document.getAnimations().some(isInPane)
            requestAnimationFrame(look)
          }
          look()
        }""")
        for kind in ["List", "Grid", "Waterfall"]:
            with self.subTest(kind):
                self.page.evaluate("window.hasMoved = false")
                self.page.get_by_role("radio", name=kind).check()
                self.expect_kind(kind.lower())
                self.page.wait_for_function("window.hasMoved")
                self.expect_figure("cells", "10,000,000")
                self.assertEqual(self.summary()["kind"], kind.lower())
                expect(self.cell("0, 0")).to_be_visible()
        self.assert_nothing_said()

    def test_an_option_applies_at_once(self):
        self.open()
        self.choose("list")
        field = self.page.get_by_label("itemHeight")
        field.fill("120")
        field.press("Tab")
        expect(self.cell("0, 0")).to_have_css("height", "120px")

    def test_a_refused_option_is_explained_at_its_field(self):
        self.open()
        self.choose("list")
        field = self.page.get_by_label("itemHeight")
        field.fill("-1")
        field.press("Tab")
        expect(self.page.locator("#option-itemHeight-fault")).to_be_visible()
        expect(field).to_have_attribute("aria-invalid", "true")
        field.fill("40")
        field.press("Tab")
        expect(self.page.locator("#option-itemHeight-fault")).to_be_hidden()


class Sharing(ViewerTest):
    """Two panes, and two tabs, on one collection."""

    def open_second(self):
        self.page.get_by_role("button", name="Second pane", exact=True).click()
        expect(self.page.locator("#second .cell").first).to_be_visible()

    def view_id(self):
        link = self.page.locator("#second-link")
        expect(link).to_have_attribute("href", re.compile("#id="))
        return link.get_attribute("href").removeprefix("#id=")

    def get(self, layout):
        return self.page.request.get(f"{self.server}/layouts/{layout}").json()

    def assert_both_show(self):
        """Every cell that a full query of each layout gives stands where its frame says."""
        for pane, layout in [("pane", self.layout_id()), ("second", self.view_id())]:
            self.page.wait_for_function("""async ([pane, id]) => {
              const scroller = document.querySelector(`#${pane} [role=list]`)
              const {scrollTop, clientWidth, clientHeight} = scroller, place = scroller.getBoundingClientRect()
              const names = [...scroller.querySelectorAll('.cell .name')]
              const nodes = new Map(names.map((name) => [name.textContent, name.parentElement]))
              const rect = [0, scrollTop, clientWidth, clientHeight]
              const answer = await fetch(`layouts/${id}/elements?rect=${rect}&category=cell`)
              const {elements} = await answer.json()
              return elements.length > 3 && elements.every(({indexPath, frame: [x, y, width, height]}) => {
                const is = nodes.get(indexPath.join(', '))?.getBoundingClientRect()
                return is && [is.left - place.left - x, is.top - place.top + scrollTop - y,
                  is.width - width, is.height - height].every((way) => Math.abs(way) < 0.05)
              })
            }""", arg=[pane, layout])

    def expect_deletion(self, layout):
        return self.page.expect_response(
            lambda answer: answer.request.method == "DELETE" and layout in answer.url)

    def watch_moves(self):
        """Notes which panes have moved something."""
        self.page.evaluate("""() => {
          window.haveMoved = new Set()
          const look = () => {
            for (const {effect} of document.getAnimations()) haveMoved.add(effect.target?.closest('.pane')?.id)
            requestAnimationFrame(look)
          }
          look()
        }""")

    def wait_for_moves(self, *panes):
        self.page.wait_for_function("(panes) => panes.every((pane) => haveMoved.has(pane))", arg=panes)

    def test_two_panes_show_one_collection_at_two_widths(self):
        self.open()
        self.choose("waterfall")
        self.open_second()
        view = self.view_id()
        with self.page.expect_response(
                lambda answer: answer.request.method == "PATCH" and view in answer.url):
            self.page.get_by_label("Kind of the second pane").select_option("waterfall")
        self.assert_both_show()
        source, view = self.get(self.layout_id()), self.get(self.view_id())
        self.assertEqual((source["kind"], view["kind"]), ("waterfall", "waterfall"))
        self.assertEqual(source["counts"], view["counts"])
        self.assertEqual(source["views"], 1)
        for pane, summary in [("pane", source), ("second", view)]:
            width = self.page.locator(f"#{pane} [role=list]").first.evaluate("list => list.clientWidth")
            self.assertEqual(summary["bounds"]["width"], width)
        self.assertNotEqual(source["bounds"], view["bounds"])
        self.assert_nothing_said()

    def test_the_divider_gives_one_pane_what_it_takes_from_the_other(self):
        self.open()
        self.open_second()
        self.assert_both_show()
        before = [self.get(layout)["bounds"]["width"] for layout in (self.layout_id(), self.view_id())]
        divider = self.page.get_by_role("separator")
        for _ in range(6):
            divider.press("ArrowLeft")
        self.assert_both_show()
        after = [self.get(layout)["bounds"]["width"] for layout in (self.layout_id(), self.view_id())]
        self.assertLess(after[0], before[0])
        self.assertGreater(after[1], before[1])
        self.assertAlmostEqual(sum(after), sum(before), delta=2)
        box = divider.bounding_box()
        self.page.mouse.move(box["x"] + 8, box["y"] + 100)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + 158, box["y"] + 100, steps=10)
        self.page.mouse.up()
        self.page.wait_for_function(
            "(width) => Math.abs(parseFloat(document.querySelector('#first-side .width').textContent) - width) <= 1",
            arg=after[0] + 150)
        self.assert_both_show()
        self.assert_nothing_said()

    def test_what_is_changed_in_one_pane_appears_in_the_other(self):
        self.open()
        self.choose("waterfall")
        self.open_second()
        self.assert_both_show()
        self.watch_moves()
        for name in ["Insert at top", "Delete", "Measure"]:
            for pane in ["pane", "second"]:
                with self.subTest(name, pane=pane):
                    version = self.get(self.view_id())["version"]
                    self.page.wait_for_function("() => document.getAnimations().length === 0")
                    self.page.evaluate("haveMoved.clear()")
                    self.page.locator(f"#{pane}").click(position={"x": 20, "y": 60})
                    self.page.get_by_role("button", name=name, exact=True).click()
                    self.wait_for_moves("pane", "second")
                    self.assert_both_show()
                    self.assertEqual(self.get(self.view_id())["version"], version + 1)
        self.expect_figure("cells", "200,000")
        self.assert_nothing_said()

    def test_what_a_second_tab_changes_appears_in_the_first(self):
        self.open()
        self.open_second()
        other = self.new_page()
        self.open(f"/#id={self.layout_id()}", page=other)
        other.get_by_role("button", name="Insert at top").click()
        self.expect_figure("cells", "10,000,001")
        self.assert_both_show()
        other.get_by_role("radio", name="List").check()
        self.expect_kind("list")
        expect(self.page.get_by_label("Kind of the first pane")).to_have_value("list")
        self.assert_both_show()
        self.page.get_by_role("button", name="Delete").click()
        expect(other.locator("#figures")).to_contain_text("10,000,000")
        self.assert_nothing_said()
        self.assert_nothing_said(other)

    def test_who_has_a_view_follows_and_cannot_change_items(self):
        self.open()
        self.open_second()
        reader = self.new_page()
        self.open(f"/#id={self.view_id()}", page=reader)
        for name in ["Insert at top", "Delete", "Measure"]:
            button = reader.get_by_role("button", name=name, exact=True)
            expect(button).to_be_disabled()
            expect(button).to_have_accessible_description(re.compile("You have the id of a view."))
        self.page.get_by_role("button", name="Insert at top").click()
        expect(reader.locator("#figures")).to_contain_text("10,000,001")
        reader.get_by_role("radio", name="Waterfall").check()
        expect(self.page.get_by_label("Kind of the second pane")).to_have_value("waterfall")
        self.assertEqual(self.summary()["kind"], "group")
        self.assert_nothing_said(reader)

    def test_closing_a_pane_forgets_its_view(self):
        self.open()
        for close in ["Close the second pane", "Second pane"]:
            with self.subTest(close):
                self.open_second()
                self.assertEqual(self.summary()["views"], 1)
                with self.expect_deletion(self.view_id()):
                    self.page.get_by_role("button", name=close, exact=True).click()
                self.assertEqual(self.summary()["views"], 0)
                expect(self.page.locator("#second")).to_be_hidden()
                expect(self.page.get_by_role("button", name="Second pane", exact=True)).to_be_focused()
        self.assert_nothing_said()

    def test_the_second_pane_follows_to_another_collection(self):
        self.open()
        self.open_second()
        first, view = self.layout_id(), self.view_id()
        with self.expect_deletion(view):
            self.choose("justified")
        expect(self.page.locator("#second-link")).not_to_have_attribute("href", f"#id={view}")
        self.assertEqual(self.summary()["views"], 1)
        self.assertEqual(self.get(first)["views"], 0)
        self.assert_both_show()
        self.assert_nothing_said()

    def test_a_view_that_is_forgotten_is_made_again(self):
        self.open()
        self.open_second()
        view = self.view_id()
        self.page.request.delete(f"{self.server}/layouts/{view}")
        expect(self.page.locator("#second-link")).not_to_have_attribute("href", f"#id={view}")
        expect(self.page.locator("#said")).to_contain_text("There is another one.")
        self.assert_both_show()
        self.assert_nothing_said(but=HTTP_ERROR)

    def test_a_collection_that_is_forgotten_comes_back_in_both_panes(self):
        self.open()
        self.open_second()
        source, view = self.layout_id(), self.view_id()
        self.page.request.delete(f"{self.server}/layouts/{source}")
        expect(self.page).not_to_have_url(re.compile(source))
        expect(self.page.locator("#second-link")).not_to_have_attribute("href", f"#id={view}")
        self.assert_both_show()
        expect(self.page.locator("#notice")).to_be_hidden()
        self.assert_nothing_said(but=HTTP_ERROR)

    def test_a_view_that_the_server_refuses_leaves_one_pane(self):
        self.page.route("**/views", lambda route: route.fulfill(
            status=422, headers={"Content-Type": "application/problem+json"},
            body=json.dumps({"type": "/problems/invalid-layout", "title": "Invalid layout", "status": 422,
                             "detail": "The view is too narrow."})))
        self.open()
        self.page.get_by_role("button", name="Second pane", exact=True).click()
        expect(self.page.locator("#notice, #playground .fault").filter(visible=True)).to_contain_text(
            "The view is too narrow.")
        expect(self.page.locator("#second")).to_be_hidden()
        expect(self.page.get_by_role("button", name="Second pane", exact=True)).to_have_attribute("aria-pressed", "false")

    def test_without_a_stream_the_page_says_so_and_its_own_panes_agree(self):
        self.page.route("**/events?**", lambda route: route.fulfill(
            status=503, headers={"Retry-After": "1", "Content-Type": "application/problem+json"},
            body=json.dumps({"type": "/problems/too-many-streams", "title": "Too many streams", "status": 503})))
        self.open()
        self.open_second()
        expect(self.page.locator("#live")).to_contain_text("Not live")
        self.page.get_by_role("button", name="Insert at top").click()
        self.assert_both_show()
        self.page.unroute("**/events?**")
        expect(self.page.locator("#live")).to_have_text("Live")

    def test_axe_finds_nothing_in_two_panes(self):
        for scheme in ["light", "dark"]:
            with self.subTest(scheme):
                self.page = self.new_page(color_scheme=scheme)
                self.open()
                self.open_second()
                self.page.wait_for_load_state("load")
                self.assert_axe_finds_nothing(self.page)

    def test_narrow_windows_have_one_pane_below_the_other(self):
        self.page.set_viewport_size({"width": 360, "height": 740})
        self.open()
        self.open_second()
        first, second = (self.page.locator(f"#{pane}").bounding_box() for pane in ["pane", "second"])
        self.assertEqual((first["x"], first["width"]), (second["x"], second["width"]))
        self.assertGreater(second["y"], first["y"] + first["height"])
        self.assertEqual(self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
        self.assert_both_show()


class Failing(ViewerTest):
    notice = "#notice"

    def expect_notice(self, text):
        expect(self.page.locator(self.notice)).to_contain_text(text)

    def scroll_on(self):
        self.page.locator("#minimap").press("PageDown")

    def test_a_layout_that_is_gone_is_prepared_again_and_keeps_its_place(self):
        self.open()
        gone = self.layout_id()
        self.page.request.delete(f"{self.server}/layouts/{gone}")
        self.page.get_by_role("slider").press("End")
        expect(self.cell("0, 9999999")).to_be_in_viewport(ratio=0.5)
        expect(self.page.locator("#said")).to_contain_text("It is prepared again.")
        expect(self.page).not_to_have_url(re.compile(gone))
        self.assert_nothing_said(but=HTTP_ERROR)

    def test_a_layout_of_somebody_else_that_is_gone(self):
        layout = self.page.request.post(f"{self.server}/layouts/list/prepare", data={
            "bounds": {"width": 300}, "sections": [{"items": 1000}]}).json()["id"]
        self.open(f"/#id={layout}&rect=0,0,300,300")
        self.page.request.delete(f"{self.server}/layouts/{layout}")
        self.scroll_on()
        self.expect_notice("This layout is gone")
        self.page.get_by_role("button", name="Prepare an example").click()
        expect(self.page.locator(self.notice)).to_be_hidden()
        self.expect_figure("cells", "10,000,000")

    def test_a_link_to_a_layout_that_is_gone(self):
        self.page.goto(f"{self.server}/#id=AAAAAAAAAAAAAAAAAAAAAA&rect=0,0,100,100")
        self.expect_notice("This layout is gone")

    def test_a_server_that_is_gone_and_comes_back(self):
        self.open()
        self.page.route("**/layouts/**", lambda route: route.abort("connectionrefused"))
        self.scroll_on()
        self.expect_notice("The server does not answer")
        with self.page.expect_request("**/elements?**"):
            self.page.get_by_role("button", name="Ask now").click()
        self.page.unroute("**/layouts/**")
        expect(self.page.locator(self.notice)).to_be_hidden()

    def test_a_server_with_too_much_to_do(self):
        self.open()
        self.page.route("**/elements?**", lambda route: route.fulfill(
            status=503, headers={"Retry-After": "1", "Content-Type": "application/problem+json"},
            body=json.dumps({"type": "/problems/overloaded", "title": "Overloaded", "status": 503})))
        self.scroll_on()
        self.expect_notice("too much to do")
        self.page.unroute("**/elements?**")
        expect(self.page.locator(self.notice)).to_be_hidden()

    def test_a_layout_that_is_too_large(self):
        self.open()
        self.prepare_wanted("justified", "1,000,000,000")
        self.expect_notice("Too many items")

    def test_a_server_that_wants_a_key(self):
        with tempfile.NamedTemporaryFile("w") as keys:
            keys.write("correct-horse\n")
            keys.flush()
            server = harness.Server("--api-keys-file", keys.name)
        self.addCleanup(server.stop)
        self.page.goto(server.url + "/")
        self.expect_notice("wants a key")
        self.page.get_by_label("Key", exact=True).fill("wrong")
        self.page.get_by_role("button", name="Use it").click()
        self.expect_notice("wants a key")
        self.page.get_by_label("Key", exact=True).fill("correct-horse")
        self.page.get_by_role("button", name="Use it").click()
        expect(self.page.locator(".pane .cell").first).to_be_visible()
        expect(self.page.locator(self.notice)).to_be_hidden()


if __name__ == "__main__":
    unittest.main()
