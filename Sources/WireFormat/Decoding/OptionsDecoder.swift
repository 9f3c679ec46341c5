import CollectionLayout

/// Reads objects of options.
enum OptionsDecoder {
  /// Reads options and checks them with a table.
  ///
  /// - Returns: `nil` if an option is wrong. Then faults are added.
  static func decode(
    _ reader: inout JSONReader, by table: OptionTable
  ) throws(BodyError) -> OptionPatch? {
    try decode(&reader).flatMap { checked($0, by: table, &reader) }
  }

  /// Reads options without checking them, because the table is not known yet.
  ///
  /// - Returns: `nil` if the value is no object or too large. Then a fault is added.
  static func decode(_ reader: inout JSONReader) throws(BodyError) -> OptionPatch? {
    let start = reader.position
    guard let value = try reader.readValue() else { return nil }
    guard case .object(let members) = value else {
      reader.refuse(from: start, "an object")
      return nil
    }
    return patch(of: members, at: [], &reader)
  }

  /// The options by their names in a table.
  ///
  /// - Parameter path: The way from the value that is being read to the options.
  /// - Returns: `nil` if the table does not accept them. Then faults are added.
  static func checked(
    _ patch: OptionPatch, by table: OptionTable, at path: [String] = [],
    _ reader: inout JSONReader
  ) -> OptionPatch? {
    let found = patch.faults(by: table, limit: reader.faults.remainingCapacity)
    for fault in found { reader.refuse(at: path + fault.path, fault.detail) }
    return found.isEmpty ? patch.renamed(by: table) : nil
  }

  private static func patch(
    of members: [(name: String, value: JSONValue)], at path: [String], _ reader: inout JSONReader
  ) -> OptionPatch {
    var patch = OptionPatch()
    for (name, value) in unique(members, at: path, &reader) {
      if case .object(let inner) = value, !OptionPatch.atomicNames.contains(name) {
        patch.add(name, .merge(self.patch(of: inner, at: path + [name], &reader)))
      } else {
        patch.add(name, .set(self.value(value, at: path + [name], &reader)))
      }
    }
    return patch
  }

  /// A value that is set as a whole. Its nulls are dropped, because they mean "not given".
  private static func value(
    _ value: JSONValue, at path: @autoclosure () -> [String], _ reader: inout JSONReader
  ) -> OptionValue {
    switch value {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .number(let value): return .number(value)
    case .string(let value): return .string(value)
    case .array(let values):
      let path = path()
      return .array(
        values.enumerated().map { index, value in
          self.value(value, at: path + ["\(index)"], &reader)
        })
    case .object(let members):
      let path = path()
      return .object(
        GivenOptions(
          unique(members, at: path, &reader).map { name, value in
            GivenOptions.Member(name: name, value: self.value(value, at: path + [name], &reader))
          }))
    }
  }

  /// The members without repeated names. A fault is added for each repetition.
  private static func unique(
    _ members: [(name: String, value: JSONValue)], at path: [String], _ reader: inout JSONReader
  ) -> [(name: String, value: JSONValue)] {
    var seen: Set<String> = []
    return members.filter { name, _ in
      let isFirst = seen.insert(name).inserted
      if !isFirst { reader.refuse(at: path + [name], "must be given once only") }
      return isFirst
    }
  }
}
