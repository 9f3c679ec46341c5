import CollectionLayout

/// A member that an object of a body may have. Most are cases of an enum, so that who reads the
/// object cannot forget one.
protocol BodyMember {
  var name: String { get }
}

extension BodyMember where Self: RawRepresentable<String> {
  var name: String { rawValue }
}

extension String: BodyMember {
  var name: String { self }
}

extension JSONReader {
  /// Reads an object member by member.
  ///
  /// - Parameters:
  ///   - pointer: The place of the object.
  ///   - known: The members that it may have, each once.
  ///   - body: Reads the value of one member.
  /// - Returns: Whether it is an object. If not, a fault is added.
  @discardableResult
  mutating func readObject<Member: BodyMember>(
    at pointer: @autoclosure () -> String, known: [Member], faults: inout InvalidMembers,
    _ body: (Member, inout JSONReader, inout InvalidMembers) throws(BodyError) -> Void
  ) throws(BodyError) -> Bool {
    guard try isNext(.object, "an object", at: pointer(), faults: &faults) else { return false }
    try openObject()
    var seen: Set<String> = []
    // The members are read even if no more faults are reported, because an error of too many items
    // has priority.
    while let name = try nextField() {
      guard let member = known.first(where: { $0.name == name }) else {
        faults.add(
          pointer() + "/" + JSONPointer.escape(name), BodyError.unknown(known.map(\.name)))
        try skipValue()
        continue
      }
      if seen.insert(name).inserted {
        try body(member, &self, &faults)
      } else {
        try refuseRepeated(name, at: pointer(), faults: &faults)
      }
    }
    return true
  }

  /// Reads an object whose members may have any names, each once; see
  /// ``readObject(at:known:faults:_:)``.
  mutating func readMembers(
    at pointer: @autoclosure () -> String, faults: inout InvalidMembers,
    _ body: (String, inout JSONReader, inout InvalidMembers) throws(BodyError) -> Void
  ) throws(BodyError) {
    guard try isNext(.object, "an object", at: pointer(), faults: &faults) else { return }
    try openObject()
    var seen: Set<String> = []
    while let name = try nextField() {
      if faults.isFull {
        // No more faults are reported, and there may be millions of members.
        try skipValue()
      } else if seen.insert(name).inserted {
        try body(name, &self, &faults)
      } else {
        try refuseRepeated(name, at: pointer(), faults: &faults)
      }
    }
  }

  private mutating func refuseRepeated(
    _ name: String, at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws(BodyError) {
    faults.add(pointer() + "/" + JSONPointer.escape(name), "must be given once only")
    try skipValue()
  }

  /// Opens an array.
  ///
  /// - Parameter pointer: The place of the array.
  /// - Returns: Whether it is an array. If not, a fault is added.
  mutating func openArray(
    at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws(BodyError) -> Bool {
    guard try isNext(.array, "an array", at: pointer(), faults: &faults) else { return false }
    try openArray()
    return true
  }

  /// Whether the next value has a type. If not, the value is skipped and a fault is added.
  @inline(__always)
  mutating func isNext(
    _ type: JSONType, _ name: StaticString, at pointer: @autoclosure () -> String,
    faults: inout InvalidMembers
  ) throws(BodyError) -> Bool {
    if try nextType() == type { return true }
    let start = position
    try skipValue()
    faults.add(pointer(), "must be \(name), was \(text(from: start))")
    return false
  }

  /// Skips a value that is none of the three forms of a list, and adds a fault.
  mutating func refuseList(
    of things: String, at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws(BodyError) {
    let start = position
    try skipValue()
    faults.add(
      pointer(),
      "must be a count, an array of \(things) or an object of columns, was " + text(from: start))
  }

  /// Skips the next value if it is null.
  ///
  /// - Returns: Whether it is null.
  mutating func readNullIfPresent() throws(BodyError) -> Bool {
    guard try nextType() == .null else { return false }
    try skipValue()
    return true
  }

  /// Reads a number in a range, or the word for infinity if the range has it. For anything else a
  /// fault is added, and the result is `nil`.
  mutating func readNumber(
    in range: NumberRange, at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws(BodyError) -> Double? {
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

  /// Reads a value of a type. For another one, and where `read` returns `nil`, a fault is added,
  /// and the result is `nil`.
  ///
  /// - Parameters:
  ///   - requirement: What the value must be, as the end of a sentence.
  ///   - read: Reads it as a whole.
  @inline(__always)
  mutating func readValue<Value>(
    _ type: JSONType, at pointer: @autoclosure () -> String,
    _ requirement: @autoclosure () -> String,
    faults: inout InvalidMembers, _ read: (inout JSONReader) throws(BodyError) -> Value?
  ) throws(BodyError) -> Value? {
    let start = position
    if try nextType() == type {
      if let value = try read(&self) { return value }
    } else {
      try skipValue()
    }
    faults.add(pointer(), "must be \(requirement()), was \(text(from: start))")
    return nil
  }

  /// Reads an integer in a range; see ``readValue(_:at:_:faults:_:)``.
  mutating func readInteger(
    in range: ClosedRange<Int>, at pointer: @autoclosure () -> String,
    faults: inout InvalidMembers
  ) throws(BodyError) -> Int? {
    try readValue(
      .number, at: pointer(), "an integer from \(range.lowerBound) to \(range.upperBound)",
      faults: &faults
    ) { (reader) throws(BodyError) in
      JSONInteger.exactly(try reader.readNumber()).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Reads a boolean; see ``readValue(_:at:_:faults:_:)``.
  mutating func readBoolean(
    at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) -> Bool? {
    try readValue(.boolean, at: pointer, "true or false", faults: &faults) {
      (reader) throws(BodyError) in try reader.readBoolean()
    }
  }

  /// Reads one of some words; see ``readValue(_:at:_:faults:_:)``.
  ///
  /// - Parameter known: What a word stands for.
  mutating func readWord<Value>(
    at pointer: String, _ requirement: @autoclosure () -> String, faults: inout InvalidMembers,
    _ known: (String) -> Value?
  ) throws(BodyError) -> Value? {
    try readValue(.string, at: pointer, requirement(), faults: &faults) {
      (reader) throws(BodyError) in known(try reader.readWord())
    }
  }

  /// Reads an id in UTF-8; see ``readValue(_:at:_:faults:_:)``.
  mutating func readIDBytes(
    at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws(BodyError) -> [UInt8]? {
    try readValue(.string, at: pointer(), IDColumn.requirement, faults: &faults) {
      (reader) throws(BodyError) in
      var bytes: [UInt8] = []
      try reader.readString(appendingTo: &bytes)
      return IDColumn.lengths.contains(bytes.count) ? bytes : nil
    }
  }

  /// Reads an id; see ``readValue(_:at:_:faults:_:)``.
  mutating func readID(
    at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws(BodyError) -> ItemID? {
    try readIDBytes(at: pointer(), faults: &faults)
      .map { ItemID(String(decoding: $0, as: UTF8.self)) }
  }

  /// Reads an array element by element; `nil` if it is none.
  ///
  /// - Parameters:
  ///   - things: What a fault calls the elements.
  ///   - limit: If there are more, nothing else is read.
  ///   - read: Reads the element at a pointer. If it is wrong, faults are added, and the result is
  ///     `nil`.
  mutating func readList<Element>(
    of things: String, at pointer: String, upTo limit: Int, faults: inout InvalidMembers,
    _ read: (inout JSONReader, String, inout InvalidMembers) throws(BodyError) -> Element?
  ) throws(BodyError) -> [Element]? {
    guard try openArray(at: pointer, faults: &faults) else { return nil }
    var list: [Element] = []
    var count = 0
    while try nextElement() {
      if let element = try read(&self, "\(pointer)/\(count)", &faults) { list.append(element) }
      count += 1
      if count > limit {
        faults.add(pointer, "must have at most \(limit) \(things)")
        try faults.throwIfAny()
      }
    }
    return list
  }
}
