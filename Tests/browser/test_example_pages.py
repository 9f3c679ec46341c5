"""The pages in Examples, as the server gives them."""

import pathlib
import random
import re
import unittest

from axe_playwright_python.sync_playwright import Axe

import harness
from harness import ROOT, among, any_seed, wait_until

SEEN = """() => {
  const {top, bottom, left} = document.querySelector('[role=list]').getBoundingClientRect()
  return [...document.querySelectorAll('[role=listitem]')].map((node) => [node.textContent, node.getBoundingClientRect()])
    .filter(([, box]) => box.top >= top - 1 && box.top < bottom && box.left >= left - 1 && box.height).map(([text, box]) => [text, box.top - top])
}"""

# The start of the span with the current match, if it is in sight and another one than those before.
FOUND = """(seen) => {
  const [range] = CSS.highlights.get('layoutd-current-match') ?? [], row = range?.startContainer.parentNode.closest('article')
  const {top, bottom} = row?.getBoundingClientRect() ?? {}, start = row?.style.getPropertyValue('--start')
  return view.store.isSettled() && String(range) === 'timeout' && top >= document.querySelector('main').getBoundingClientRect().top &&
    bottom <= innerHeight && !seen.includes(start) && start
}"""


class ExamplePagesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = harness.server()
        cls.browser = harness.browser()

    def open(self, name: str, hash: str = ""):
        page = self.browser.chromium.new_page(viewport={"width": 900, "height": 640})
        said = self.said = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.set_default_timeout(60_000)
        page.goto(f"{self.server.url}/examples/{name}{hash}")
        self.addCleanup(page.close)
        # Others change what is measured, and what was read may be filtered out.
        self.addCleanup(lambda: self.assertEqual([text for text in said if not re.search("status of 4(12|04)", text)], [], "the console"))
        return page

    def settle(self, page) -> None:
        wait_until(page, "() => window.view?.store.isSettled() && view.store.getSnapshot().elements.length && !document.getAnimations().length")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        wait_until(page, "() => view.store.isSettled()")

    def assert_accessible(self, page) -> None:
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa"], "rules": {"color-contrast": {"enabled": False}}})
        self.assertEqual(found.violations_count, 0, found.generate_report())

    def test_each_is_short(self) -> None:
        pages = sorted((ROOT / "Examples").glob("*/index.html"))
        self.assertGreaterEqual(len(pages), 4)
        for page in pages:
            self.assertLessEqual(page.read_text().count("\n"), 150, page)

    def test_a_photo_library(self) -> None:
        seed = any_seed()
        dice = random.Random(seed)
        page = self.open("photo-library")
        self.settle(page)
        self.assertIn("20,000 shown", page.locator("output").inner_text())
        self.assert_accessible(page)
        slider = page.get_by_role("slider")
        slider.focus()
        for _ in range(among(6, 60)):
            field = dice.choice(["group", "stars", "kind"])
            choices = page.locator(f"#{field} option").evaluate_all("(all) => all.map(({value}) => value)")
            page.keyboard.press(dice.choice(["PageDown", "ArrowDown", "ArrowUp"]))
            self.settle(page)
            with self.subTest(seed=seed, field=field):
                page.select_option(f"#{field}", dice.choice(choices))
                self.settle(page)
                # All that is in sight has enough stars, in the order of its groups.
                kept = page.evaluate("""async () => {
                  const {elements} = view.store.getSnapshot(), stars = Number(document.getElementById('stars').value)
                  const answer = await fetch(`../layouts/${location.hash.slice(1)}/elements?rect=0,0,1e9,1e9&limit=1`)
                  const of = (id) => 1 + Math.floor((Number(id.slice(1)) * 2654435761 % 4294967296) / 4294967296 * 97 % 5)
                  return answer.ok && elements.filter(({category}) => category === 'cell').every(({id}) => of(id) >= stars)
                }""")
                self.assertTrue(kept)
        # A reload stands where it was.
        page.evaluate("new Promise((done) => setTimeout(done, 100))")
        before = dict(page.evaluate(SEEN))
        fields = {field: page.input_value(f"#{field}") for field in ("group", "stars", "kind")}
        page.reload()
        for field, value in fields.items():
            self.assertEqual(page.input_value(f"#{field}"), value, "Chromium keeps what was chosen")
        self.settle(page)
        wait_until(page, "() => !document.querySelector('[role=list]').style.visibility")
        self.settle(page)
        after = dict(page.evaluate(SEEN))
        self.assertTrue(set(before) & set(after), (before, after))
        for name in set(before) & set(after):
            self.assertAlmostEqual(after[name], before[name], delta=1, msg=name)

    def test_a_chat(self) -> None:
        ada = self.open("chat")
        wait_until(ada, "() => location.hash.length > 10")
        self.settle(ada)
        self.assert_accessible(ada)
        ben = self.open("chat", ada.evaluate("location.hash"))
        wait_until(ben, "() => window.view?.isAtEnd")
        self.settle(ben)
        ada.fill("input", "Is anybody there?")
        ada.keyboard.press("Enter")
        for page in (ada, ben):
            page.get_by_text("Is anybody there?", exact=True).wait_for()
            wait_until(page, "() => view.isAtEnd && view.store.isSettled()")
        # Who reads what was said before is told of what comes, and stays where she is.
        ben.mouse.move(450, 300)
        ben.mouse.wheel(0, -1500)
        wait_until(ben, "() => !view.isAtEnd && view.store.isSettled()")
        ada.fill("input", "Nobody answers")
        ada.keyboard.press("Enter")
        wait_until(ben, "() => /^\\d+ new below$/.test(document.getElementById('below').textContent)")
        ben.get_by_role("button", name=re.compile("new below")).click()
        ben.get_by_text("Nobody answers", exact=True).wait_for()
        # At the start, earlier messages come.
        before = ben.evaluate("view.store.getSnapshot().layout.counts.cells")
        ben.evaluate("view.scrollTo({ordinal: 0})")
        wait_until(ben, "(before) => view.store.getSnapshot().layout.counts.cells >= before + 60", arg=before)

    def node(self, page, text: str):
        """The box of what is called so."""
        return page.locator("article", has=page.get_by_text(text, exact=True)).bounding_box()

    def test_a_trace(self) -> None:
        page = self.open("trace")
        self.settle(page)
        self.assert_accessible(page)
        page.select_option("#depth", "1")
        wait_until(page, "() => document.querySelector('output').value === '41 rows'")
        # A click beside the bar opens, a click on it shows its time alone.
        page.get_by_text("batch 2", exact=True).click()
        wait_until(page, "() => document.querySelector('output').value === '101 rows'")
        self.settle(page)
        row = page.locator("article", has=page.get_by_text("batch 2", exact=True))
        whole, bar, ruler = row.locator(".bar"), row.locator(".bar i"), page.locator("#ruler")
        self.assertAlmostEqual(whole.bounding_box()["x"], ruler.bounding_box()["x"], delta=1)
        self.assertAlmostEqual(whole.bounding_box()["width"], ruler.bounding_box()["width"], delta=1)
        times = ruler.inner_text()
        bar.click()
        self.assertNotEqual(ruler.inner_text(), times)
        for side in ("x", "width"):
            self.assertAlmostEqual(bar.bounding_box()[side], whole.bounding_box()[side], delta=2)
        self.assertEqual(page.locator("output").inner_text(), "101 rows")
        page.get_by_role("button", name="Whole time").click()
        self.assertEqual(ruler.inner_text(), times)
        # Each timeout is revealed and in sight, one after the other.
        seen: list[str] = []
        for _ in range(3):
            page.get_by_role("button", name="Next timeout").click()
            wait_until(page, FOUND, arg=seen)
            seen.append(page.evaluate(FOUND, seen))

    def test_an_organisation(self) -> None:
        page = self.open("organisation")
        self.settle(page)
        self.assert_accessible(page)
        before = page.locator("output").inner_text()
        box = self.node(page, "Maya Lindqvist")
        # Whoever drags has not clicked.
        page.mouse.move(box["x"] + 100, box["y"] + 30)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] + 10, steps=5)
        page.mouse.move(box["x"], box["y"] - 10, steps=5)
        page.mouse.up()
        self.settle(page)
        self.assertEqual(page.locator("output").inner_text(), before)
        moved = self.node(page, "Maya Lindqvist")
        self.assertAlmostEqual(moved["x"], box["x"] - 100, delta=2)
        # What is under the mouse stays there while it zooms.
        x, y = moved["x"] + moved["width"] / 2, moved["y"] + moved["height"] / 2
        page.mouse.move(x, y)
        page.keyboard.down("Control")
        page.mouse.wheel(0, -60)
        page.keyboard.up("Control")
        self.settle(page)
        near = self.node(page, "Maya Lindqvist")
        self.assertGreater(near["width"], moved["width"] * 1.1)
        self.assertAlmostEqual(near["x"] + near["width"] / 2, x, delta=3)
        self.assertAlmostEqual(near["y"] + near["height"] / 2, y, delta=3)
        for name in ("Smaller", "Larger", "Smaller"):
            page.get_by_role("button", name=name).click()
            self.settle(page)
        # Everybody with the name is found, whoever is folded above.
        page.get_by_role("searchbox").fill("Ines Okafor")
        seen = set()
        for _ in range(3):
            page.keyboard.press("Enter")
            wait_until(page, "(seen) => { const id = document.querySelector('article.found')?.dataset.id; return id && !seen.includes(id) }", arg=list(seen))
            wait_until(page, """() => {
              const {left, top, right, bottom} = document.querySelector('article.found').getBoundingClientRect()
              return left >= 0 && top >= document.querySelector('.window').getBoundingClientRect().top && right <= innerWidth && bottom <= innerHeight
            }""")
            self.settle(page)
            found = page.locator("article.found")
            self.assertIn("Ines Okafor", found.inner_text())
            seen.add(found.get_attribute("data-id"))
        # The picture has everybody who is shown.
        page.select_option("#depth", "")
        wait_until(page, "() => document.querySelector('output').value === '3,000 shown'")
        with page.expect_download() as download:
            page.get_by_role("link", name="SVG").click()
        picture = pathlib.Path(download.value.path()).read_text()
        self.assertEqual(picture.count("<rect ") - 1, 3000)
        self.assertNotIn("Not all is drawn", picture)

    def test_each_can_be_read_in_the_light_and_in_the_dark(self) -> None:
        for path in sorted((ROOT / "Examples").glob("*/index.html")):
            for scheme in ("light", "dark"):
                page = self.browser.chromium.new_page(viewport={"width": 900, "height": 640}, color_scheme=scheme)
                page.goto(f"{self.server.url}/examples/{path.parent.name}")
                wait_until(page, "() => document.querySelectorAll('article, figure, .post').length > (location.pathname.endsWith('backend') ? 0 : 3) && !document.getAnimations().length")
                found = Axe().run(page, options={"runOnly": ["color-contrast"]})
                self.assertEqual(found.violations_count, 0, f"{path} {scheme} {found.generate_report()}")
                # What the page itself does not paint is the browser's, by the scheme of the root.
                self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "light dark", path)
                page.close()

    def test_what_others_say_loads_nothing(self) -> None:
        """Whoever opens the address may change the collection: their data show, and fetch and run nothing."""
        evil = "red url(http://127.0.0.1:9/x) <img src=x onerror=alert(1)>"
        for name in ("photo-library", "chat"):
            page = self.open(name)
            wait_until(page, "() => location.hash.length > 10")
            self.settle(page)
            asked = []
            page.on("request", lambda request: asked.append(request.url))
            updates = [{"insert": {"at": [0, 0], "items": [
                {"id": f"x{i}", "aspectRatio": 1, "keys": {"stars": stars, "month": "2027-01", "album": evil}, "data": data}
                for i, (stars, data) in enumerate([(5, {"title": evil, "hue": evil, "who": evil, "text": evil}), (1e9, None), (-3, "text"), (evil, [evil])])]}}]
            self.server.request("POST", f"/layouts/{page.evaluate('location.hash.slice(1)')}/updates", {"updates": updates})
            for value in ["stars", "month"] if name == "photo-library" else [None]:
                if value:
                    page.select_option("#group", value)
                    page.evaluate("view.scrollTo({ordinal: 0})")
                else:
                    page.evaluate("view.scrollTo({id: 'x0'})")
                wait_until(page, "() => document.querySelector('[role=list]').textContent.includes('127.0.0.1:9')" if value != "stars" else "() => view.store.isSettled()")
                self.settle(page)
            self.assertEqual([url for url in asked if not url.startswith(self.server.url)], [], name)

    def test_pages_load_from_this_server_alone(self) -> None:
        for path in sorted((ROOT / "Examples").glob("*/index.html")):
            page = self.open(path.parent.name)
            wait_until(page, "() => document.querySelector('[role=list], article')")
            faults = page.evaluate("""async () => {
              const faults = [], told = (event) => faults.push(event.violatedDirective)
              document.addEventListener('securitypolicyviolation', told)
              document.body.style.backgroundImage = 'url(http://127.0.0.1:9/x)'
              document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.hasRun = true'}))
              const box = document.createElement('div')
              box.innerHTML = '<b onclick="window.hasRun = true">x</b>'
              document.body.append(box)
              box.firstChild.click()
              await fetch('http://127.0.0.1:9/').catch(() => {})
              for (let i = 0; i < 600 && new Set(faults).size < 4; i++) await new Promise(requestAnimationFrame)
              return [window.hasRun ?? false, [...new Set(faults)].sort()]
            }""")
            self.assertEqual(faults, [False, ["connect-src", "img-src", "script-src-attr", "script-src-elem"]], path)
            self.said.clear()

    def test_posts_stand_as_measured(self) -> None:
        page = self.open("posts")
        self.settle(page)
        self.assert_accessible(page)
        for place in (0, 2500, 4900):
            page.evaluate("(ordinal) => view.scrollTo({ordinal})", place)
            self.settle(page)
            faults = page.evaluate("""[...document.querySelectorAll('.post')].filter((post) =>
              Math.abs(post.getBoundingClientRect().height - post.closest('[role=listitem]').getBoundingClientRect().height) > 0.1 ||
              [...post.querySelectorAll('[data-text]')].some((text) => text.scrollWidth > text.clientWidth + 1)).length""")
            self.assertEqual(faults, 0)

    def test_a_whole_page_has_everything(self) -> None:
        page = self.open("whole-page")
        wait_until(page, "() => document.querySelectorAll('article').length === 2000")
        wait_until(page, "() => document.body.textContent.includes('Note 1999')")
        self.assert_accessible(page)
        # Each is as high as its text, also once it is laid out.
        cut = page.evaluate("""[...document.querySelectorAll('article')].filter((node, i) => i % 40 === 0).filter((node) => {
          node.scrollIntoView()
          return Math.abs(node.firstChild.getBoundingClientRect().height - node.getBoundingClientRect().height) > 1
        }).length""")
        self.assertEqual(cut, 0)


if __name__ == "__main__":
    unittest.main()
