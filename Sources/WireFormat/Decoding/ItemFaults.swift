/// The faults of one list of items, which are found kind by kind and told in the order of the
/// items.
struct ItemFaults {
  private var found: [(item: Int, pointer: String, detail: String)] = []
  private let capacity: Int

  /// - Parameter capacity: How many are told at most.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Whether what is found behind the items gone over so far is not told any more.
  var isFull: Bool { found.count >= capacity }

  mutating func add(item: Int, _ pointer: String, _ detail: String) {
    found.append((item, pointer, detail))
  }

  /// Adds those that `isFaulty` finds in a range of items: no more than can be told.
  mutating func add(
    in items: Range<Int>, where isFaulty: (Int) -> Bool,
    fault: (Int) -> (pointer: String, detail: String)
  ) {
    var count = 0
    for item in items where isFaulty(item) {
      let (pointer, detail) = fault(item)
      add(item: item, pointer, detail)
      count += 1
      if count >= capacity { return }
    }
  }

  /// Tells the first ones.
  func add(to faults: inout InvalidMembers) {
    let order = found.indices.sorted { (found[$0].item, $0) < (found[$1].item, $1) }
    for index in order { faults.add(found[index].pointer, found[index].detail) }
  }
}
