/// Collects the area in which two versions of a layout differ.
struct InvalidatedArea {
  private var ofPins = RectCollector()
  /// Without pinned elements, which are in every answer.
  private var besidePins = RectCollector()
  /// Of elements of which nothing but data or texts differs.
  private var ofValues: [ValueKind: RectCollector] = [:]
  /// If what is included now differs by these alone.
  var values: [ValueKind] = []

  /// The rects that hold the old and the new frame of every element that differs.
  var rects: InvalidatedRects { .union([ofPins.finish(), rectsBesidePins]) }
  /// Like ``rects``, but without pinned elements.
  var rectsBesidePins: InvalidatedRects {
    var rects = besidePins.finish()
    rects.valueRects = ofValues.mapValues { $0.finish().rects }
    return rects
  }

  /// Includes a frame of the content.
  mutating func include(_ frame: Rect) { include(Extent(frame)) }

  /// Includes the area that a pinned element may cover.
  mutating func include(pinned swept: Rect) { ofPins.include(swept) }

  mutating func include(_ extent: Extent) {
    if values.isEmpty { besidePins.include(extent) }
    for kind in values { ofValues[kind, default: RectCollector()].include(extent) }
  }
}
