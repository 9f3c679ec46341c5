"""The examples of Documentation/browser.md and of the README, in a browser."""

import os
import re
import subprocess
import unittest

import harness

PAGE = (harness.ROOT / "Documentation/browser.md").read_text()
LAYOUT = {"kind": "list", "bounds": {"width": 800}, "options": {"itemHeight": 50},
          "sections": [{"items": 100_000}]}


def example(name: str) -> str:
    """The code of a framework."""
    return re.search(rf"\*\*{name}\*\*.*?```js\n(.*?)```", PAGE, re.DOTALL)[1]


def bundle(code: str, mode: str = "production") -> str:
    """A script for a page, with the client and Debian's React in it."""
    return subprocess.run(
        ["esbuild", "--bundle", "--format=iife", "--global-name=example", "--log-level=error",
         f'--define:process.env.NODE_ENV="{mode}"'],
        input=code, capture_output=True, text=True, check=True, cwd=harness.ROOT / "Sources/Web/Client",
        env={**os.environ, "NODE_PATH": "/usr/share/nodejs"}).stdout


class ExampleTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = harness.server()
        cls.browser = harness.browser()

    def setUp(self) -> None:
        self.page = self.browser.page(self.server)

    def tearDown(self) -> None:
        self.page.close()
        self.assertEqual(self.page.said, [], "the console")

    def run_example(self, code: str) -> None:
        self.page.add_script_tag(content=bundle(code))

    def test_pages(self) -> None:
        for name in ("README.md", "Documentation/browser.md"):
            with self.subTest(name):
                html = re.search(r"```html\n(.*?)```", (harness.ROOT / name).read_text(), re.DOTALL)[1]
                # Another origin than that of the server.
                self.page.set_content(html.replace("http://localhost:8080", self.server.url))
                self.page.locator("[aria-posinset='1']").focus()
                self.page.keyboard.press("End")
                self.page.wait_for_function("document.activeElement.getAttribute('aria-posinset') === '10000000'")
                self.assertIn("9999999", self.page.evaluate("document.activeElement.textContent"))

    def test_the_page_scrolls(self) -> None:
        made = self.server.request("POST", "/layouts/list/prepare", {name: LAYOUT[name] for name in LAYOUT if name != "kind"})
        html = re.search(r"## The page scrolls\n.*?```html\n(.*?)```", PAGE, re.DOTALL)[1]
        html = html.replace("http://localhost:8080", self.server.url).replace("QqVo5GG1P1eYzGRSaH5NNQ", made["id"])
        self.page.set_content(f"<!doctype html>{html}")
        self.page.locator("[role=listitem]").first.wait_for()
        self.page.evaluate("scrollTo(0, 100_000)")
        self.page.wait_for_function("document.querySelector('[aria-posinset=\"2001\"]')")
        self.assertEqual(self.page.evaluate("""[document.querySelector('header').getBoundingClientRect().bottom < 0,
          document.querySelector('nav').getBoundingClientRect().top]"""), [True, 0])

    def test_react(self) -> None:
        self.run_example("""
          import {createRoot} from 'react-dom/client'
          import {createStore} from './layoutd.js'
          export {createStore}
          export const show = (store) => createRoot(document.getElementById('container')).render(h(Items, {store}))
        """ + example("React without the view"))
        self.page.evaluate("""([server, layout]) => {
          window.store = example.createStore({server, layout})
          example.show(store)
        }""", [self.server.url, LAYOUT])
        row = lambda text: self.page.get_by_text(text, exact=True)
        self.assertEqual(row("0,11").bounding_box()["y"], 550)
        # A grid is not shown by its first column alone.
        self.page.evaluate("container.firstChild.scrollTop = 2_500_025")
        self.assertEqual(row("0,50001").bounding_box()["y"], 25)
        self.page.evaluate("store.update([{insert: {at: [0, 50000], items: [{height: 70}]}}])")
        row("0,50002").wait_for()
        self.page.evaluate("store.close()")

    def test_react_in_strict_mode_shows_whole_rows(self) -> None:
        self.run_example("""
          import {StrictMode} from 'react'
          import {createRoot} from 'react-dom/client'
          import {createStore} from './layoutd.js'
          export {createStore}
          export const show = (store) => createRoot(document.getElementById('container')).render(
            h(StrictMode, null, h(Items, {store})))
        """ + example("React without the view"))
        self.page.evaluate("""(server) => {
          window.store = example.createStore({server, bounds: {width: 785, height: 600},
            layout: {kind: 'grid', options: {columns: 4, rowHeight: 100}, sections: [{items: 100000}]}})
          example.show(store)
        }""", self.server.url)
        for text in ("0,0", "0,3", "0,23"):
            self.page.get_by_text(text, exact=True).wait_for()
        self.page.evaluate("store.close()")

    def test_svelte(self) -> None:
        self.run_example(example("Svelte"))
        # What a component does for `$layout`: subscribe gives a value at once, and later others.
        values = self.page.evaluate("""async ([server, layout]) => {
          const values = [], store = example.layoutStore({server, layout})
          const end = store.subscribe((value) => values.push(value.elements.length))
          const first = values.length
          store.show([0, 0, 800, 600])
          while (!values.at(-1)) await frame()
          end()
          const {length} = values
          await store.update([{delete: {at: [0, 0]}}])
          store.close()
          return [first, values.at(-1), values.length - length]
        }""", [self.server.url, LAYOUT])
        self.assertEqual(values, [1, 18, 0])

    def test_lit(self) -> None:
        self.run_example(example("Lit"))
        # What a LitElement does for its controllers.
        updates = self.page.evaluate("""async ([server, layout]) => {
          const host = {updates: 0, controllers: [], addController(one) { this.controllers.push(one) },
            requestUpdate() { this.updates++ }}
          const layoutOf = new example.LayoutController(host, {server, layout})
          host.controllers.forEach((one) => one.hostConnected())
          layoutOf.store.show([0, 0, 800, 600])
          while (!layoutOf.snapshot.elements.length) await frame()
          const {updates} = host
          host.controllers.forEach((one) => one.hostDisconnected())
          await layoutOf.store.update([{delete: {at: [0, 0]}}])
          layoutOf.store.close()
          return [updates > 0, layoutOf.snapshot.elements.length, host.updates - updates]
        }""", [self.server.url, LAYOUT])
        self.assertEqual(updates, [True, 18, 0])

    def test_the_examples_are_short(self) -> None:
        for name in ("React without the view", "Svelte", "Lit"):
            self.assertLessEqual(example(name).count("\n"), 20, name)


if __name__ == "__main__":
    unittest.main()
