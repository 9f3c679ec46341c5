// Somebody else who changes a layout that a page shows, and a plain model of what it is then.

const IDS = {
  own: (uid) => `p${uid}`,
  'like index paths': (uid) => `${uid % 60},${uid % 7 + (uid < 400 ? 0 : uid)}`,
  'of several': (uid) => `p${uid % 9}`,
  none: () => undefined,
}

export class Others {
  #uid = 0
  /** Whether the page shows a view in another order. */
  #order = null
  version = 1
  changes = 0
  log = []

  /** @param roll numbers between 0 and 1 @param options count of items, their sections, a form of `IDS` */
  constructor(server, roll, {count = 300, sections = 1, ids = 'own', deeds = 'insert delete move set'.split(' '), protects = () => false} = {}) {
    Object.assign(this, {server, roll, deeds, protects, idOf: IDS[ids]})
    this.sections = Array.from({length: sections}, () => Array.from({length: count / sections}, () => this.item()))
  }

  whole(n) { return Math.floor(this.roll() * n) }
  pick(all) { return all[this.whole(all.length)] }
  item() {
    const uid = this.#uid++
    return {uid, id: this.idOf(uid), height: 20 + this.whole(40), n: this.whole(1000), text: this.#text(uid)}
  }
  #text(uid) { return this.roll() < 0.4 ? `lamp ${uid}` : this.roll() < 0.2 ? `harbour and harbour ${uid}` : `harbour ${uid}` }
  /** Items as they are sent. */
  static sent = (items) => items.map(({uid, id, height, n, text}) => ({id, height, keys: {n}, text: {body: text}, data: {uid, text}}))

  async send(method, path, body) {
    const response = await fetch(`${this.server}${path}`, {method, headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})
    if (!response.ok) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  /** Prepares the layout. @returns the id of what the page shows */
  async prepare(kind = 'list', options = {}, width = 785) {
    const {id} = await this.send('POST', `/layouts/${kind}/prepare`, {bounds: {width}, options,
      sections: this.sections.map((items) => ({items: Others.sent(items)}))})
    this.source = this.layout = id
    if (this.deeds.includes('arrange')) this.layout = (await this.send('POST', `/layouts/${id}/views`, {})).id
    return this.layout
  }

  /** The items in the order in which the page shows them. */
  get shown() {
    const all = this.sections.flat(), order = this.#order
    if (!order) return all
    const sign = order === 'descending' ? -1 : 1
    return all.map((item, i) => ({item, i})).sort((a, b) => sign * (a.item.n - b.item.n) || a.i - b.i).map(({item}) => item)
  }

  /** The matches of a text, in their order: the uid of the item, and which one in its text. */
  matches(word) {
    return this.shown.flatMap(({uid, text}) => Array.from({length: text.split(word).length - 1}, (_, k) => ({uid, k})))
  }

  #place(isNew) {
    const s = this.pick([...this.sections.keys()].filter((s) => isNew || this.sections[s].length))
    return [s, this.whole(this.sections[s].length + isNew)]
  }

  /** One change, made here and on the server. */
  async change(deed = this.pick(this.deeds)) {
    const {sections} = this
    let update
    if (deed === 'arrange') {
      this.#order = this.pick([null, 'ascending', 'descending'])
      this.log.push(`arrange ${this.#order}`)
      this.changes++
      const {version} = await this.send('PATCH', `/layouts/${this.layout}`, {arrange: this.#order && {sortBy: [{key: 'n', order: this.#order}]}})
      return void (this.version = version)
    }
    if (deed === 'append') {
      const items = [this.item()]
      sections.at(-1).push(...items)
      update = {insert: {at: [sections.length - 1, 'end'], items: Others.sent(items)}}
    } else if (deed === 'insert') {
      const [s, i] = this.#place(true), items = Array.from({length: 1 + this.whole(3)}, () => this.item())
      sections[s].splice(i, 0, ...items)
      update = {insert: {at: [s, i], items: Others.sent(items)}}
    } else if (deed === 'delete') {
      const [s, i] = this.#place(false), count = Math.min(1 + this.whole(3), sections[s].length - i)
      if (sections.flat().length < 20 || sections[s].slice(i, i + count).some(this.protects)) return this.change('insert')
      sections[s].splice(i, count)
      update = {delete: {at: [s, i], count}}
    } else if (deed === 'move') {
      const from = this.#place(false), [item] = sections[from[0]].splice(from[1], 1), to = this.#place(true)
      sections[to[0]].splice(to[1], 0, item)
      update = {move: {from, to}}
    } else if (deed === 'set') {
      const at = this.#place(false), item = sections[at[0]][at[1]], height = 20 + this.whole(40)
      // What is looked for stays in it, or is not in it as before.
      const text = `${item.text.replace(/( again)*$/, '')}${' again'.repeat(this.whole(4))}`
      sections[at[0]][at[1]] = {...item, height, text}
      update = {set: {at, items: [{height, text: {body: text}, data: {uid: item.uid, text}}]}}
    } else if (deed === 'sections') {
      const from = this.whole(sections.length), [moved] = sections.splice(from, 1), to = this.whole(sections.length + 1)
      if (this.roll() < 0.5 || moved.some(this.protects)) {
        sections.splice(to, 0, moved)
        update = {moveSection: {from, to}}
      } else {
        const items = Array.from({length: 10 + this.whole(30)}, () => this.item())
        sections.splice(to, 0, items)
        this.log.push(`deleteSections ${from}, insertSections ${to}`)
        this.changes++
        return this.#update([{deleteSections: {at: from}}, {insertSections: {at: to, sections: [{items: Others.sent(items)}]}}])
      }
    }
    this.log.push(JSON.stringify(update).slice(0, 100))
    this.changes++
    return this.#update([update])
  }

  async #update(updates) {
    const {version} = await this.send('POST', `/layouts/${this.source}/updates`, {updates})
    // A view has a version of its own.
    this.version = this.layout === this.source ? version : (await this.send('GET', `/layouts/${this.layout}`)).version
  }

  /** Changes go on until `stop`, so many a second. */
  begin(perSecond) {
    let isOver = false
    const going = (async () => {
      while (!isOver) {
        await this.change()
        await new Promise((resolve) => setTimeout(resolve, 1000 * this.roll() * 2 / perSecond))
      }
    })()
    return {stop() { isOver = true; return going }}
  }
}

export function render(element, node = document.createElement('p')) {
  node.dataset.name = nameOf(element)
  node.style.margin = 0
  node.textContent = element.data ? element.data.text : element.kind ?? element.id
  return node
}
