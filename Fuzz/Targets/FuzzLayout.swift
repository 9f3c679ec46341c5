import CollectionLayout
import MicroHTTP
import WireFormat

/// A small layout of each kind that changes and queries are tried on.
struct FuzzLayout: Sendable {
  /// Small, since what counts is how the few ways through the code meet.
  static let maxItems = 1000

  let kind: LayoutKind
  /// The body that prepares it.
  let body: String
  let collection: PreparedCollection

  init(_ name: String, _ body: String) {
    guard let kind = LayoutKind.named(name),
      let collection = PreparedCollection(fuzzed: Array(body.utf8), as: kind)
    else { fatalError("cannot be prepared: \(name) \(body)") }
    self.kind = kind
    self.body = body
    self.collection = collection
  }

  static let all = [
    FuzzLayout(
      "grid",
      """
      {"bounds": {"width": 320}, "options": {"columns": 3, "headerHeight": 20, "footerHeight": 10,
       "background": "row", "pinHeaders": true},
       "sections": [{"items": 7}, {"items": 0, "id": "b"}, {"items": [{"id": "a"}, {}]}]}
      """),
    FuzzLayout(
      "list",
      """
      {"bounds": {"width": 320, "height": 480}, "options": {"scrollDirection": "horizontal",
       "contentAlignment": "bottom",
       "layoutDirection": "rightToLeft", "headerHeight": 30, "footerHeight": 8, "pinHeaders": true,
       "pinFooters": true, "sectionInset": {"left": 4.5, "top": 3}, "background": "section"},
       "sections": [{"items": {"width": [50, null, 0, 33.3]}}, {"items": 5,
       "options": {"rowSpacing": 2, "integral": true}}, {"items": [{"id": "a", "aspectRatio": 1.5}]}]}
      """),
    FuzzLayout(
      "waterfall",
      """
      {"bounds": {"width": 320}, "options": {"columns": 3, "headerHeight": 20, "footerHeight": 10,
       "placement": "shortestColumn"}, "sections": [{"items": {"height": [50, null, 0, 33.3]}},
       {"items": 5}, {"items": [{"id": "a", "aspectRatio": 1.5}, {"id": "b"}],
       "options": {"placement": "roundRobin", "minimumColumnWidth": 70, "maximumColumns": 3}},
       {"items": [{"columnSpan": 2}, {"column": 1}, {"columnSpan": "all", "height": 9}, {}],
       "options": {"placement": "lanes", "tolerance": 4, "columnSpacing": 5, "rowSpacing": 2}}]}
      """),
    FuzzLayout(
      "gallery",
      """
      {"bounds": {"width": 900}, "sections": [{"items": 7, "options": {"headerHeight": 62.5}},
       {"items": 0}, {"items": [{"width": 151.5, "id": "a"}, {}, {"width": 299}],
       "options": {"seed": 7, "background": "body", "backgroundInset": {"top": 3, "left": 9}}}]}
      """),
    FuzzLayout(
      "flow",
      """
      {"bounds": {"width": 320}, "options": {"layoutDirection": "rightToLeft", "sectionSpacing": 7,
       "contentInset": {"left": 10}, "itemSize": {"width": 60, "height": 40},
       "emptySections": "hide"}, "sections": [{"items": 9},
       {"items": {"width": [50, 200, 33.3, 90], "height": [null, 20, 70.7, null]}},
       {"items": [{"id": "a", "aspectRatio": 2}, {}], "options": {"alignment": "end",
       "lineAlignment": "bottom"}}, {"items": 0}]}
      """),
    FuzzLayout(
      "justified",
      """
      {"bounds": {"width": 700}, "options": {"targetRowHeight": 120, "headerHeight": 10},
       "sections": [{"items": {"aspectRatio": [1.5, 0.6, null, 2, 1.1, 3]}}, {"items": 4,
       "options": {"lastRow": "center", "integral": true}},
       {"items": [{"id": "a", "width": 400, "height": 300}, {}], "options": {"lastRow": "justify"}}]}
      """),
    FuzzLayout(
      "group",
      """
      {"bounds": {"width": 400, "height": 300}, "options": {"rowSpacing": 5, "group":
       {"direction": "horizontal", "width": {"fractionalWidth": 1}, "height": {"fractionalHeight": 0.5},
       "spacing": 3, "subitems": [{"width": {"flexible": 2}, "height": {"fractionalHeight": 1},
       "insets": {"top": 1}}, {"direction": "vertical", "width": {"flexible": 1}, "height":
       {"fractionalHeight": 1}, "subitems": [{"width": {"fractionalWidth": 1}, "height":
       {"flexible": 1}, "count": 2}]}]}}, "sections": [{"items": 8}, {"items": 2, "options":
       {"group": {"width": {"absolute": 90}, "height": {"absolute": 50}, "direction": "vertical",
       "subitems": [{"width": {"absolute": 90}, "height": {"absolute": 50}}]}}}]}
      """),
    FuzzLayout(
      "frames",
      """
      {"bounds": {"width": 500}, "sections": [{"items": {"x": [0, -20.5, 480], "y": [0, 30, null],
       "width": [100, 0, 70], "height": [null, 40, 0]}, "options": {"footerHeight": 9}},
       {"items": [{"id": "a", "x": 7}, {"y": 1000}]}, {"items": 3}]}
      """),
    FuzzLayout(
      "compositional",
      """
      {"bounds": {"width": 400}, "options": {"headerHeight": 12, "pinHeaders": true}, "sections": [
       {"kind": "list", "orthogonal": {"height": 80}, "options": {"itemHeight": 50}, "items": 6},
       {"kind": "grid", "id": "g", "options": {"minimumColumnWidth": 90, "background": "item"},
       "items": 5}, {"kind": "waterfall", "items": {"height": [50, 20.5, null]}},
       {"kind": "flow", "orthogonal": {"height": 60}, "items": [{"id": "a", "width": 90}]}]}
      """),
    FuzzLayout(
      "tree",
      """
      {"options": {"spacing": "compact", "direction": "left"},
       "nodes": {"parent": [null, 0, 0, 1, 1, 2, null], "id": ["a", "b", "c", "d", "e", "f", "g"],
       "height": [null, 90.5, null, 20, null, null, null]}}
      """),
  ]
}

extension PreparedCollection {
  /// What a prepare request with these bytes makes; `nil` when it is refused.
  init?(fuzzed bytes: [UInt8], as kind: LayoutKind, maxItems: Int = FuzzLayout.maxItems) {
    let body = RequestBody.copying(bytes)
    let request = body.withBytes { bytes in
      try? PrepareRequest(bytes, kind: kind, maxItems: maxItems)
    }
    guard let request, let collection = try? request.prepared() else { return nil }
    self = collection
  }
}
