@testable import CollectionLayout
@testable import LayoutSessions

/// A layout without elements that says of itself how large it is.
private final class SizedLayout: PreparedLayout {
  let memoryBytes: Int
  let contentSize = Size(width: 0, height: 0)
  let counts = ElementCounts(sections: 0, cells: 0, supplementary: 0, decorations: 0)
  let series: [ElementSeries] = []

  init(memoryBytes: Int) {
    self.memoryBytes = memoryBytes
  }

  func forEachElement(
    of series: Int, in rect: Rect, from start: IndexPath, into sink: inout ElementSink
  ) {}

  func hasIDs(inSection section: Int) -> Bool { false }

  func id(ofItemAt indexPath: IndexPath) -> ItemID? { nil }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? { nil }

  func identity(of series: Int) -> ElementIdentity { .layout }
}

extension PreparedCollection {
  /// A collection that makes a version of so many bytes.
  static func ofVersion(bytes: Int) -> PreparedCollection {
    let empty = make(layoutBytes: 0)
    let overhead = LayoutVersion(
      id: .random(), number: 1, collection: empty, createdUnixTime: 0
    ).memoryBytes
    precondition(bytes >= overhead, "a version has at least \(overhead) bytes")
    return make(layoutBytes: bytes - overhead)
  }

  private static func make(layoutBytes: Int) -> PreparedCollection {
    PreparedCollection(
      layout: GridLayout(), bounds: nil, data: .sections([]),
      prepared: SizedLayout(memoryBytes: layoutBytes))
  }

  /// Items with these names, none laid out.
  static func named(_ names: [String]) -> PreparedCollection {
    var bytes: [UInt8] = []
    let ends = names.map { name in
      bytes += Array(name.utf8)
      return UInt32(bytes.count)
    }
    let items = Items(
      ItemStorage(count: names.count, columns: [], ids: IDColumn(bytes: bytes, ends: ends)))
    return PreparedCollection(
      layout: GridLayout(), bounds: nil, data: .sections([items]),
      prepared: SizedLayout(memoryBytes: 0))
  }
}
