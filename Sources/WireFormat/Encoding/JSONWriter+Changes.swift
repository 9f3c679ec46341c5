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

  /// Writes the area that a change touched; `null` if there is none.
  public mutating func writeMember(invalidatedRect: Rect?) {
    write(",\"invalidatedRect\":")
    if let invalidatedRect { write(invalidatedRect) } else { write("null") }
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
