@testable import CollectionLayout
@testable import LayoutSessions

/// A layout without elements that says of itself how large it is, and tells when it is freed.
private final class SizedLayout: PreparedLayout {
  let memoryBytes: Int
  let contentSize = Size(width: 0, height: 0)
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

  func hasIDs(inSection section: Int) -> Bool { false }

  func id(ofItemAt indexPath: IndexPath) -> ItemID? { nil }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? { nil }

  func ordinal(ofItemAt indexPath: IndexPath) -> Int { 0 }

  func indexPath(ofOrdinal ordinal: Int) -> IndexPath? { nil }

  func identity(of series: Int, at indexPath: IndexPath) -> ElementIdentity { .item }

  func sweptFrame(of attributes: LayoutAttributes) -> Rect { attributes.frame }
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
      grid, .sections([]), SizedLayout(memoryBytes: layoutBytes, whenFreed: whenFreed))
  }

  private static let grid = GivenLayout(kind: LayoutKind.named("grid")!)

  /// Items with these names, none laid out.
  static func named(_ names: [String]) -> PreparedCollection {
    var bytes: [UInt8] = []
    let ends = names.map { name in
      bytes += Array(name.utf8)
      return UInt32(bytes.count)
    }
    let items = Items(
      ItemStorage(count: names.count, columns: [:], ids: IDColumn(bytes: bytes, ends: ends)))
    return PreparedCollection(
      grid, .sections([CollectionSection(items: items)]),
      SizedLayout(memoryBytes: 0, whenFreed: {}))
  }
}
