import Foundation

/// A value as JSON has it.
indirect enum JSON: Decodable {
  case number(Double)
  case string(String)
  case boolean(Bool)
  case null
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([JSON].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  var number: Double? { if case .number(let value) = self { value } else { nil } }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }
  var isNull: Bool { if case .null = self { true } else { false } }

  subscript(name: String) -> JSON? { object?[name].flatMap { $0.isNull ? nil : $0 } }

  func isTrue(_ name: String) -> Bool {
    if case .boolean(true) = self[name] { true } else { false }
  }
}
