"""The code that the viewer offers: it is what is on the screen, and what a link says is no part of it."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from playwright.sync_api import expect

import harness
from harness import among
from viewer_case import ViewerTest


class Code(ViewerTest):
    def setUp(self):
        super().setUp()
        self.open()
        self.show_tab("Code")

    def code(self, language, contains):
        self.page.get_by_role("radio", name=language).check()
        expect(self.page.locator("#code")).to_contain_text(contains)
        return self.page.locator("#code").text_content()

    def run_in_shell(self, command):
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
        return json.loads(done.stdout)

    def expect_bounds(self):
        """Waits until the layout is as large as its pane. Gives its summary."""
        self.wait_until("""async (id) => {
          const {clientWidth, clientHeight} = document.querySelector('#pane [role=list]')
          const {bounds} = await (await fetch(`layouts/${id}`)).json()
          return bounds.width === clientWidth && bounds.height === clientHeight
        }""", arg=self.layout_id())
        return self.summary()

    def assert_prepares_the_same(self, answer, summary):
        for member in ["kind", "bounds"]:
            self.assertEqual(answer.get(member), summary.get(member))
        self.assertEqual(answer["counts"]["sections"], summary["counts"]["sections"])

    def test_the_command_of_each_kind_prepares_what_is_on_the_screen(self):
        # Those whose items no short program makes have fewer of them, and say so.
        short = {"flow", "frames", "compositional"}
        for kind in self.page.request.get(self.server + "/kinds").json()["kinds"]:
            name = kind["name"]
            if name not in among(["flow", "justified", "compositional", "tree"], name):
                continue
            with self.subTest(name):
                self.choose(name)
                command = self.code("curl", f"/layouts/{name}/prepare'")
                summary = self.summary()
                answer = self.run_in_shell(command.replace("curl ", "curl -s "))
                self.assertEqual(answer["kind"], name)
                self.assertEqual(answer.get("bounds"), summary.get("bounds"))
                note = self.page.locator("#code-note").text_content()
                if name in short:
                    self.assertRegex(note, "only the first items|has the sections once")
                elif name != "tree":
                    self.assertEqual(answer["counts"], summary["counts"])
                else:
                    self.assertEqual(answer["counts"]["cells"], summary["counts"]["cells"])

    def test_the_command_follows_kind_options_and_width(self):
        self.choose("grid")
        self.page.get_by_role("tab", name="Options").click()
        self.page.get_by_label("Lay the same items out as").select_option("list")
        self.expect_kind("list")
        field = self.page.get_by_label("itemHeight")
        field.fill("77")
        field.press("Tab")
        expect(self.cell("0")).to_have_css("height", "77px")
        self.page.set_viewport_size({"width": 1100, "height": 700})
        summary = self.expect_bounds()
        self.show_tab("Code")
        command = self.code("curl", json.dumps(summary["bounds"], separators=(",", ":")))
        self.assertIn('"itemHeight":77', command)
        answer = self.run_in_shell(command.replace("curl ", "curl -s "))
        self.assert_prepares_the_same(answer, summary)
        self.assertEqual(answer["contentSize"], summary["contentSize"])

    def test_the_page_shows_the_same_cells(self):
        for kind in among(["compositional", "tree"], ["waterfall", "justified", "list", "compositional", "tree", "group", "flow"]):
            with self.subTest(kind):
                self.choose(kind)
                code = self.code("JavaScript", f"kind: '{kind}'")
                seen = self.page.locator("#pane .cell").evaluate_all(
                    """cells => {
                      const {right, bottom} = document.querySelector('#pane').getBoundingClientRect()
                      return cells.map((cell) => [cell, cell.getBoundingClientRect()])
                        .filter(([, box]) => box.left < right && box.top < bottom && box.bottom > 0).slice(0, 12)
                        .map(([cell, {width, height}]) => [cell.textContent, width, height])
                    }""")
                other = self.new_page()
                other.goto(self.server + "/healthz")
                other.evaluate("""async (code) => {
                  document.body.replaceChildren()
                  const url = URL.createObjectURL(new Blob([code], {type: 'text/javascript'}))
                  await import(url)
                }""", code)
                expect(other.locator("main [role=listitem]").first).to_be_visible()
                for text, width, height in seen:
                    if kind == "flow":
                        break
                    cell = other.locator("main [role=listitem]").filter(has_text=re.compile(f"^{text}$")).first
                    box = cell.bounding_box()
                    self.assertAlmostEqual(box["width"], width, delta=0.1)
                    self.assertAlmostEqual(box["height"], height, delta=0.1)
                self.assert_nothing_said(other, but=re.compile("favicon|404"))
                other.close()

    def test_the_component_is_one_that_react_shows(self):
        self.choose("waterfall")
        code = self.code("React", "export function Items")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "items.jsx").write_text(code)
            (path / "layoutd.js").write_bytes(
                (harness.ROOT / "Sources/Web/Client/layoutd.min.js").read_bytes())
            (path / "page.jsx").write_text("""
              import {createElement} from 'react'
              import {createRoot} from 'react-dom/client'
              import {Items} from './items.jsx'
              createRoot(document.body).render(createElement(Items))
            """)
            bundle = subprocess.run(
                ["esbuild", "--bundle", "--format=iife", "--log-level=error",
                 "--jsx-factory=React.createElement", "--inject:" + str(path / "shim.js"),
                 '--define:process.env.NODE_ENV="production"', str(path / "page.jsx")],
                capture_output=True, text=True, env={**os.environ, "NODE_PATH": "/usr/share/nodejs"}) \
                if (path / "shim.js").write_text("export * as React from 'react'") else None
        self.assertEqual(bundle.stderr, "")
        other = self.new_page()
        other.goto(self.server + "/healthz")
        other.evaluate("document.body.replaceChildren()")
        other.evaluate(bundle.stdout)
        expect(other.locator("main [role=listitem]").filter(has_text=re.compile("^0, 0$"))).to_be_visible()
        self.assertEqual(
            other.locator("main").bounding_box()["width"], self.summary()["bounds"]["width"])

    def test_the_code_is_about_the_pane_in_use(self):
        self.choose("waterfall")
        self.page.get_by_role("button", name="Second pane", exact=True).click()
        expect(self.page.locator("#second .cell").first).to_be_visible()
        self.page.locator("#second").click(position={"x": 20, "y": 60})
        self.code("curl", "/layouts/list/prepare'")
        view = self.page.locator("#second-link").get_attribute("href").removeprefix("#id=")
        bounds = self.page.request.get(f"{self.server}/layouts/{view}").json()["bounds"]
        self.code("JavaScript", f"bounds: {{width: {bounds['width']}, height: {bounds['height']}}}")
        self.page.locator("#pane").click(position={"x": 20, "y": 60})
        self.code("curl", "/layouts/waterfall/prepare'")

    def test_changes_of_items_are_told_to_be_missing(self):
        expect(self.page.locator("#code-note")).not_to_contain_text("Changes")
        self.page.get_by_role("button", name="Insert at top").click()
        expect(self.page.locator("#code-note")).to_contain_text("Changes that were made to the items")

    def test_the_picture_is_saved_as_a_file(self):
        self.open()
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Save SVG").click()
        self.assertEqual(download.value.suggested_filename, "layoutd-group.svg")
        self.assertIn(">0, 0<", pathlib.Path(download.value.path()).read_text())


class Links(ViewerTest):
    """A link comes from anybody."""

    HOSTILE = [
        "../../metrics", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAA%2F",
        "AAAAAAAAAAAAAAAAAAAAA'", "{id}%23'; touch x; echo '", "{id}?x=1", "{id}/../../metrics", "",
        "<img src=x onerror=alert(1)>", "AAAAAAAAAAAAAAAAAAAAA%0A"]

    def test_what_is_no_id_is_refused_and_nothing_is_fetched(self):
        self.open()
        layout = self.layout_id()
        for hostile in among(self.HOSTILE[::5], self.HOSTILE):
            with self.subTest(hostile):
                page = self.new_page()
                asked = []
                page.on("request", lambda request: asked.append(request.url))
                page.goto(f"{self.server}/#id={hostile.replace('{id}', layout)}&rect=0,0,10,10")
                expect(page.locator("#notice")).to_contain_text("This address names no layout")
                expect(page.locator(".picture")).to_have_count(11)
                paths = [url.removeprefix(self.server) for url in asked]
                self.assertEqual([path for path in paths if not re.match(
                    r"/($|#|viewer/|client/|kinds$|layouts/[a-z]+/prepare$|layouts/[\w-]{22}(/elements\?rect=0,0,660,450)?$)",
                    path)], [])
                self.assertNotIn(f"/layouts/{layout}", "".join(paths))
                self.show_tab("Code", page)
                self.assertNotIn("touch", page.locator("body").inner_text())
                page.get_by_role("button", name="Prepare an example").click()
                expect(page.locator("#notice")).to_be_hidden()
                expect(page.locator(".pane .cell").first).to_be_visible()
                page.context.close()

    def test_an_address_that_is_entered_later_is_refused_too(self):
        self.open()
        asked = []
        self.page.on("request", lambda request: asked.append(request.url))
        self.page.evaluate("location.hash = 'id=../../metrics'")
        expect(self.page.locator("#notice")).to_contain_text("This address names no layout")
        self.assertFalse([url for url in asked if "metrics" in url])

    def test_the_command_of_a_link_asks_for_what_is_in_sight(self):
        self.open()
        layout = self.layout_id()
        other = self.new_page()
        self.open(f"/#id={layout}&rect=0,500,300,300", page=other)
        self.show_tab("Code", other)
        expect(other.locator("#code")).to_contain_text(
            re.compile(rf"^curl '{self.server}/layouts/{layout}/elements\?rect=0,\d+,\d+,\d+'$"))
        done = subprocess.run(
            ["bash", "-c", other.locator("#code").text_content().replace("curl ", "curl -s ")],
            capture_output=True, text=True, timeout=60)
        self.assertGreater(len(json.loads(done.stdout)["elements"]), 3)

    def test_what_is_copied_is_one_word_of_a_shell(self):
        self.open()
        words = ["'", "'; touch x; echo '", "$(touch x)", "`touch x`", "a\\'b", "!!\n\t%s%d\\n", "é \u2028 \"", "-n"]
        quoted = self.page.evaluate(
            "async (words) => (await import('/viewer/shell.js')).quoted ? words.map((await import('/viewer/shell.js')).quoted) : []", words)
        for word, text in zip(words, quoted, strict=True):
            done = subprocess.run(["bash", "-c", f"printf %s {text}"], capture_output=True, text=True)
            self.assertEqual(done.stdout, word)


if __name__ == "__main__":
    unittest.main()
