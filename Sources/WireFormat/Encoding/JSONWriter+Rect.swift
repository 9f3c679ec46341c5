public import CollectionLayout

extension JSONWriter {
  /// Writes `[x, y, width, height]`.
  public mutating func write(_ rect: Rect) {
    reserve(NumberText.maxRectLength) { NumberText().write(rect, at: $0) }
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
