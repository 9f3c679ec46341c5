import CollectionLayout

/// Reads objects of options.
enum OptionsDecoder {
  /// Reads options and checks them by a table.
  ///
  /// - Returns: `nil` when something is wrong, which is then among the faults.
  static func decode(
    _ reader: inout JSONReader, by table: OptionTable, at pointer: String,
    faults: inout InvalidMembers
  ) throws -> OptionPatch? {
    guard let patch = try decode(&reader, at: pointer, faults: &faults) else { return nil }
    return check(patch, by: table, at: pointer, faults: &faults) ? patch : nil
  }

  /// Reads options of which it is not known yet what they may be.
  ///
  /// - Returns: `nil` when they are no object, or larger than any, which is then among the faults.
  static func decode(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws -> OptionPatch? {
    let start = reader.position
    guard let value = try reader.readValue(at: pointer, faults: &faults) else { return nil }
    guard case .object(let members) = value else {
      faults.add(pointer, "must be an object, was \(reader.text(from: start))")
      return nil
    }
    return patch(of: members, at: pointer, faults: &faults)
  }

  /// Whether options are as a table says.
  static func check(
    _ patch: OptionPatch, by table: OptionTable, at pointer: String, faults: inout InvalidMembers
  ) -> Bool {
    let found = patch.faults(by: table, limit: faults.remainingCapacity)
    for fault in found { faults.add(JSONPointer.appending(fault.path, to: pointer), fault.detail) }
    return found.isEmpty
  }

  private static func patch(
    of members: [(name: String, value: JSONValue)], at pointer: String,
    faults: inout InvalidMembers
  ) -> OptionPatch {
    var patch = OptionPatch()
    var seen: Set<String> = []
    for (name, value) in members {
      guard seen.insert(name).inserted else {
        faults.add(JSONPointer.appending([name], to: pointer), "must be given once only")
        continue
      }
      if case .object(let inner) = value, name != OptionPatch.atomicName {
        let path = JSONPointer.appending([name], to: pointer)
        patch.add(name, .merge(self.patch(of: inner, at: path, faults: &faults)))
      } else {
        patch.add(name, .set(value.optionValue))
      }
    }
    return patch
  }
}
