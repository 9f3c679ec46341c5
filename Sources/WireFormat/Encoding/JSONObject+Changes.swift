public import CollectionLayout

/// The members that answers to changes have in addition to the summary.
extension JSONObject {
  /// Writes the area that changes touched: one rect around all, and the rects.
  public mutating func write(invalidated area: InvalidatedRects) {
    if let box = area.boundingBox {
      self["invalidatedRect"] = box
    } else {
      writeNull("invalidatedRect")
    }
    self["invalidatedRects"] = Array(area.rects)
  }
}
