import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

/// A forest as lists of children by name: `a(b,c(d))`; `-` for a node without a name.
private func outline(_ forest: Forest) -> String {
  func text(_ node: Int) -> String {
    let children = forest.children(of: node)
    return (forest.id(of: node)?.string ?? "-")
      + (children.isEmpty ? "" : "(" + children.map(text).joined(separator: ",") + ")")
  }
  return (0..<forest.rootCount).map(text).joined(separator: " ")
}

@Suite("Prepare bodies: hierarchies")
struct PrepareNodesTests {
  @Test(
    "nodes mean the same in all their forms",
    arguments: [
      (#""nodes":3"#, "- - -"), (#""nodes":0"#, ""), (#""nodes":[]"#, ""),
      (#""nodes":{"parent":[]}"#, ""), (#""nodes":{"id":[],"parent":[]}"#, ""),
      (#""nodes":[{"id":"NSObject"},{"id":"NSString","parent":0}]"#, "NSObject(NSString)"),
      (#""nodes":{"parent":[null,0,0],"id":["a","b","c"]}"#, "a(b,c)"),
      (#""nodes":{"id":["a","b","c"],"parent":[null,0,0]}"#, "a(b,c)"),
      (#""nodes":{"id":["a",null,"c"]}"#, "a - c"), (#""nodes":{"parent":[null,0,1]}"#, "-(-(-))"),
      (
        #""nodes":[{"parent":2,"id":"a"},{"id":"b","parent":2},{"id":"c","parent":null}]"#, "c(a,b)"
      ),
      (#""nodes":{"parent":[3,0,0,null],"id":["a","b","c","d"]}"#, "d(a(b,c))"),
      (
        #""nodes":[{"id":"x"},{"id":"y"},{"id":"z","parent":1},{"id":"w","parent":0}]"#, "x(w) y(z)"
      ),
      (#""nodes":[{},{"parent":0.0},{"parent":1e0}]"#, "-(-(-))"),
      (#""root":{}"#, "-"), (#""root":{"id":"a"}"#, "a"),
      (#""root":{"id":"a","children":[]}"#, "a"),
      (#""root":{"id":"a","children":null}"#, "a"),
      (#""root":{"id":null,"children":[{}]}"#, "-(-)"),
      (
        #""root":{"id":"a","children":[{"id":"b"},{"id":"c","children":[{"id":"d"}]}]}"#,
        "a(b,c(d))"
      ),
      (
        #""root":{"children":[{"children":[{"id":"d"}],"id":"b"},{"id":"c"}],"id":"a"}"#,
        "a(b(d),c)"
      ),
      (#""root":{"ch\u0069ldren":[{"\u0069d":"\u00e9"}],"id":"a/b"}"#, "a/b(é)"),
      (
        #""root":{"children":[{"children":[{},{"id":"x"}]},{},{"children":[{"id":"y"}],"id":"z"}]}"#,
        "-(-(-,x),-,z(y))"
      ),
    ])
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
    same(forest.id(of: depth - 1)?.string, "leaf")
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
    same(forest.id(of: 0)?.string, "r")
    same(forest.id(of: count)?.string, "\(count - 1)")
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
      #expect((0..<count).allSatisfy { forest.id(of: $0)?.string == "\($0)" })
    }
  }

  @Test(
    "what is wrong in a hierarchy is pointed to",
    arguments: [
      ("{}", "/nodes"), (#"{"bounds":{"width":9}}"#, "/nodes"),
      (#"{"sections":[],"nodes":1}"#, "/sections"),
      (#"{"nodes":null}"#, "/nodes"), (#"{"nodes":"3"}"#, "/nodes"), (#"{"nodes":-1}"#, "/nodes"),
      (#"{"nodes":1.5}"#, "/nodes"), (#"{"nodes":{}}"#, "/nodes"), (#"{"nodes":[5]}"#, "/nodes/0"),
      (#"{"nodes":[{},{"height":0}]}"#, "/nodes/1/height"),
      (#"{"nodes":[{},{"x":1}]}"#, "/nodes/1/x"),
      (#"{"nodes":[{"children":[]}]}"#, "/nodes/0/children"),
      (#"{"nodes":[{"id":5}]}"#, "/nodes/0/id"), (#"{"nodes":[{"id":""}]}"#, "/nodes/0/id"),
      (#"{"nodes":[{},{"parent":"0"}]}"#, "/nodes/1/parent"),
      (#"{"nodes":[{},{"parent":-1}]}"#, "/nodes/1/parent"),
      (#"{"nodes":[{},{"parent":0.5}]}"#, "/nodes/1/parent"),
      (#"{"nodes":[{},{"parent":1e99}]}"#, "/nodes/1/parent"),
      (#"{"nodes":[{},{"parent":0,"parent":0}]}"#, "/nodes/1/parent"),
      (#"{"nodes":[{},{"parent":2}]}"#, "/nodes/1/parent"),
      (#"{"nodes":{"parent":[null,2]}}"#, "/nodes/parent/1"),
      (#"{"nodes":[{},{"parent":2147483647}]}"#, "/nodes/1/parent"),
      (#"{"nodes":{"parent":[null,true]}}"#, "/nodes/parent/1"),
      (#"{"nodes":{"parent":[null],"id":[7]}}"#, "/nodes/id/0"),
      (#"{"nodes":{"parent":[null,0],"id":["a"]}}"#, "/nodes"),
      (#"{"nodes":{"parent":5}}"#, "/nodes/parent"),
      (#"{"nodes":{"parent":[null],"x":[1]}}"#, "/nodes/x"),
      (#"{"nodes":{"parent":[null],"parent":[null]}}"#, "/nodes/parent"),
      (#"{"nodes":[{"parent":0}]}"#, "/nodes/0/parent"),
      (#"{"nodes":{"parent":[0]}}"#, "/nodes/parent/0"),
      (#"{"root":null}"#, "/nodes"), (#"{"root":5}"#, "/root"), (#"{"root":[{}]}"#, "/root"),
      (#"{"root":{"id":5}}"#, "/root/id"), (#"{"root":{"id":""}}"#, "/root/id"),
      (#"{"root":{"parent":0}}"#, "/root/parent"), (#"{"root":{"x/y~z":0}}"#, "/root/x~1y~0z"),
      (#"{"root":{"children":{}}}"#, "/root/children"),
      (#"{"root":{"children":3}}"#, "/root/children"),
      (#"{"root":{"children":[{},5]}}"#, "/root/children/1"),
      (#"{"root":{"children":[{},{},null]}}"#, "/root/children/2"),
      (
        #"{"root":{"children":[{},{"children":[{},{"id":""}]}]}}"#, "/root/children/1/children/1/id"
      ),
      (
        #"{"root":{"children":[{"children":[{"children":"x"}]},{}]}}"#,
        "/root/children/0/children/0/children"
      ),
      (#"{"root":{"children":[{},{"children":[],"y":1}]}}"#, "/root/children/1/y"),
      (#"{"root":{"children":[{"children":[{}],"id":true}]}}"#, "/root/children/0/id"),
      (#"{"root":{"children":[],"children":[]}}"#, "/root/children"),
      (#"{"root":{"id":"a","id":"a"}}"#, "/root/id"),
      (#"{"root":{},"nodes":1}"#, "/nodes"), (#"{"nodes":1,"root":{}}"#, "/root"),
      (#"{"root":{},"root":{}}"#, "/root"),
      (#"{"bounds":{"width":0},"nodes":1}"#, "/bounds/width"),
    ])
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
    arguments: [
      ("[1,0]", [0, 1]), ("[null,2,3,1]", [1, 2, 3]), ("[null,0,2]", [2]), ("[1,2,3,4,3]", [3, 4]),
      ("[5,null,1,4,3,0]", [0, 3, 4, 5]),
    ])
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
    "broken hierarchies are syntax errors",
    arguments: [
      #"{"root":{"children":[{},]}}"#, #"{"root":{"children":[{}}"#, #"{"root":{"id":tru}}"#,
      #"{"root":{"children":[{"id":1}"#, #"{"root":{"children":[5 6]}}"#, #"{"root":{"id":"a",}}"#,
      #"{"root":}"#, #"{"root":{"x":[1,]}}"#, #"{"nodes":[{"parent":01}]}"#,
      #"{"nodes":{"parent":[null,]}}"#,
      #"{"nodes":tru}"#, #"{"root":{"id":"\ud800"}}"#, #"{"root":{"children":nul}}"#,
      #"{"root":{"\u00":1}}"#,
    ])
  func syntax(body: String) throws {
    do {
      _ = try prepare(body, as: "tree")
      Issue.record("accepted")
    } catch BodyError.syntax(let offset) {
      #expect(0...body.utf8.count ~= offset)
    }
  }
}
