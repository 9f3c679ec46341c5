import CollectionLayout
import MicroHTTP
import WireFormat

extension FuzzTarget {
  /// The body of a request that says how large cells are, to small layouts whose cells have heights
  /// of their own, and to one whose cells have none.
  static let sizes = FuzzTarget("sizes") { bytes in
    for layout in FuzzLayout.all
    where ["list", "waterfall", "flow", "grid", "compositional"].contains(layout.kind.name) {
      let service = FuzzService()
      let path = service.path(layout)
      service.change(
        layout.kind.name, .post, path + "/measurements?rect=0,0,500,500", bytes, at: path)
      let body = RequestBody.copying(bytes)
      let request = body.withBytes { bytes in try? MeasurementsRequest(bytes) }
      guard let change = try? request?.applied(to: layout.collection) else { continue }
      change.next.checkIsAsPreparedAnew()
      change.checkInvalidatedRect()
      change.next.checkQueries()
      change.next.checkExport()
    }
  }
}
