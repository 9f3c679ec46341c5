import Foundation

/// A JSON value, as a reader has it that shares no code with the service.
public enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  public init(parsing bytes: [UInt8]) throws {
    // JSONSerialization does not always give the nearest double.
    self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
  }

  /// A member; null when there is none.
  public subscript(name: String) -> JSON { object[name] ?? .null }

  /// An element; null when there is none.
  public subscript(index: Int) -> JSON { array.indices.contains(index) ? array[index] : .null }

  public var object: [String: JSON] { if case .object(let value) = self { value } else { [:] } }
  public var array: [JSON] { if case .array(let value) = self { value } else { [] } }
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var number: Double? { if case .number(let value) = self { value } else { nil } }
  public var integer: Int? { number.flatMap { Int(exactly: $0) } }

  public func removing(_ names: String...) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.key) })
  }

  /// JSON text that reads back to this value.
  public var text: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): JSON.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSON.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\u{0}"..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }

  /// The same, with the numbers that JSON says of coordinates: of the fewest decimals, at most
  /// four, that are nearer to a multiple of 1/1024 than to any other.
  public var readable: JSON {
    switch self {
    case .number(let value): .number(Self.readable(value))
    case .array(let values): .array(values.map(\.readable))
    case .object(let members): .object(members.mapValues(\.readable))
    default: self
    }
  }

  public static func readable(_ value: Double) -> Double {
    guard value.magnitude < 0x1p42 else { return value }
    let multiple = (value.magnitude * 1024 + 0.5).rounded(.down) / 1024
    let short = [1.0, 10, 100, 1000, 10_000].lazy
      .map { (multiple * $0).rounded() / $0 }
      .first { abs($0 - multiple) < 0x1p-11 }
    return (value < 0 ? -1 : 1) * (short ?? multiple) + 0
  }

  /// Whether both are the same but for numbers that differ by a tolerance plus 1e-9 relative.
  public func isClose(to other: JSON, within tolerance: Double = 1e-9) -> Bool {
    switch (self, other) {
    case (.number(let a), .number(let b)): abs(a - b) <= tolerance + 1e-9 * abs(b)
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isClose(to: $1, within: tolerance) }
    case (.object(let a), .object(let b)):
      a.count == b.count
        && a.allSatisfy { name, value in
          b[name].map { value.isClose(to: $0, within: tolerance) } ?? false
        }
    default: self == other
    }
  }
}

extension JSON: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else if let value = try? container.decode([String: JSON].self) {
      self = .object(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else {
      guard container.decodeNil() else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no JSON value")
      }
      self = .null
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}

extension JSON: CustomStringConvertible {
  public var description: String { text }
}
