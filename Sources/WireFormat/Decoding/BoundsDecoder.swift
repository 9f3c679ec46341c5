import CollectionLayout

/// Reads the bounds of a prepare body, and the changes of bounds in a PATCH body.
enum BoundsDecoder {
  /// Reads `{"width": …, "height": …}` and merges it into bounds (RFC 7396).
  ///
  /// - Parameter needsWidth: Whether the merged bounds must have a width.
  static func decode(
    _ reader: inout JSONReader, over bounds: inout Bounds?, needsWidth: Bool
  ) throws(BodyError) {
    var width = bounds?.width
    var height = bounds?.height
    var isComplete = true
    let isObject = try reader.readObject(known: ["width", "height"]) {
      (name, reader) throws(BodyError) in
      let isWidth = name == "width"
      if try reader.readNullIfPresent() {
        if isWidth { width = nil } else { height = nil }
        return
      }
      let value = try reader.readNumber(in: isWidth ? .positive : .nonNegative)
      if value == nil { isComplete = false }
      if isWidth { width = value } else { height = value }
    }
    guard isObject, isComplete else { return }
    if width == nil && needsWidth { reader.refuse(at: ["width"], "must be given") }
    bounds = Bounds(width: width, height: height)
  }
}
