import CollectionLayout

extension FuzzTarget {
  /// The body of a prepare request, and queries of what it makes.
  static func prepare(_ layout: FuzzLayout) -> FuzzTarget {
    FuzzTarget("prepare-\(layout.kind.name)") { bytes in
      FuzzService().prepareAndQuery(layout.kind.name, bytes)
      guard let collection = PreparedCollection(fuzzed: bytes, as: layout.kind) else { return }
      collection.checkQueries()
      collection.checkExport()
    }
  }
}
