import Foundation
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@testable import LayoutService

@Suite("clients of layouts that change")
struct ChangesClientTests {
  @Test(
    "a client that scrolls with known and since, and believes the answers, has what there is",
    arguments: ["grid", "waterfall", "gallery", "tree"], 0..<8)
  func scrolling(kind: String, seed: Int) {
    var client = ScrollingClient(kind, seed: seed)
    for _ in 0..<25 { client.step() }
    #expect(client.incrementalAnswers > 0)
  }

  @Test("readers see each version whole while two writers change it")
  func readers() {
    let test = TestService()
    let changeCount = 60
    func body(_ count: Int) -> String {
      let heights = Array(repeating: "7", count: count) + ["1", "2", "3"]
      return
        #"{"bounds": {"width": 300}, "options": {"columns": 3, "placement": "shortestColumn"},"#
        + #" "sections": [{"items": {"height": [\#(heights.joined(separator: ","))]}}]}"#
    }
    @Sendable func elements(_ answer: Answer) -> Substring? {
      answer.text.range(of: #""elements":"#).map { answer.text[$0.upperBound...] }
    }
    let query = "/elements?rect=0,0,300,100000"
    let expected = (0...changeCount).map {
      elements(test.get(test.path("waterfall", body($0)) + query))
    }
    let path = test.path("waterfall", body(0))
    let faults = Mutex<[String]>([])
    let versions = Mutex<[Int]>([])
    onThreads(6) { thread in
      if thread < 2 {
        for _ in 0..<changeCount / 2 {
          let answer = test.update(path, #"[{"insert": {"at": [0, 0], "items": [{"height": 7}]}}]"#)
          versions.withLock { $0.append(answer.json["version"].integer ?? 0) }
        }
      } else {
        var last = 0
        for _ in 0..<40 {
          let answer = test.get(path + query)
          let version = answer.json["version"].integer ?? 0
          let isWhole =
            (1...changeCount + 1).contains(version) && version >= last
            && elements(answer) == expected[version - 1]
          if !isWhole { faults.withLock { $0.append("version \(version) after \(last)") } }
          last = version
        }
      }
    }
    #expect(faults.withLock { $0 } == [])
    #expect(versions.withLock { $0.sorted() } == Array(2...changeCount + 1))
    #expect(elements(test.get(path + query)) == expected[changeCount])
  }

  @Test("of two writers that name the same version, one wins", arguments: [false, true])
  func race(isPatch: Bool) {
    let test = TestService()
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 3}]}"#)
    for round in 1...40 {
      let statuses = Mutex<[Int]>([])
      onThreads(2) { writer in
        let answer =
          isPatch
          ? test.patch(
            path, #"{"bounds": {"width": \#(round * 10 + writer)}}"#, ifMatch: "\"\(round)\"")
          : test.update(
            path, #"[{"insert": {"at": [0, 0], "items": 1}}]"#, ifMatch: "\"\(round)\"")
        statuses.withLock { $0.append(answer.status) }
      }
      #expect(statuses.withLock { $0.sorted() } == [200, 412])
      #expect(test.get(path).json["version"].integer == round + 1)
    }
  }

  @Test("of two that name none, one comes after the other")
  func raceWithoutPrecondition() {
    let test = TestService()
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 0}]}"#)
    for round in 1...40 {
      let versions = Mutex<[Int]>([])
      onThreads(2) { writer in
        let answer =
          writer == 0
          ? test.update(path, #"[{"insert": {"at": [0, 0], "items": 1}}]"#)
          : test.patch(path, #"{"bounds": {"width": \#(100 + round)}}"#)
        versions.withLock { $0.append(answer.json["version"].integer ?? 0) }
      }
      #expect(versions.withLock { $0.sorted() } == [2 * round, 2 * round + 1])
    }
    let summary = test.get(path).json
    #expect(summary["counts"]["cells"] == 40)
    #expect(summary["bounds"]["width"] == 140)
  }
}

/// Keeps the elements of the rect that it has fetched, and asks only for what it lacks.
private struct ScrollingClient {
  private let test = TestService()
  private let kind: String
  private let path: String
  private var random: SeededGenerator
  private var held: [String: JSON] = [:]
  private var known: (rect: Window, version: Int)?
  private(set) var incrementalAnswers = 0

  private struct Window: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var text: String { "\(x),\(y),\(width),\(height)" }

    func meets(_ frame: JSON) -> Bool {
      let frame = frame.array.map { $0.number ?? .nan }
      return Self.meet(x, width, frame[0], frame[2]) && Self.meet(y, height, frame[1], frame[3])
    }

    private static func meet(_ a: Double, _ l: Double, _ b: Double, _ m: Double) -> Bool {
      if l > 0 && m > 0 { return a < b + m && b < a + l }
      if l > 0 { return a <= b && b < a + l }
      return m > 0 ? b <= a && a < b + m : a == b
    }
  }

  init(_ kind: String, seed: Int) {
    self.kind = kind
    random = SeededGenerator(seed: seed &* 31 &+ kind.utf8.count)
    let isNice = random.next() % 2 == 0
    let width = isNice ? "320" : "333.3"
    let options =
      switch kind {
      case "grid":
        #"{"columns": 3, "headerHeight": 20, "footerHeight": \#(isNice ? 10 : 10.1),"#
          + #" "background": "\#(["item", "row", "section"].randomElement(using: &random)!)"}"#
      case "waterfall":
        #"{"columns": 3, "headerHeight": 20, "footerHeight": \#(isNice ? 10 : 10.1),"#
          + #" "placement": "\#(["roundRobin", "shortestColumn"].randomElement(using: &random)!)"}"#
      case "gallery":
        #"{"minimumItemWidth": 40, "maximumItemWidth": 90, "itemHeight": \#(isNice ? 50 : 50.1)}"#
      default:
        #"{"itemSize": {"width": 90, "height": \#(isNice ? 20 : 20.1)},"#
          + #" "spacing": "\#(["rows", "compact"].randomElement(using: &random)!)"}"#
      }
    let content =
      kind == "tree"
      ? #""nodes": {"parent": [null,null,\#((2..<60).map { "\($0 / 3)" }.joined(separator: ","))]}"#
      : #""sections": [{"items": 40}, {"items": 0}, {"items": 70}, {"items": 30}]"#
    path = test.path(
      kind, #"{"bounds": {"width": \#(width)}, "options": \#(options), \#(content)}"#)
  }

  private mutating func integer(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  mutating func step() {
    if integer(0...2) == 0 { change() } else { scroll() }
  }

  // MARK: Scrolling

  private mutating func scroll() {
    let size = test.get(path).json["contentSize"]
    let height = Int(size["height"].number ?? 0)
    var window = Window(x: 0, y: 0, width: size["width"].number ?? 0, height: 300)
    if kind == "tree" && integer(0...1) == 0 {
      window.x = Double(integer(0...300))
      window.width = 150
    }
    if let known, integer(0...3) > 0 {
      window.y = max(0, known.rect.y + Double(integer(-250...250)))
    } else {
      window.y = Double(integer(0...height))
    }
    fetch(window)
  }

  private mutating func fetch(_ window: Window) {
    var target = "\(path)/elements?rect=\(window.text)"
    if let known { target += "&known=\(known.rect.text)&since=\(known.version)" }
    let answer = test.get(target).json
    var covered = window
    if answer["reset"] == true {
      held = [:]
    } else if let known {
      incrementalAnswers += 1
      covered = union(known.rect, window) ?? window
    }
    for element in answer["elements"].array { held[Self.key(element)] = element }
    held = held.filter { covered.meets($0.value["frame"]) }
    known = (covered, answer["version"].integer ?? 0)

    let all = test.get("\(path)/elements?rect=\(covered.text)&limit=100000").json["elements"].array
    let expected = Dictionary(uniqueKeysWithValues: all.map { (Self.key($0), $0) })
    if held != expected {
      let difference = Set(held.keys).symmetricDifference(expected.keys).sorted().prefix(3)
      Issue.record("after \(target): \(held.count) of \(expected.count) elements; \(difference)")
      known = nil
      held = [:]
    }
  }

  /// Both as one window, where that is one and not too large; sometimes it is let go.
  private mutating func union(_ a: Window, _ b: Window) -> Window? {
    guard a.x == b.x, a.width == b.width, a.y <= b.y + b.height, b.y <= a.y + a.height,
      integer(0...3) > 0
    else { return nil }
    let y = min(a.y, b.y)
    let height = max(a.y + a.height, b.y + b.height) - y
    return height > 700 ? nil : Window(x: a.x, y: y, width: a.width, height: height)
  }

  private static func key(_ element: JSON) -> String {
    "\(element["category"]) \(element["kind"]) \(element["indexPath"])"
  }

  // MARK: Changes

  private mutating func change() {
    let body = kind == "tree" ? nodeUpdate() : integer(0...5) == 0 ? nil : update()
    guard let body else {
      let headerHeight = ["0", "20", "25.5", "30.1"].randomElement(using: &random)!
      let answer = test.patch(path, #"{"options": {"headerHeight": \#(headerHeight)}}"#)
      #expect(answer.status == 200, "\(answer.text)")
      return
    }
    let answer = test.update(path, "[\(body)]")
    #expect(answer.status == 200, "\(body): \(answer.text)")
  }

  /// The number of items of each section.
  private var itemCounts: [Int] {
    var counts = Array(
      repeating: 0, count: test.get(path).json["counts"]["sections"].integer ?? 0)
    for cell in test.allElements(path).array where cell["category"] == "cell" {
      counts[cell["indexPath"][0].integer!] += 1
    }
    return counts
  }

  private mutating func items(_ count: Int) -> String {
    let fields = (0..<count).map { _ in
      switch kind {
      case "waterfall": #"{"height": \#(Double(integer(0...400)) / (integer(0...9) > 0 ? 2 : 3))}"#
      case "gallery": #"{"width": \#(integer(10...90))}"#
      default: #"{"id": "\#(integer(0...9))"}"#
      }
    }
    return integer(0...3) == 0 ? "\(count)" : "[\(fields.joined(separator: ","))]"
  }

  private mutating func update() -> String {
    let counts = itemCounts
    let section = integer(0...max(0, counts.count - 1))
    let count = counts.isEmpty ? 0 : counts[section]
    let item = integer(0...max(0, count - 1))
    switch integer(0...7) {
    case 0...1 where count > 0: return #"{"delete": {"at": [\#(section), \#(item)]}}"#
    case 2...3 where count > 0:
      let target = integer(0...counts.count - 1)
      let to = integer(0...(counts[target] - (target == section ? 1 : 0)))
      return #"{"move": {"from": [\#(section), \#(item)], "to": [\#(target), \#(to)]}}"#
    case 4 where count > 0:
      return #"{"replace": {"at": [\#(section), \#(item)], "items": \#(items(1))}}"#
    case 5 where counts.count > 1:
      return #"{"moveSection": {"from": \#(section), "to": \#(integer(0...counts.count - 1))}}"#
    case 6 where counts.count > 3: return #"{"deleteSections": {"at": \#(section)}}"#
    case 6...7:
      let at = integer(0...counts.count)
      let count = integer(0...30)
      return #"{"insertSections": {"at": \#(at), "sections": [{"items": \#(items(count))}]}}"#
    default:
      guard !counts.isEmpty else { return #"{"insertSections": {"at": 0, "sections": []}}"# }
      let place = integer(0...count)
      let new = items(integer(1...4))
      return #"{"insert": {"at": [\#(section), \#(place)], "items": \#(new)}}"#
    }
  }

  private mutating func nodeUpdate() -> String {
    let cells = test.allElements(path).array.filter { $0["category"] == "cell" }
    guard let cell = cells.randomElement(using: &random), cells.count > 20 else {
      return #"{"insertNode": {"at": 0, "node": {"children": [{}, {"children": [{}]}, {}]}}}"#
    }
    let other = cells.randomElement(using: &random)!
    switch integer(0...3) {
    case 0 where cell["children"].array.count < 2:
      return #"{"deleteNode": {"at": \#(cell["indexPath"])}}"#
    case 1 where cell["children"].array.isEmpty && cell != other:
      return
        #"{"moveNode": {"from": \#(cell["indexPath"]), "parent": \#(other["indexPath"]), "at": 0}}"#
    case 2:
      return #"{"moveNode": {"from": \#(cell["indexPath"]), "parent": null, "at": 0}}"#
    default:
      let at = integer(0...cell["children"].array.count)
      let node = #"{"id": "new", "children": [{}, {}]}"#
      return #"{"insertNode": {"parent": \#(cell["indexPath"]), "at": \#(at), "node": \#(node)}}"#
    }
  }
}
