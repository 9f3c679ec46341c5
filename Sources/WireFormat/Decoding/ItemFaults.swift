/// The faults of a list of items. They are found check by check and reported in the order of the
/// items.
struct ItemFaults {
  /// The path goes from the list, or from the column, to what is wrong.
  private var found: [(item: Int, path: [String], detail: String)] = []
  private let capacity: Int

  /// - Parameter capacity: The largest number of faults that are reported.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Whether faults of later items would not be reported any more.
  var isFull: Bool { found.count >= capacity }

  mutating func add(item: Int, at path: [String], _ detail: String) {
    found.append((item, path, detail))
  }

  /// Adds the faults that `isFaulty` finds in a range of items, at most as many as can be reported.
  mutating func add(
    in items: Range<Int>, where isFaulty: (Int) -> Bool,
    fault: (Int) -> (path: [String], detail: String)
  ) {
    var count = 0
    for item in items where isFaulty(item) {
      let (path, detail) = fault(item)
      add(item: item, at: path, detail)
      count += 1
      if count >= capacity { return }
    }
  }

  /// Adds the first faults, in the order of the items, to those of the value that was read.
  func add(to reader: inout JSONReader) {
    let order = found.indices.sorted { (found[$0].item, $0) < (found[$1].item, $1) }
    for index in order { reader.refuse(at: found[index].path, found[index].detail) }
  }
}
