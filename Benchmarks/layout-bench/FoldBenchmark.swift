import CollectionLayout
import WireFormat

/// Measures outlines: making one beside a tree in rows, folding, and queries beside many folds.
struct FoldBenchmark {
  let patience: Patience

  func table() throws -> MarkdownTable {
    let count = 2_000_000
    var table = MarkdownTable(
      "Outlines of \(Figure.count(count)) nodes", columns: ["", "aim", "median", "met"])
    func add(_ name: String, _ time: Duration, _ aim: Duration? = nil) {
      let met = aim.map { time <= $0 ? "yes" : "no" } ?? ""
      table.append([name, aim.map { "< " + Figure.time($0) } ?? "", Figure.time(time), met])
    }
    var writer = RequestTextWriter()
    writer.write("{\"bounds\":{\"width\":390},\"nodes\":{\"parent\":")
    let parents = Workload.parents(count)
    writer.writeList(count) { $1.write(parents[$0] < 0 ? "null" : "\(parents[$0])") }
    writer.write("}}")
    let text = RequestText(writer.bytes)
    func prepared(_ kind: String) throws -> PreparedCollection {
      try PrepareRequest(text.bytes, kind: .known(kind), maxItems: .max).prepared()
    }
    let times = try ["tree", "outline"].map { kind in
      try Measurement.of(within: patience, keeping: \.memoryBytes) { try prepared(kind) }.median
    }
    add("prepare a tree in rows", times[0])
    add("prepare an outline", times[1], times[0] * 3 / 2)
    let outline = try prepared("outline")
    for (name, node) in [("the root", "0,0"), ("a child of it", "1,1"), ("a node", "9,9")] {
      let (folded, time) = try fold(outline, "{\"fold\":[{\"at\":[\(node)]}]}")
      add("fold \(name)", time, .milliseconds(5))
      add("unfold it", try fold(folded, "{\"unfold\":[{\"at\":[\(node)]}]}").1, .milliseconds(5))
    }
    for depth in [1, 6, 11] {
      let (folded, time) = try fold(outline, "{\"from\":\(depth)}")
      add("fold all from depth \(depth)", time, .milliseconds(5))
      add("unfold all", try fold(folded, "{\"from\":null}").1, .milliseconds(5))
    }
    var deepest: [IndexPath] = []
    _ = outline.prepared.forEachElement(in: ElementQuery(rect: outline.prepared.contentFrame)) {
      if $1.children != nil { deepest.append($1.indexPath) }
    }
    deepest.sort { $0 > $1 }
    let folded = try deepest.prefix(100_000).indices.filter { $0 % 10_000 == 0 }.reduce(outline) {
      let nodes = deepest[$1..<$1 + 10_000].map { "{\"at\":[\($0.section),\($0.item)]}" }
      return try fold($0, "{\"fold\":[\(nodes.joined(separator: ","))]}").0
    }
    let usual = query(outline)
    add("query 390 × 844 points", usual)
    add("query beside 100,000 folds", query(folded), usual * 13 / 10)
    return table
  }

  /// Folds as the server does, with the transitions of the screen.
  private func fold(
    _ outline: PreparedCollection, _ body: String
  ) throws -> (PreparedCollection, Duration) {
    var made = outline
    let screen = Rect(x: 0, y: 0, width: 390, height: 844)
    let time = try Measurement.of(within: patience, keeping: \.self) {
      let text = RequestText(body)
      let result = try FoldsRequest(text.bytes).applied(to: outline)
      made = result.collection
      return result.change?.forEachTransition(in: screen) { _ in true } ?? false ? 1 : 0
    }
    return (made, time.median)
  }

  private func query(_ outline: PreparedCollection) -> Duration {
    let height = outline.prepared.contentSize.height
    return Measurement.of(within: patience, keeping: \.self) {
      (0..<64).reduce(0) { count, number in
        let rect = Rect(x: 0, y: height * Double(number) / 64, width: 390, height: 844)
        var found = 0
        _ = outline.prepared.forEachElement(in: ElementQuery(rect: rect)) { _, _ in found += 1 }
        return count + found
      }
    }.divided(by: 64).median
  }
}
