import CollectionLayout

/// Reads `options` into a layout, by the kind's own list of options.
enum OptionsDecoder {
  /// Sets what is given; null puts an option, or all options of an object, back to the default.
  ///
  /// - Returns: The names of the members that there are.
  @discardableResult
  static func decode<Layout: CollectionViewLayout>(
    _ reader: inout JSONReader, into layout: inout Layout, faults: inout InvalidMembers
  ) throws -> Set<String> {
    try decode(&reader, prefix: "", into: &layout, faults: &faults)
  }

  private static func decode<Layout: CollectionViewLayout>(
    _ reader: inout JSONReader, prefix: String, into layout: inout Layout,
    faults: inout InvalidMembers
  ) throws -> Set<String> {
    var names: Set<String> = []
    let at = prefix.isEmpty ? "/options" : JSONPointer.option(String(prefix.dropLast()))
    try reader.readObject(at: at, known: nil, faults: &faults) { name, reader, faults in
      names.insert(name)
      let fullName = prefix + name
      if !name.contains("."), Layout.hasOptions(inside: fullName) {
        if try reader.readNullIfPresent() {
          layout.resetOptions(inside: fullName)
        } else {
          _ = try decode(&reader, prefix: fullName + ".", into: &layout, faults: &faults)
        }
        return
      }
      guard !name.contains("."), let option = Layout.option(named: fullName) else {
        faults.add(
          at + "/" + JSONPointer.escape(name),
          BodyError.unknown(Layout.optionMembers(inside: prefix)))
        return try reader.skipValue()
      }
      let start = reader.position
      if let value = try optionValue(&reader), option.set(value, in: &layout) { return }
      faults.add(
        JSONPointer.option(fullName),
        "must be \(option.requirement), was \(reader.text(from: start))")
    }
    return names
  }

  /// The value; `nil` for an object or array, which no option is.
  private static func optionValue(_ reader: inout JSONReader) throws -> OptionValue? {
    switch try reader.nextType() {
    case .null:
      try reader.skipValue()
      return .null
    case .boolean: return .boolean(try reader.readBoolean())
    case .number: return .number(try reader.readNumber())
    case .string: return .string(try reader.readWord())
    case .object, .array:
      try reader.skipValue()
      return nil
    }
  }
}

extension CollectionViewLayout {
  /// The members that an object of options may have, each once.
  ///
  /// - Parameter prefix: What their dotted names begin with.
  fileprivate static func optionMembers(inside prefix: String) -> [String] {
    var members: [String] = []
    for name in optionNames where name.hasPrefix(prefix) {
      let member = String(name.dropFirst(prefix.count).prefix { $0 != "." })
      if members.last != member { members.append(member) }
    }
    return members
  }
}
