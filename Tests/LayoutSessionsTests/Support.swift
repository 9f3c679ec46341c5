@testable import CollectionLayout
@testable import LayoutSessions

/// A tree without nodes that says of itself how large it is, and tells when it is freed.
private final class SizedLayout: PreparedTree {
  let shown = ShownNodes(of: try! Forest(parents: []), Folds())
  let layout = TreeLayout()
  let memoryBytes: Int
  let localSize = Size(width: 0, height: 0)
  let counts = ElementCounts(sections: 0, cells: 0, supplementary: 0, decorations: 0)
  let series: [ElementSeries] = []
  private let whenFreed: @Sendable () -> Void

  init(memoryBytes: Int, whenFreed: @escaping @Sendable () -> Void) {
    self.memoryBytes = memoryBytes
    self.whenFreed = whenFreed
  }

  deinit {
    whenFreed()
  }

  func offerElements(
    of series: Int, in rect: Rect, from start: IndexPath, to sink: inout FrameSink
  ) {}

  func cellFrame(of node: Int, atDepth depth: Int) -> Rect { Rect(x: 0, y: 0, width: 0, height: 0) }

  func connectorFrame(of node: Int, atDepth depth: Int) -> Rect {
    cellFrame(of: node, atDepth: depth)
  }

  func outermostFrames(of nodes: Range<Int>, atDepth depth: Int) -> [Rect] { [] }
}

extension PreparedCollection {
  /// A collection that makes a version of so many bytes.
  static func ofVersion(
    bytes: Int, whenFreed: @escaping @Sendable () -> Void = {}
  ) -> PreparedCollection {
    let overhead = HeldCollection(make(layoutBytes: 0)).bytesWithData
    precondition(bytes >= overhead, "a version has at least \(overhead) bytes")
    return make(layoutBytes: bytes - overhead, whenFreed)
  }

  private static func make(
    layoutBytes: Int, _ whenFreed: @escaping @Sendable () -> Void = {}
  ) -> PreparedCollection {
    PreparedCollection(
      GivenLayout(kind: LayoutKind.named("tree")!),
      .forest(SizedLayout(memoryBytes: layoutBytes, whenFreed: whenFreed)), typesetter: nil)
  }

  /// Items with these names.
  static func named(_ names: [String]) throws -> PreparedCollection {
    var bytes: [UInt8] = []
    let ends = names.map { name in
      bytes += Array(name.utf8)
      return UInt32(bytes.count)
    }
    let items = Items(
      ItemStorage(count: names.count, columns: [:], ids: IDColumn(bytes: bytes, ends: ends)))
    let grid = GivenLayout(kind: LayoutKind.named("grid")!, bounds: Bounds(width: 300))
    return try PreparedCollection(grid, .sections([CollectionSection(items: items)]))
  }
}

extension SessionStore {
  /// Stores a new document with its first layout.
  func insert(_ collection: PreparedCollection) throws(SessionsError) -> LayoutVersion {
    try create(collection)
  }

  /// Replaces `current` by the result of a change, as the next version.
  ///
  /// - Parameters:
  ///   - area: The area of the change, without pinned elements.
  ///   - keepsIDs: Whether the index of ids is kept.
  ///   - lineage: Which item is which of the version before; `nil` if nobody knows.
  func advance(
    _ current: LayoutVersion, to collection: PreparedCollection, touching area: InvalidatedRects,
    keepsIDs: Bool = false, lineage: DataLineage? = nil
  ) throws(SessionsError) -> LayoutVersion? {
    let names =
      keepsIDs
      ? current.names : lineage.flatMap { current.names.following($0, in: collection.data) }
    let isOfData = current.isFirst && !(lineage?.isSame ?? false)
    return try replace(
      current, by: collection, names, touching: area, lineage,
      at: current.position.advanced(by: makeChangeID(), isOfData: isOfData, over: current.data))
  }

  /// Replaces options and bounds by others that change no attribute.
  func amend(
    _ current: LayoutVersion, to collection: PreparedCollection
  ) throws(SessionsError) -> LayoutVersion? {
    try advance(current, by: ChangedCollection(collection, nil))
  }
}
