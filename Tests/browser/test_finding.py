"""Ctrl+F over what is not loaded."""

import unittest

from harness import Program
from test_client import Page

OPEN = "Control+f"


class Finding(Page):
    def setUp(self) -> None:
        super().setUp()
        self.own = Program()
        self.addCleanup(self.own.stop)
        self.page.evaluate("""async (server) => {
          window.use = await import('./pages/finding.js')
          window.view = await use.open(mount, container, server)
        }""", self.own.url)
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_function("view.store.getSnapshot().status === 'ready' && view.store.isSettled()")
        self.page.evaluate("settled()")

    def said(self) -> str:
        return self.page.evaluate("document.querySelector('[role=search] [aria-live]').textContent")

    def wait_for(self, said: str) -> None:
        self.page.wait_for_function(
            "(said) => document.querySelector('[role=search] [aria-live]').textContent === said", arg=said)
        self.settle()

    def marked(self) -> list[list[str]]:
        """What is marked, and what is marked as the current match."""
        return self.page.evaluate("""() => ['layoutd-match', 'layoutd-current-match'].map((name) =>
          [...CSS.highlights.get(name) ?? []].map((range) => range.toString().toLowerCase()))""")

    def count(self, word: str) -> int:
        return self.page.evaluate(
            "(word) => Array.from({length: 2000}, (_, i) => use.bodyOf(i).split(word).length - 1).reduce((a, b) => a + b)", word)

    def test_ctrl_f_leads_from_match_to_match_while_somebody_inserts(self) -> None:
        count = self.count("harbour")
        self.page.focus("[role=list]")
        self.page.keyboard.press(OPEN)
        self.assertTrue(self.page.is_visible("[role=search] input"))
        self.page.keyboard.type("Harbour", delay=10)
        self.wait_for(f"1 of {count:,}")
        _, current = self.marked()
        self.assertIn("harbour", current)
        self.assertTrue(all(word == "harbour" for words in self.marked() for word in words))
        for number in (2, 3):
            self.page.keyboard.press("Enter")
            self.wait_for(f"{number} of {count:,}")
        self.page.keyboard.press("Shift+Enter")
        self.wait_for(f"2 of {count:,}")
        for number in (1, count):
            self.page.keyboard.press("Shift+Enter")
            self.wait_for(f"{number:,} of {count:,}")
        # The last one is far away, and in sight now.
        self.assertIn("harbour", self.marked()[1])
        self.assertGreater(self.page.evaluate("view.visible[1]"), 50_000)
        ticks = self.page.evaluate("[...container.querySelectorAll('[aria-hidden=true] > div')].filter(({style}) => style.top).length")
        self.assertGreater(ticks, 50)
        layout = self.page.evaluate("view.store.getSnapshot().layout.id")
        self.own.request("POST", f"/layouts/{layout}/updates", {"updates": [
            {"insert": {"at": [0, 0], "items": [{"id": "new", "text": {"body": "a harbour, the harbour"}, "data": "a harbour, the harbour"}]}}]})
        self.wait_for(f"{count + 2:,} of {count + 2:,}")
        self.page.keyboard.press("Escape")
        self.assertFalse(self.page.is_visible("[role=search] input"))
        self.assertEqual(self.page.evaluate("document.activeElement.getAttribute('role')"), "list")
        self.assertEqual(self.marked(), [[], []])

    def test_what_is_nowhere_is_told_and_a_second_press_is_the_browsers(self) -> None:
        self.page.keyboard.press(OPEN)
        self.page.keyboard.type("nowhere")
        self.wait_for("Nothing found")
        prevented = self.page.evaluate("""() => {
          const event = new KeyboardEvent('keydown', {key: 'f', ctrlKey: true, bubbles: true, cancelable: true})
          document.activeElement.dispatchEvent(event)
          return event.defaultPrevented
        }""")
        self.assertFalse(prevented)

    def test_it_finds_as_many_as_the_browser_if_all_is_rendered(self) -> None:
        for word in ("harbour", "ea", "net rope"):
            found = self.page.evaluate("""async (word) => {
              const found = view.find(word)
              await new Promise((resolve) => { found.onChange = resolve })
              found.close()
              const all = document.createElement('div')
              all.append(...Array.from({length: 2000}, (_, i) => Object.assign(document.createElement('p'), {textContent: use.bodyOf(i)})))
              container.hidden = true
              document.body.append(all)
              getSelection().removeAllRanges()
              let seen = 0
              while (window.find(word, false, false, false)) seen++
              all.remove()
              container.hidden = false
              return [found.count, seen]
            }""", word)
            self.assertEqual(found[0], found[1], word)


if __name__ == "__main__":
    unittest.main()
