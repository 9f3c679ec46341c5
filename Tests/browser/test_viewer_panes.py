"""Two panes of the viewer, and two tabs, on one collection."""

import json
import re
import unittest

from playwright.sync_api import expect

from harness import among
from viewer_case import HTTP_ERROR, ViewerTest


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
        """
        Each layout is as wide as its pane, and every cell that a full query of the layout gives stands
        where its frame says.
        """
        for pane, layout in [("pane", self.layout_id()), ("second", self.view_id())]:
            self.wait_until("""async ([pane, id]) => {
              const scroller = document.querySelector(`#${pane} [role=list]`)
              const {scrollTop, clientWidth, clientHeight} = scroller, place = scroller.getBoundingClientRect()
              const cells = new Map([...scroller.querySelectorAll('.cell')].map(
                (cell) => [cell.title.match(/Item .*/)[0], cell]))
              const rect = [0, scrollTop, clientWidth, clientHeight]
              const answer = await fetch(`layouts/${id}/elements?rect=${rect}&category=cell`)
              const {elements} = await answer.json()
              const {bounds} = await (await fetch(`layouts/${id}`)).json()
              return bounds.width === clientWidth && elements.length > 3 && elements.every(({indexPath: [section, item], frame: [x, y, width, height]}) => {
                const is = cells.get(`Item ${item} of section ${section}`)?.getBoundingClientRect()
                return is && [is.left - place.left - x, is.top - place.top + scrollTop - y,
                  is.width - width, is.height - height].every((way) => Math.abs(way) < 0.05)
              })
            }""", arg=[pane, layout])

    def test_the_second_pane_filters_and_groups_photographs_while_the_first_shows_all(self):
        self.open()
        self.choose("justified")
        self.open_second()
        whole = self.get(self.layout_id())["counts"]["cells"]
        self.page.get_by_label("Stars").select_option("4")
        self.page.get_by_label("Groups").select_option("month")
        header = self.page.locator("#second .header .name").first
        expect(header).to_have_text("2026-11")
        view = self.get(self.view_id())
        self.assertEqual(view["arrange"]["where"], [{"key": "stars", "from": 4}])
        self.assertLess(view["counts"]["cells"], whole)
        self.assertEqual(self.get(self.layout_id())["counts"]["cells"], whole)
        # Somebody gives a photograph four stars.
        self.page.request.post(f"{self.server}/layouts/{self.layout_id()}/updates", data={"updates": [
            {"set": {"at": [0, 0], "items": [{"keys": {"stars": 2}}]}}]})
        self.page.request.post(f"{self.server}/layouts/{self.layout_id()}/updates", data={"updates": [
            {"set": {"at": [0, 0], "items": [{"keys": {"stars": 4}}]}}]})
        expect(self.page.locator("#second .cell[title*='section 0']").first).to_be_visible()
        self.assert_nothing_said()

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
                lambda answer: answer.request.method == "PATCH" and view in answer.url
                and '"kind":' in (answer.request.post_data or "")):
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
        divider = self.page.get_by_role("separator", name="Width of the first pane, in percent")
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
        other.get_by_label("Lay the same items out as").select_option("list")
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
        reader.get_by_label("Lay the same items out as").select_option("waterfall")
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
        expect(self.page.locator("#notice")).to_contain_text("The view is too narrow.")
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
        for scheme in among(["dark"], ["light", "dark"]):
            with self.subTest(scheme):
                self.page = self.new_page(color_scheme=scheme)
                self.open()
                self.open_second()
                self.page.wait_for_load_state("load")
                self.assert_axe_finds_nothing(self.page)

    def test_narrow_windows_have_one_pane_below_the_other(self):
        self.page.set_viewport_size({"width": 360, "height": 740})
        self.open()
        self.page.get_by_role("button", name="Panel", exact=True).click()
        self.open_second()
        first, second = (self.page.locator(f"#{pane}").bounding_box() for pane in ["pane", "second"])
        self.assertEqual((first["x"], first["width"]), (second["x"], second["width"]))
        self.assertGreater(second["y"], first["y"] + first["height"])
        self.assertEqual(self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
        self.assert_both_show()

if __name__ == "__main__":
    unittest.main()
