"""Nothing of the viewer moves under a pressed pointer, and nothing goes on while nothing changes.

The fonts are made by style sheets, so that none needs to be installed.
"""

import unittest

from playwright.sync_api import expect

from harness import among
from viewer_case import ViewerTest

WIDTHS = [(1280, 820), (768, 820), (390, 844)]
FONTS = {
    "narrow": "* { letter-spacing: -0.06em !important; }",
    "wide": "* { letter-spacing: 0.14em !important; word-spacing: 0.3em !important; }",
}
# What one presses. Options of a select, and what a layout shows, are none of the page's controls.
CONTROLS = ("a[href], button, input, select, textarea, summary, [role=separator], [role=slider], "
            "[role=region][tabindex], .pane")
# Where all controls are, and where the pressed one is.
PLACES = """(controls) => [...document.querySelectorAll(controls)]
  .filter((node) => node.checkVisibility() && !node.closest('.pane > *')).map((node) => {
    const {x, y, width, height} = node.getBoundingClientRect()
    return [node.id || node.getAttribute('aria-label') || node.textContent.trim(), x, y, width, height]
  })"""
# The controls that a pointer can press: what is at their middle is theirs.
PRESSABLE = """([controls, within]) => {
  window.pressable = [...document.querySelectorAll(controls)].filter((node) => {
    if (node.closest('.pane > *') || within && !node.closest(within) || !node.checkVisibility()) return false
    node.scrollIntoView({block: 'nearest', inline: 'nearest'})
    const {x, y, width, height} = node.getBoundingClientRect()
    const at = document.elementFromPoint(x + width / 2, y + height / 2)
    return at && (node === at || node.contains(at)) && !node.disabled
  })
  return pressable.length
}"""
MIDDLE = """(index) => {
  const node = pressable[index]
  if (!node.isConnected || !node.checkVisibility()) return null
  node.scrollIntoView({block: 'nearest', inline: 'nearest'})
  const {x, y, width, height} = node.getBoundingClientRect()
  return [x + width / 2, y + height / 2]
}"""


# The windows with their fonts, each once or all of them.
PAGES = among(list(zip(WIDTHS, ["narrow", "wide", "wide"])), [(size, font) for size in WIDTHS for font in FONTS])


class Pressing(ViewerTest):
    # In milliseconds: as long as a slow click.
    HELD = 300

    def prepare(self, size, font):
        page = self.new_page(viewport={"width": size[0], "height": size[1]})
        self.open(page=page)
        page.evaluate("""(rules) => {
          const sheet = new CSSStyleSheet()
          sheet.replaceSync(rules)
          document.adoptedStyleSheets = [sheet]
        }""", FONTS[font])
        # What a click would do is for other tests. Here it shows what got it.
        # Where all controls are when the pointer goes down, to the moment.
        page.evaluate(f"""(controls) => {{
          const places = {PLACES}
          addEventListener('pointerdown', () => {{ window.pressedAt = places(controls) }}, true)
        }}""", CONTROLS)
        page.evaluate("""() => {
          window.clicked = []
          addEventListener('click', (event) => {
            clicked.push(event.target)
            if (window.isHeld) { event.preventDefault(); event.stopPropagation() }
          }, true)
        }""")
        expect(page.locator(".picture")).to_have_count(11)
        return page

    def side_by_side(self, presses):
        """Runs generators that yield while a pointer is pressed. All of them wait together."""
        presses = list(presses)
        while presses:
            presses = [press for press in presses if next(press, None)]
            if presses:
                self.page.wait_for_timeout(self.HELD)

    def press_all(self, page, where, within=""):
        """
        Presses the controls that are in sight: each of them in one of the windows, or in all.
        What moves meanwhile is a fault, and a click of another.
        """
        count = page.evaluate(PRESSABLE, [CONTROLS, within])
        self.assertGreater(count, 3, where)
        for index in range(*among((page.turn, count, len(PAGES)), (count,))):
            middle = page.evaluate(MIDDLE, index)
            if not middle:
                continue
            page.evaluate("() => { clicked.length = 0; window.isHeld = true }")
            page.mouse.move(*middle)
            page.mouse.down()
            yield True
            before, after = page.evaluate("() => pressedAt"), page.evaluate(PLACES, CONTROLS)
            page.mouse.up()
            name, is_ours = page.evaluate("""(index) => {
              const node = pressable[index], [target] = clicked
              return [node.outerHTML.slice(0, 100),
                node.matches('select') || Boolean(target && (node.contains(target) || target.contains(node)))]
            }""", index)
            with self.subTest(where=where, control=name):
                self.assertEqual(after, before)
                self.assertTrue(is_ours, "its click went elsewhere")
            if page.evaluate("(index) => pressable[index].matches('select')", index):
                page.keyboard.press("Escape")
            page.evaluate("() => { window.isHeld = false }")
            if "the panel" in where and not page.locator("#panel").is_visible():
                page.locator("#fold").click()

    def press_everywhere(self, turn, size, font):
        page, is_over = self.prepare(size, font), size[0] < 1000
        page.turn = turn
        if is_over:
            yield from self.press_all(page, f"{size}, {font}")
            page.get_by_role("button", name="Panel", exact=True).click()
        page.get_by_role("button", name="Second pane", exact=True).click()
        expect(page.locator("#second .cell").first).to_be_visible()
        yield from self.press_all(page, f"{size}, {font}, the panel")
        for tab in ["Items", "Code"]:
            self.show_tab(tab, page)
            yield from self.press_all(page, f"{size}, {font}, the panel, {tab}", ".tab ")
        if is_over:
            page.get_by_role("button", name="Close the panel").click()
            yield from self.press_all(page, f"{size}, {font}, two panes", ".stage ")

    def test_nothing_moves_under_a_pointer_that_presses_any_control(self):
        self.side_by_side(self.press_everywhere(turn, *each) for turn, each in enumerate(PAGES))

    def close_by_cross(self, size, font):
        page = self.prepare(size, font)
        if size[0] < 1000:
            page.get_by_role("button", name="Panel", exact=True).click()
        page.get_by_role("button", name="Second pane", exact=True).click()
        expect(page.locator("#second .cell").first).to_be_visible()
        if size[0] < 1000:
            page.get_by_role("button", name="Close the panel").click()
        page.locator("#pane").click(position={"x": 20, "y": 60})
        self.hold(page.get_by_role("button", name="Close the second pane"))
        yield True
        page.mouse.up()
        with self.subTest(size=size, font=font):
            expect(page.locator("#second")).to_be_hidden()

    def test_the_second_pane_is_closed_by_its_cross(self):
        self.side_by_side(self.close_by_cross(size, font) for size, font in PAGES)

    def hold(self, locator):
        """Presses a control and keeps it pressed. Gives where all controls are."""
        box = locator.bounding_box()
        locator.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        before = locator.page.evaluate(PLACES, CONTROLS)
        locator.page.mouse.down()
        return before

    def assert_unmoved(self, before):
        self.page.wait_for_timeout(self.HELD)
        self.assertEqual(self.page.evaluate(PLACES, CONTROLS), before)

    def test_a_fault_that_a_press_brings_waits_for_its_end(self):
        self.open()
        self.choose("list")
        field = self.page.get_by_label("itemHeight")
        field.fill("-1")
        # The fault would stand above this option and move it away.
        before = self.hold(self.page.get_by_label("rowSpacing"))
        self.assert_unmoved(before)
        expect(self.page.locator("#option-itemHeight-fault")).to_be_hidden()
        self.page.mouse.up()
        expect(self.page.locator("#option-itemHeight-fault")).to_be_visible()

    def test_what_others_change_waits_for_the_end_of_a_press(self):
        self.open()
        before = self.hold(self.page.get_by_role("button", name="Measure", exact=True))
        layout = f"{self.server}/layouts/{self.layout_id()}"
        answer = self.page.request.patch(layout, data={"kind": "list"})
        self.assertEqual(answer.status, 200)
        expect(self.cell("0")).to_have_css("height", "44px")
        self.assert_unmoved(before)
        self.page.mouse.up()
        self.expect_kind("list")

    def test_a_notice_that_comes_meanwhile_waits(self):
        self.open()
        before = self.hold(self.page.get_by_role("button", name="Measure", exact=True))
        self.page.route("**/layouts/**", lambda route: route.abort("connectionrefused"))
        with self.page.expect_event("requestfailed"):
            self.page.evaluate("document.querySelector('.pane [role=list]').scrollTop = 90_000")
        self.assert_unmoved(before)
        expect(self.page.locator("#notice")).to_be_hidden()
        self.page.mouse.up()
        expect(self.page.locator("#notice")).to_be_visible()


class Resting(ViewerTest):
    def test_nothing_is_done_while_nothing_changes(self):
        self.page.add_init_script("""
          window.frames_ = 0
          const request = window.requestAnimationFrame
          window.requestAnimationFrame = (listener) => { frames_ += 1; return request(listener) }
        """)
        for kind in ["group", "compositional", "tree"]:
            with self.subTest(kind):
                self.open()
                if kind != "group":
                    self.choose(kind)
                expect(self.page.locator(".picture")).to_have_count(11)
                # The first answers are there, the last animation is over.
                self.page.wait_for_function("""() => {
                  const count = window.frames_, quiet = window.seen === count && document.getAnimations().length === 0
                  window.seen = count
                  return quiet
                }""", polling=500)
                done = self.page.evaluate("""() => new Promise((resolve) => {
                  const begin = frames_, changes = []
                  new MutationObserver((records) => changes.push(...records.map(({type, target}) => `${type} ${target.className}`)))
                    .observe(document, {subtree: true, childList: true, attributes: true, characterData: true})
                  setTimeout(() => resolve([frames_ - begin, changes]), 500)
                })""")
                self.assertEqual(done, [0, []])


if __name__ == "__main__":
    unittest.main()
