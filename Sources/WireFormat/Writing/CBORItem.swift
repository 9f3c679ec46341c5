import CollectionLayout

/// Writes data items of CBOR through a pointer, in the deterministic encoding (RFC 8949, section
/// 4.2): each length and each number takes the fewest bytes that hold it.
enum CBORItem {
  typealias Place = UnsafeMutablePointer<UInt8>

  /// The room that a head or a number needs, in bytes.
  static let maxHeadLength = 9

  /// The first byte of a head, without its argument.
  enum Major: UInt8 {
    case unsigned = 0x00
    case negative = 0x20
    case bytes = 0x40
    case text = 0x60
    case array = 0x80
    case map = 0xA0
    case tag = 0xC0
  }

  static let yes: UInt8 = 0xF5
  static let no: UInt8 = 0xF4
  static let null: UInt8 = 0xF6

  /// Writes a head: a number, a tag, or the length of what follows.
  @inline(__always)
  static func write(_ major: Major, _ argument: Int, at start: Place) -> Place {
    if argument < 24 {
      start.pointee = major.rawValue | UInt8(truncatingIfNeeded: argument)
      return start + 1
    }
    return writeLong(major, UInt64(argument), at: start)
  }

  private static func writeLong(_ major: Major, _ argument: UInt64, at start: Place) -> Place {
    switch argument {
    case ..<0x100: write(major.rawValue | 24, UInt8(truncatingIfNeeded: argument), at: start)
    case ..<0x1_0000: write(major.rawValue | 25, UInt16(truncatingIfNeeded: argument), at: start)
    case ..<0x1_0000_0000:
      write(major.rawValue | 26, UInt32(truncatingIfNeeded: argument), at: start)
    default: write(major.rawValue | 27, argument, at: start)
    }
  }

  /// Writes a first byte and a number behind it, in network byte order.
  private static func write(
    _ first: UInt8, _ number: some FixedWidthInteger, at start: Place
  ) -> Place {
    start.pointee = first
    UnsafeMutableRawPointer(start + 1).storeBytes(
      of: number.bigEndian, as: type(of: number.bigEndian))
    return start + 1 + number.bitWidth / 8
  }

  /// Writes a byte that is a data item of its own, such as ``null``.
  @inline(__always)
  static func write(_ byte: UInt8, at start: Place) -> Place {
    start.pointee = byte
    return start + 1
  }

  static func write(_ number: Int, at start: Place) -> Place {
    number < 0 ? write(.negative, -1 - number, at: start) : write(.unsigned, number, at: start)
  }

  /// Writes a number: a whole one of up to 2⁵³ as an integer, others as a float of 16, 32 or 64
  /// bits.
  ///
  /// - Precondition: It is finite. −0 is written as 0.
  static func write(_ number: Double, at start: Place) -> Place {
    if abs(number) <= 0x1p53, number == number.rounded(.towardZero) {
      return write(Int(number), at: start)
    }
    let half = Float16(number)
    if Double(half) == number { return write(0xF9, half.bitPattern, at: start) }
    let single = Float(number)
    if Double(single) == number { return write(0xFA, single.bitPattern, at: start) }
    return write(0xFB, number.bitPattern, at: start)
  }

  @inline(__always)
  static func write(_ text: StaticString, at start: Place) -> Place {
    write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), at: start)
  }

  /// - Parameters:
  ///   - text: UTF-8.
  ///   - major: Text, or bytes.
  @inline(__always)
  static func write(
    _ text: UnsafeBufferPointer<UInt8>, as major: Major = .text, at start: Place
  ) -> Place {
    let end = write(major, text.count, at: start)
    if let base = text.baseAddress { end.update(from: base, count: text.count) }
    return end + text.count
  }

  static func write(text: String, at start: Place) -> Place {
    var text = text
    return text.withUTF8 { write($0, at: start) }
  }

  static func write(_ rect: Rect, at start: Place) -> Place {
    var end = write(.array, 4, at: start)
    end = write(rect.origin.x, at: end)
    end = write(rect.origin.y, at: end)
    end = write(rect.size.width, at: end)
    return write(rect.size.height, at: end)
  }
}

extension [UInt8] {
  /// Lets `body` write up to `capacity` bytes at the end. `body` returns the place where it
  /// stopped.
  mutating func appendItems(_ capacity: Int, _ body: (CBORItem.Place) -> CBORItem.Place) {
    append(addingCapacity: capacity) { (output: inout OutputSpan<UInt8>) in
      output.withUnsafeMutableBufferPointer { buffer, count in
        guard let base = buffer.baseAddress else { return }
        count = body(base + count) - base
        precondition(count <= buffer.count, "wrote \(count - buffer.count) bytes too many")
      }
    }
  }
}
