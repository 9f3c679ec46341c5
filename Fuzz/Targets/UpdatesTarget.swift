import CollectionLayout
import MicroHTTP
import WireFormat

extension FuzzTarget {
  /// The body of an updates request to a small layout.
  static func updates(_ layout: FuzzLayout) -> FuzzTarget {
    FuzzTarget("updates-\(layout.kind.name)") { bytes in
      let service = FuzzService()
      let path = service.path(layout)
      service.change(layout.kind.name, .post, path + "/updates?rect=0,0,500,500", bytes, at: path)
      let body = RequestBody.copying(bytes)
      let request = body.withBytes { bytes in
        try? UpdatesRequest(bytes, kind: layout.kind, maxItems: FuzzLayout.maxItems)
      }
      // The layouts that updates make are compared item by item: not those of a huge grid.
      guard let change = try? request?.applied(to: layout.collection),
        change.next.prepared.counts.cells <= 2 * FuzzLayout.maxItems
      else { return }
      change.next.checkIsAsPreparedAnew()
      change.checkInvalidatedRect()
      change.next.checkQueries()
      change.next.checkExport()
    }
  }
}
