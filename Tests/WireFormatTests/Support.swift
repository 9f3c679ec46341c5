import CollectionLayout
import Testing

@testable import WireFormat

/// What a text says, for comparison with other readers.
indirect enum JSON: Equatable {
  case null
  case boolean(Bool)
  case number(Double)
  /// As bytes: Swift's strings compare by canonical equivalence.
  case string([UInt8])
  case array([JSON])
  case object([[UInt8]: JSON])
}

/// Calls `body` with a copy of the bytes, followed by exactly the padding that the reader asks
/// for, which holds what would go on with any number.
func withPadding<R>(
  _ bytes: [UInt8], _ body: (UnsafeMutableRawBufferPointer) throws -> R
) rethrows -> R {
  let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: bytes.count + JSONReader.padding, alignment: 1)
  defer { memory.deallocate() }
  for index in memory.indices.dropFirst(bytes.count) { memory[index] = UInt8(ascii: "1") }
  memory.copyBytes(from: bytes)
  return try body(UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]))
}

func withReader<R>(
  _ bytes: [UInt8], _ body: (inout JSONReader) throws -> R
) throws -> R {
  try withPadding(bytes) {
    var reader = try JSONReader($0)
    return try body(&reader)
  }
}

func withReader<R>(_ text: String, _ body: (inout JSONReader) throws -> R) throws -> R {
  try withReader(Array(text.utf8), body)
}

/// Reads a whole text value by value.
func read(_ bytes: [UInt8]) throws -> JSON {
  try withReader(bytes) { reader in
    let value = try readValue(&reader)
    try reader.finish()
    return value
  }
}

func read(_ text: String) throws -> JSON { try read(Array(text.utf8)) }

func readValue(_ reader: inout JSONReader) throws -> JSON {
  switch try reader.nextType() {
  case .null:
    try reader.skipValue()
    return .null
  case .boolean: return .boolean(try reader.readBoolean())
  case .number: return .number(try reader.readNumber())
  case .string:
    var bytes: [UInt8] = []
    try reader.readString(appendingTo: &bytes)
    return .string(bytes)
  case .array:
    try reader.openArray()
    var elements: [JSON] = []
    while try reader.nextElement() { elements.append(try readValue(&reader)) }
    return .array(elements)
  case .object:
    try reader.openObject()
    var members: [[UInt8]: JSON] = [:]
    while let name = try reader.nextField() {
      members[Array(name.utf8)] = try readValue(&reader)
    }
    return .object(members)
  }
}

/// Passes over a whole text without keeping anything.
func skip(_ bytes: [UInt8]) throws {
  try withReader(bytes) { reader in
    try reader.skipValue()
    try reader.finish()
  }
}

/// Where the reader finds fault; `nil` when the text is JSON.
func faultOffset(_ bytes: [UInt8]) throws -> Int? {
  do {
    _ = try read(bytes)
    return nil
  } catch BodyError.syntax(let offset) {
    return offset
  }
}

/// The kind of a name, which there must be.
func kind(_ name: String) throws -> LayoutKind { try #require(LayoutKind.named(name)) }

func prepare(
  _ bytes: [UInt8], as name: String, maxItems: Int = 1_000_000
) throws -> PrepareRequest {
  let kind = try kind(name)
  return try withPadding(bytes) { try PrepareRequest($0, kind: kind, maxItems: maxItems) }
}

func prepare(
  _ body: String, as kind: String, maxItems: Int = 1_000_000
) throws -> PrepareRequest {
  try prepare(Array(body.utf8), as: kind, maxItems: maxItems)
}

/// The members that a body is refused for; none when it is accepted.
func faults(in body: String, as kind: String) throws -> [InvalidMember] {
  do {
    _ = try prepare(body, as: kind)
    return []
  } catch BodyError.invalid(let members) {
    return members
  }
}

extension PrepareRequest {
  /// The members that the layout refuses; none when it can be had.
  func faultsOfLayout() throws -> [InvalidMember] {
    do throws(BodyError) {
      _ = try prepared()
      return []
    } catch {
      guard case .invalid(let members) = error else { throw error }
      return members
    }
  }

  var sections: [CollectionSection] {
    guard case .sections(let sections) = data else { return [] }
    return sections
  }

  var items: [Items] { sections.map(\.items) }

  var forest: Forest? {
    guard case .forest(let forest) = data else { return nil }
    return forest
  }
}

extension Items {
  /// Every item's value of a field.
  func values(of field: ItemField) -> [Double?] { (0..<count).map { value(of: field, at: $0) } }
  var ids: [String?] { (0..<count).map { id(at: $0)?.string } }
}
