/// A map from the nodes of a forest to the nodes of an earlier forest, from which changes made it.
///
///     node      0   1   2   3   4   5   6
///     origin    0   1   –   2   3   6   7      runs: 0 → 0, 2 → –, 3 → 2, 5 → 6
///
/// A change removes or inserts a subtree. In breadth-first order a subtree is one run of nodes in
/// each depth. So the map stores whole runs instead of single nodes.
struct NodeOrigins: Sendable {
  /// Nodes that are adjacent in both forests. The run ends where the next one starts.
  private struct Run: Sendable {
    var start: Int32
    /// The origin of the first node; the origins of the others follow. It is negative for new
    /// nodes.
    var origin: Int32

    func goesOn(in next: Run) -> Bool {
      if origin < 0 || next.origin < 0 { return origin < 0 && next.origin < 0 }
      return next.origin - origin == next.start - start
    }
  }

  private var runs: [Run] = []
  /// The number of nodes.
  private(set) var count = 0

  init() {}

  /// Bytes held beyond the map itself.
  var runBytes: Int { 32 + runs.count * MemoryLayout<Run>.stride }

  /// The map of an unchanged forest.
  init(identityOf count: Int) {
    append(count, from: 0)
  }

  /// Adds `count` nodes at the end.
  ///
  /// - Parameter origin: The origin of the first node; `nil` for new nodes.
  mutating func append(_ count: Int, from origin: Int?) {
    guard count > 0 else { return }
    let run = Run(start: Int32(self.count), origin: Int32(origin ?? -1))
    if !(runs.last?.goesOn(in: run) ?? false) { runs.append(run) }
    self.count += count
  }

  /// The origin of a node; `nil` for a new node.
  ///
  /// - Complexity: O(log *r*) for *r* runs.
  func origin(of node: Int) -> Int? {
    let run = runs[self.run(of: node)]
    return run.origin < 0 ? nil : Int(run.origin) + node - Int(run.start)
  }

  /// Calls `body` with each part of a range whose nodes are adjacent in both forests, and with the
  /// origin of its first node.
  ///
  /// - Parameter index: The run near which the search for the first part begins. Afterwards, the
  ///   run behind the last part.
  private func forEachRun(
    in nodes: Range<Int>, near index: inout Int, _ body: (Range<Int>, _ origin: Int?) -> Void
  ) {
    guard !nodes.isEmpty else { return }
    var start = nodes.lowerBound
    index = partitionPoint(in: 0..<runs.count, near: index) { Int(runs[$0].start) <= start } - 1
    while start < nodes.upperBound {
      let run = runs[index]
      index += 1
      let end = min(index < runs.count ? Int(runs[index].start) : count, nodes.upperBound)
      body(start..<end, run.origin < 0 ? nil : Int(run.origin) + start - Int(run.start))
      start = end
    }
  }

  func forEachRun(_ body: (Range<Int>, _ origin: Int?) -> Void) {
    var index = 0
    forEachRun(in: 0..<count, near: &index, body)
  }

  /// The map to the forest before the earlier one: the origins of the origins.
  ///
  /// - Complexity: O(*r* · log *r*) for *r* runs of both; O(*r*) if they are in the same order.
  func following(_ earlier: NodeOrigins) -> NodeOrigins {
    var result = NodeOrigins()
    var index = 0
    forEachRun { nodes, origin in
      guard let origin else {
        result.append(nodes.count, from: nil)
        return
      }
      earlier.forEachRun(in: origin..<origin + nodes.count, near: &index) {
        result.append($0.count, from: $1)
      }
    }
    return result
  }

  /// The map in the other direction: for each earlier node, the node that it became.
  ///
  /// - Parameter count: The number of nodes in the earlier forest.
  /// - Complexity: O(*r* · log *r*) for *r* runs.
  func inverse(count: Int) -> NodeOrigins {
    var places: [(nodes: Range<Int>, origin: Int)] = []
    forEachRun { nodes, origin in
      if let origin { places.append((nodes, origin)) }
    }
    places.sort { $0.origin < $1.origin }
    var result = NodeOrigins()
    for (nodes, origin) in places {
      result.append(origin - result.count, from: nil)
      result.append(nodes.count, from: nodes.lowerBound)
    }
    result.append(count - result.count, from: nil)
    return result
  }

  private func run(of node: Int) -> Int {
    partitionPoint(in: 0..<runs.count) { Int(runs[$0].start) <= node } - 1
  }
}
