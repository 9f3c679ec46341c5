"""What the viewer's panel offers: options by the data, a group to drag, a list of sections, items to go to."""

import json
import re
import unittest
from random import Random

from playwright.sync_api import expect

from harness import among
from viewer_case import ViewerTest


def is_change_of_group(answer):
    """Whether an answer is that to another group, and not to another width."""
    return answer.request.method == "PATCH" and '"group":' in (answer.request.post_data or "")


class Options(ViewerTest):
    def test_of_two_options_that_exclude_each_other_the_last_counts(self):
        self.open()
        self.choose("grid")
        for name, value, other in [
                ("columns", "5", "minimumColumnWidth"), ("minimumColumnWidth", "200", "columns"),
                ("rowHeight", "70", "itemAspectRatio")]:
            with self.subTest(name):
                field = self.page.locator(f"#option-{name}")
                # Of this option: an earlier change of the width may be under way.
                with self.page.expect_response(lambda answer: answer.request.method == "PATCH"
                                               and f'"{name}":' in (answer.request.post_data or "")) as answer:
                    field.fill(value)
                    field.press("Tab")
                self.assertEqual(answer.value.status, 200)
                expect(self.page.locator(f"#option-{other}")).to_have_value("")
                expect(self.page.locator(".fault").filter(visible=True)).to_have_count(0)
        # The height of a row has the spacing in it.
        expect(self.cell("0")).to_have_css("height", "62px")

    def test_an_option_of_an_unknown_type_is_a_box_of_json(self):
        def with_novelty(route):
            answer = route.fetch()
            kinds = answer.json()
            for kind in kinds["kinds"]:
                kind["options"].append({"name": "lanes", "scope": "novel", "type": "lanes", "default": None})
            route.fulfill(response=answer, json=kinds)
        self.page.route("**/kinds", with_novelty)
        self.open()
        self.page.locator("summary", has_text="novel").click()
        box = self.page.get_by_label("lanes")
        box.fill("[1, 2")
        box.press("Tab")
        expect(self.page.locator("#option-lanes-fault")).to_have_text("Must be JSON.")
        with self.page.expect_request(lambda request: request.method == "PATCH") as request:
            box.fill("[1, 2]")
            box.press("Tab")
        self.assertEqual(request.value.post_data_json, {"options": {"lanes": [1, 2]}})
        # The server does not know it, and its words stand at the field.
        expect(self.page.locator("#option-lanes-fault")).to_be_visible()

    def test_names_break_between_words_only_and_selects_are_whole(self):
        for viewport, rules in [
                ({"width": 1280, "height": 820}, ""), ({"width": 390, "height": 844}, ""),
                ({"width": 1280, "height": 820}, "* { letter-spacing: 0.14em !important; }")]:
            self.page = self.new_page(viewport=viewport)
            self.open()
            self.page.evaluate("""(rules) => {
              const sheet = new CSSStyleSheet()
              sheet.replaceSync(rules)
              document.adoptedStyleSheets = [sheet]
            }""", rules)
            if viewport["width"] < 1000:
                self.page.get_by_role("button", name="Panel", exact=True).click()
            for kind in among(["list", "compositional"], ["list", "flow", "justified", "gallery", "tree", "compositional"]):
                if viewport["width"] < 1000:
                    self.page.get_by_role("button", name="Close the panel").click()
                self.choose(kind)
                if viewport["width"] < 1000:
                    self.page.get_by_role("button", name="Panel", exact=True).click()
                self.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
                with self.subTest(kind, viewport=viewport, rules=rules):
                    self.assertEqual(self.page.evaluate("""() => {
                      const faults = []
                      for (const label of document.querySelectorAll('#options label, #options legend')) {
                        for (const node of label.childNodes) {
                          if (node.nodeType !== Node.TEXT_NODE) continue
                          const range = new Range()
                          range.selectNodeContents(node)
                          const lines = new Set([...range.getClientRects()].map(({top}) => Math.round(top)))
                          if (lines.size > 1) faults.push(`${label.textContent}: ${node.data} is broken`)
                        }
                        if (label.scrollWidth > label.clientWidth + 1 && label.clientWidth) faults.push(`${label.textContent} is cut`)
                      }
                      for (const select of document.querySelectorAll('.panel select')) {
                        if (!select.checkVisibility()) continue
                        const natural = select.cloneNode(true)
                        natural.style.cssText = 'position: absolute; max-width: none; width: max-content'
                        select.after(natural)
                        if (natural.offsetWidth > select.offsetWidth + 1) faults.push(`${select.id} is cut`)
                        natural.remove()
                        const panel = document.querySelector('.panel').getBoundingClientRect()
                        if (select.getBoundingClientRect().right > panel.right) faults.push(`${select.id} is outside`)
                      }
                      return faults
                    }"""), [])


class Groups(ViewerTest):
    def group(self):
        return self.page.request.get(
            f"{self.server}/layouts/{self.layout_id()}/collection").json()["options"]["group"]

    def drag(self, locator, x, y):
        box = locator.bounding_box()
        start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(start[0] + x, start[1] + y, steps=6)
        self.page.mouse.up()

    def assert_picture_is_the_layout(self):
        """The picture of the group is the first repetition, as the server lays it out."""
        self.wait_until("""async (id) => {
          const canvas = document.querySelector('.group-canvas'), box = canvas.getBoundingClientRect()
          const parts = [...canvas.querySelectorAll('.group-part')]
          const answer = await fetch(`layouts/${id}/elements?rect=0,0,10000,10000&category=cell&limit=${parts.length}`)
          const {elements} = await answer.json()
          const scale = box.width / Math.max(...elements.slice(0, parts.length).map(({frame: [x, , width]}) => x + width))
          return parts.length > 0 && parts.every((part, index) => {
            const {left, top, width, height} = part.getBoundingClientRect()
            const is = [left - box.left, top - box.top, width, height]
            return elements[index].frame.every((value, at) => Math.abs(value * scale - is[at]) < 1)
          })
        }""", arg=self.layout_id())

    def test_the_picture_is_the_group_of_the_layout(self):
        self.open()
        self.assert_picture_is_the_layout()

    def test_the_picture_of_random_groups_is_what_the_server_lays_out(self):
        self.open()
        random, laid_out = Random(7), 0
        for turn in range(among(15, 40)):
            group = self.random_group(random)
            with self.subTest(seed=7, turn=turn, group=group):
                layout = self.page.request.post(f"{self.server}/layouts/group/prepare", data={
                    "bounds": {"width": 900, "height": 700}, "options": {"group": group},
                    "sections": [{"items": 200}]})
                # Some have no room for their parts.
                if layout.status == 422:
                    self.assertRegex(layout.text(), "must be large enough|must fit")
                    continue
                self.assertEqual(layout.status, 201, layout.text())
                laid_out += 1
                parts = self.page.evaluate("""async (group) => {
                  const {placed, sizeOf} = await import('/viewer/group.js')
                  return placed(group, sizeOf(group, {width: 900, height: 700})).parts
                    .map(({x, y, width, height}) => [x, y, width, height])
                }""", group)
                elements = self.page.request.get(
                    f"{self.server}/layouts/{layout.json()['id']}/elements?rect=0,0,900,700&category=cell").json()["elements"]
                frames = {tuple(each["indexPath"]): each["frame"] for each in elements}
                for index, part in enumerate(parts):
                    if (0, index) in frames:
                        for value, expected in zip(part, frames[0, index], strict=True):
                            self.assertAlmostEqual(value, expected, delta=0.01)
                self.assertGreater(len(frames), 0)
        self.assertGreater(laid_out, among(8, 25))

    def random_group(self, random, level=0):
        direction = random.choice(["horizontal", "vertical"])
        main, cross = ("width", "height") if direction == "horizontal" else ("height", "width")
        subitems = []
        for _ in range(random.randint(1, 3)):
            item = {cross: {f"fractional{cross.capitalize()}": random.choice([1, 0.5])}}
            item[main] = random.choice(
                [{"flexible": random.randint(1, 4)}, {f"fractional{main.capitalize()}": 0.125}])
            if random.random() < 0.3:
                item["count"] = 2
            if level < 2 and random.random() < 0.4:
                item = {**self.random_group(random, level + 1), **item}
            subitems.append(item)
        return {"direction": direction, "spacing": random.randint(0, 3), "width": {"fractionalWidth": 1},
                "height": random.choice([{"fractionalWidth": 0.5}, {"absolute": 300}, {"fractionalHeight": 0.5}]),
                "subitems": subitems}

    def test_a_divider_that_is_dragged_changes_the_layout(self):
        self.open()
        before = self.cell("0").bounding_box()["width"]
        divider = self.page.get_by_role("separator", name="Divider after part 1", exact=True)
        self.drag(divider, 40, 0)
        self.page.wait_for_function(
            "(before) => document.querySelector('.pane .cell').getBoundingClientRect().width > before + 60", arg=before)
        self.assert_picture_is_the_layout()
        # By keyboard, and inside of a group inside of the group.
        divider = self.page.get_by_role("separator", name="Divider after part 3.1", exact=True)
        before = self.group()
        divider.focus()
        divider.press("ArrowDown")
        expect(divider).to_be_focused()
        # An answer to a PATCH may still be that of the drag, so the layout itself is asked.
        self.wait_until("""async ([id, before]) => {
          const {options} = await (await fetch(`layouts/${id}/collection`)).json()
          return options.group.subitems[2].subitems[0].height.flexible > before
        }""", arg=[self.layout_id(), before["subitems"][2]["subitems"][0]["height"]["flexible"]])
        after = self.group()
        self.assertEqual(after["subitems"][:2], before["subitems"][:2])
        self.assert_picture_is_the_layout()
        self.assert_nothing_said()

    def test_the_height_is_dragged(self):
        self.open()
        self.drag(self.page.get_by_role("separator", name="Height of the group"), 0, 30)
        self.page.wait_for_function("() => document.querySelector('.pane .cell').getBoundingClientRect().height > 300")
        self.assert_picture_is_the_layout()

    def test_items_are_split_copied_and_taken_away(self):
        self.open()
        parts = self.page.locator(".group-part")
        expect(parts).to_have_count(8)
        steps = [
            ("Split ⇔", 9), ("Split ⇕", 10), ("Remove", 9), ("Remove", 8)]
        for name, count in steps:
            with self.subTest(name, count=count):
                with self.page.expect_response(is_change_of_group) as answer:
                    self.page.get_by_role("button", name=name).click()
                self.assertEqual(answer.value.status, 200)
                expect(parts).to_have_count(count)
                self.assert_picture_is_the_layout()
        copies = self.page.get_by_label("Copies of the chosen item")
        with self.page.expect_response(is_change_of_group):
            copies.fill("3")
            copies.press("Tab")
        expect(parts).to_have_count(10)
        self.assert_picture_is_the_layout()

    def test_the_group_is_json_for_who_likes_it(self):
        self.open()
        self.page.locator("summary", has_text="As JSON").click()
        box = self.page.locator("#option-group")
        group = json.loads(box.input_value())
        self.assertEqual(group, self.group())
        group["subitems"] = group["subitems"][:1]
        box.fill(json.dumps(group))
        box.press("Tab")
        expect(self.page.locator(".group-part")).to_have_count(1)


class Sections(ViewerTest):
    def sections(self):
        return self.page.request.get(
            f"{self.server}/layouts/{self.layout_id()}/collection").json()["sections"]

    def test_a_list_of_sections_becomes_a_layout(self):
        self.open()
        self.choose("compositional")
        self.show_tab("Items")
        rows = self.page.locator(".sections > li")
        expect(rows).to_have_count(3)
        self.page.get_by_label("All of them, times").fill("2")
        rows.nth(1).get_by_label("Kind", exact=True).select_option("waterfall")
        rows.nth(1).get_by_label("Items", exact=True).fill("1,000")
        rows.nth(1).get_by_label("Sizes of items").select_option("heights")
        rows.nth(1).locator("summary", has_text=re.compile("^Options$")).click()
        rows.nth(1).get_by_label("columns", exact=True).fill("4")
        rows.nth(2).get_by_role("button", name="Remove this section").click()
        rows.nth(0).get_by_role("checkbox", name="Scrolls sideways").uncheck()
        rows.nth(0).get_by_role("button", name="Move down").click()
        self.page.get_by_role("button", name="Add a section").click()
        rows.nth(2).get_by_role("checkbox", name="Scrolls sideways").check()
        rows.nth(2).get_by_label("Height, in points").fill("90")
        before = self.layout_id()
        self.page.get_by_role("button", name="Prepare", exact=True).click()
        expect(self.page).not_to_have_url(re.compile(before))
        sections = self.sections()
        self.assertEqual([each["kind"] for each in sections], ["waterfall", "list", "grid"] * 2)
        self.assertEqual(sections[0]["options"], {"columns": 4})
        self.assertEqual([each.get("orthogonal") for each in sections[:3]], [None, None, {"height": 90}])
        self.expect_figure("cells", f"{2 * (1_000 + 40 + 24):,}")
        self.assert_nothing_said()

    def test_what_the_server_refuses_stands_at_the_section(self):
        self.open()
        self.choose("compositional")
        self.show_tab("Items")
        row = self.page.locator(".sections > li").nth(1)
        row.locator("summary", has_text=re.compile("^Options$")).click()
        # The form knows no upper bound for it; the server does.
        row.get_by_label("minimumColumnWidth").fill("")
        row.get_by_label("columns", exact=True).fill("4000000")
        self.page.get_by_role("button", name="Prepare", exact=True).click()
        expect(row.locator(".fault").filter(visible=True)).to_be_visible()

    def test_a_section_without_items_is_refused_with_words(self):
        self.open()
        self.choose("compositional")
        self.show_tab("Items")
        self.page.locator(".sections > li").nth(0).get_by_label("Items", exact=True).fill("many")
        self.page.get_by_role("button", name="Prepare", exact=True).click()
        expect(self.page.locator("#playground > .fault")).to_contain_text("Section 1: Items must be a whole number")


class Going(ViewerTest):
    def go(self, item):
        self.page.get_by_label("Item", exact=True).fill(item)
        self.page.get_by_label("Item", exact=True).press("Enter")

    def test_the_item_is_outlined_and_stays_so_when_it_moves(self):
        self.open()
        found = self.page.locator(".pane .found .name")
        self.go("5,000,000")
        expect(found).to_have_text("5000000")
        self.page.get_by_role("button", name="Insert at top").click()
        expect(found).to_have_text("5000001")
        self.go("17")
        expect(found).to_have_text("17")

    def test_the_field_says_which_items_there_are(self):
        self.open()
        expect(self.page.get_by_label("Item", exact=True)).to_have_attribute("placeholder", "0 to 9,999,999")
        self.choose("waterfall")
        expect(self.page.get_by_label("Item", exact=True)).to_have_attribute("placeholder", "0 to 199,999")
        self.page.get_by_role("button", name="Insert at top").click()
        expect(self.page.get_by_label("Item", exact=True)).to_have_attribute("placeholder", "0 to 200,000")


class Colours(ViewerTest):
    COLOURS = """() => Object.fromEntries([...document.querySelectorAll('#pane .cell')].map((cell) =>
      [cell.title.match(/\\d+/)[0], getComputedStyle(cell).backgroundColor]))"""

    def test_an_item_keeps_its_colour_when_others_come_and_go(self):
        self.open()
        expect(self.cell("7")).to_be_visible()
        before = self.page.evaluate(self.COLOURS)
        self.page.get_by_role("button", name="Insert at top").click()
        self.expect_figure("cells", "10,000,001")
        expect(self.page.locator("#pane .cell .name").first).to_be_visible()
        self.page.wait_for_function(f"""(before) => {{
          const colours = ({self.COLOURS})()
          return Object.entries(before).filter(([item, colour]) => colours[Number(item) + 1] === colour).length >= 20
            && Object.entries(before).every(([item, colour]) => (colours[Number(item) + 1] ?? colour) === colour)
        }}""", arg=before)
        for _ in range(2):
            self.page.get_by_role("button", name="Delete").click()
        self.expect_figure("cells", "9,999,999")
        self.page.wait_for_function(f"""(before) => {{
          const colours = ({self.COLOURS})()
          return Object.entries(before).filter(([item, colour]) => item > 0 && colours[Number(item) - 1] === colour).length >= 20
        }}""", arg=before)


    def test_an_item_has_one_colour_in_both_panes(self):
        self.open()
        self.page.get_by_role("button", name="Insert at top").click()
        self.expect_figure("cells", "10,000,001")
        self.page.get_by_role("button", name="Second pane", exact=True).click()
        expect(self.page.locator("#second .cell").first).to_be_visible()
        for action in ["Delete", "Insert at top", "Insert at top"]:
            self.page.get_by_role("button", name=action, exact=True).click()
            self.page.wait_for_function("""() => {
              const [first, second] = ['#pane', '#second'].map((pane) => new Map(
                [...document.querySelectorAll(`${pane} .cell`)].filter((cell) => cell.className.includes('element')).map((cell) =>
                  [cell.textContent, cell.style.getPropertyValue('--hue')])))
              const both = [...first].filter(([name]) => second.has(name))
              return both.length > 5 && both.every(([name, hue]) => second.get(name) === hue)
            }""")
        self.expect_figure("cells", "10,000,002")

    def test_what_stands_on_any_colour_can_be_read(self):
        # WCAG 1.4.3: 4.5 to 1.
        for scheme in ["light", "dark"]:
            page = self.new_page(color_scheme=scheme)
            self.open(page=page)
            least = page.evaluate("""async () => {
              const {paint} = await import('/viewer/palette.js')
              const canvas = new OffscreenCanvas(1, 1).getContext('2d')
              const light = (colour) => {
                canvas.fillStyle = colour
                canvas.fillRect(0, 0, 1, 1)
                const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
                  value /= 255
                  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
                })
                return 0.2126 * red + 0.7152 * green + 0.0722 * blue
              }
              const node = document.createElement('div')
              node.className = 'element cell'
              document.querySelector('#pane').append(node)
              let least = 21
              for (let item = 0; item < 2000; item += 1) {
                paint(node, [0, item])
                const {backgroundColor, color} = getComputedStyle(node)
                const [dark, bright] = [light(backgroundColor), light(color)].sort((one, other) => one - other)
                least = Math.min(least, (bright + 0.05) / (dark + 0.05))
              }
              node.remove()
              return least
            }""")
            self.assertGreaterEqual(least, 4.5, scheme)


class Folding(ViewerTest):
    def test_the_stage_fills_the_window(self):
        for width, height in [(1280, 820), (768, 820), (390, 844)]:
            with self.subTest(width):
                self.page.set_viewport_size({"width": width, "height": height})
                self.open()
                if width >= 1000:
                    self.page.get_by_role("button", name="Panel", exact=True).click()
                box = self.page.locator("#pane").bounding_box()
                self.assertLess(box["y"], 90)
                self.assertGreater(box["width"] * box["height"], 0.7 * width * height)

    def test_the_panel_folds_away_and_the_focus_follows(self):
        self.page.set_viewport_size({"width": 390, "height": 844})
        self.open()
        expect(self.page.locator("#panel")).to_be_hidden()
        fold = self.page.get_by_role("button", name="Panel", exact=True)
        expect(fold).to_have_attribute("aria-expanded", "false")
        fold.click()
        expect(self.page.locator("#panel")).to_be_focused()
        expect(fold).to_have_attribute("aria-expanded", "true")
        self.page.keyboard.press("Escape")
        expect(self.page.locator("#panel")).to_be_hidden()
        expect(fold).to_be_focused()

    def test_axe_finds_nothing_on_a_phone(self):
        for scheme in among(["light"], ["light", "dark"]):
            page = self.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
            self.open(page=page)
            expect(page.locator(".picture")).to_have_count(11)
            with self.subTest(scheme):
                self.assert_axe_finds_nothing(page)
                page.get_by_role("button", name="Panel", exact=True).click()
                self.assert_axe_finds_nothing(page)

    def test_the_tabs_follow_the_arrow_keys(self):
        self.open()
        self.page.get_by_role("tab", name="Options").focus()
        for key, name in [("ArrowRight", "Items"), ("ArrowRight", "Code"), ("ArrowRight", "Text"), ("ArrowRight", "Options"), ("End", "Text")]:
            self.page.keyboard.press(key)
            expect(self.page.get_by_role("tab", name=name)).to_be_focused()
            expect(self.page.get_by_role("tabpanel", name=name)).to_be_visible()


if __name__ == "__main__":
    unittest.main()
