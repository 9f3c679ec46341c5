"""The pages in Examples in Firefox. `Tests/browser/run firefox` says what else of the tests runs there."""

import unittest

import harness
from harness import ROOT


@unittest.skipUnless(harness.IS_FIREFOX, "BROWSER=firefox")
class FirefoxTests(unittest.TestCase):
    def test_the_examples_show_what_they_have(self) -> None:
        server, firefox = harness.server(), harness.browser().firefox
        for path in sorted((ROOT / "Examples").glob("*/index.html")):
            # That one wants its own backend.
            if path.parent.name == "backend":
                continue
            with self.subTest(path.parent.name):
                page = firefox.page(f"{server.url}/examples/{path.parent.name}", 900, 640)
                if path.parent.name == "whole-page":
                    page.wait_for_function("document.querySelectorAll('article').length === 2000")
                else:
                    page.wait_for_function("window.view?.store.getSnapshot().status === 'ready' && view.store.isSettled()")
                    # All cells that are in sight are drawn where they are.
                    page.wait_for_function("""() => {
                      const {elements} = view.store.getSnapshot(), {visible: [left, top, width, height]} = view
                      // Trees are moved by transforms, or are no lists.
                      if (!document.querySelector('[role=list]')) return document.querySelectorAll('[role=treeitem]').length > 2
                      const box = document.querySelector('[role=list]').getBoundingClientRect(), shown = [...document.querySelectorAll('[role=listitem]')]
                      const inSight = elements.filter(({category, frame: [, y, , length]}) => category === 'cell' && y + length > top + 1 && y < top + height - 1)
                      const isPage = path => path.includes('posts'), from = isPage(location.pathname) ? 0 : box.top
                      return inSight.length > 2 && inSight.every(({frame: [x, y, , length]}) => shown.some((node) => {
                        const {left: at, top: high, height} = node.getBoundingClientRect()
                        return Math.abs(at - box.left - x + left) < 1 && Math.abs(high - from - y + top) < 1 && Math.abs(height - length) < 1
                      }))
                    }""")
                self.assertEqual([text for text in page.said if "status of 4" not in text], [])
                page.close()


if __name__ == "__main__":
    unittest.main()
