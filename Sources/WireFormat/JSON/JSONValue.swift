import CollectionLayout

/// Any JSON value, for options.
enum JSONValue {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  /// The members. A name may occur more than once.
  case object([(name: String, value: JSONValue)])
  case array([JSONValue])
}

extension JSONReader {
  /// The largest depth of a value that is read as a whole, and the largest number of values in it,
  /// with itself.
  private static let maximumDepth = 64
  private static let maximumCount = 100_000

  /// Reads a value as a whole. If it is too large to be an option, a fault is added, and the result
  /// is `nil`.
  mutating func readValue() throws(BodyError) -> JSONValue? {
    var room = Self.maximumCount
    let value = try readValue(depth: 0, &room)
    if room < 0 {
      refuse(
        "must have at most \(Self.maximumCount) values in at most \(Self.maximumDepth) levels")
      return nil
    }
    return value
  }

  /// - Parameter room: How many more values are allowed. If it is negative there are too many, and
  ///   the rest is skipped.
  private mutating func readValue(depth: Int, _ room: inout Int) throws(BodyError) -> JSONValue {
    room -= 1
    if depth >= Self.maximumDepth { room = min(room, -1) }
    guard room >= 0 else {
      try skipValue()
      return .null
    }
    switch try nextType() {
    case .null:
      try skipValue()
      return .null
    case .boolean: return .boolean(try readBoolean())
    case .number: return .number(try readNumber())
    case .string: return .string(try readWord())
    case .array:
      var values: [JSONValue] = []
      try openArray()
      while try nextElement() {
        let value = try readValue(depth: depth + 1, &room)
        if room >= 0 { values.append(value) }
      }
      return .array(values)
    case .object:
      var members: [(name: String, value: JSONValue)] = []
      try openObject()
      while let name = try nextField() {
        let value = try readValue(depth: depth + 1, &room)
        if room >= 0 { members.append((name, value)) }
      }
      return .object(members)
    }
  }
}
