import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

/// A forest as lists of children by name: `a(b,c(d))`; `-` for a node without a name.
private func outline(_ forest: Forest) -> String {
  func text(_ node: Int) -> String {
    let children = forest.children(of: node)
    return (forest.nodes.id(at: node)?.string ?? "-")
      + (children.isEmpty ? "" : "(" + children.map(text).joined(separator: ",") + ")")
  }
  return (0..<forest.rootCount).map(text).joined(separator: " ")
}

@Suite("Prepare bodies: hierarchies")
struct PrepareNodesTests {
  @Test(
    "nodes mean the same in all their forms",
    arguments: cases("PrepareNodes.forms", String.self, String.self))
  func forms(data: String, expected: String) throws {
    let request = try prepare("{\(data)}", as: "tree")
    same(outline(try #require(request.forest)), expected)
    same(request.layout.bounds, nil)
    let before = try prepare(
      "{\"options\":{},\(data),\"bounds\":{\"width\":5}}", as: "tree")
    same(outline(try #require(before.forest)), expected)
    same(before.layout.bounds, Bounds(width: 5))
    _ = try request.prepared()
  }

  @Test("random trees are the same nested, as rows and as columns", arguments: 0..<60)
  func randomTrees(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...40, using: &generator)
    let reach = Int.random(in: 1...40, using: &generator)
    let parents = (0..<count).map {
      $0 == 0 ? -1 : Int.random(in: max(0, $0 - reach)..<$0, using: &generator)
    }
    let names = (0..<count).map { generator.once(in: 3) ? nil : "n\($0)" }
    let idFirst = (0..<count).map { _ in Bool.random(using: &generator) }
    func nested(_ node: Int) -> String {
      let children = (0..<count).filter { parents[$0] == node }.map(nested)
      let id = names[node].map { "\"id\":\"\($0)\"" }
      let list = "\"children\":[\(children.joined(separator: ","))]"
      return "{"
        + (idFirst[node] ? [id, list] : [list, id]).compactMap { $0 }.joined(separator: ",") + "}"
    }
    func expected(_ node: Int) -> String {
      let children = (0..<count).filter { parents[$0] == node }.map(expected)
      return (names[node] ?? "-")
        + (children.isEmpty ? "" : "(" + children.joined(separator: ",") + ")")
    }
    let parentTexts = parents.map { $0 < 0 ? "null" : "\($0)" }
    let nameTexts = names.map { $0.map { "\"\($0)\"" } ?? "null" }
    let rows = zip(parentTexts, nameTexts).map { "{\"id\":\($1),\"parent\":\($0)}" }
    for data in [
      "\"root\":\(nested(0))", "\"nodes\":[\(rows.joined(separator: ","))]",
      "\"nodes\":{\"parent\":[\(parentTexts.joined(separator: ","))],\"id\":[\(nameTexts.joined(separator: ","))]}",
    ] {
      let forest = try #require(try prepare("{\(data)}", as: "tree").forest)
      same(outline(forest), expected(0), "\(data)")
    }
  }

  @Test("a chain of 300,000 nested nodes is read without recursion")
  func deepRoot() throws {
    let depth = 300_000
    let opening = Array("{\"children\":[".utf8)
    var body = Array("{\"root\":".utf8)
    body.reserveCapacity(depth * (opening.count + 2))
    for _ in 1..<depth { body += opening }
    body += Array("{\"id\":\"leaf\"}".utf8)
    for _ in 1..<depth { body += [UInt8(ascii: "]"), UInt8(ascii: "}")] }
    body.append(UInt8(ascii: "}"))
    let forest = try #require(try prepare(body, as: "tree").forest)
    same(forest.count, depth)
    same(forest.depthCount, depth)
    same(forest.nodes.id(at: depth - 1)?.string, "leaf")
  }

  @Test("a root with many children is read")
  func wideRoot() throws {
    let count = 20_000
    let children = (0..<count).map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
    let request = try prepare(
      "{\"root\":{\"children\":[\(children)],\"id\":\"r\"}}", as: "tree")
    let forest = try #require(request.forest)
    same(forest.count, count + 1)
    same(forest.depthCount, 2)
    same(forest.children(of: 0), 1..<count + 1)
    same(forest.nodes.id(at: 0)?.string, "r")
    same(forest.nodes.id(at: count)?.string, "\(count - 1)")
  }

  @Test(
    "more nodes than a block holds keep their parents and names", arguments: [8192, 8193, 20_000])
  func manyNodes(count: Int) throws {
    let parents = (0..<count).map { $0 == 0 ? "null" : "\(($0 - 1) / 2)" }.joined(separator: ",")
    let names = (0..<count).map { "\"\($0)\"" }.joined(separator: ",")
    let rows = (0..<count).map {
      "{\"id\":\"\($0)\"" + ($0 == 0 ? "}" : ",\"parent\":\(($0 - 1) / 2)}")
    }
    for data in ["{\"parent\":[\(parents)],\"id\":[\(names)]}", "[\(rows.joined(separator: ","))]"]
    {
      let forest = try #require(try prepare("{\"nodes\":\(data)}", as: "tree").forest)
      // A heap's order is breadth-first already.
      let expected: [Int32] = (0..<Int32(count)).map { $0 == 0 ? -1 : ($0 - 1) / 2 }
      same(forest.parents, expected)
      #expect((0..<count).allSatisfy { forest.nodes.id(at: $0)?.string == "\($0)" })
    }
  }

  @Test(
    "what is wrong in a hierarchy is pointed to",
    arguments: cases("PrepareNodes.faultyHierarchies", String.self, String.self))
  func faultyHierarchies(body: String, pointer: String) throws {
    let members = try faults(in: body, as: "tree")
    same(members.map(\.pointer), [pointer], "\(members)")
  }

  @Test("several faults in a nested hierarchy are told at once, with their own places")
  func severalNestedFaults() throws {
    let body = #"{"root":{"id":"","children":[{"id":1},5,{"x":[{}],"children":[{"y":1}]}],"z":2}}"#
    try same(
      faults(in: body, as: "tree").map(\.pointer),
      [
        "/root/id", "/root/children/0/id", "/root/children/1", "/root/children/2/x",
        "/root/children/2/children/0/y", "/root/z",
      ])
  }

  @Test(
    "a cycle is pointed to by one of its nodes",
    arguments: cases("PrepareNodes.cycles", String.self, [Int].self))
  func cycles(parents: String, nodes: [Int]) throws {
    let columns = try faults(in: "{\"nodes\":{\"parent\":\(parents)}}", as: "tree")
    same(columns.count, 1)
    #expect(nodes.map { "/nodes/parent/\($0)" }.contains(columns.first?.pointer))
    same(columns.first?.detail.contains("cycle"), true)
    let rows = parents.dropFirst().dropLast().split(separator: ",").map { "{\"parent\":\($0)}" }
    let members = try faults(
      in: "{\"nodes\":[\(rows.joined(separator: ","))]}", as: "tree")
    same(members.count, 1)
    #expect(nodes.map { "/nodes/\($0)/parent" }.contains(members.first?.pointer))
  }

  @Test("a syntax error behind a cycle or a missing parent is told rather than them")
  func syntaxBehindCycle() throws {
    for parent in [0, 5] {
      let body = "{\"nodes\":[{\"parent\":\(parent)}],\"options\":{]"
      #expect(throws: BodyError.syntax(offset: body.utf8.count - 1)) {
        try prepare(body, as: "tree")
      }
    }
  }

  @Test("a cycle is told along with what is wrong behind it")
  func faultsBehindCycle() throws {
    let members = try faults(
      in: #"{"nodes":[{"parent":0}],"options":{"spacing":"x"}}"#, as: "tree")
    same(Set(members.map(\.pointer)), ["/nodes/0/parent", "/options/spacing"])
  }

  @Test(
    "broken hierarchies are syntax errors", arguments: cases("PrepareNodes.syntax", String.self))
  func syntax(body: String) throws {
    do {
      _ = try prepare(body, as: "tree")
      Issue.record("accepted")
    } catch BodyError.syntax(let offset) {
      #expect(0...body.utf8.count ~= offset)
    }
  }
}
