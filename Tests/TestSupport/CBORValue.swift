/// A data item of CBOR, read as RFC 8949 says, by code that shares nothing with the service.
public indirect enum CBORValue: Equatable, Sendable {
  case integer(Int)
  case float(Double)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  case map([String: CBORValue])
  case tagged(Int, CBORValue)
  case boolean(Bool)
  case null

  /// The reason why bytes are not one item in the deterministic encoding, and where.
  public struct Fault: Error, CustomStringConvertible {
    public let description: String
  }

  /// Reads one item. It refuses what the deterministic encoding (section 4.2.1) excludes: lengths
  /// and numbers in more bytes than necessary, indefinite lengths, and keys out of order.
  public init(_ bytes: [UInt8]) throws {
    var reader = Reader(bytes: bytes)
    self = try reader.item()
    guard reader.position == bytes.count else { throw reader.fault("bytes behind the item") }
  }

  public subscript(name: String) -> CBORValue? { map[name] }

  public var map: [String: CBORValue] { if case .map(let members) = self { members } else { [:] } }
  public var array: [CBORValue] { if case .array(let items) = self { items } else { [] } }
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  public var integer: Int? { if case .integer(let number) = self { number } else { nil } }

  /// An integer or a float.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .float(let number): number
    default: nil
    }
  }

  /// The tag, if this is a typed array (RFC 8746).
  public var tag: Int? { if case .tagged(let tag, _) = self { tag } else { nil } }

  /// The doubles of a typed array; `nil` if this is none of doubles, little-endian.
  public var doubles: [Double]? {
    guard case .tagged(86, .bytes(let bytes)) = self, bytes.count % 8 == 0 else { return nil }
    return Self.words(bytes, of: 8).map { Double(bitPattern: $0) }
  }

  /// The integers of a typed array; `nil` if this is none of 32 or 64 bits, little-endian.
  public var integers: [Int]? {
    guard case .tagged(let tag, .bytes(let bytes)) = self, tag == 70 || tag == 71,
      bytes.count % (tag == 70 ? 4 : 8) == 0
    else { return nil }
    return Self.words(bytes, of: tag == 70 ? 4 : 8).map { Int($0) }
  }

  private static func words(_ bytes: [UInt8], of size: Int) -> [UInt64] {
    stride(from: 0, to: bytes.count, by: size).map { start in
      (0..<size).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * $1) }
    }
  }
}

private struct Reader {
  let bytes: [UInt8]
  var position = 0

  func fault(_ what: String) -> CBORValue.Fault {
    CBORValue.Fault(description: "\(what) at \(position) of \(bytes.count)")
  }

  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw fault("the end") }
    defer { position += count }
    return bytes[position..<position + count]
  }

  private mutating func bigEndian(_ count: Int) throws -> UInt64 {
    try take(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func item() throws -> CBORValue {
    let first = try take(1).first!
    let (major, short) = (first >> 5, first & 31)
    if major == 7 { return try simple(short) }
    let argument = Int(try self.argument(short))
    switch major {
    case 0: return .integer(argument)
    case 1: return .integer(-1 - argument)
    case 2: return .bytes(Array(try take(argument)))
    case 3:
      guard let text = String(validating: try take(argument), as: UTF8.self) else {
        throw fault("no UTF-8")
      }
      return .text(text)
    case 4: return .array(try (0..<argument).map { _ in try item() })
    case 5: return try map(argument)
    default: return .tagged(argument, try item())
    }
  }

  private mutating func argument(_ short: UInt8) throws -> UInt64 {
    switch short {
    case 0..<24: return UInt64(short)
    case 24...27:
      let size = 1 << (short - 24)
      let argument = try bigEndian(size)
      let least: UInt64 = size == 1 ? 24 : 1 << (size * 4)
      guard argument >= least else { throw fault("a head that could be shorter") }
      return argument
    default: throw fault("an indefinite length or a reserved head")
    }
  }

  private mutating func simple(_ short: UInt8) throws -> CBORValue {
    switch short {
    case 20: return .boolean(false)
    case 21: return .boolean(true)
    case 22: return .null
    case 25: return .float(Double(Float16(bitPattern: UInt16(try bigEndian(2)))))
    case 26:
      let value = Float(bitPattern: UInt32(try bigEndian(4)))
      guard Float(Float16(value)) != value else { throw fault("a float that could be shorter") }
      return .float(Double(value))
    case 27:
      let value = Double(bitPattern: try bigEndian(8))
      guard Double(Float(value)) != value else { throw fault("a float that could be shorter") }
      return .float(value)
    default: throw fault("a simple value")
    }
  }

  private mutating func map(_ count: Int) throws -> CBORValue {
    var members: [String: CBORValue] = [:]
    var last: ArraySlice<UInt8> = []
    for _ in 0..<count {
      let start = position
      guard case .text(let name) = try item() else { throw fault("a key that is no text") }
      let key = bytes[start..<position]
      guard last.lexicographicallyPrecedes(key) else { throw fault("a key out of order") }
      last = key
      members[name] = try item()
    }
    return .map(members)
  }
}
