import CollectionLayout
import LayoutSessions
import MicroHTTP

/// Where a list of elements goes on, as it stands in a link: `version-hash-series-section-item`.
struct Cursor: Equatable {
  var version: VersionTag
  var position: ElementPosition

  static let requirement = "must be the cursor of a next link"
}

extension Cursor {
  init?(_ text: Span<UInt8>) {
    let parts = text.withUnsafeBufferPointer { Array($0) }
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let numbers = parts.map { Decimal.integer($0.span) }
    let hashes = parts.map { VersionTag.hash($0.span) }
    guard parts.count == 5, let version = numbers[0], version > 0, let hash = hashes[1],
      let series = numbers[2], let section = numbers[3], let item = numbers[4]
    else { return nil }
    self.init(
      version: VersionTag(number: version, hash: hash),
      position: ElementPosition(
        series: series, indexPath: IndexPath(section: section, item: item)))
  }

  var text: String {
    let path = position.indexPath
    return "\(version)-\(position.series)-\(path.section)-\(path.item)"
  }
}

extension ParameterForm<Cursor> {
  static var cursor: Self {
    ParameterForm(requirement: Cursor.requirement) { Cursor($0) }
  }
}

extension Problem {
  /// A cursor that no query of this kind returns.
  static let foreignCursor = invalidParameter("cursor", Cursor.requirement)
}
