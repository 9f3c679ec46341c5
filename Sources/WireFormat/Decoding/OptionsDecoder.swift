import CollectionLayout

/// Reads objects of options.
enum OptionsDecoder {
  /// Reads options and checks them with a table.
  ///
  /// - Returns: `nil` if an option is wrong. Then faults are added.
  static func decode(
    _ reader: inout JSONReader, by table: OptionTable
  ) throws(BodyError) -> OptionPatch? {
    guard let patch = try reader.readOptions() else { return nil }
    return checked(patch, by: table, &reader)
  }

  /// Options that a table accepts.
  ///
  /// - Parameter path: The way from the value that is being read to the options.
  /// - Returns: `nil` if the table does not accept them. Then faults are added.
  static func checked(
    _ patch: OptionPatch, by table: OptionTable, at path: [String] = [],
    _ reader: inout JSONReader
  ) -> OptionPatch? {
    let found = patch.faults(by: table, limit: reader.faults.remainingCapacity)
    for fault in found { reader.refuse(at: path + fault.path, fault.detail) }
    return found.isEmpty ? patch : nil
  }
}

extension JSONReader {
  /// The largest depth of the value of options, and the largest number of values in it, with
  /// itself.
  private static let maximumDepth = 64
  private static let maximumCount = 100_000

  /// Reads options without checking them with a table.
  ///
  /// - Returns: `nil` if the value is no object or too large. Then a fault is added.
  mutating func readOptions() throws(BodyError) -> OptionPatch? {
    guard try isNext(.object, "an object") else { return nil }
    return try readWhole { (reader) throws(BodyError) in try reader.readPatch(depth: 0) }
  }

  /// Reads a value that may be an option's. If it is too large, a fault is added, and the result is
  /// `nil`.
  mutating func readOption() throws(BodyError) -> OptionValue? {
    try readWhole { (reader) throws(BodyError) in try reader.readOption(depth: 0) }
  }

  private mutating func readWhole<Value>(
    _ read: (inout JSONReader) throws(BodyError) -> Value
  ) throws(BodyError) -> Value? {
    let known = faults
    optionRoom = Self.maximumCount
    defer { optionRoom = 0 }
    let value = try read(&self)
    guard optionRoom < 0 else { return value }
    faults = known
    refuse("must have at most \(Self.maximumCount) values in at most \(Self.maximumDepth) levels")
    return nil
  }

  /// Counts the next value. One that is too deep or too much is skipped.
  private mutating func hasRoom(depth: Int) throws(BodyError) -> Bool {
    optionRoom = depth < Self.maximumDepth ? optionRoom - 1 : -1
    if optionRoom < 0 { try skipValue() }
    return optionRoom >= 0
  }

  private mutating func readPatch(depth: Int) throws(BodyError) -> OptionPatch {
    var patch = OptionPatch()
    guard try hasRoom(depth: depth) else { return patch }
    try readMembers { (name, reader) throws(BodyError) in
      if try reader.nextType() == .object, !OptionPatch.atomicNames.contains(name) {
        patch.add(name, .merge(try reader.readPatch(depth: depth + 1)))
      } else {
        patch.add(name, .set(try reader.readOption(depth: depth + 1)))
      }
    }
    return patch
  }

  /// Reads a value that is set as a whole. Its nulls are dropped, because they mean "not given".
  private mutating func readOption(depth: Int) throws(BodyError) -> OptionValue {
    guard try hasRoom(depth: depth) else { return .null }
    switch try nextType() {
    case .null:
      try skipValue()
      return .null
    case .boolean: return .boolean(try readBoolean())
    case .number: return .number(try readNumber())
    case .string: return .string(try readWord())
    case .array:
      var values: [OptionValue] = []
      try openList()
      while try nextInList() {
        let value = try readOption(depth: depth + 1)
        if optionRoom >= 0 { values.append(value) }
      }
      return .array(values)
    case .object:
      var members: [GivenOptions.Member] = []
      try readMembers { (name, reader) throws(BodyError) in
        members.append(
          GivenOptions.Member(name: name, value: try reader.readOption(depth: depth + 1)))
      }
      return .object(GivenOptions(members))
    }
  }
}
