"""Any option to any choice and back, in every kind: what is drawn is what a full query gives."""

import unittest

from harness import among
from test_client import Page

# Makes a layout and takes random steps. It gives the first step after which something is wrong.
WALK = """async ([server, kind, seed, steps]) => {
  const {kinds} = await (await fetch(`${server}/kinds`)).json()
  const roll = dice(seed), whole = (n) => Math.floor(roll() * n), pick = (list) => list[whole(list.length)]
  const GROUPS = [2, 3].map((count) => ({direction: 'horizontal', spacing: 4, width: {fractionalWidth: 1}, height: {absolute: 70},
    subitems: Array(count).fill({width: {flexible: 1}, height: {fractionalHeight: 1}})}))
  let made = 0
  const item = () => ({id: `i${made++}`, height: 20 + whole(100), width: 40 + whole(150), ...kind === 'frames' && {x: whole(600), y: whole(900)}})
  const items = (count) => Array.from({length: count}, item)
  const FORMS = ['list', 'grid', 'waterfall', 'flow', 'justified']
  const nodes = (depth) => ({id: `n${made++}`, children: depth ? Array.from({length: 1 + whole(4)}, () => nodes(depth - 1)) : []})
  const of = (name) => kinds.find((each) => each.name === name).options

  /** A member of options, and a value that the option takes. */
  const choice = (option) => {
    const {type, choices, minimum = 1, maximum = 80, default: usual} = option
    if (type === 'choice') return pick(choices)
    if (type === 'boolean') return roll() < 0.5
    if (type === 'group') return pick(GROUPS)
    if (type === 'integer') return Math.max(minimum, 1) + whole(5)
    return Math.min(maximum, (usual || 20) * pick([0.5, 1, 1.5, 2]))
  }
  const patchOf = (option, value) => option.name.split('.').reduceRight((inner, name) => ({[name]: inner}), value)

  const sections = kind === 'tree' ? undefined : Array.from({length: 3}, (_, section) => ({items: items(40 + whole(80)),
    ...kind === 'compositional' && {kind: pick(FORMS), ...section === 1 && {orthogonal: {height: 90}}}}))
  const options = {...kind === 'group' && {group: GROUPS[0]}, ...sections && {headerHeight: 24}}
  const layout = sections ? {kind, options, sections} : {kind, options, root: nodes(4)}
  const measure = roll() < 0.4, isFollowed = roll() < 0.5, rough = (element) => Object.assign(text(element),
    {style: `display: block; height: ${20 + element.indexPath[1] * 37 % 90}px`})
  openLayout({server, layout, animate: roll() < 0.3, measure, follow: isFollowed, render: measure ? rough : text})
  const told = [`${kind}${measure ? ', measured' : ''}${isFollowed ? ', followed' : ''}`]

  const changed = []
  const step = async () => {
    const {store} = view, {layout: now} = store.getSnapshot(), deed = roll()
    if (deed < 0.2) {
      scroller().scrollBy((roll() - 0.3) * 1500, (roll() - 0.3) * 3000)
      return 'scrolls'
    }
    if (deed < 0.3 && sections && kind !== 'frames') {
      const at = [whole(now.counts.sections), 0]
      const updates = [pick([{insert: {at, items: items(3)}}, {delete: {at}}])]
      await store.update(updates)
      return JSON.stringify(updates)
    }
    if (deed < 0.45 && kind === 'compositional') {
      const updates = [{setSection: {at: whole(3), orthogonal: pick([null, {height: 60}, {height: 120}]), ...roll() < 0.3 && {kind: pick(FORMS)}}}]
      await store.update(updates)
      return JSON.stringify(updates)
    }
    // What was changed goes back in half of the steps.
    const back = changed.length && roll() < 0.5 ? changed.splice(whole(changed.length), 1)[0] : undefined
    const option = back ?? pick(of(now.kind).filter(({type}) => type !== 'card'))
    const value = back ? option.type === 'group' ? GROUPS[0] : null : choice(option)
    if (!back) changed.push(option)
    await store.patch({options: patchOf(option, value)})
    return `${option.name}: ${JSON.stringify(value)}`
  }
  try {
    await settled()
    for (let i = 0; i < steps; i++) {
      const before = view.store.getSnapshot().layout.version
      try {
        told.push(await step())
      } catch (error) {
        // An option that excludes another one, or that does not fit the items.
        told.push(`refused: ${error.message}`)
        if (error.status !== 422) return [...told, 'was rejected']
        await settled()
        const now = await (await fetch(`${server}/layouts/${view.store.getSnapshot().layout.id}`)).json()
        if (!measure && now.version !== before) return [...told, 'was rejected, and changed']
      }
      // Steps in quick succession, too.
      if (roll() < 0.3) continue
      document.getAnimations().forEach((animation) => animation.finish())
      const found = await faults(server)
      if (found.length) return [...told.slice(0, 1), ...told.slice(-8), ...found.slice(0, 3)]
    }
  } catch (error) {
    return [...told, String(error)]
  }
  return []
}"""

KINDS = ["grid", "list", "waterfall", "gallery", "flow", "justified", "group", "frames", "compositional", "tree"]


class OptionTests(Page):
    maxDiff = None
    # A refused change is in the console. Chromium says the rest of any page that is resized often.
    allowed = ("Failed to load resource", "ResizeObserver loop")

    def test_any_option_to_any_choice_and_back_leaves_nothing_out(self) -> None:
        for seed in range(among(2, 20)):
            for kind in KINDS:
                with self.subTest(kind, seed=seed):
                    self.assertEqual(self.page.evaluate(WALK, [self.server.url, kind, seed, among(25, 60)]), [])


del Page

if __name__ == "__main__":
    unittest.main()
