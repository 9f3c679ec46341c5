import CollectionLayout
import Foundation
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct RealInputTests {
  private let service = TestService()

  @Test("the Flare classes are laid out as a tree", arguments: ["rows", "compact"])
  func flare(spacing: String) throws {
    let root = try Self.flare
    let path = service.path(
      "tree", #"{"options": {"spacing": "\#(spacing)"}, "root": \#(root.text)}"#)
    let summary = service.get(path).json
    same(summary["counts"]["cells"], 252)
    same(summary["counts"]["sections"], 5)
    let leaves = root.leafCount
    same(leaves, 220)
    if spacing == "rows" {
      same(summary["contentSize"], ["width": 1100, "height": .number(Double(88 * leaves))])
    } else {
      #expect(try #require(summary["contentSize"]["height"].number) < Double(88 * leaves))
    }
    try expectHierarchy(of: root, at: path)
    try LinearScan(service, path).check(seed: 7)
  }

  /// That every node stands where the breadth-first order has it, with its name and children.
  private func expectHierarchy(of root: JSON, at path: String) throws {
    var depth = [root]
    var section = 0
    while !depth.isEmpty {
      var next: [JSON] = []
      for (item, node) in depth.enumerated() {
        let cell = service.get("\(path)/items/\(section)/\(item)").json
        let children = node["children"].array
        let indexPaths = children.indices.map {
          JSON.array([.number(Double(section + 1)), .number(Double(next.count + $0))])
        }
        same(cell["id"], node["id"])
        let isListed = 1...100 ~= children.count
        same(cell["children"], (isListed ? .array(indexPaths) : .null))
        #expect(cell["firstChild"] == indexPaths.first ?? .null)
        #expect(cell["childCount"].number ?? 0 == Double(children.count))
        next += children
      }
      depth = next
      section += 1
    }
  }

  private static var flare: JSON {
    get throws {
      let file = try #require(
        Bundle.module.url(forResource: "Fixtures/flare/flare", withExtension: "json"))
      return try JSON(parsing: Array(Data(contentsOf: file))).namedNode
    }
  }

  @Test(
    "100,000 items answer any rect as a scan over all elements does",
    arguments: ["grid", "waterfall", "gallery"])
  func large(kind: String) throws {
    var generator = SeededGenerator(seed: 100_000)
    let heights = (0..<60_000).map { _ in "\(Int.random(in: 40...400, using: &generator))" }
    let body =
      switch kind {
      case "grid":
        """
        {"bounds": {"width": 1000}, "options": {"columns": 7, "headerHeight": 30,
         "footerHeight": 12, "background": "row"},
         "sections": [{"items": 60000}, {"items": 0}, {"items": 39999}, {"items": 1}]}
        """
      case "waterfall":
        """
        {"bounds": {"width": 1000}, "options": {"columns": 5, "headerHeight": 30,
         "placement": "shortestColumn"},
         "sections": [{"items": {"height": [\(heights.joined(separator: ","))]}}, {"items": 40000}]}
        """
      default: #"{"bounds": {"width": 1000}, "sections": [{"items": 60000}, {"items": 40000}]}"#
      }
    let path = service.path(kind, body)
    same(service.get(path).json["counts"]["cells"], 100_000)
    try LinearScan(service, path).check(seed: 1)
  }
}

/// All elements of a layout, and what a scan over them says that a rect shows.
private struct LinearScan {
  private let service: TestService
  private let path: String
  private let contentSize: Size
  private var frames: [Rect] = []
  /// Each element's text as it came.
  private var texts: [Substring] = []
  /// The bounding boxes of runs of elements, so that a scan need not look into each.
  private var boxes: [(minX: Double, minY: Double, maxX: Double, maxY: Double)] = []

  private static let runCount = 256

  private struct Page: Decodable {
    var next: String?
  }

  init(_ service: TestService, _ path: String) throws {
    self.service = service
    self.path = path
    let size = service.get(path).json["contentSize"]
    contentSize = Size(
      width: try #require(size["width"].number), height: try #require(size["height"].number))
    var next: String? = "\(path)/elements?rect=-1e9,-1e9,1e12,1e12&limit=100000"
    while let target = next {
      let answer = service.get(target)
      let page = try JSONDecoder().decode(Page.self, from: Data(answer.body))
      // JSON rounds frames, and CBOR does not.
      let columns = service.get(target + "&f=cbor").cbor["elements"]
      let numbers = try ["x", "y", "width", "height"].map { try #require(columns?[$0]?.doubles) }
      frames += numbers[0].indices.map {
        Rect(x: numbers[0][$0], y: numbers[1][$0], width: numbers[2][$0], height: numbers[3][$0])
      }
      texts += Self.elements(in: answer.text)
      next = page.next
    }
    same(texts.count, frames.count)
    for start in stride(from: 0, to: frames.count, by: Self.runCount) {
      let run = frames[start..<min(start + Self.runCount, frames.count)]
      boxes.append(
        (
          run.map(\.origin.x).min()!, run.map(\.origin.y).min()!, run.map(\.maxX).max()!,
          run.map(\.maxY).max()!
        ))
    }
  }

  /// The texts between the brackets of `elements`, cut between the objects.
  private static func elements(in text: String) -> [Substring] {
    let bytes = text.utf8
    guard let start = text.firstRange(of: "\"elements\":[{")?.upperBound else { return [] }
    let end = text.lastIndex(of: "]") ?? text.endIndex
    let separator = Array("},{\"c".utf8)
    var elements: [Substring] = []
    var first = start
    var index = start
    while let brace = bytes[index..<end].firstIndex(of: UInt8(ascii: "}")) {
      if bytes[brace..<end].starts(with: separator) {
        elements.append(text[first..<brace])
        first = bytes.index(brace, offsetBy: 3)
        index = first
      } else {
        index = bytes.index(after: brace)
      }
    }
    elements.append(text[first..<(text[..<end].lastIndex(of: "}") ?? end)])
    return elements
  }

  func check(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let rect = randomRect(using: &generator)
      let numbers = [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height]
      let answer = service.get(
        "\(path)/elements?rect=\(numbers.map { "\($0)" }.joined(separator: ","))&limit=100000")
      let shown = Self.elements(in: answer.text)
      let expected = scan(rect)
      guard shown == expected else {
        let first = zip(shown, expected).first { $0 != $1 }
        Issue.record(
          "\(numbers): \(shown.count) elements, expected \(expected.count); \(String(describing: first))"
        )
        return
      }
    }
  }

  /// Rects of all sizes: points, lines, views, some with edges that are a frame's own.
  private func randomRect(using generator: inout SeededGenerator) -> Rect {
    let lengths = [0, 0.5, 40, 480, 1500]
    var rect = Rect(
      x: .random(in: -50...contentSize.width + 50, using: &generator),
      y: .random(in: -50...contentSize.height + 50, using: &generator),
      width: lengths.randomElement(using: &generator)!,
      height: lengths.randomElement(using: &generator)!)
    let frame = frames.randomElement(using: &generator)!
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: rect.origin = frame.origin
    case 1: rect.origin = Point(x: frame.maxX, y: frame.maxY)
    case 2: rect = frame
    case 3: rect.origin.y = frame.origin.y - rect.size.height
    default: break
    }
    // What a query searches. Halves are rounded away from 0.
    func inSteps(_ value: Double) -> Double { (value * 1024).rounded() / 1024 }
    return Rect(
      x: inSteps(rect.origin.x), y: inSteps(rect.origin.y), width: inSteps(rect.size.width),
      height: inSteps(rect.size.height))
  }

  private func scan(_ rect: Rect) -> [Substring] {
    var shown: [Substring] = []
    for (run, box) in boxes.enumerated() {
      guard box.minX <= rect.maxX, rect.origin.x <= box.maxX, box.minY <= rect.maxY,
        rect.origin.y <= box.maxY
      else { continue }
      let start = run * Self.runCount
      for index in start..<min(start + Self.runCount, frames.count)
      where meets(frames[index], rect) { shown.append(texts[index]) }
    }
    return shown
  }

  /// The rule of intersection, written down once more.
  private func meets(_ a: Rect, _ b: Rect) -> Bool {
    func meets(_ a: Double, _ l: Double, _ b: Double, _ m: Double) -> Bool {
      switch (l > 0, m > 0) {
      case (true, true): a < b + m && b < a + l
      case (false, true): b <= a && a < b + m
      case (true, false): a <= b && b < a + l
      case (false, false): a == b
      }
    }
    return meets(a.origin.x, a.size.width, b.origin.x, b.size.width)
      && meets(a.origin.y, a.size.height, b.origin.y, b.size.height)
  }
}

extension JSON {
  /// A node of the Flare hierarchy as the service takes it: its `name` as `id`, without its value.
  fileprivate var namedNode: JSON {
    var node: [String: JSON] = ["id": self["name"]]
    if self["children"] != .null {
      node["children"] = .array(self["children"].array.map(\.namedNode))
    }
    return .object(node)
  }

  fileprivate var leafCount: Int {
    let children = self["children"].array
    return children.isEmpty ? 1 : children.reduce(0) { $0 + $1.leafCount }
  }
}
