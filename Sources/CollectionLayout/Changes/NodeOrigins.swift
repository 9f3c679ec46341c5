/// Which node of one forest is which of another, that it was made of by changes.
///
///     node      0   1   2   3   4   5   6
///     origin    0   1   –   2   3   6   7      runs: 0 → 0, 2 → –, 3 → 2, 5 → 6
///
/// A change moves few nodes by themselves: it takes a subtree away or puts one somewhere, and in
/// breadth-first order that is a run of nodes in each depth. So whole runs are kept.
struct NodeOrigins: Sendable {
  /// Nodes that follow one another in both forests, as far as the next run begins.
  private struct Run: Sendable {
    var start: Int32
    /// That of the first node, the others' follow; negative for nodes that have none.
    var origin: Int32

    func goesOn(in next: Run) -> Bool {
      if origin < 0 || next.origin < 0 { return origin < 0 && next.origin < 0 }
      return next.origin - origin == next.start - start
    }
  }

  private var runs: [Run] = []
  /// How many nodes there are.
  private(set) var count = 0

  init() {}

  /// Every node is what it was.
  init(identityOf count: Int) {
    append(count, from: 0)
  }

  /// Adds nodes at the end.
  ///
  /// - Parameter origin: That of the first of them; `nil` where they have none.
  mutating func append(_ count: Int, from origin: Int?) {
    guard count > 0 else { return }
    let run = Run(start: Int32(self.count), origin: Int32(origin ?? -1))
    if !(runs.last?.goesOn(in: run) ?? false) { runs.append(run) }
    self.count += count
  }

  /// The origin of a node, or `nil`.
  ///
  /// - Complexity: O(log *r*) for *r* runs.
  func origin(of node: Int) -> Int? {
    let run = runs[self.run(of: node)]
    return run.origin < 0 ? nil : Int(run.origin) + node - Int(run.start)
  }

  /// Calls `body` with the parts of an interval whose nodes follow one another, and the origin of
  /// the first of each.
  ///
  /// - Parameter index: Near which run the first one is looked for; then the one behind the last.
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

  /// The same with the origins that the origins have.
  ///
  /// - Complexity: O(*r* · log *r*) for *r* runs of both; O(*r*) where they are in the same order.
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

  /// Which node the others have become.
  ///
  /// - Parameter count: How many they are.
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
