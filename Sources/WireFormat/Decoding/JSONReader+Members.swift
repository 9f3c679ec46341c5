import CollectionLayout

extension JSONReader {
  /// Reads an object member by member.
  ///
  /// - Parameters:
  ///   - pointer: Where the object is.
  ///   - known: The names that it may have, each once; `nil` when `body` decides.
  ///   - body: Reads the value of one member.
  /// - Returns: Whether it is an object; if not, that is among the faults.
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
        // Nothing more is told of names, and there may be millions. Members of ours are few, and go
        // on being read: too many items are told before all else.
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
  /// - Parameter pointer: Where it is.
  /// - Returns: Whether it is an array; if not, that is among the faults.
  mutating func openArray(
    at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws -> Bool {
    guard try isNext(.array, "an array", at: pointer(), faults: &faults) else { return false }
    try openArray()
    return true
  }

  /// Whether a value of a type comes next; another one is among the faults, and skipped.
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

  /// Passes over null, if that is what comes next.
  mutating func readNullIfPresent() throws -> Bool {
    guard try nextType() == .null else { return false }
    try skipValue()
    return true
  }

  /// Reads a number of a range; anything else is among the faults, and `nil`.
  mutating func readNumber(
    in range: NumberRange, at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws -> Double? {
    let start = position
    if try nextType() == .number {
      let value = try readNumber()
      if range.contains(value) { return value + 0 }
    } else {
      try skipValue()
    }
    faults.add(pointer(), "must be \(range.requirement), was \(text(from: start))")
    return nil
  }

  /// Reads an integer of a range; anything else is among the faults, and `nil`.
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
