/// The value of a key: a number or a string. On the wire `true` is 1, and `false` 0.
///
/// It is stored in bytes that are in the order of the values: numbers before strings, strings by
/// their UTF-8.
public enum ItemKey: Hashable, Sendable {
  /// Finite; −0 counts as 0.
  case number(Double)
  /// At most ``maxBytes`` bytes.
  case string(String)

  /// The longest string, in bytes of UTF-8.
  public static let maxBytes = 128
  /// The most values of a key of one item.
  public static let maxValues = 64

  private static let numberTag: UInt8 = 1
  private static let stringTag: UInt8 = 2
  private static let listTag: UInt8 = 3

  /// Values as they are stored: several each with its length before it, one as it is, none empty.
  public static func bytes(of values: [[UInt8]]) -> [UInt8] {
    values.count < 2
      ? values.first ?? [] : values.reduce(into: [listTag]) { $0 += [UInt8($1.count)] + $1 }
  }

  /// The values in bytes as they are stored.
  public static func values(of bytes: ArraySlice<UInt8>) -> [ItemKey] {
    var values: [ItemKey] = []
    bytes.withUnsafeBufferPointer { bytes in
      _ = anyValue(in: bytes) {
        values.append(ItemKey($0))
        return false
      }
    }
    return values
  }

  /// Whether something holds for one of the values.
  @inline(__always)
  static func anyValue(
    in bytes: UnsafeBufferPointer<UInt8>, _ holds: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    guard bytes.first == listTag else { return !bytes.isEmpty && holds(bytes) }
    var start = 1
    while start < bytes.count {
      let end = start + 1 + Int(bytes[start])
      if holds(UnsafeBufferPointer(rebasing: bytes[start + 1..<end])) { return true }
      start = end
    }
    return false
  }

  /// The first of the values.
  @inline(__always)
  static func first(in bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    bytes[0] == listTag ? UnsafeBufferPointer(rebasing: bytes[2..<2 + Int(bytes[1])]) : bytes
  }

  static func first(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.first == listTag ? bytes.dropFirst(2).prefix(Int(bytes[bytes.startIndex + 1])) : bytes
  }

  /// `nil` for a number that is not finite.
  public static func bytes(of number: Double) -> [UInt8]? {
    guard number.isFinite else { return nil }
    return [numberTag] + withUnsafeBytes(of: orderedBits(of: number).bigEndian) { Array($0) }
  }

  /// What comes before the UTF-8 of a string.
  public static var stringPrefix: [UInt8] { [stringTag] }

  public var bytes: [UInt8] {
    switch self {
    case .number(let number): Self.bytes(of: number) ?? []
    case .string(let text): Self.stringPrefix + text.utf8
    }
  }

  /// - Parameter bytes: As stored; not empty.
  public init(_ bytes: some Collection<UInt8>) {
    let rest = bytes.dropFirst()
    self =
      bytes.first == Self.numberTag
      ? ItemKey(orderedBits: rest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      : .string(String(decoding: rest, as: UTF8.self))
  }

  init(orderedBits bits: UInt64) {
    self = .number(Double(bitPattern: bits >> 63 == 0 ? ~bits : bits & ~(1 << 63)))
  }

  public static func == (a: ItemKey, b: ItemKey) -> Bool { a.bytes == b.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// Whether stored bytes are those of a number.
  static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { bytes[0] == numberTag }

  /// The bits of a number as it is stored.
  @inline(__always)
  static func orderedBits(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    UInt64(
      bigEndian: UnsafeRawPointer(bytes.baseAddress! + 1).loadUnaligned(as: UInt64.self))
  }

  /// Integers that are in the order of the numbers.
  static func orderedBits(of number: Double) -> UInt64 {
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }
}
