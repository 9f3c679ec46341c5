import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("random layouts of every kind under random changes")
struct RandomChangesTests {
  @Test(
    "a client that scrolls with known and since, and believes the answers, has what there is",
    arguments: RandomLayouts.kinds, Extent.seeds(2, of: 8))
  func scrolling(kind: String, seed: Int) {
    var client = ScrollingClient(kind, seed: seed)
    for _ in 0..<25 { client.step() }
    #expect(client.incrementalAnswers > 0)
  }

  @Test(
    "what changes is told, and no more is missing", arguments: RandomLayouts.kinds,
    Extent.seeds(1, of: 6))
  func changes(kind: String, seed: Int) {
    var layout = ChangingLayout(kind, seed: seed &+ 1000)
    for _ in 0..<12 { layout.changeAndCompare() }
  }
}

/// A random layout, with random changes made to it.
private struct ChangingLayout {
  let test = TestService()
  let path: String
  let isHorizontal: Bool
  var layouts: RandomLayouts

  init(_ kind: String, seed: Int) {
    layouts = RandomLayouts(seed: seed &* 31 &+ kind.utf8.count)
    let body = layouts.body(of: kind)
    path = test.path(kind, body.text)
    isHorizontal = body["options"]["scrollDirection"] == "horizontal"
  }

  var summary: JSON { test.get(path).json }
  var kind: String { summary["kind"].string ?? "" }

  func elements(_ query: String) -> [JSON] {
    test.get("\(path)/elements?limit=100000&\(query)").json["elements"].array
  }

  var allElements: [JSON] { elements("data=true&rect=\(Self.everything)") }
  static let everything = "-1e7,-1e7,2e7,2e7"

  /// Changes the layout.
  ///
  /// - Parameter rect: Of the transitions that are asked for.
  @discardableResult
  mutating func change(rect: String? = nil) -> JSON {
    let kind = kind
    let answer: Answer
    let text: String
    let cells = layouts.chance(25) ? allElements.filter { $0["category"] == "cell" } : []
    if !cells.isEmpty {
      let sizes = layouts.measurements(of: cells, isHorizontal: isHorizontal).text
      let answer = test.measure(path, sizes, rect: rect)
      if answer.status == 200 { return answer.json }
      // A kind whose cells have no sizes of their own, or a section that scrolls across.
      same(answer.status, 422, "\(kind): \(sizes): \(answer.text)")
      return [:]
    }
    if layouts.chance(25) {
      text = layouts.patch(of: kind).text
      answer = test.patch(path + (rect.map { "?rect=\($0)" } ?? ""), text)
    } else {
      var updates: JSON
      if kind == "tree" {
        updates = [layouts.nodeUpdate(allElements)]
      } else {
        updates = [layouts.update(of: kind, test.get("\(path)/sections").json["sections"].array)]
        if layouts.chance(30) {
          // Whatever was made of the sections, there is room for more.
          let more = JSON.array(layouts.sections(1, of: kind))
          updates = .array(
            updates.array + [["insertSections": ["at": 0, "sections": more]]]
              + (layouts.chance(50) ? [["moveSection": ["from": 0, "to": 0]]] : []))
        }
      }
      text = updates.text
      answer = test.update(path, text, rect: rect)
    }
    same(answer.status, 200, "\(kind): \(text): \(answer.text)")
    return answer.json
  }

  /// Changes the layout, and compares all elements before and after with what the answer says.
  mutating func changeAndCompare() {
    let before = allElements
    let size = summary["contentSize"]
    let length = Int(size[isHorizontal ? "width" : "height"].number ?? 0)
    let window = window(at: layouts.integer(-200...max(0, length)), of: 250)
    let answer = change(rect: window.text)
    let after = allElements

    let (old, new) = (before.byIdentity, after.byIdentity)
    let differing = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    if answer["invalidated"] == false { #expect(differing.isEmpty) }
    let area = answer["invalidatedRect"]
    if answer.object.keys.contains("invalidatedRect"), !differing.isEmpty {
      #expect(area != .null)
      for element in differing.flatMap({ [old[$0], new[$0]] }) {
        guard let frame = element?.sweptFrame(isHorizontal: isHorizontal) else { continue }
        #expect(area.window.holds(frame), "\(area): \(element!)")
      }
    }

    // The transitions lead from what the window showed to what it shows.
    func shown(_ elements: [JSON]) -> [String: JSON] {
      elements.filter { window.meets($0, isHorizontal: isHorizontal) }.map { $0.removing("data") }
        .byIdentity
    }
    var shownElements = shown(before)
    let transitions = answer["transitions"]
    let moving = transitions["moving"].array
    for change in moving + transitions["disappearing"].array {
      let removed = shownElements.removeValue(forKey: change["from"].identity)
      #expect(removed == nil || removed == change["from"])
    }
    for change in moving + transitions["appearing"].array {
      same(shownElements[change["to"].identity], nil, "\(change)")
      shownElements[change["to"].identity] = change["to"]
    }
    for change in moving {
      // Of two equal frames the data differs.
      #expect(change["from"] != change["to"] || differing.contains(change["to"].identity))
    }
    let (led, expected) = (shown(Array(shownElements.values)), shown(after))
    let names = Set(led.keys).union(expected.keys).filter { led[$0] != expected[$0] }.sorted()
    same(names, [], "\(window): \(names.first.map { [led[$0], expected[$0]] } ?? [])")
  }

  /// All across the content, so far along it.
  func window(at start: Int, of length: Double) -> Window {
    isHorizontal
      ? Window(x: Double(start), y: -2000, width: length, height: 6000)
      : Window(x: -2000, y: Double(start), width: 6000, height: length)
  }
}

extension [JSON] {
  fileprivate var byIdentity: [String: JSON] {
    Dictionary(map { ($0.identity, $0) }) { first, second in
      Issue.record("twice: \(first), \(second)")
      return first
    }
  }
}

/// Keeps the elements of the rect that it has fetched, and asks only for what it lacks; of pinned
/// elements it keeps those of its latest answer.
private struct ScrollingClient {
  private var layout: ChangingLayout
  private var held: [String: JSON] = [:]
  private var known: (rect: Window, version: Int)?
  private(set) var incrementalAnswers = 0
  /// What it asks of data.
  private let data: String

  init(_ kind: String, seed: Int) {
    layout = ChangingLayout(kind, seed: seed)
    data = layout.layouts.chance(50) ? "&data=true" : ""
  }

  mutating func step() {
    if layout.layouts.integer(0...2) == 0 { layout.change() } else { scroll() }
  }

  private mutating func scroll() {
    let isHorizontal = layout.isHorizontal
    let size = layout.summary["contentSize"]
    let length = Int(size[isHorizontal ? "width" : "height"].number ?? 0)
    var window: Window
    if let known, layout.layouts.integer(0...3) > 0 {
      let start = Int(isHorizontal ? known.rect.x : known.rect.y)
      window = layout.window(at: start + layout.layouts.integer(-250...250), of: 300)
    } else {
      // A horizontal layout from right to left lies to the left of its beginning.
      window = layout.window(
        at: layout.layouts.integer((isHorizontal ? -length : -50)...max(50, length)), of: 300)
    }
    if layout.layouts.integer(0...4) == 0 {
      window.x += Double(layout.layouts.integer(0...2200))
      window.width = 150
    }
    fetch(window)
  }

  private mutating func fetch(_ window: Window) {
    var query = "rect=\(window.text)\(data)"
    if let known { query += "&known=\(known.rect.text)&since=\(known.version)" }
    let (answer, elements) = pages(query)
    var covered = window
    if answer["reset"] == true {
      held = [:]
    } else if let known {
      incrementalAnswers += 1
      covered = union(known.rect, window) ?? window
    }
    held = held.merging(elements.filter { !$0.isPinned }.byIdentity) { $1 }
      .filter { covered.meets($0.value, isHorizontal: layout.isHorizontal) }
    known = (covered, answer["version"].integer ?? 0)

    let pinned = elements.filter(\.isPinned)
    let expectedPinned = layout.elements("rect=\(window.text)\(data)").filter(\.isPinned)
    same(pinned, expectedPinned, "after \(query)")
    let expected = layout.elements("rect=\(covered.text)\(data)").filter { !$0.isPinned }.byIdentity
    if held != expected {
      let names = Set(held.keys).union(expected.keys).filter { held[$0] != expected[$0] }
      let example = names.sorted().first.map { [held[$0], expected[$0]] } ?? []
      Issue.record("after \(query): \(held.count) of \(expected.count) elements; \(example)")
      known = nil
      held = [:]
    }
  }

  /// The first page of an answer, and the elements of all its pages.
  private mutating func pages(_ query: String) -> (first: JSON, elements: [JSON]) {
    let limit = layout.layouts.chance(20) ? 7 : 10_000
    let first = layout.test.get("\(layout.path)/elements?\(query)&limit=\(limit)").json
    var elements = first["elements"].array
    var next = first["next"].string
    while let target = next {
      let page = layout.test.get(target).json
      same(page["reset"], .null)
      elements += page["elements"].array
      next = page["next"].string
    }
    return (first, elements)
  }

  /// Both as one window, where that is one and not too large; sometimes it is let go.
  private mutating func union(_ a: Window, _ b: Window) -> Window? {
    let isHorizontal = layout.isHorizontal
    let isBeside =
      isHorizontal
      ? a.y == b.y && a.height == b.height && a.x <= b.x + b.width && b.x <= a.x + a.width
      : a.x == b.x && a.width == b.width && a.y <= b.y + b.height && b.y <= a.y + a.height
    guard isBeside, layout.layouts.integer(0...3) > 0 else { return nil }
    let (x, y) = (min(a.x, b.x), min(a.y, b.y))
    let union = Window(
      x: x, y: y, width: max(a.x + a.width, b.x + b.width) - x,
      height: max(a.y + a.height, b.y + b.height) - y)
    return (isHorizontal ? union.width : union.height) > 700 ? nil : union
  }
}
