public import CollectionLayout

/// What the answers to changes have beyond the summary.
extension JSONWriter {
  /// Writes whether any attribute may be another than before.
  public mutating func writeMember(invalidated: Bool) {
    write(",\"invalidated\":")
    write(invalidated)
  }

  /// Writes the area that a change touched; `null` for none.
  public mutating func writeMember(invalidatedRect: Rect?) {
    write(",\"invalidatedRect\":")
    if let invalidatedRect { write(invalidatedRect) } else { write("null") }
  }

  /// Writes the elements that appear, disappear and move.
  public mutating func writeMember(transitions: TransitionsEncoder) {
    write(",\"transitions\":")
    transitions.write(to: &self)
  }
}
