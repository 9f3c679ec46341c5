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
  /// A step of the path from the body to a value: to a member, or to an element of a list.
  struct Step {
    var member: String?
    /// The index of the element, if it is no member. It is moved on in place, since lists are long.
    var index = -1

    var name: String { member ?? "\(index)" }
  }

  // MARK: Faults

  /// The JSON pointer to the value that is being read.
  var pointer: String { JSONPointer.appending(path.map(\.name), to: "") }

  /// Adds a fault of the value that is being read.
  ///
  /// - Parameter names: The way from there to the part that is wrong.
  mutating func refuse(
    at names: @autoclosure () -> [String] = [], _ detail: @autoclosure () -> String
  ) {
    guard !faults.isFull else { return }
    faults.add(JSONPointer.appending(names(), to: pointer), detail())
  }

  /// Adds the fault of a value that was read and cannot be used.
  ///
  /// - Parameters:
  ///   - start: Where its text begins.
  ///   - requirement: What it must be, as the end of a sentence.
  mutating func refuse(from start: Int, _ requirement: @autoclosure () -> String) {
    guard !faults.isFull else { return }
    faults.add(pointer, "must be \(requirement()), was \(text(from: start))")
  }

  /// Whether the next value has a type. If not, the value is skipped and a fault is added.
  mutating func isNext(_ type: JSONType, _ name: StaticString) throws(BodyError) -> Bool {
    if try nextType() == type { return true }
    let start = position
    try skipValue()
    refuse(from: start, "\(name)")
    return false
  }

  // MARK: Objects and arrays

  /// Reads an object member by member.
  ///
  /// - Parameters:
  ///   - known: The members that it may have, each once.
  ///   - body: Reads the value of one member.
  /// - Returns: Whether it is an object. If not, a fault is added.
  @discardableResult
  mutating func readObject<Member: BodyMember>(
    known: [Member], _ body: (Member, inout JSONReader) throws(BodyError) -> Void
  ) throws(BodyError) -> Bool {
    guard try isNext(.object, "an object") else { return false }
    try openObject()
    var seen: Set<String> = []
    // The members are read even if no more faults are reported, because an error of too many items
    // has priority.
    while let name = try nextField() {
      path.append(Step(member: name))
      if let member = known.first(where: { $0.name == name }) {
        try readOnce(name, &seen) { (reader) throws(BodyError) in try body(member, &reader) }
      } else {
        refuse(BodyError.unknown(known.map(\.name)))
        try skipValue()
      }
      path.removeLast()
    }
    return true
  }

  /// Reads an object whose members may have any names, each once; see ``readObject(known:_:)``.
  mutating func readMembers(
    _ body: (String, inout JSONReader) throws(BodyError) -> Void
  ) throws(BodyError) {
    guard try isNext(.object, "an object") else { return }
    try openObject()
    var seen: Set<String> = []
    while let name = try nextField() {
      path.append(Step(member: name))
      if faults.isFull || optionRoom < 0 {
        // Nobody needs the members any more, and there may be millions of them.
        try skipValue()
      } else {
        try readOnce(name, &seen) { (reader) throws(BodyError) in try body(name, &reader) }
      }
      path.removeLast()
    }
  }

  private mutating func readOnce(
    _ name: String, _ seen: inout Set<String>,
    _ read: (inout JSONReader) throws(BodyError) -> Void
  ) throws(BodyError) {
    if seen.insert(name).inserted { return try read(&self) }
    refuse("must be given once only")
    try skipValue()
  }

  /// Opens an array, whose elements ``nextInList()`` goes through.
  ///
  /// - Returns: Whether it is an array. If not, a fault is added.
  @discardableResult
  mutating func openList() throws(BodyError) -> Bool {
    guard try isNext(.array, "an array") else { return false }
    try openArray()
    path.append(Step())
    return true
  }

  /// Moves to the next element of a list; false at its end, which closes it.
  mutating func nextInList() throws(BodyError) -> Bool {
    path[path.count - 1].index += 1
    if try nextElement() { return true }
    path.removeLast()
    return false
  }

  /// Reads an array element by element; `nil` if it is none.
  ///
  /// - Parameters:
  ///   - things: What a fault calls the elements.
  ///   - limit: If there are more, nothing else is read.
  ///   - read: Reads an element. If it is wrong, faults are added, and the result is `nil`.
  mutating func readList<Element>(
    of things: String, upTo limit: Int,
    _ read: (inout JSONReader) throws(BodyError) -> Element?
  ) throws(BodyError) -> [Element]? {
    guard try openList() else { return nil }
    var list: [Element] = []
    var count = 0
    while try nextInList() {
      if let element = try read(&self) { list.append(element) }
      count += 1
      guard count > limit else { continue }
      path.removeLast()
      refuse("must have at most \(limit) \(things)")
      throw .invalid(faults.members)
    }
    return list
  }

  /// The forms of a list of items or nodes.
  enum ListForm {
    case count(Int)
    /// An array, which is next.
    case rows
    /// An object, which is next.
    case columns
  }

  /// Finds out the form of a list, and reads it if it is a count. If it has no such form, a fault
  /// is added, and the result is `nil`.
  ///
  /// - Parameters:
  ///   - things: What a fault calls the elements.
  ///   - limit: The largest count.
  mutating func readListForm(
    of things: String, upTo limit: Int = JSONInteger.maximum
  ) throws(BodyError) -> ListForm? {
    switch try nextType() {
    case .number: return try readInteger(in: 0...limit).map { .count($0) }
    case .array: return .rows
    case .object: return .columns
    case .null, .boolean, .string:
      let start = position
      try skipValue()
      refuse(from: start, "a count, an array of \(things) or an object of columns")
      return nil
    }
  }

  // MARK: Values

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
  mutating func readNumber(in range: NumberRange) throws(BodyError) -> Double? {
    let start = position
    if try nextType() == .number {
      let value = try readNumber()
      if value.isFinite, range.contains(value) { return value + 0 }
    } else if range.takesAll, try nextType() == .string {
      if try readWord() == ItemField.wordForAll { return .infinity }
    } else {
      try skipValue()
    }
    refuse(from: start, range.requirement)
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
    _ type: JSONType, _ requirement: @autoclosure () -> String,
    _ read: (inout JSONReader) throws(BodyError) -> Value?
  ) throws(BodyError) -> Value? {
    let start = position
    if try nextType() == type {
      if let value = try read(&self) { return value }
    } else {
      try skipValue()
    }
    refuse(from: start, requirement())
    return nil
  }

  /// Reads an integer in a range; see ``readValue(_:_:_:)``.
  mutating func readInteger(in range: ClosedRange<Int>) throws(BodyError) -> Int? {
    try readValue(.number, "an integer from \(range.lowerBound) to \(range.upperBound)") {
      (reader) throws(BodyError) in
      JSONInteger.exactly(try reader.readNumber()).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Reads true or false; see ``readValue(_:_:_:)``.
  mutating func readFlag() throws(BodyError) -> Bool? {
    try readValue(.boolean, "true or false") { (reader) throws(BodyError) in
      try reader.readBoolean()
    }
  }

  /// Reads one of some words; see ``readValue(_:_:_:)``.
  ///
  /// - Parameter known: What a word stands for.
  mutating func readWord<Value>(
    _ requirement: @autoclosure () -> String, _ known: (String) -> Value?
  ) throws(BodyError) -> Value? {
    try readValue(.string, requirement()) { (reader) throws(BodyError) in
      known(try reader.readWord())
    }
  }

  /// Reads the id of an item in UTF-8; see ``readValue(_:_:_:)``.
  mutating func readIDBytes(
    of lengths: ClosedRange<Int> = IDColumn.lengths
  ) throws(BodyError) -> [UInt8]? {
    try readValue(.string, IDColumn.requirement(of: lengths)) { (reader) throws(BodyError) in
      var bytes: [UInt8] = []
      try reader.readString(appendingTo: &bytes)
      return lengths.contains(bytes.count) ? bytes : nil
    }
  }

  /// Reads the id of an item or a section; see ``readValue(_:_:_:)``.
  mutating func readID(
    of lengths: ClosedRange<Int> = IDColumn.lengths
  ) throws(BodyError) -> ItemID? {
    try readIDBytes(of: lengths).map { ItemID(String(decoding: $0, as: UTF8.self)) }
  }
}
