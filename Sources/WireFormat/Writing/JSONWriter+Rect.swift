public import CollectionLayout

extension JSONWriter {
  /// Writes a rect that the layout computed, as `[x, y, width, height]`.
  public mutating func write(_ rect: Rect) {
    reserve(NumberText.maxRectLength) { [precision] in
      NumberText().write(rect, precision, at: $0)
    }
  }
}

extension NumberText {
  static let maxRectLength = 4 * maxDoubleLength + 5

  /// Writes `[x, y, width, height]`.
  func write(_ rect: Rect, _ precision: CoordinatePrecision, at start: Place) -> Place {
    var end = start
    func put(_ byte: UInt8, _ number: Double) {
      end.pointee = byte
      end = write(number, precision, at: end + 1)
    }
    put(UInt8(ascii: "["), rect.origin.x)
    put(UInt8(ascii: ","), rect.origin.y)
    put(UInt8(ascii: ","), rect.size.width)
    put(UInt8(ascii: ","), rect.size.height)
    end.pointee = UInt8(ascii: "]")
    return end + 1
  }
}
