public import CollectionLayout

/// The members that answers to changes have in addition to the summary.
extension JSONWriter {
  /// Writes how many views a layout has.
  public mutating func writeMember(views count: Int) {
    write(",\"views\":")
    write(count)
  }

  /// Writes whether any attribute may differ.
  public mutating func writeMember(invalidated: Bool) {
    write(",\"invalidated\":")
    write(invalidated)
  }

  /// Writes the area that changes touched: one rect around all, and the rects.
  public mutating func writeMembers(invalidated area: InvalidatedRects) {
    write(",\"invalidatedRect\":")
    if let box = area.boundingBox { write(box) } else { write("null") }
    write(",\"invalidatedRects\":[")
    for (index, rect) in area.rects.enumerated() {
      if index > 0 { write(",") }
      write(rect)
    }
    write("]")
  }

  /// Writes the elements that appear, disappear and move.
  public mutating func writeMember(transitions: TransitionsEncoder) {
    write(",\"transitions\":")
    transitions.write(to: &self)
  }

  /// Writes transitions that are text already.
  public mutating func writeMember(transitions text: [UInt8]) {
    write(",\"transitions\":")
    write(raw: text)
  }
}
