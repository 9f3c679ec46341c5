"""What the tests of the viewer have in common."""

import functools
import pathlib
import re
import subprocess
import tempfile
import unittest
from urllib.parse import parse_qs, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import harness

WCAG = {"runOnly": {"type": "tag", "values": [
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
FEW_CELLS = {"exclude": [[".pane [role=listitem]:nth-child(n + 8)"]]}
VIEWER = "**/viewer/viewer.js"
HTTP_ERROR = re.compile("Failed to load resource")
# Long, for machines that do much else: no test is about speed.
expect.set_options(timeout=60_000)


@functools.cache
def bundle() -> str:
    """The viewer's seventy modules as one, which a new page reads in half the time."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ["Viewer", "Client"]:
            pathlib.Path(folder, name.lower()).symlink_to(harness.ROOT / "Sources/Web" / name)
        return subprocess.run(
            ["esbuild", "--bundle", "--format=esm", "--preserve-symlinks", "viewer/viewer.js"],
            cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


class ViewerTest(unittest.TestCase):
    """A page of its own for each test."""

    @classmethod
    def setUpClass(cls):
        cls.layoutd = harness.server()
        cls.browser = harness.browser()
        cls.server = cls.layoutd.url

    def setUp(self):
        self.page = self.new_page()

    def new_page(self, viewport=None, is_bundled=True, **options):
        context = self.browser.chromium.new_context(
            viewport=viewport or {"width": 1280, "height": 1200}, **options)
        self.addCleanup(context.close)
        context.set_default_timeout(60_000)
        if is_bundled:
            context.route(VIEWER, lambda route: route.fulfill(
                body=bundle(), content_type="text/javascript"))
        page = context.new_page()
        page.said = []
        page.on("console", lambda message: page.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: page.said.append(f"error: {error}"))
        return page

    def open(self, path="/", page=None):
        page = page or self.page
        page.goto(self.server + path)
        expect(page.locator(".pane .cell").first).to_be_visible()
        # Where something is routed, each request takes a way through here.
        page.context.unroute(VIEWER)
        # Most tests are about items of many sizes, which the first kind does not have.
        if path == "/" and page is self.page:
            self.choose("group")

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

    def wait_until(self, holds, arg=None):
        harness.wait_until(self.page, holds, arg)

    def show_tab(self, name, page=None):
        (page or self.page).get_by_role("tab", name=name).click()

    def prepare_wanted(self, kind, count, sizes="none"):
        self.choose(kind)
        self.show_tab("Items")
        self.page.fill("#count", count)
        self.page.select_option("#sizes", sizes)
        self.page.get_by_role("button", name="Prepare", exact=True).click()

    def assert_axe_finds_nothing(self, page):
        # A few cells stand for all of them.
        results = Axe().run(page, context=FEW_CELLS, options=WCAG)
        self.assertEqual(
            [(each["id"], [node["html"] for node in each["nodes"]][:3])
             for each in results.response["violations"]], [])

    def assert_nothing_said(self, page=None, but=None):
        said = [line for line in (page or self.page).said if not (but and but.search(line))]
        self.assertEqual(said, [])


