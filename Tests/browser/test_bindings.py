"""React and the custom element: cells are part of the page's own tree, and all that `mount` does works in them."""

import json
import random
import subprocess

import harness
from harness import among, any_seed
from test_client import Page
from test_examples import bundle

LIST = {"kind": "list", "options": {"itemHeight": 40},
        "sections": [{"items": [{"id": f"p{i}", "data": {"title": f"Title {i}"}} for i in range(3000)]}]}
REACT = """
  import {createElement as h, createContext, StrictMode, useContext, useEffect, useState} from 'react'
  import {createRoot, hydrateRoot} from 'react-dom/client'
  import {renderToString} from 'react-dom/server'
  import {Layout} from './react.js'
  const Tone = createContext('none')
  function Card({element}) {
    const [count, setCount] = useState(0), tone = useContext(Tone)
    globalThis.cards = (globalThis.cards ?? 0) + 1
    useEffect(() => {
      globalThis.alive = (globalThis.alive ?? 0) + 1
      return () => { alive-- }
    }, [])
    return h('button', {'data-id': element.id, 'data-key': element.key, style: {display: 'block', height: 30 + element.indexPath[1] % 3 * 10},
      onClick: () => setCount(count + 1)}, `${element.data?.title} ${tone} ${count}`)
  }
  export const page = (properties, tone) => h(StrictMode, null, h(Tone.Provider, {value: tone},
    h(Layout, {...properties, style: {height: 600}, onView: (view) => { window.view = view }, render: (element) => h(Card, {element})})))
  export const show = (properties, tone) => {
    window.root ??= createRoot(container)
    root.render(page(properties, tone))
  }
  export const html = (properties, tone) => renderToString(page(properties, tone))
  export const hydrate = (properties, tone) => { window.root = hydrateRoot(container, page(properties, tone)) }
"""


class ReactTests(Page):
    allowed = ("%cDownload the React DevTools",)

    def setUp(self) -> None:
        super().setUp()
        self.page.add_script_tag(content=bundle(REACT, "development"))

    def show(self, tone: str = "calm", **properties) -> None:
        self.page.evaluate("([properties, tone]) => example.show(properties, tone)",
                           [{"server": self.server.url, "layout": LIST, "data": True, **properties}, tone])
        self.page.wait_for_function("window.view?.store.getSnapshot().elements.length > 0")
        self.page.evaluate("settled()")

    def text(self, identifier: str) -> str:
        return self.page.locator(f"[data-id={identifier}]").inner_text()

    def test_cells_have_context_state_and_events(self) -> None:
        self.show()
        self.assertEqual(self.text("p3"), "Title 3 calm 0")
        self.page.locator("[data-id=p3]").click()
        self.assertEqual(self.text("p3"), "Title 3 calm 1")
        self.show("loud")
        self.assertEqual(self.text("p3"), "Title 3 loud 1")
        before = self.page.evaluate("window.cards")
        self.page.evaluate("(async () => { for (let i = 0; i < 10; i++) await frame() })()")
        self.assertEqual(self.page.evaluate("window.cards"), before, "nothing is rendered without need")
        self.page.evaluate("view.scrollTo({id: 'p2500'})")
        self.page.evaluate("settled()")
        self.assertEqual(self.text("p2500"), "Title 2500 loud 0")
        # What is out of sight is no part of the tree any more.
        self.assertLess(self.page.locator("[data-id]").count(), 60)
        self.page.evaluate("root.unmount()")
        self.assertEqual(self.page.locator("[data-id]").count(), 0)

    def test_cells_are_measured_before_they_are_seen(self) -> None:
        self.show(measure=True)
        self.page.evaluate("view.scrollTo({id: 'p1000'})")
        self.page.evaluate("settled()")
        tops = self.page.evaluate("""['p1000', 'p1001', 'p1002', 'p1003'].map((id) =>
          document.querySelector(`[data-id=${id}]`).getBoundingClientRect().top)""")
        self.assertEqual([tops[i + 1] - tops[i] for i in range(3)], [40, 50, 30])

    def test_another_layout_keeps_the_cells_of_its_ids(self) -> None:
        self.show()
        self.page.locator("[data-id=p3]").click()
        backwards = {**LIST, "sections": [{"items": LIST["sections"][0]["items"][:10][::-1]}]}
        before = self.layout()["id"]
        self.show(layout=backwards)
        self.page.wait_for_function("(before) => view.store.getSnapshot().layout.id !== before", arg=before)
        self.page.evaluate("settled()")
        self.assertEqual(self.text("p3"), "Title 3 calm 1")

    def test_each_cell_is_one_component_while_others_change_the_layout(self) -> None:
        """Cells with ids, without, and headers; ids that leave and come back."""
        # The item that is read may be deleted before its place is asked for, or others have its id, too.
        self.allowed = (*self.allowed, *(f"Failed to load resource: the server responded with a status of {status}" for status in (400, 404)))
        for seed in among([any_seed()], range(20)):
            for has_ids in (True, False):
                self.page.evaluate("window.alive = 0")
                dice = random.Random(seed)
                fresh = iter(range(1, 1 << 30))
                new = lambda: {**({"id": f"n{dice.randrange(12)}" if dice.random() < 0.5 else f"m{next(fresh)}"} if has_ids else {}),
                               "data": {"title": f"T{next(fresh)}"}}
                made = self.server.request("POST", "/layouts/list/prepare", {
                    "bounds": {"width": 800}, "options": {"itemHeight": 60, "headerHeight": 20, "pinHeaders": dice.random() < 0.5},
                    "sections": [{"id": f"s{i}", "items": [new() for _ in range(dice.randrange(1, 12))]} for i in range(4)]})
                self.show(layout=made["id"], follow=True)
                for step in range(among(25, 100)):
                    counts = [section["items"] for section in self.server.request("GET", f"/layouts/{made['id']}/sections")["sections"]]
                    section = dice.randrange(len(counts))
                    item = [section, dice.randrange(max(1, counts[section]))]
                    deed = dice.choice(["insert", "insert", "delete", "move", "set", "section"])
                    update = {"insert": {"at": [section, dice.randrange(counts[section] + 1)], "items": [new() for _ in range(dice.randrange(1, 4))]}}
                    if counts[section] and deed in ("delete", "move", "set"):
                        update = {"delete": {"delete": {"at": item}}, "set": {"set": {"at": item, "items": [{"data": {"title": f"S{step}"}}]}},
                                  "move": {"move": {"from": item, "to": [section, dice.randrange(counts[section])]}}}[deed]
                    elif deed == "section" and len(counts) > 2:
                        update = {"deleteSections": {"at": section}} if dice.random() < 0.5 else {"moveSection": {"from": section, "to": dice.randrange(len(counts))}}
                    self.server.ask("POST", f"/layouts/{made['id']}/updates", {"updates": [update]})
                    if dice.random() < 0.3:
                        self.page.evaluate("view.scrollTo({ordinal: 0, behavior: 'auto'})" if dice.random() < 0.5 else "view.scrollTo('end')")
                    if dice.random() < 0.5:
                        self.settle(made["id"])
                        self.assert_each_once(f"seed {seed}, {has_ids}, step {step}, {update}")
                self.settle(made["id"])
                self.assert_each_once(f"seed {seed}, {has_ids}, at the end")
                self.page.evaluate("root.unmount(); window.root = undefined")
                self.assertEqual(self.page.evaluate("alive"), 0)

    def settle(self, layout: str) -> None:
        version = self.server.request("GET", f"/layouts/{layout}")["version"]
        self.page.wait_for_function("(version) => view.store.getSnapshot().version >= version", arg=version)
        self.page.evaluate("settled()")

    def assert_each_once(self, message: str) -> None:
        """As many components as nodes, each with what its item says."""
        wrong = self.page.evaluate("""async () => {
          const {elements} = view.store.getSnapshot(), {top} = container.getBoundingClientRect()
          const nodes = [...document.querySelectorAll('[data-key]')], faults = []
          for (const {key, category, data, frame: [, y, , height]} of elements) {
            const ours = nodes.filter((node) => node.dataset.key === key)
            const isInSight = y + height > view.visible[1] && y < view.visible[1] + view.visible[3]
            if (ours.length > 1 || isInSight && ours.length < 1) faults.push(`${key} is there ${ours.length} times`)
            if (category === 'cell' && ours[0] && !ours[0].textContent.startsWith(`${data?.title} `)) faults.push(`${key} says ${ours[0].textContent}`)
          }
          if (alive !== nodes.length) faults.push(`${alive} components for ${nodes.length} nodes`)
          return faults
        }""")
        self.assertEqual(wrong, [], message)

    def test_state_goes_with_items_that_have_no_id(self) -> None:
        made = self.server.request("POST", "/layouts/list/prepare", {"bounds": {"width": 800}, "options": {"itemHeight": 60},
                                   "sections": [{"items": [{"data": {"title": f"T{i}"}} for i in range(9)]}]})
        self.show(layout=made["id"], follow=True)
        self.page.get_by_text("T3 calm 0", exact=True).click()
        self.server.request("POST", f"/layouts/{made['id']}/updates", {"updates": [{"insert": {"at": [0, 0], "items": [{"data": {"title": "new"}}]}}]})
        self.page.get_by_text("new calm 0", exact=True).wait_for()
        self.assertEqual(self.page.get_by_text("T3 calm", exact=False).inner_text(), "T3 calm 1")

    def test_properties_are_those_of_the_last_rendering(self) -> None:
        made = self.server.request("POST", "/layouts/list/prepare", {**{k: LIST[k] for k in ("options", "sections")}, "bounds": {"width": 800}})
        asked = []
        self.page.on("request", lambda request: asked.append((request.method, request.url, request.headers.get("authorization"))))
        self.page.evaluate("""([properties]) => {
          window.heard = []
          window.showWith = (name, more = {}) => example.show({...properties, authorization: () => name, onRange: () => heard.push(name), ...more}, 'calm')
          showWith('first')
        }""", [{"server": self.server.url, "layout": made["id"], "data": True}])
        self.page.wait_for_function("window.view?.store.getSnapshot().elements.length > 0")
        self.page.evaluate("settled()")
        self.page.evaluate("(async () => { showWith('second'); await frame(); heard.length = 0; await view.scrollTo({ordinal: 2000}) })()")
        self.assertEqual(self.page.evaluate("[...new Set(heard)]"), ["second"])
        self.assertEqual([key for _, url, key in asked if "/elements" in url][-1], "second")
        # Options that come later, and go.
        self.page.evaluate("(async () => { showWith('third', {find: true, scrubber: ({section}) => `S${section}`, follow: true, label: 'Posts'}); await frame() })()")
        self.page.keyboard.press("Control+f")
        self.page.get_by_role("search").wait_for()
        self.page.get_by_role("list", name="Posts").wait_for()
        self.server.request("POST", f"/layouts/{made['id']}/updates", {"updates": [{"set": {"at": {"id": "p2001"}, "items": [{"data": {"title": "Other"}}]}}]})
        self.page.get_by_text("Other calm 0").wait_for()
        self.page.evaluate("(async () => { showWith('fourth'); await frame() })()")
        self.assertEqual(self.page.get_by_role("search").count(), 0)
        # What only `mount` takes is named.
        self.assertEqual(self.page.said[1:], [])
        self.page.evaluate("(async () => { showWith('fifth', {measure: true, parts: true}); await frame() })()")
        self.assertEqual(self.page.said[1:], ["layoutd: measure, parts cannot become another while a layout is shown."])
        del self.page.said[1:]
        self.assertEqual(self.page.evaluate("view.visible[1]"), 80000)

    def test_a_layout_that_says_the_same_is_the_same(self) -> None:
        prepared = []
        self.page.on("request", lambda request: prepared.append(request.url) if request.method == "POST" else None)
        for _ in range(4):
            # Each is another object.
            self.show(layout=json.loads(json.dumps(LIST)))
        before = self.layout()["id"]
        self.page.evaluate("([server, layout]) => { for (let i = 0; i < 3; i++) example.show({server, layout: () => layout, data: true}, 'calm') }", [self.server.url, LIST])
        self.page.wait_for_function("(before) => view.store.getSnapshot().layout.id !== before", arg=before)
        # The first of the functions is another layout than the body.
        self.assertEqual(len(prepared), 2)

    def test_a_first_screen_comes_from_a_server(self) -> None:
        made = self.server.request("POST", "/layouts/list/prepare", {**{k: LIST[k] for k in ("options", "sections")}, "bounds": {"width": 800}})
        first = self.server.request("GET", f"/layouts/{made['id']}/elements?rect=0,0,800,600&data=true")
        properties = {"server": self.server.url, "layout": made["id"], "data": True, "first": first}
        # A server has no window.
        html = subprocess.run(["node", "-"], input=f"{bundle(REACT)}; console.log(example.html({json.dumps(properties)}, 'calm'))",
                              capture_output=True, text=True, check=True).stdout.strip()
        self.assertIn("Title 14 calm 0", html.replace("<!-- -->", ""))
        self.page.evaluate("""([properties, html]) => {
          container.innerHTML = html
          example.hydrate(properties, 'calm')
        }""", [properties, html])
        self.page.wait_for_function("window.view?.store.getSnapshot().elements.length > 0")
        self.page.evaluate("settled()")
        self.assertEqual(self.page.locator("[data-id=p3]").count(), 1)
        self.assertEqual(self.text("p3"), "Title 3 calm 0")


class ElementTests(Page):
    def open(self, markup: str) -> None:
        made = self.server.request("POST", "/layouts/list/prepare", {**{k: LIST[k] for k in ("options", "sections")}, "bounds": {"width": 800}})
        self.page.evaluate("""async ([markup, layout]) => {
          await clientFile('element.js')
          container.innerHTML = markup
          window.node = container.firstElementChild
          node.layout ??= layout
        }""", [markup.replace("SERVER", self.server.url), made["id"]])
        self.page.wait_for_function("node.view?.store.isSettled()")
        self.page.evaluate("window.view = node.view; settled()")

    def test_a_template_shows_what_the_data_says(self) -> None:
        self.open("""<layoutd-view server="SERVER" data follow style="height: 600px">
          <template><article data-id="{{id}}"><b>{{title}}</b> of {{id}}</article></template></layoutd-view>""")
        self.assertEqual(self.page.locator("[data-id=p7]").inner_text(), "Title 7 of p7")
        seen = self.page.evaluate("""async () => {
          const seen = []
          for (const name of ['range', 'end', 'below', 'status']) node.addEventListener(name, ({detail}) =>
            seen.push([name, name === 'range' ? detail.last.id : detail]))
          await view.scrollTo('end')
          await settled()
          await view.store.update([{insert: {at: [0, 'end'], items: [{id: 'late', data: {title: 'Late'}}]}}])
          await settled()
          return seen
        }""")
        self.assertIn(["range", "p2999"], seen)
        self.assertIn(["end", None], seen)

    def test_a_template_runs_nothing_that_the_data_says(self) -> None:
        """Data come from other people: they are texts, and addresses of pages."""
        self.page.evaluate("clientFile('element.js').then((element) => { window.filled = element.filled })")

        def filled(template: str, data, identifier="p1") -> str:
            return self.page.evaluate("""([html, data, id]) => {
              const template = document.createElement('template')
              template.innerHTML = html
              return filled(template, {data, id}).outerHTML
            }""", [template, data, identifier])

        # An address leads to a page, or the attribute is not there.
        attributes = ["a href", "area href", "img src", "iframe src", "form action", "button formaction", "video poster",
                      "object data", "blockquote cite", "input src", "embed src"]
        good = ["https://a.example/b?c#d", "HTTP://a.example", "mailto:ada@a.example", "/b", "b/c?d=e:f", "../b", "#b", "?b", "", "b c", "//a.example/b"]
        evil = ["javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "\tjavascript:alert(1)", "java\nscript:alert(1)",
                "\x01javascript:alert(1)", "javascript\t:alert(1)", "vbscript:a", "data:text/html,<script>alert(1)</script>", "blob:https://a.example/1",
                "file:///etc/passwd", "view-source:https://a.example", "intent://a"]
        for one in attributes:
            tag, name = one.split()
            for address in good:
                shown = filled(f'<{tag} {name}="{{{{url}}}}"></{tag}>', {"url": address})
                self.assertIn(f' {name}="{address.replace("&", "&amp;")}"', shown, one)
            for address in evil:
                self.assertNotIn(name + "=", filled(f'<{tag} {name}="{{{{url}}}}"></{tag}>', {"url": address}), (one, address))
        # In parts, too, and in pictures of lines.
        self.assertEqual(filled('<a href="{{a}}:{{b}}">x</a>', {"a": "javascript", "b": "alert(1)"}), "<a>x</a>")
        self.assertEqual(filled('<svg><a xlink:href="{{a}}"><set to="{{a}}" values="{{a}}"></set></a></svg>', {"a": "javascript:alert(1)"}),
                         "<svg><a><set></set></a></svg>")
        self.assertEqual(filled('<img srcset="{{a}} 2x" title="see: {{a}}">', {"a": "/b.png"}), '<img srcset="/b.png 2x" title="see: /b.png">')
        # What would be code or style stays as the page wrote it.
        for html in ('<p onclick="{{a}}" onFocus="f(\'{{a}}\')" style="color: {{a}}">x</p>', "<div><script>{{a}}</script></div>",
                     '<div><script src="{{a}}"></script></div>', "<div><style>{{a}}</style></div>", '<iframe srcdoc="{{a}}"></iframe>'):
            self.assertNotIn("EVIL", filled(html, {"a": "EVIL"}))
        # A name is one of the data alone, whatever characters it has.
        for name in ("constructor", "toString", "__proto__", "hasOwnProperty", "length", "valueOf"):
            for data in ({}, None, "text", 3, []):
                if name != "length" or not isinstance(data, (str, list)):
                    self.assertEqual(filled(f"<p>{{{{{name}}}}}</p>", data), "<p></p>", (name, data))
            self.assertEqual(filled(f"<p>{{{{{name}}}}}</p>", {name: "mine"}), "<p>mine</p>" if name != "__proto__" else "<p></p>")
        values = {"first-name": "Ada", "größe": "3 m", "a.b": 1, "two words": "2", "$x": True, "zero": 0, "no": None, "list": [1, {"toString": 1}]}
        self.assertEqual(filled("<p>{{first-name}} {{ größe }} {{a.b}} {{two words}} {{$x}} {{zero}} {{no}}{{list}} {{id}} {{}}{ {{{zero}}}</p>", values),
                         '<p>Ada 3 m 1 2 true 0 [1,{"toString":1}] p1 {{}}{ {0}</p>')
        self.assertEqual(filled("<p>{{a}}</p>", {"a": "<b>{{id}}</b>"}), "<p>&lt;b&gt;{{id}}&lt;/b&gt;</p>")

    def test_properties_and_a_life(self) -> None:
        self.open('<layoutd-view server="SERVER" style="height: 600px"></layoutd-view>')
        self.page.evaluate("""async () => {
          node.render = (element) => Object.assign(document.createElement('i'), {textContent: `my ${element.id}`})
          await frame()
          view = node.view
          await settled()
        }""")
        self.page.get_by_text("my p4", exact=True).wait_for()
        self.page.evaluate("node.remove()")
        self.assertIsNone(self.page.evaluate("node.view"))
        self.page.evaluate("container.append(node)")
        self.page.get_by_text("my p4", exact=True).wait_for()
        # Another layout in the same view.
        layout = json.loads(json.dumps(LIST))
        layout["sections"][0]["items"] = layout["sections"][0]["items"][4:9]
        self.page.evaluate("async (layout) => { view = node.view; node.layout = layout; await frame(); await settled() }", layout)
        self.page.wait_for_function("node.view.store.getSnapshot().elements.length === 5")
        self.page.get_by_text("my p4", exact=True).wait_for()

    def test_all_other_options_are_one_property(self) -> None:
        self.open('<layoutd-view server="SERVER" scroller="page"></layoutd-view>')
        self.page.evaluate("""async () => {
          node.options = {role: 'grid', scrollPadding: {top: 40}}
          await frame()
          view = node.view
          await settled()
          await view.scrollTo({ordinal: 500})
        }""")
        self.assertEqual(self.page.evaluate("""[document.querySelectorAll('[role=grid]').length, scrollY > 1000,
          document.querySelectorAll('[role=gridcell]').length > 5]"""), [1, True, True])

    def test_what_is_set_later_leaves_cells_and_place(self) -> None:
        self.open("""<layoutd-view server="SERVER" data follow style="height: 600px">
          <template><article data-id="{{id}}">{{title}}</article></template></layoutd-view>""")
        keys = []
        self.page.on("request", lambda request: keys.append(request.headers.get("authorization")))
        self.page.evaluate("async () => { await view.scrollTo({id: 'p1500'}); await settled(); window.kept = document.querySelector('[data-id=p1503]') }")
        place = self.page.evaluate("kept.getBoundingClientRect().top")

        def change(code: str) -> None:
            self.page.evaluate(f"async () => {{ {code}; await frame(); await frame() }}")
            self.assertTrue(self.page.evaluate("node.view === view"), code)
            self.page.evaluate("settled()")

        change("node.label = 'Posts'")
        self.page.get_by_role("list", name="Posts").wait_for()
        change("node.authorization = 'Bearer a'")
        change("node.options = {animate: false, onRange: () => { window.ranged = true }, scrubber: ({section}) => `S${section}`}")
        change("node.find = true")
        self.page.keyboard.press("Control+f")
        self.page.get_by_role("search").wait_for()
        change("node.removeAttribute('follow'); node.setAttribute('keep', 'always')")
        # Its nodes are those from before.
        self.assertEqual(self.page.evaluate("[kept.isConnected, kept.getBoundingClientRect().top]"), [True, place])
        change("node.render = ({id, data}) => Object.assign(document.createElement('i'), {textContent: `${data.title}!`, id})")
        self.assertEqual(self.page.locator("i#p1503").inner_text(), "Title 1503!")
        self.assertEqual(self.page.evaluate("document.getElementById('p1503').getBoundingClientRect().top"), place)
        self.assertEqual(self.page.locator("layoutd-view article").count(), 0)
        change("node.render = undefined")
        self.page.locator("[data-id=p1503]").wait_for()
        self.page.evaluate("async () => { await view.scrollTo({id: 'p1600'}); await settled() }")
        self.assertEqual((keys[-1], self.page.evaluate("ranged")), ("Bearer a", True))
        # What only `mount` takes makes a view anew, at the same place.
        self.page.evaluate("async () => { node.parts = true; await frame(); view = node.view; await settled() }")
        self.page.wait_for_function("!document.querySelector('layoutd-view [role=list]').style.visibility")
        self.assertEqual(self.page.evaluate("document.querySelector('[data-id=p1600]').getBoundingClientRect().top"), 0)
        # So does a place in another box.
        self.page.evaluate("async () => { document.body.append(node); await frame(); view = node.view; await settled() }")
        self.page.locator("[data-id=p1600]").wait_for()

    def test_each_cell_is_there_once_while_others_change_the_layout(self) -> None:
        self.open("""<layoutd-view server="SERVER" data follow style="height: 600px">
          <template><article data-key="{{id}}">{{title}}</article></template></layoutd-view>""")
        seed = any_seed()
        dice, path = random.Random(seed), f"/layouts/{self.layout()['id']}"
        for step in range(among(30, 200)):
            at = dice.randrange(40)
            update = dice.choice([{"insert": {"at": [0, at], "items": [{"id": f"n{step}", "data": {"title": "new"}}]}}, {"delete": {"at": [0, at]}},
                                  {"move": {"from": [0, at], "to": [0, dice.randrange(40)]}}, {"set": {"at": [0, at], "items": [{"data": {"title": f"S{step}"}}]}}])
            self.server.ask("POST", f"{path}/updates", {"updates": [update]})
            if dice.random() < 0.5:
                continue
            version = self.server.request("GET", path)["version"]
            self.page.wait_for_function("(version) => view.store.getSnapshot().version >= version", arg=version)
            self.page.evaluate("settled()")
            shown = self.page.evaluate("[...document.querySelectorAll('[data-key]')].map(({dataset, textContent}) => [dataset.key, textContent])")
            expected = {element["id"]: element["data"]["title"] for element in self.server.request(
                "GET", f"{path}/elements?rect=0,0,800,600&data=true")["elements"]}
            self.assertEqual(len(shown), len(dict(shown)), f"seed {seed}, step {step}")
            self.assertEqual({key: dict(shown).get(key) for key in expected}, expected, f"seed {seed}, step {step}")
