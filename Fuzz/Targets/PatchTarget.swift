import CollectionLayout
import MicroHTTP
import WireFormat

extension FuzzTarget {
  /// The body of a PATCH of a small layout.
  static func patch(_ layout: FuzzLayout) -> FuzzTarget {
    FuzzTarget("patch-\(layout.kind.name)") { bytes in
      let service = FuzzService()
      let path = service.path(layout)
      service.change(layout.kind.name, .patch, path, bytes, at: path)
      let body = RequestBody.copying(bytes)
      let request = body.withBytes { try? PatchRequest($0, merging: layout.collection) }
      guard let (next, change) = try? request?.applied(to: layout.collection) else { return }
      next.checkIsAsPreparedAnew()
      if let change {
        change.checkInvalidatedRect()
      } else {
        require(
          next.elements() == layout.collection.elements(), "changed without being invalidated")
      }
      next.checkQueries()
      next.checkExport()
    }
  }
}
