import CollectionLayout
import MicroHTTP

/// Where a list of elements goes on, as it stands in a link: `version-series-section-item`.
struct Cursor: Equatable {
  var version: Int
  var position: ElementPosition

  static let requirement = "must be the cursor of a next link"

  init(version: Int, position: ElementPosition) {
    self.version = version
    self.position = position
  }

  init?(_ text: Span<UInt8>) {
    let parts = text.withUnsafeBufferPointer { Array($0) }
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      .map { Decimal.integer($0.span) }
    guard parts.count == 4, let version = parts[0], version > 0, let series = parts[1],
      let section = parts[2], let item = parts[3]
    else { return nil }
    self.init(
      version: version,
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

extension ServiceError {
  /// A cursor that no query of this kind returns.
  static let foreignCursor = invalidParameter(
    name: "cursor", requirement: Cursor.requirement)
}
