/// Collects the area in which two versions of a layout differ.
struct InvalidatedArea {
  /// Holds the old and the new frame of every element that differs.
  private var all = RectCollector()
  /// Without pinned elements, which are in every answer.
  private var besidePins = RectCollector()

  /// The rects that hold the old and the new frame of every element that differs.
  var rects: InvalidatedRects { all.finish() }
  /// Like ``rects``, but without pinned elements.
  var rectsBesidePins: InvalidatedRects { besidePins.finish() }

  /// Includes a frame of the content.
  mutating func include(_ frame: Rect) {
    all.include(frame)
    besidePins.include(frame)
  }

  /// Includes the area that a pinned element may cover.
  mutating func include(pinned swept: Rect) { all.include(swept) }

  mutating func include(_ extent: Extent) {
    all.include(extent)
    besidePins.include(extent)
  }
}
