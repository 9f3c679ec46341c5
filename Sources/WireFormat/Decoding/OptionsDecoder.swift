import CollectionLayout

/// Reads objects of options.
enum OptionsDecoder {
  /// Reads options and checks them with a table.
  ///
  /// - Returns: `nil` if an option is wrong. Then faults are added.
  static func decode(
    _ reader: inout JSONReader, by table: OptionTable, at pointer: String,
    faults: inout InvalidMembers
  ) throws(BodyError) -> OptionPatch? {
    guard let patch = try decode(&reader, at: pointer, faults: &faults) else { return nil }
    return checked(patch, by: table, at: pointer, faults: &faults)
  }

  /// Reads options without checking them, because the table is not known yet.
  ///
  /// - Returns: `nil` if the value is no object or too large. Then a fault is added.
  static func decode(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) -> OptionPatch? {
    let start = reader.position
    guard let value = try reader.readValue(at: pointer, faults: &faults) else { return nil }
    guard case .object(let members) = value else {
      faults.add(pointer, "must be an object, was \(reader.text(from: start))")
      return nil
    }
    return patch(of: members, at: pointer, faults: &faults)
  }

  /// The options by their names in a table.
  ///
  /// - Returns: `nil` if the table does not accept them. Then faults are added.
  static func checked(
    _ patch: OptionPatch, by table: OptionTable, at pointer: String, faults: inout InvalidMembers
  ) -> OptionPatch? {
    let found = patch.faults(by: table, limit: faults.remainingCapacity)
    for fault in found { faults.add(JSONPointer.appending(fault.path, to: pointer), fault.detail) }
    return found.isEmpty ? patch.renamed(by: table) : nil
  }

  private static func patch(
    of members: [(name: String, value: JSONValue)], at pointer: String,
    faults: inout InvalidMembers
  ) -> OptionPatch {
    var patch = OptionPatch()
    for (name, value) in unique(members, at: pointer, faults: &faults) {
      let path = JSONPointer.appending([name], to: pointer)
      if case .object(let inner) = value, !OptionPatch.atomicNames.contains(name) {
        patch.add(name, .merge(self.patch(of: inner, at: path, faults: &faults)))
      } else {
        patch.add(name, .set(self.value(value, at: path, faults: &faults)))
      }
    }
    return patch
  }

  /// A value that is set as a whole. Its nulls are dropped, because they mean "not given".
  private static func value(
    _ value: JSONValue, at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) -> OptionValue {
    switch value {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .number(let value): return .number(value)
    case .string(let value): return .string(value)
    case .array(let values):
      let pointer = pointer()
      return .array(
        values.enumerated().map { index, value in
          self.value(value, at: "\(pointer)/\(index)", faults: &faults)
        })
    case .object(let members):
      let pointer = pointer()
      return .object(
        GivenOptions(
          unique(members, at: pointer, faults: &faults).map { name, value in
            let path = JSONPointer.appending([name], to: pointer)
            return GivenOptions.Member(
              name: name, value: self.value(value, at: path, faults: &faults))
          }))
    }
  }

  /// The members without repeated names. A fault is added for each repetition.
  private static func unique(
    _ members: [(name: String, value: JSONValue)], at pointer: String,
    faults: inout InvalidMembers
  ) -> [(name: String, value: JSONValue)] {
    var seen: Set<String> = []
    return members.filter { name, _ in
      let isFirst = seen.insert(name).inserted
      if !isFirst {
        faults.add(JSONPointer.appending([name], to: pointer), "must be given once only")
      }
      return isFirst
    }
  }
}
