import CollectionLayout

extension JSONReader {
  /// Reads an object member by member.
  ///
  /// - Parameters:
  ///   - pointer: The place of the object.
  ///   - known: The names of members that it may have; `nil` if `body` decides. Each member may
  ///     occur once.
  ///   - body: Reads the value of one member.
  /// - Returns: Whether it is an object. If not, a fault is added.
  @discardableResult
  mutating func readObject(
    at pointer: @autoclosure () -> String, known: [String]?, faults: inout InvalidMembers,
    _ body: (String, inout JSONReader, inout InvalidMembers) throws -> Void
  ) throws -> Bool {
    guard try isNext(.object, "an object", at: pointer(), faults: &faults) else { return false }
    try openObject()
    var seen: Set<String> = []
    while let name = try nextField() {
      if known == nil, faults.isFull {
        // No more faults of names are reported, and there may be millions of members. With known
        // names, the members are still read, because an error of too many items has priority.
        try skipValue()
      } else if let known, !known.contains(name) {
        faults.add(
          pointer() + "/" + JSONPointer.escape(name), BodyError.unknown(known))
        try skipValue()
      } else if !seen.insert(name).inserted {
        faults.add(pointer() + "/" + JSONPointer.escape(name), "must be given once only")
        try skipValue()
      } else {
        try body(name, &self, &faults)
      }
    }
    return true
  }

  /// Opens an array.
  ///
  /// - Parameter pointer: The place of the array.
  /// - Returns: Whether it is an array. If not, a fault is added.
  mutating func openArray(
    at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws -> Bool {
    guard try isNext(.array, "an array", at: pointer(), faults: &faults) else { return false }
    try openArray()
    return true
  }

  /// Whether the next value has a type. If not, the value is skipped and a fault is added.
  @inline(__always)
  private mutating func isNext(
    _ type: JSONType, _ name: StaticString, at pointer: @autoclosure () -> String,
    faults: inout InvalidMembers
  ) throws -> Bool {
    if try nextType() == type { return true }
    let start = position
    try skipValue()
    faults.add(pointer(), "must be \(name), was \(text(from: start))")
    return false
  }

  /// Skips a value that is none of the three forms of a list, and adds a fault.
  mutating func refuseList(
    of things: String, at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws {
    let start = position
    try skipValue()
    faults.add(
      pointer(),
      "must be a count, an array of \(things) or an object of columns, was " + text(from: start))
  }

  /// Skips the next value if it is null.
  ///
  /// - Returns: Whether it is null.
  mutating func readNullIfPresent() throws -> Bool {
    guard try nextType() == .null else { return false }
    try skipValue()
    return true
  }

  /// Reads a number in a range, or the word for infinity if the range has it. For anything else a
  /// fault is added, and the result is `nil`.
  mutating func readNumber(
    in range: NumberRange, at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws -> Double? {
    let start = position
    if try nextType() == .number {
      let value = try readNumber()
      if value.isFinite, range.contains(value) { return value + 0 }
    } else if range.takesAll, try nextType() == .string {
      if try readWord() == ItemField.wordForAll { return .infinity }
    } else {
      try skipValue()
    }
    faults.add(pointer(), "must be \(range.requirement), was \(text(from: start))")
    return nil
  }

  /// Reads an integer in a range. For anything else a fault is added, and the result is `nil`.
  mutating func readInteger(
    in range: ClosedRange<Int>, at pointer: @autoclosure () -> String,
    faults: inout InvalidMembers
  ) throws -> Int? {
    let start = position
    if try nextType() == .number {
      if let value = JSONInteger.exactly(try readNumber()), range.contains(value) { return value }
    } else {
      try skipValue()
    }
    faults.add(
      pointer(),
      "must be an integer from \(range.lowerBound) to \(range.upperBound), was "
        + text(from: start))
    return nil
  }
}
