import CollectionLayout
import MicroHTTP
import WireFormat

/// A small layout of each kind that changes and queries are tried on.
struct FuzzLayout: Sendable {
  /// Small, since what counts is how the few ways through the code meet.
  static let maxItems = 1000

  let kind: any CollectionViewLayout.Type
  /// The body that prepares it.
  let body: String
  let collection: PreparedCollection

  init(_ kind: any CollectionViewLayout.Type, _ body: String) {
    self.kind = kind
    self.body = body
    guard let collection = PreparedCollection(fuzzed: Array(body.utf8), as: kind) else {
      fatalError("cannot be prepared: \(body)")
    }
    self.collection = collection
  }

  static let all = [
    FuzzLayout(
      GridLayout.self,
      """
      {"bounds": {"width": 320}, "options": {"columns": 3, "headerHeight": 20, "footerHeight": 10,
       "background": "row"}, "sections": [{"items": 7}, {"items": 0}, {"items": [{"id": "a"}, {}]}]}
      """),
    FuzzLayout(
      WaterfallLayout.self,
      """
      {"bounds": {"width": 320}, "options": {"columns": 3, "headerHeight": 20, "footerHeight": 10,
       "placement": "shortestColumn"}, "sections": [{"items": {"height": [50, null, 0, 33.3]}},
       {"items": 5}, {"items": [{"id": "a", "aspectRatio": 1.5}, {"id": "b"}]}]}
      """),
    FuzzLayout(
      GalleryLayout.self,
      """
      {"bounds": {"width": 900}, "sections": [{"items": 7}, {"items": 0},
       {"items": [{"width": 151.5, "id": "a"}, {}, {"width": 299}]}]}
      """),
    FuzzLayout(
      TreeLayout.self,
      """
      {"options": {"spacing": "compact"},
       "nodes": {"parent": [null, 0, 0, 1, 1, 2, null], "id": ["a", "b", "c", "d", "e", "f", "g"]}}
      """),
  ]
}

extension PreparedCollection {
  /// What a prepare request with these bytes makes; `nil` when it is refused.
  init?(fuzzed bytes: [UInt8], as kind: any CollectionViewLayout.Type) {
    let body = RequestBody.copying(bytes)
    let request = body.withBytes { bytes in
      try? PrepareRequest(bytes, kind: kind, maxItems: FuzzLayout.maxItems)
    }
    guard let request, let collection = try? request.prepared() else { return nil }
    self = collection
  }
}
