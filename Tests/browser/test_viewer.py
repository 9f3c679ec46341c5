"""The viewer at / in a real browser: what it shows and what its controls do."""

import re
import unittest

from playwright.sync_api import expect

import harness
from harness import among
from viewer_case import ViewerTest


class Showing(ViewerTest):
    def test_the_first_screen_says_what_it_is_for_and_leads_on(self):
        self.page.goto(self.server)
        self.expect_kind("justified")
        expect(self.cell("Sea and harbour").first).to_be_in_viewport()
        about = self.page.get_by_text("For collections too large to send")
        expect(about).to_be_in_viewport()
        links = self.page.locator(".panel nav a").evaluate_all("links => links.map(({href}) => href)")
        pages = {f"{self.server}/examples/{page.parent.name}" for page in (harness.ROOT / "Examples").glob("*/index.html")}
        self.assertLessEqual(pages, set(links))
        for link in links:
            self.assertTrue(self.page.request.get(link).ok, link)
        # Where the panel is folded away, the page says it over the layout.
        for width in (320, 360, 390, 412, 480, 600):
            phone = self.new_page({"width": width, "height": 844})
            phone.goto(self.server)
            expect(phone.locator("#said")).to_contain_text("For collections too large to send")
            # The last kind in sight is cut, wherever the strip stands at first.
            parts = phone.evaluate("""() => {
              const strip = document.querySelector('.top .kinds'), {right} = strip.getBoundingClientRect(), found = []
              for (const at of [strip.scrollLeft, 0]) {
                strip.scrollLeft = at
                for (const kind of document.querySelectorAll('.kind')) {
                  const box = kind.querySelector('.kind-picture').getBoundingClientRect()
                  if (box.left < right && box.right > right - 16) found.push((right - box.left) / box.width)
                }
              }
              return found
            }""")
            self.assertTrue(parts and all(part < 1.3 for part in parts), (width, parts))
            phone.context.close()

    def test_nodes_of_a_tree_have_names(self):
        self.open()
        self.choose("tree")
        names = [name for name in self.page.locator(".pane .cell .name").all_text_contents() if name]
        self.assertGreater(len(names), 5)
        for name in names:
            self.assertRegex(name, r"^[a-z]+( \d+)?$")
        before = self.layout_id()
        self.page.get_by_role("button", name="People", exact=True).click()
        expect(self.page).not_to_have_url(re.compile(before))
        self.wait_until("""() => [...document.querySelectorAll('.pane .cell .name')]
          .filter(({textContent}) => /^\\p{L}+ \\p{L}+$/u.test(textContent)).length > 20 && document.querySelector('.pane .pile')""")
        # The line through a pile of leaves lies behind them.
        self.wait_until("""() => [...document.querySelectorAll('.pane .cell')].every((cell) => {
          const {left, top, width, height} = cell.getBoundingClientRect()
          const shown = document.elementFromPoint(left + width / 2, top + height - 2)
          return !shown?.closest('.connector')
        })""")

    def test_measure_says_why_it_is_grey(self):
        self.open()
        for kind, is_grey in (("grid", True), ("list", False), ("group", True), ("tree", True)):
            self.choose(kind)
            measure = self.page.get_by_role("button", name="Measure")
            if is_grey:
                expect(measure).to_be_disabled()
                expect(measure).to_have_accessible_description(re.compile("sizes come from the options"))
                expect(self.page.get_by_text("Nothing to measure")).to_be_visible()
            else:
                expect(measure).to_be_enabled()
                expect(self.page.get_by_text("Nothing to measure")).to_be_hidden()

    def test_the_page_opens_with_ten_million_cells_and_says_nothing_to_the_console(self):
        # As the server gives it, in all its modules.
        self.page = self.new_page(is_bundled=False)
        self.open()
        self.expect_figure("cells", "10,000,000")
        expect(self.page.locator("#query .got")).to_contain_text("received")
        expect(self.page.locator(".picture")).to_have_count(11)
        self.assert_nothing_said()

    def test_each_kind_of_the_server_has_an_example_its_command_and_a_field_for_each_option(self):
        self.open()
        self.show_tab("Code")
        kinds = self.page.request.get(self.server + "/kinds").json()["kinds"]
        self.assertEqual(self.page.locator(".kind-name").all_inner_texts(), [kind["name"] for kind in kinds])
        for kind in kinds:
            with self.subTest(kind["name"]):
                self.choose(kind["name"])
                expect(self.page.locator("#code")).to_contain_text(f"/layouts/{kind['name']}/prepare' --json")
                expect(self.page.locator("#notice")).to_be_hidden()
                # The first screen has many colours.
                self.page.wait_for_function("""() => new Set([...document.querySelectorAll('#pane .cell')]
                  .map((cell) => cell.style.getPropertyValue('--hue') || cell.querySelector('.cell')?.style.getPropertyValue('--hue'))).size >= 5""")
                fields = self.page.eval_on_selector_all(
                    "#options [id^='option-']:is(input, select, textarea)",
                    "fields => fields.map(field => field.id.slice('option-'.length))")
                self.assertEqual(sorted(fields), sorted(option["name"] for option in kind["options"]))
        self.assert_nothing_said()

    def test_more_examples_of_a_kind_show_what_else_it_can(self):
        self.open()
        for kind, title, cells in [("grid", "Over two columns", "100,000"), ("grid", "As high as the tallest", "100,000"),
                                   ("waterfall", "In lanes", "200,000")]:
            with self.subTest(title):
                self.choose(kind)
                before = self.layout_id()
                self.page.get_by_role("button", name=title, exact=True).click()
                expect(self.page).not_to_have_url(re.compile(before))
                self.expect_figure("cells", cells)
                expect(self.page.locator(".pane .cell").first).to_be_visible()
                # Some cells are wider than others.
                self.page.wait_for_function("""() => {
                  const widths = [...document.querySelectorAll('#pane .cell')].map((cell) => cell.offsetWidth)
                  return Math.max(...widths) > 1.8 * Math.min(...widths)
                }""")
                self.show_tab("Code")
                expect(self.page.locator("#code")).to_contain_text("columnSpan")
                self.show_tab("Options")
        self.assert_nothing_said()

    def open_posts(self, kind):
        self.choose(kind)
        before = self.layout_id()
        # It may be over before anybody looks.
        self.page.evaluate("""() => new MutationObserver(() => {
          window.wasBusy ||= document.getElementById('stage').getAttribute('aria-busy') === 'true'
        }).observe(document.getElementById('stage'), {attributes: true})""")
        self.page.get_by_role("button", name="200,000 posts", exact=True).click()
        expect(self.page).not_to_have_url(re.compile(before))
        expect(self.page.locator("#stage")).to_have_attribute("aria-busy", "false")
        self.assertTrue(self.page.evaluate("window.wasBusy"))
        expect(self.page.locator(".post").first).to_be_visible()

    def expect_posts_to_fit(self, narrower_than):
        """The texts of the posts in sight are as high as their parts, and none goes beyond them."""
        self.page.wait_for_function("""(width) => {
          const texts = [...document.querySelectorAll('#pane .post [data-text]')]
          return texts.length > 3 && texts.every((text) => {
            const {height} = text.style, is = text.offsetHeight
            text.style.height = 'auto'
            const own = text.offsetHeight
            text.style.height = height
            return own === is && text.scrollWidth <= text.clientWidth && text.clientWidth < width
          })
        }""", arg=narrower_than)

    def test_photographs_have_titles_and_a_range_of_them_is_selected(self):
        self.open()
        self.choose("justified")
        cell = lambda number: self.page.locator(f"#pane .element[title$='Item {number} of section 0']")
        expect(cell(0).locator(".name")).to_have_text(re.compile("^[A-Z][a-z]+ and [a-z]+$"))
        expect(cell(0)).to_have_attribute("title", re.compile(r", 2026-11-01, [0-5] stars\. Item 0"))
        cell(3).click()
        expect(self.page.locator("#said")).to_contain_text("1 selected.")
        self.page.locator("#go-item").fill("1206")
        self.page.locator("#go-item").press("Enter")
        cell(1206).click(modifiers=["Shift"])
        expect(self.page.locator("#said")).to_contain_text("1,204 selected.")
        self.assertFalse(self.page.evaluate("getSelection().containsNode(document.getElementById('pane'), true)"))
        for name in self.page.locator("#pane .cell .name").all_text_contents():
            self.assertNotIn("undefined", name)
        expect(cell(1205)).to_have_class(re.compile("selected"))
        expect(cell(1207)).not_to_have_class(re.compile("selected"))
        cell(1208).locator("xpath=..").press("Shift+Enter")
        expect(self.page.locator("#said")).to_contain_text("1,206 selected.")

    def test_posts_are_as_high_as_their_texts_at_every_width(self):
        # A server reads its fonts when somebody first asks for them.
        if not self.layoutd.request("GET", "/fonts")["fonts"]:
            self.skipTest("there is no font")
        # A debug build takes long for all of them.
        def fewer(route):
            code = route.fetch().text()
            route.fulfill(body=code.replace("count: 200_000, sizes: 'posts'", "count: 500, sizes: 'posts'"),
                          headers={"Content-Type": "text/javascript"})
        self.page = self.new_page(is_bundled=False)
        self.page.route("**/viewer/examples.js", fewer)
        self.open()
        self.open_posts("waterfall")
        self.expect_figure("cells", "500")
        self.expect_posts_to_fit(700)
        self.show_tab("Code")
        self.page.get_by_label("JavaScript", exact=True).check()
        expect(self.page.locator("#code")).to_contain_text("card(element, layout.options.card")
        self.show_tab("Options")
        for width in (760, 390, 1100):
            self.page.set_viewport_size({"width": width, "height": 1000})
            self.wait_until("""async (id) => {
              const {bounds} = await (await fetch(`layouts/${id}`)).json()
              return Math.abs(bounds.width - document.querySelector('#pane [role=list]').clientWidth) < 1
            }""", arg=self.layout_id())
            self.expect_posts_to_fit(min(width, 700))
        # The same items in rows.
        self.page.select_option("#lay-out-as", "list")
        self.expect_kind("list")
        self.expect_posts_to_fit(1100)
        self.assert_nothing_said()

    def test_without_fonts_the_example_of_posts_says_so(self):
        self.page.route("**/fonts", lambda route: route.fulfill(json={"engine": "", "fonts": []}))
        self.open()
        self.choose("list")
        before = self.layout_id()
        self.page.get_by_role("button", name="200,000 posts", exact=True).click()
        expect(self.page.locator("#options-fault")).to_contain_text("This server has no font")
        self.assertEqual(self.layout_id(), before)
        self.assert_nothing_said()

    def test_lines_of_the_server_stand_beside_those_of_the_browser(self):
        self.open()
        self.show_tab("Text")
        verdict = self.page.locator("#text-tab [role=status]").first
        expect(verdict).to_contain_text("Each begins at the same place.")
        # Also where the text is wider than the panel.
        for width in (170, 900):
            self.page.get_by_label("Width", exact=True).fill(str(width))
            lines = self.page.request.post(f"{self.server}/text/measure", data={
                "font": self.page.locator("#text-font").input_value(), "size": 16, "lineHeight": 24, "width": width,
                "texts": [self.page.locator("#text-text").input_value()]}).json()["texts"][0]["lines"][0]
            expect(verdict).to_contain_text(f"Server: {lines} lines. This browser: {lines}. Each begins at the same place.")
        self.page.get_by_role("button", name="Compare 300 texts").click()
        expect(self.page.locator("#text-rate")).to_contain_text("Every line begins at the same place:")
        same, count = map(int, re.search(
            r"same place: (\d+) of (\d+)", self.page.locator("#text-rate").text_content()).groups())
        self.assertGreater(count, 100)
        self.assertGreaterEqual(same, 0.995 * count)
        self.assert_axe_finds_nothing(self.page)
        self.assert_nothing_said()

    def test_the_last_query_is_one_of_the_layout_and_shows_what_it_asks(self):
        self.open()
        # Those of the pictures are none of this layout.
        expect(self.page.locator(".picture")).to_have_count(11)
        code = self.page.locator("#query code")
        expect(code).to_have_text(re.compile(rf"^GET /layouts/{self.layout_id()}/elements\?rect=[-0-9,.]+"))
        place, box = (self.page.locator(f"#query {each}").bounding_box() for each in [".query-path", ".what"])
        self.assertLess(box["x"], place["x"] + place["width"] / 2)

    def test_the_command_is_copied_or_selected_where_the_clipboard_is_not_there(self):
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.open()
        self.show_tab("Code")
        expect(self.page.locator("#code")).to_contain_text(f"curl '{self.server}/layouts/group/prepare' --json ")
        command = self.page.locator("#code").text_content()
        self.page.get_by_role("button", name="Copy").click()
        expect(self.page.locator("#copy")).to_have_text("Copied")
        self.assertEqual(self.page.evaluate("navigator.clipboard.readText()"), command)
        # As in a page of plain http from another machine.
        self.page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        expect(self.page.locator("#copy")).to_have_text("Copy")
        self.page.get_by_role("button", name="Copy").click()
        expect(self.page.locator("#copy")).to_have_text("Selected")
        self.assertEqual(self.page.evaluate("getSelection().toString()"), command)
        self.assert_nothing_said()

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
        tabs = ["Options", "Items", "Code"]
        for scheme, kind, shown in among(
                [("light", "group", ["Options"]), ("dark", "compositional", ["Items"])],
                [(scheme, kind, tabs) for scheme in ["light", "dark"] for kind in ["group", "compositional"]]):
            page = self.new_page(color_scheme=scheme)
            self.open(page=page)
            expect(page.locator(".picture")).to_have_count(11)
            page.get_by_role("button", name=kind, exact=True).click()
            expect(page.locator("#stage-title")).to_have_text(kind)
            for tab in shown:
                with self.subTest(scheme, kind=kind, tab=tab):
                    self.show_tab(tab, page)
                    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
                    self.assert_axe_finds_nothing(page)
            page.context.close()


class Scrolling(ViewerTest):
    def test_a_thousand_million_cells_are_reached_at_both_ends(self):
        self.open()
        self.prepare_wanted("grid", "1,000,000,000")
        self.expect_figure("cells", "1,000,000,000")
        expect(self.cell("0")).to_be_visible()
        self.page.locator("#minimap").press("End")
        expect(self.cell("999999999")).to_be_in_viewport(ratio=0.5)
        self.page.locator("#minimap").press("Home")
        expect(self.cell("0")).to_be_in_viewport(ratio=0.5)

    def test_a_million_cards_with_heights_are_reached_at_both_ends(self):
        self.open()
        self.prepare_wanted("waterfall", "1,000,000", "heights")
        self.expect_figure("cells", "1,000,000")
        self.page.locator("#minimap").press("End")
        expect(self.cell("999999")).to_be_in_viewport(ratio=0.5)
        self.page.locator("#minimap").press("Home")
        expect(self.cell("0")).to_be_in_viewport(ratio=0.5)

    def test_go_to_item_shows_it(self):
        self.open()
        self.page.get_by_label("Item", exact=True).fill("4,999,999")
        self.page.get_by_label("Item", exact=True).press("Enter")
        expect(self.cell("4999999")).to_be_in_viewport(ratio=0.5)

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
        expect(self.cell("4999999")).to_be_in_viewport(ratio=0.5)
        expect(self.page).to_have_url(re.compile(r"rect=0,\d{8,},"))
        answer = self.page.request.get(self.page.locator("#picture").get_attribute("href"))
        self.assertEqual(answer.headers["content-type"], "image/svg+xml")
        self.assertIn(">0, 4999999<", answer.text())

    def test_a_link_opens_a_layout_at_a_place(self):
        self.open()
        self.page.get_by_label("Item", exact=True).fill("7,000,000")
        self.page.get_by_label("Item", exact=True).press("Enter")
        expect(self.cell("7000000")).to_be_in_viewport(ratio=0.5)
        expect(self.page).to_have_url(re.compile(r"rect=0,\d{8,},"))
        other = self.new_page()
        other.goto(self.page.url)
        there = other.locator(".pane .cell .name", has_text=re.compile("^7000000$"))
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
        for kind in ["list", "grid", "waterfall"]:
            with self.subTest(kind):
                self.page.evaluate("window.hasMoved = false")
                self.page.get_by_label("Lay the same items out as").select_option(kind)
                self.expect_kind(kind)
                self.page.wait_for_function("window.hasMoved")
                self.expect_figure("cells", "10,000,000")
                self.assertEqual(self.summary()["kind"], kind)
                expect(self.cell("0")).to_be_visible()
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

if __name__ == "__main__":
    unittest.main()
