/// Layouts that many tests ask about.
enum Sample {
  /// Headers at the top of each of three sections, backgrounds behind them, names in the last two.
  static let grid = """
    {"bounds": {"width": 320, "height": 480},
     "options": {"columns": 3, "headerHeight": 44, "background": "section"},
     "sections": [{"items": 1000}, {"items": [{"id": "a"}]}, {"items": {"id": ["b", "c"]}}]}
    """

  /// A layout in which no change can take long, because it stores nothing of an item.
  static let group = """
    {"bounds": {"width": 320},
     "options": {"group": {
       "direction": "horizontal", "width": {"absolute": 100}, "height": {"absolute": 100},
       "subitems": [{"width": {"absolute": 100}, "height": {"absolute": 100}}]}},
     "sections": [{"items": 10}]}
    """

  /// One of each kind with elements of all its series, by kind.
  static let all: [(kind: String, body: String)] = [
    (
      "grid",
      """
      {"bounds": {"width": 320}, "options": {"headerHeight": 20, "footerHeight": 10,
       "background": "item"}, "sections": [{"items": 40}, {"items": 0}, {"items": 31}]}
      """
    ),
    (
      "waterfall",
      """
      {"bounds": {"width": 320}, "options": {"columns": 3, "headerHeight": 20, "footerHeight": 10,
       "placement": "shortestColumn"},
       "sections": [{"items": {"height": [50, 80, null, 0, 33.5, 90, 12, 77]}}, {"items": 60}]}
      """
    ),
    (
      "gallery",
      """
      {"bounds": {"width": 900}, "sections": [{"items": 35, "options": {"headerHeight": 62.5}},
       {"items": 36}]}
      """
    ),
    (
      "list",
      """
      {"bounds": {"width": 320}, "options": {"layoutDirection": "rightToLeft", "headerHeight": 9,
       "background": "section", "contentInset": {"left": 20}},
       "sections": [{"items": {"height": [9, 33.3, null, 70, 0, 12]}}, {"items": 60}]}
      """
    ),
    (
      "flow",
      """
      {"bounds": {"width": 1, "height": 320}, "options": {"scrollDirection": "horizontal",
       "footerHeight": 11}, "sections": [{"items": 70}, {"items": {"width": [9, 80, 70.5]}}]}
      """
    ),
    (
      "justified",
      """
      {"bounds": {"width": 640}, "options": {"targetRowHeight": 120, "integral": true},
       "sections": [{"items": {"aspectRatio": [\((0..<80).map { "\(Double($0 % 7 + 3) / 5)" }
         .joined(separator: ","))]}}]}
      """
    ),
    (
      "group",
      """
      {"bounds": {"width": 320}, "options": {"rowSpacing": 4, "sectionInset": {"left": 10},
       "group": {"direction": "horizontal", "width": {"fractionalWidth": 1},
        "height": {"absolute": 90}, "spacing": 6, "subitems": [
         {"width": {"flexible": 1}, "height": {"fractionalHeight": 1}},
         {"direction": "vertical", "width": {"flexible": 2}, "height": {"fractionalHeight": 1},
          "subitems": [{"width": {"fractionalWidth": 1}, "height": {"flexible": 1}, "count": 2}]}]}},
       "sections": [{"items": 70}, {"items": 0}, {"items": 2}]}
      """
    ),
    (
      "frames",
      """
      {"bounds": {"width": 320}, "options": {"background": "section"},
       "sections": [{"items": {"x": [\((0..<60).map { "\($0 * 37 % 300)" }
         .joined(separator: ","))], "y": [\((0..<60).map { "\($0 * 53 % 700 - 20)" }
         .joined(separator: ","))]}}, {"items": 4}]}
      """
    ),
    (
      "compositional",
      """
      {"bounds": {"width": 320}, "options": {"headerHeight": 12},
       "sections": [{"kind": "list", "orthogonal": {"height": 80}, "items": 40},
        {"kind": "grid", "options": {"columns": 4, "background": "row"}, "items": 60}]}
      """
    ),
    (
      "tree",
      """
      {"options": {"spacing": "compact"},
       "nodes": {"parent": [\((0..<70).map { $0 == 0 ? "null" : "\(($0 - 1) / 3)" }
         .joined(separator: ","))]}}
      """
    ),
  ]
}
