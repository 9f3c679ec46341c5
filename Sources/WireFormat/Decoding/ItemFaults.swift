/// The faults of a list of items. They are found check by check and reported in the order of the
/// items.
struct ItemFaults {
  private var found: [(item: Int, pointer: String, detail: String)] = []
  private let capacity: Int

  /// - Parameter capacity: The largest number of faults that are reported.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Whether faults of later items would not be reported any more.
  var isFull: Bool { found.count >= capacity }

  mutating func add(item: Int, _ pointer: String, _ detail: String) {
    found.append((item, pointer, detail))
  }

  /// Adds the faults that `isFaulty` finds in a range of items, at most as many as can be reported.
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

  /// Adds the first faults, in the order of the items.
  func add(to faults: inout InvalidMembers) {
    let order = found.indices.sorted { (found[$0].item, $0) < (found[$1].item, $1) }
    for index in order { faults.add(found[index].pointer, found[index].detail) }
  }
}
