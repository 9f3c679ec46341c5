public import CollectionLayout

extension JSONWriter {
  /// Writes `[x, y, width, height]`.
  public mutating func write(_ rect: Rect) {
    reserve(NumberText.maxRectLength) { NumberText().write(rect, at: $0) }
  }

  /// Writes `{"width": …, "height": …}`.
  public mutating func write(_ size: Size) {
    write("{\"width\":")
    write(size.width)
    write(",\"height\":")
    write(size.height)
    write("}")
  }

  /// Writes `{"width": …, "height": …}` without the members that are not given.
  public mutating func write(_ bounds: Bounds) {
    write("{")
    if let width = bounds.width {
      write("\"width\":")
      write(width)
    }
    if let height = bounds.height {
      write(bounds.width == nil ? "\"height\":" : ",\"height\":")
      write(height)
    }
    write("}")
  }
}

extension NumberText {
  static let maxRectLength = 4 * maxDoubleLength + 5

  /// Writes `[x, y, width, height]`.
  func write(_ rect: Rect, at start: Place) -> Place {
    var end = start
    func put(_ byte: UInt8, _ number: Double) {
      end.pointee = byte
      end = write(number, at: end + 1)
    }
    put(UInt8(ascii: "["), rect.origin.x)
    put(UInt8(ascii: ","), rect.origin.y)
    put(UInt8(ascii: ","), rect.size.width)
    put(UInt8(ascii: ","), rect.size.height)
    end.pointee = UInt8(ascii: "]")
    return end + 1
  }
}
