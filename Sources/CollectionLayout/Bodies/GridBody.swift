/// The cells of a grid whose items have fields, and its rows.
///
/// Cells that are placed densely are not in the order of the items from row to row. Then `lanes`
/// holds them in the order of rows, and `order` says which item is where.
final class GridBody: SectionBody {
  /// Which item is at which place in the order of rows, and the other way round.
  struct Order: Sendable {
    let items: [Int32]
    let places: [Int32]
  }

  let lanes: PiecesBody
  /// One frame of full width for each row.
  let rows: any SectionBody
  /// `nil` if the items are in the order of rows.
  private let order: Order?

  /// Whether the items are in the order of rows.
  var isInOrder: Bool { order == nil }

  init(_ lanes: PiecesBody, rows: any SectionBody, order: Order? = nil) {
    self.lanes = lanes
    self.rows = rows
    self.order = order
  }

  var count: Int { lanes.count }
  var height: Double { lanes.height }
  var reach: Rect { lanes.reach }

  var memoryBytes: Int {
    lanes.memoryBytes + rows.memoryBytes + (order.map { $0.items.count * 8 } ?? 0) + 160
  }

  /// Bytes held that another body does not hold.
  func unsharedBytes(besides other: GridBody) -> Int {
    guard order == nil else { return memoryBytes }
    return lanes.unsharedBytes(besides: other.lanes) + rows.memoryBytes(besides: other.rows) + 160
  }

  private func place(of item: Int) -> Int { order.map { Int($0.places[item]) } ?? item }

  func frame(of item: Int) -> Rect { lanes.frame(of: place(of: item)) }

  func firstItem(differingFrom other: any SectionBody, changedFrom first: Int) -> Int {
    guard order == nil else { return 0 }
    guard let other = other as? GridBody else { return first }
    return lanes.firstItem(differingFrom: other.lanes, changedFrom: first)
  }

  func outermostFrames(of items: Range<Int>) -> [Rect] {
    order == nil ? lanes.outermostFrames(of: items) : [reach.widened]
  }

  func offerFrames(in rect: Rect, from start: Int, to sink: inout FrameSink) -> Bool {
    guard start < count else { return true }
    guard let order else { return lanes.offerFrames(in: rect, from: start, to: &sink) }
    guard !rect.covers(reach) else { return offerAll(from: start, to: &sink) }
    // The cells are found in the order of rows, so they must be sorted, although most may belong to
    // later pages. If many are found, it is cheaper to go through all in order.
    let most = count / 8
    var candidates = 0
    var found: [Int32] = []
    let isWhole = lanes.forEachCell(in: rect, from: 0) { cost, _ in
      sink.pass(cost, before: start)
    } _: { place, _ in
      candidates += 1
      guard candidates <= most else { return false }
      if order.items[place] >= start { found.append(order.items[place]) }
      return candidates % 4 != 0 || sink.pass(1, before: start)
    }
    guard isWhole else { return candidates > most && offerAll(from: start, to: &sink) }
    found.sort()
    for item in found where !sink.offer(Int(item), frame(of: Int(item))) { return false }
    return true
  }

  private func offerAll(from start: Int, to sink: inout FrameSink) -> Bool {
    for item in start..<count where !sink.offer(item, frame(of: item)) { return false }
    return true
  }
}
