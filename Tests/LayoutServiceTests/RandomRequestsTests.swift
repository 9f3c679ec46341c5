import MicroHTTP
import ServiceSupport
import TestSupport
import Testing
import TextMeasure

@testable import LayoutService

/// Requests with bodies that openapi.yaml alone has made; see `RandomBodies`.
@Suite("Random requests of all that the contract describes")
struct RandomRequestsTests {
  private static let kinds = OpenAPI.document["components"]["schemas"]["Kind"]["enum"].array
    .compactMap(\.string)
  /// The components that are the bodies of other requests.
  private static let changes = [
    "Patch", "NewView", "Updates", "Measurements", "Folds", "TextMeasureRequest",
  ]

  private static let components = kinds.map { component(of: $0) } + changes

  static func component(of kind: String) -> String {
    "Prepare" + kind.prefix(1).uppercased() + kind.dropFirst()
  }

  @Test("these are the bodies that operations take")
  func operations() {
    let described = OpenAPI.operations.filter { $0.description["requestBody"] != .null }
    let names = Set(described.compactMap { $0.bodySchema["$ref"].string })
    same(names, Set((Self.changes + ["Prepare"]).map { "#/components/schemas/\($0)" }))
    let kinds = OpenAPI.document["components"]["schemas"]["Prepare"]["anyOf"].array
    same(
      kinds.map { $0["$ref"].string },
      Self.kinds.map { "#/components/schemas/\(Self.component(of: $0))" })
  }

  @Test("every member of every body is made, and what is made fits", arguments: components)
  func members(component: String) {
    var bodies = RandomBodies(seed: 1)
    let described = OpenAPI.memberPaths(
      of: ["$ref": .string("#/components/schemas/\(component)")])
    #expect(!described.isEmpty)
    bodies.wanted = described
    for _ in 0..<1000 where !described.isSubset(of: bodies.made) {
      let body = bodies.value(of: component)
      same(OpenAPI.faults(of: body, as: component), [], "\(body)")
    }
    same(described.subtracting(bodies.made).sorted(), [])
  }

  @Test(
    "answers are as described, and the export after changes gives the same layout",
    arguments: kinds, Extent.seeds(2, of: 12))
  func requests(kind: String, seed: Int) {
    var layout = RandomLayout(kind, seed: seed)
    while !layout.prepare() {}
    for _ in 0..<4 {
      layout.change()
      layout.expectExport(at: layout.path)
      if let view = layout.makeView() { layout.expectExport(at: view) }
    }
    // Else the test would see little but refusals.
    #expect(layout.acceptedCount * 4 > layout.count)
  }

  @Test("texts are measured, or refused, as described", arguments: Extent.seeds(20, of: 200))
  func texts(seed: Int) {
    let service = RandomLayout.service()
    var bodies = RandomLayout.bodies(seed: seed)
    _ = service.sendMended(.post, "/text/measure", bodies.value(of: "TextMeasureRequest")) {
      OpenAPI.operation(.post, "/text/measure").expectDescribed($0)
    }
  }
}

/// A layout whose requests are random.
private struct RandomLayout {
  private let service = Self.service()
  private let kind: String
  private let seed: Int
  private var bodies: RandomBodies
  private(set) var path = ""
  /// How many requests there were, and how many of them changed something.
  private(set) var count = 0
  private(set) var acceptedCount = 0

  static func service() -> TestService {
    TestService(fonts: FontLibrary(memory: ["made": TestFont.bytes()]))
  }

  static func bodies(seed: Int) -> RandomBodies {
    var bodies = RandomBodies(seed: seed)
    bodies.known = [
      "FontNames": ["made"],
      // Most things fit into it.
      "Bounds": [["width": 390, "height": 600], ["width": 600.5, "height": 300]],
    ]
    return bodies
  }

  init(_ kind: String, seed: Int) {
    (self.kind, self.seed) = (kind, seed)
    bodies = Self.bodies(seed: seed &* 31 &+ kind.utf8.count)
  }

  /// Sends a body, mended as often as needed.
  ///
  /// - Parameter path: Of the operation, as the contract has it.
  private mutating func send(
    _ method: MicroHTTP.Method, _ path: String, to target: String, _ body: JSON,
    type: String = "application/json"
  ) -> Answer {
    let operation = OpenAPI.operation(method, path)
    let answer = service.sendMended(method, target, body, type: type) {
      operation.expectDescribed($0)
    }.answer
    count += 1
    if answer.status < 300 { acceptedCount += 1 }
    return answer
  }

  private func get(_ operation: String, _ target: String) -> Answer {
    let answer = service.get(target)
    OpenAPI.operation(.get, operation).expectDescribed(answer)
    same(answer.status, 200, "\(kind), seed \(seed): \(answer.text)")
    return answer
  }

  /// - Returns: Whether there is a layout now.
  mutating func prepare() -> Bool {
    let answer = send(
      .post, "/layouts/{kind}/prepare", to: "/layouts/\(kind)/prepare",
      bodies.value(of: RandomRequestsTests.component(of: kind)))
    path = answer["Location"] ?? ""
    return answer.status == 201
  }

  mutating func change() {
    // What there is to be named.
    let elements = get("/layouts/{id}/elements", path + Self.everything).json["elements"].array
    let cells = elements.filter { $0["category"] == "cell" }
    let ids = cells.map { $0["id"] }.filter { $0 != .null }
    let paths = cells.map { $0["indexPath"] }
    let references = paths + ids.map { ["id": $0] }
    bodies.known.merge([
      "IndexPath": paths, "ItemReference": references, "ParentPath": references, "ID": ids,
      "Position": [0, 1, 2],
    ]) { $1 }
    switch bodies.random.integer(0...4) {
    case 0:
      _ = send(
        .patch, "/layouts/{id}", to: path, bodies.value(of: "Patch"),
        type: "application/merge-patch+json")
    case 1:
      _ = send(
        .post, "/layouts/{id}/measurements", to: "\(path)/measurements",
        bodies.value(of: "Measurements"))
    case 2:
      _ = send(.post, "/layouts/{id}/folds", to: "\(path)/folds", bodies.value(of: "Folds"))
    default:
      let updates = (0..<bodies.random.integer(1...3)).map { _ in update() }
      _ = send(
        .post, "/layouts/{id}/updates", to: "\(path)/updates", ["updates": .array(updates)])
    }
  }

  /// An update of this kind of layout.
  private mutating func update() -> JSON {
    while true {
      let update = bodies.value(of: "Update")
      let isOfNodes = update.object.keys.contains { $0.hasSuffix("Node") }
      if isOfNodes == ["tree", "outline"].contains(kind) { return update }
    }
  }

  /// - Returns: The path of the view; `nil` if it was refused.
  mutating func makeView() -> String? {
    let answer = send(
      .post, "/layouts/{id}/views", to: "\(path)/views", bodies.value(of: "Patch"))
    return answer.status == 201 ? answer["Location"] : nil
  }

  private static let everything = "/elements?rect=-1e7,-1e7,2e7,2e7&limit=100000"

  /// That a layout prepared from what a layout exports has the same elements, bit for bit, and
  /// exports the same.
  func expectExport(at path: String) {
    let export = get("/layouts/{id}/collection", "\(path)/collection")
    let summary = get("/layouts/{id}", path).json
    let copy = service.prepare(summary["kind"].string ?? "", export.text)
    same(copy.status, 201, "\(kind), seed \(seed): \(copy.text): \(export.text)")
    guard let other = copy["Location"] else { return }
    let isSame = elements(of: path) == elements(of: other)
    #expect(isSame, "\(kind), seed \(seed): \(export.text)")
    same(copy.json["counts"], summary["counts"], "\(kind), seed \(seed)")
    same(copy.json["contentSize"], summary["contentSize"], "\(kind), seed \(seed)")
    same(service.get("\(other)/collection").text, export.text)
  }

  /// The list of a layout's elements as text.
  private func elements(of path: String) -> Substring? {
    let text = get("/layouts/{id}/elements", path + Self.everything).text
    return text.range(of: #""elements":"#).map { text[$0.upperBound...] }
  }
}
