import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions

@Suite("sizes that viewers measure")
struct MeasurementTests {
  private let service = TestService()
  private static let list = """
    {"bounds": {"width": 300}, "options": {"itemHeight": 100, "estimates": true},
     "sections": [{"items": {"id": ["a", "b", "c"], "height": [null, 40, null]}}]}
    """

  private func cells(_ path: String) -> [JSON] {
    service.get("\(path)/elements?rect=0,0,1000,100000").json["elements"].array
  }

  private func heights(_ path: String) -> [JSON] { cells(path).map { $0["frame"][3] } }

  @Test(
    "a change of size, ratio or text takes a measured size away, any other change does not",
    arguments: cases("Measurement.changes", String.self, Bool.self))
  func changes(fields: String, isKept: Bool) {
    let path = service.path("list", Self.list)
    let view = service.view(of: path, "{}")["Location"] ?? ""
    for layout in [path, view] {
      _ = service.measure(layout, #"{"sizes": [{"at": [0, 0], "height": 33}]}"#)
    }
    let set = #"[{"set": {"at": [0, 0], "items": [\#(fields)]}}]"#
    same(service.update(path, set).status, 200)
    for layout in [path, view] {
      same((heights(layout)[0] == 33), isKept, "\(layout == path)")
    }
  }

  @Test(
    "what cannot be measured is refused with a pointer",
    arguments: cases("Measurement.refusals", String.self, String.self))
  func refusals(body: String, pointer: String) {
    let path = service.path("list", Self.list)
    let answer = service.measure(path, body)
    same(answer.status, 422)
    same(answer.json["errors"][0]["pointer"], .string(pointer), "\(answer.text)")
    same(service.get(path).json["version"], 1)
  }

  @Test("at most 10,000 sizes are taken at once")
  func count() {
    let path = service.path("list", Self.list)
    func body(_ count: Int) -> String {
      let sizes = String(repeating: #"{"id":"a","height":1},"#, count: count).dropLast()
      return #"{"sizes": [\#(sizes)]}"#
    }
    same(service.measure(path, body(10_000)).status, 200)
    same(service.measure(path, body(10_001)).json["errors"][0]["pointer"], "/sizes")
  }

  @Test("cells whose kind knows no heights of their own are not measured")
  func kinds() {
    for (kind, body) in Sample.all
    where !["list", "waterfall", "flow", "compositional"].contains(kind) {
      let path = service.path(kind, body)
      let answer = service.measure(path, #"{"sizes": [{"at": [0, 0], "height": 9}]}"#)
      same(answer.status, 422, "\(kind): \(answer.text)")
      same(answer.json["errors"][0]["pointer"], "/sizes/0")
    }
  }

  @Test("sizes that have to make room with a view's frames are gone, and its version moves on")
  func eviction() {
    let heights = (0..<20_000).map { $0 == 0 ? 44 : $0 % 90 + 20 }
    let body = #"{"bounds": {"width": 300}, "sections": [{"items": {"height": \#(heights)}}]}"#
    // Room for the frames of some views, but not for all.
    let service = TestService(
      sessionLimits: SessionStore.Limits(maxBytes: 1 << 20))
    let path = service.path("list", body)
    // Where the cells of a waterfall are is stored for each.
    let waterfall = #"{"kind": "waterfall", "options": {"itemHeight": 44}}"#
    let views = (0..<20).map { _ in service.view(of: path, waterfall)["Location"] ?? "" }
    for view in views {
      same(service.measure(view, #"{"sizes": [{"at": [0, 0], "height": 5}]}"#).status, 200)
    }
    #expect(service.sessions.statistics.framesDropped > 0)
    #expect(service.sessions.statistics.bytes <= 1 << 20)
    var lost = 0
    for view in views {
      let height = service.get("\(view)/items/0/0").json["frame"][3]
      let version = service.get(view).json["version"]
      if height == 5 {
        same(version, 2)
      } else {
        same(height, 44)
        same(version, 3)
        lost += 1
      }
    }
    #expect(lost > 0)
  }

  @Test("a source and its views, measured each on its own, are what a plain model says")
  func model() {
    for seed in Extent.seeds(8, of: 30) {
      var model = MeasuredModel(seed: seed)
      for step in 0..<25 { model.step("seed \(seed), step \(step)") }
    }
  }
}

/// A list that is shown in several widths, and what every layout of it must show.
private struct MeasuredModel {
  private struct Item {
    let serial: Int
    var height: Double?
    var x = 0.0
  }

  private struct Layout {
    let path: String
    var width: Double
    var sizes: [Int: (size: Double, width: Double)] = [:]
  }

  private let service = TestService()
  private var random: SeededGenerator
  private var items: [Item] = []
  private var layouts: [Layout] = []
  private var lastSerial = 0

  init(seed: Int) {
    random = SeededGenerator(seed: seed)
    let count = random.integer(1...12)
    items = (0..<count).map { _ in newItem() }
    let body: JSON = [
      "bounds": ["width": 300], "options": ["estimates": true, "rowSpacing": 2],
      "sections": [["items": .array(items.map(Self.json))]],
    ]
    let path = service.path("list", body.text)
    layouts = [Layout(path: path, width: 300)]
    for width in [300.0, 180] {
      let view = service.view(of: path, #"{"bounds": {"width": \#(width)}}"#)["Location"]
      layouts.append(Layout(path: view ?? "", width: width))
    }
  }

  private mutating func newItem() -> Item {
    lastSerial += 1
    return Item(serial: lastSerial, height: random.chance(40) ? number() : nil)
  }

  private mutating func number() -> Double { random.number(1...90, isNice: random.chance(50)) }

  private static func json(_ item: Item) -> JSON {
    var fields: [String: JSON] = ["id": .string("i\(item.serial)"), "x": .number(item.x)]
    if let height = item.height { fields["height"] = .number(height) }
    return .object(fields)
  }

  mutating func step(_ comment: String) {
    switch random.integer(0...9) {
    case 0...3: measure(comment)
    case 4: resize()
    default: update(comment)
    }
    for layout in layouts { expect(layout, comment) }
  }

  private mutating func measure(_ comment: String) {
    guard !items.isEmpty else { return }
    let index = random.integer(0...layouts.count - 1)
    var sizes: [JSON] = []
    for _ in 0..<random.integer(1...5) {
      let place = random.integer(0...items.count - 1)
      let item = items[place]
      let size = random.chance(80) ? number() : nil
      layouts[index].sizes[item.serial] = size.map { ($0, layouts[index].width) }
      let name: (String, JSON) =
        random.chance(50)
        ? ("id", .string("i\(item.serial)")) : ("at", [0, .number(Double(place))])
      sizes.append([name.0: name.1, "height": size.map { .number($0) } ?? nil])
    }
    let body: JSON = ["sizes": .array(sizes)]
    let answer = service.measure(layouts[index].path, body.text)
    same(answer.status, 200, "\(comment): \(answer.text)")
  }

  private mutating func resize() {
    let index = random.integer(0...layouts.count - 1)
    let width = Double(random.element(of: [180, 300, 420]))
    layouts[index].width = width
    same(service.patch(layouts[index].path, #"{"bounds": {"width": \#(width)}}"#).status, 200)
  }

  private mutating func update(_ comment: String) {
    var updates: [JSON] = []
    for _ in 0..<random.integer(1...3) {
      let place = random.integer(0...items.count)
      let at: JSON = [0, .number(Double(place))]
      switch random.integer(0...4) {
      case 1 where place < items.count:
        let count = random.integer(1...items.count - place)
        forget(items[place..<place + count])
        items.removeSubrange(place..<place + count)
        updates.append(["delete": ["at": at, "count": .number(Double(count))]])
      case 2 where place < items.count:
        let to = random.integer(0...items.count - 1)
        items.insert(items.remove(at: place), at: to)
        updates.append(["move": ["from": at, "to": [0, .number(Double(to))]]])
      case 3 where place < items.count:
        // Some of the items get another height, some the one that they have.
        let count = random.integer(1...items.count - place)
        let isReplaced = random.chance(50)
        var changes: [JSON] = []
        for index in place..<place + count {
          let height = random.chance(50) ? items[index].height : random.chance(50) ? nil : number()
          if height != items[index].height { forget(items[index...index]) }
          items[index].height = height
          items[index].x += 1
          let whole = Self.json(items[index])
          changes.append(
            isReplaced
              ? whole : ["height": height.map { .number($0) } ?? nil, "x": whole["x"]])
        }
        let change: JSON = ["at": at, "items": .array(changes)]
        updates.append(isReplaced ? ["replace": change] : ["set": change])
      default:
        let new = (0..<random.integer(1...3)).map { _ in newItem() }
        items.insert(contentsOf: new, at: place)
        updates.append(["insert": ["at": at, "items": .array(new.map(Self.json))]])
      }
    }
    let answer = service.update(layouts[0].path, JSON.array(updates).text)
    same(answer.status, 200, "\(comment): \(answer.text)")
  }

  private mutating func forget(_ items: ArraySlice<Item>) {
    for item in items {
      for index in layouts.indices { layouts[index].sizes[item.serial] = nil }
    }
  }

  private func expect(_ layout: Layout, _ comment: String) {
    var y = 0.0
    var expected: [JSON] = []
    for item in items {
      let measured = layout.sizes[item.serial]
      let given = measured?.size ?? item.height ?? 44
      let height = (given * 1024 + 0.5).rounded(.down) / 1024
      let isGuess = measured.map { $0.width != layout.width } ?? (item.height == nil)
      var cell: [String: JSON] = [
        "id": .string("i\(item.serial)"),
        "frame": [0, .number(y), .number(layout.width), .number(height)],
      ]
      if isGuess { cell["estimated"] = true }
      expected.append(.object(cell))
      y += height + 2
    }
    let query = "/elements?rect=0,0,1000,100000"
    func shown(_ path: String) -> [JSON] {
      service.get(path + query).json["elements"].array.map {
        $0.removing("category", "indexPath", "zIndex")
      }
    }
    let readable = expected.map(\.readable)
    same(shown(layout.path), readable, "\(comment)")
    let export = service.get("\(layout.path)/collection").text
    let copy = service.path("list", export)
    same(shown(copy), readable, "\(comment), as exported")
    same(service.get("\(copy)/collection").text, export)
    _ = service.send(.delete, copy)
  }
}
