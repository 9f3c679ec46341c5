public import CollectionLayout

extension JSONWriter {
  /// Writes `[x, y, width, height]`.
  public mutating func write(_ rect: Rect) {
    write("[")
    write(rect.origin.x)
    write(",")
    write(rect.origin.y)
    write(",")
    write(rect.size.width)
    write(",")
    write(rect.size.height)
    write("]")
  }

  /// Writes `{"width": …, "height": …}`.
  public mutating func write(_ size: Size) {
    write("{\"width\":")
    write(size.width)
    write(",\"height\":")
    write(size.height)
    write("}")
  }

  /// Writes `{"width": …}` with the height where there is one.
  public mutating func write(_ bounds: Bounds) {
    write("{\"width\":")
    write(bounds.width)
    if let height = bounds.height {
      write(",\"height\":")
      write(height)
    }
    write("}")
  }
}
