"""What the viewer says when something fails, and how it goes on."""

import json
import pathlib
import re
import tempfile
import unittest

from playwright.sync_api import expect

from harness import Program
from viewer_case import HTTP_ERROR, ViewerTest


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
        expect(self.cell("9999999")).to_be_in_viewport(ratio=0.5)
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
        self.expect_figure("cells", "20,000")

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

    def test_pictures_of_kinds_that_do_not_come_are_drawn_when_the_server_answers_again(self):
        self.page.route("**/layouts/grid/prepare", lambda route: route.abort("connectionrefused"))
        with self.page.expect_event("requestfailed"):
            self.open()
        self.page.route("**/elements?**", lambda route: route.abort("connectionrefused"))
        self.scroll_on()
        self.expect_notice("The server does not answer")
        self.page.unroute("**/layouts/grid/prepare")
        self.page.unroute("**/elements?**")
        expect(self.page.locator(self.notice)).to_be_hidden()
        expect(self.page.locator(".kind-picture:empty")).to_have_count(0)

    def test_a_server_with_too_much_to_do(self):
        self.open()
        self.page.route("**/elements?**", lambda route: route.fulfill(
            status=503, headers={"Retry-After": "1", "Content-Type": "application/problem+json"},
            body=json.dumps({"type": "/problems/overloaded", "title": "Overloaded", "status": 503})))
        self.scroll_on()
        self.expect_notice("too much to do")
        self.page.unroute("**/elements?**")
        expect(self.page.locator(self.notice)).to_be_hidden()

    def test_a_connection_that_is_too_slow(self):
        self.open()
        self.page.route("**/elements?**", lambda route: route.fulfill(
            status=408, headers={"Content-Type": "application/problem+json"},
            body=json.dumps({"type": "/problems/request-timeout", "title": "Request timeout", "status": 408})))
        self.scroll_on()
        self.expect_notice("connection is too slow")
        self.page.unroute("**/elements?**")
        expect(self.page.locator(self.notice)).to_be_hidden()

    def test_fonts_that_do_not_come_are_asked_for_again(self):
        self.open()
        self.page.route("**/fonts", lambda route: route.abort("connectionrefused"))
        self.show_tab("Text")
        tab = self.page.locator("#text-tab")
        expect(tab).to_contain_text("It is not known which fonts the server has.")
        self.page.unroute("**/fonts")
        self.page.route("**/fonts/*", lambda route: route.abort("connectionrefused"))
        self.show_tab("Options")
        self.show_tab("Text")
        expect(tab.get_by_role("status").first).to_contain_text("Failed to fetch")
        self.page.unroute("**/fonts/*")
        self.page.get_by_label("Width", exact=True).fill("170")
        expect(tab.get_by_role("status").first).to_contain_text("Each begins at the same place.")
        self.assert_nothing_said(but=HTTP_ERROR)

    def test_a_layout_that_is_too_large(self):
        self.open()
        self.prepare_wanted("justified", "1,000,000,000")
        self.expect_notice("Too many items")

    def test_a_server_that_wants_a_key(self):
        with tempfile.NamedTemporaryFile("w") as keys:
            keys.write("correct-horse\n")
            keys.flush()
            server = Program("--api-keys-file", keys.name)
        self.addCleanup(server.stop)
        self.page.goto(server.url + "/")
        self.expect_notice("wants a key")
        self.page.get_by_label("Key", exact=True).fill("wrong")
        self.page.get_by_role("button", name="Use it").click()
        self.expect_notice("This key is wrong")
        self.page.get_by_label("Key", exact=True).fill("correct-horse")
        self.page.get_by_role("button", name="Use it").click()
        expect(self.page.locator(".pane .cell").first).to_be_visible()
        expect(self.page.locator(self.notice)).to_be_hidden()
        # A link cannot send the key, and the picture comes nevertheless.
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Save SVG").click()
        self.assertIn(">Sea and harbour<", pathlib.Path(download.value.path()).read_text())
        # No code has the key in it.
        self.show_tab("Code")
        expect(self.page.locator("#code")).to_contain_text("-H 'Authorization: Bearer …'")
        self.assertNotIn("correct-horse", self.page.locator("#code").text_content())


if __name__ == "__main__":
    unittest.main()
