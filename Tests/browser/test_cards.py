"""Cards: what the client draws is what the server measured.

CARDS_SEED  of nodes that are used again (1)
"""

import os
import unittest

import harness
from harness import among
from test_client import Page

COUNT = among(2_000, 200_000)
CARDS = among(90, 2_000)
WIDTHS = [1180, 700, 390]
SEED = int(os.environ.get("CARDS_SEED", 1))

# What of the cards in sight is not as it was measured, and how many cards those are.
LOOK = """
window.lookAtCards = (CARD) => {
  const range = document.createRange(), faults = [], seen = new Set()
  for (const element of view.store.getSnapshot().elements) {
    const node = document.querySelector(`[data-name="${element.id}"]`)
    if (!node) continue
    seen.add(element.id)
    const say = (text) => faults.push(`${element.id}, ${element.frame[2]} wide: ${text}`)
    if (element.estimated) say('is estimated')
    const card = node.getBoundingClientRect()
    if (Math.abs(card.height - element.frame[3]) > 0.02) say(`is ${card.height} high, not ${element.frame[3]}`)
    element.parts.forEach(({part, frame, lines, width}, i) => {
      const own = node.children[i], box = own.getBoundingClientRect()
      const is = [box.left - card.left, box.top - card.top, box.width, box.height]
      if (is.some((value, k) => Math.abs(value - frame[k]) > 0.02)) say(`part ${part} is at ${is}, not at ${frame}`)
      if (!lines) return
      // As high as it is by itself.
      own.style.height = 'auto'
      const {height} = own.getBoundingClientRect()
      own.style.height = `${frame[3]}px`
      if (Math.abs(height - frame[3]) > 0.02) say(`part ${part} is ${height} high by itself, not ${frame[3]}`)
      // What comes behind the last line that counts is not laid out.
      const text = own.firstChild, {lineHeight, maxLines} = CARD.parts[part], starts = []
      for (let at = 0; at < text.length; at++) {
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        const rect = range.getClientRects()[0], blank = /\\s/.test(text.data[at])
        if (!rect || blank) continue
        starts[Math.floor((rect.top + rect.height / 2 - box.top) / lineHeight)] ??= at
        if (rect.right - box.right > 0.05) say(`part ${part} overflows by ${rect.right - box.right}`)
      }
      starts[0] = 0
      if (String(starts.slice(0, maxLines ?? starts.length)) !== String(lines)) say(`part ${part} begins its lines at ${starts}, not at ${lines}: ${text.data}`)
    })
  }
  return [faults, [...seen]]
}
"""


class CardTests(Page):
    def setUp(self) -> None:
        names = {font["name"] for font in self.server.request("GET", "/fonts")["fonts"]}
        if not {"inter-semibold", "inter-regular", "dejavusans"} <= names:
            self.skipTest("fonts-inter and fonts-dejavu-core are not installed")
        super().setUp()

    def open_posts(self, count: int, **options) -> None:
        self.page.add_script_tag(content=LOOK)
        self.page.evaluate("""async ([server, count, options]) => {
          window.client = await clientFile('layoutd.js')
          window.pages = await import('./pages/posts.js')
          window.posts = pages.posts(count, dice)
          window.view = pages.open(client, container, server, posts, options)
        }""", [self.server.url, count, options])
        self.page.wait_for_function("view.store.isSettled() && document.querySelector('[data-name]')", timeout=600_000)

    def set_width(self, width: int) -> None:
        self.page.evaluate("(width) => { container.style.width = `${width}px` }", width)
        self.page.wait_for_function("(width) => view.store.isSettled() && view.visible[2] === width - 15 &&"
                                    "view.store.getSnapshot().layout.bounds.width === width - 15", arg=width, timeout=600_000)

    def test_posts_are_as_high_as_the_server_says_and_stay_when_the_window_is_narrowed(self) -> None:
        sent = []
        self.page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
        self.page.set_viewport_size({"width": 1200, "height": 900})
        self.open_posts(COUNT)
        seen = 0
        for width in WIDTHS:
            self.set_width(width)
            faults, count = self.page.evaluate("""async ([cards, seed]) => {
              const roll = dice(seed), faults = [], seen = new Set()
              while (seen.size < cards) {
                const n = Math.floor(roll() * posts.id.length)
                await view.scrollTo({id: `p${n}`, align: 'start'})
                const [found, ids] = lookAtCards(pages.CARD)
                faults.push(...found)
                ids.forEach((id) => seen.add(id))
              }
              return [faults, seen.size]
            }""", [-(-CARDS // len(WIDTHS)), width])
            self.assertEqual(faults[:5], [], f"{len(faults)} faults at {width}")
            seen += count
        self.assertGreaterEqual(seen, CARDS)
        # Only the layout itself: nothing is measured.
        self.assertEqual([url for url in sent if not url.endswith("/prepare")], [])

    def test_what_is_read_stays_while_the_window_is_narrowed(self) -> None:
        self.page.set_viewport_size({"width": 1200, "height": 900})
        self.open_posts(COUNT)
        for turn in range(among(3, 20)):
            self.set_width(1180)
            name, before = self.page.evaluate("""async (seed) => {
              const n = Math.floor(dice(seed)() * posts.id.length * 0.9)
              await view.scrollTo({id: `p${n}`})
              return [view.store.reading().id, document.querySelector(`[data-name=p${n}]`).getBoundingClientRect().top]
            }""", turn)
            for width in (1000, 700, 500, 390):
                self.set_width(width)
            self.assertEqual(self.page.evaluate("view.store.reading().id"), name)
            after = self.page.evaluate("(name) => document.querySelector(`[data-name=${name}]`).getBoundingClientRect().top", name)
            self.assertAlmostEqual(after, before, delta=1, msg=f"seed {turn}: {name}")
            faults, seen = self.page.evaluate("lookAtCards(pages.CARD)")
            self.assertEqual(faults, [])
            self.assertIn(name, seen)

    def test_a_text_that_changes_is_drawn_where_it_is_measured_then(self) -> None:
        self.open_posts(200)
        for turn, body in enumerate(["Short.", "Now it is much longer than before. " * 12, "Shörter again, but of several lines. " * 3]):
            self.page.evaluate("""async ([body, other]) => {
              posts.text.body[1] = body
              await view.store.update([{set: {at: [0, 1], items: [{text: {body}}]}}])
            }""", [body, turn])
            self.page.wait_for_function("""(body) => view.store.isSettled() &&
              document.querySelector('[data-name=p1] [data-text=body]')?.textContent === body""", arg=body)
            faults, seen = self.page.evaluate("lookAtCards(pages.CARD)")
            self.assertEqual(faults, [])
            self.assertIn("p1", seen)

    def test_the_style_of_the_page_does_not_change_lines(self) -> None:
        self.page.add_style_tag(content="""main { font: italic 700 30px/3 serif; letter-spacing: 3px; word-spacing: 9px;
          text-transform: uppercase; text-indent: 2em; white-space: pre; word-break: break-all; hyphens: auto; text-wrap: balance;
          font-feature-settings: "kern" 0; font-variant: small-caps; font-kerning: none; font-size-adjust: 0.9; font-stretch: 50% }
          main div { padding: 3px; border: 1px solid }
          main [data-text] { min-height: 70px; max-width: 90px; text-autospace: normal }""")
        self.page.add_style_tag(content="main div:not([data-text]) { padding: 0; border: 0 }")
        self.open_posts(200)
        faults, seen = self.page.evaluate("lookAtCards(pages.CARD)")
        self.assertEqual(faults[:5], [])
        self.assertGreater(len(seen), 5)

    def test_a_node_that_showed_another_card_is_like_a_new_one(self) -> None:
        # Sections may have cards of their own, and cells share nodes.
        found = self.page.evaluate("""async ([seed, turns]) => {
          const {card} = await clientFile('layoutd.js'), roll = dice(seed), whole = (n) => Math.floor(roll() * n)
          const some = (value) => roll() < 0.5 ? value : undefined
          const part = () => roll() < 0.3 ? {media: true} : roll() < 0.3 ? {height: 20} : {text: 'abc'[whole(3)], font: 'inter-regular',
            size: 10 + whole(9), lineHeight: 20, maxLines: some(1 + whole(3)), letterSpacing: some(1), language: some('de'),
            whiteSpace: some('preWrap')}
          const cards = Array.from({length: 6}, () => ({parts: Array.from({length: 1 + whole(4)}, part)}))
          // What of nodes can be seen, in one order.
          const look = (node) => node.nodeType === Node.TEXT_NODE ? node.data : [node.localName,
            [...node.style].map((name) => `${name}: ${node.style.getPropertyValue(name)}`).sort(),
            [...node.attributes].filter(({name}) => name !== 'style').map(({name, value}) => `${name}=${value}`).sort(),
            [...node.childNodes].map(look)]
          let node
          for (let turn = 0; turn < turns; turn++) {
            const options = cards[whole(6)], parts = options.parts.map((_, part) => ({part, frame: [0, 30 * part, 100 + whole(9), 20 + whole(9)]}))
            const element = {frame: [0, 0, 120, 100 + whole(50)], estimated: some(true), parts: parts.filter(() => roll() < 0.7)}
            const content = ({text, media}) => text ? `${text} ${turn}` : media && turn % 3 ? Object.assign(new Image(), {alt: `${turn}`}) : null
            node = card(element, options, content, node)
            const [used, fresh] = [node, card(element, options, content)].map((one) => JSON.stringify(look(one)))
            if (used !== fresh) return [turn, used, fresh]
          }
          return []
        }""", [SEED, among(300, 3_000)])
        self.assertEqual(found, [], f"seed {SEED}")

    def test_only_estimated_cards_are_marked(self) -> None:
        marks = self.page.evaluate("""async ([server]) => {
          const {card} = await clientFile('layoutd.js')
          const options = {padding: 10, parts: [{text: 'body', font: 'inter-regular', size: 14, lineHeight: 20}, {height: 8}]}
          const texts = ['Plain.', 'soft\\u00adhyphen', '\\u0e01\\u0e82']
          const found = {}, boxes = {}
          openLayout({server, fonts: true, layout: {kind: 'list', options: {card: options},
            sections: [{items: {id: ['a', 'b', 'c'], text: {body: texts}}}]},
            render(element, node) {
              node = card(element, options, ({text}) => text && texts['abc'.indexOf(element.id)], node)
              node.dataset.name = element.id
              found[element.id] = Boolean(element.estimated)
              return node
            }})
          await settled()
          while (!document.querySelector('[data-name=c]')) await frame()
          return found
        }""", [self.server.url])
        self.assertEqual(marks, {"a": False, "b": True, "c": True})

    def test_browsers_that_break_lines_otherwise_tell_cards_that_differ_by_a_pixel(self) -> None:
        firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"
        for agent, tells in ((firefox, True), (None, False)):
            page = self.browser.page(self.server, **{"user_agent": agent} if agent else {})
            sent = []
            page.on("request", lambda request: "/measurements" in request.url and sent.extend(request.post_data_json["sizes"]))
            # Stands for lines that break elsewhere: the second text has a line more, the third is cut.
            page.add_style_tag(content="[data-text] { letter-spacing: 2px !important }")
            page.evaluate("""async (server) => {
              const {card} = await clientFile('layoutd.js'), words = 'harbour pier '
              const options = {padding: 10, maximumHeight: 100, parts: [{text: 'body', font: 'inter-regular', size: 14, lineHeight: 20}]}
              const texts = ['One.', words.repeat(8).trim(), words.repeat(60)]
              openLayout({server, fonts: true, measure: true, parts: true, layout: {kind: 'list', options: {card: options},
                sections: [{items: {id: ['a', 'b', 'c'], text: {body: texts}}}]},
                render(element, node) {
                  node = card(element, options, ({text}) => text && texts['abc'.indexOf(element.id)], node)
                  node.dataset.name = element.id
                  return node
                }})
              await settled()
            }""", self.server.url)
            page.wait_for_function("(height) => view.store.getSnapshot().elements.map(({frame}) => frame[3]).join() === `40,${height},100`",
                                   arg=60 if tells else 40)
            page.evaluate("settled()")
            self.assertEqual({size["id"] for size in sent}, {"b"} if tells else set())
            page.close()


if __name__ == "__main__":
    unittest.main()
