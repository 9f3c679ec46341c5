import Foundation

/// The rows of a table in `Tests/cases`, whose name is that of a file and of a member in it.
///
/// A row is an array of as many values as there are types, or a value alone if there is one type.
/// A `String` that is an object or an array in the table is its text, as it is written there: so a
/// body stands in a table as itself.
public func cases<each Value: CaseValue>(
  _ table: String, _ types: repeat (each Value).Type
) -> [(repeat each Value)] {
  var count = 0
  for _ in repeat each types { count += 1 }
  return CaseText.table(table).map { row in
    let values = count == 1 ? [row] : row.elements
    precondition(values.count == count, "\(table) has a row of \(values.count): \(row.text)")
    var index = 0
    func next<One: CaseValue>(_ type: One.Type) -> One {
      defer { index += 1 }
      guard let value = One(values[index]) else {
        preconditionFailure("\(table): \(values[index].text) is no \(type) in \(row.text)")
      }
      return value
    }
    return (repeat next(each types))
  }
}

/// What a table can hold.
public protocol CaseValue: Sendable {
  init?(_ text: CaseText)
}

/// A value in a table, in its text.
public struct CaseText: Sendable {
  public let text: String

  /// The value that the text stands for.
  public var json: JSON? { try? JSON(parsing: Array(text.utf8)) }

  /// The values of an array, or of an object with their names before them.
  public var elements: [CaseText] {
    var (elements, depth, isText, isEscaped): ([[UInt8]], Int, Bool, Bool) = ([[]], 0, false, false)
    for byte in text.utf8 {
      let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
      if isQuote { isText.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      let isOpening = !isText && (byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{"))
      let isClosing = !isText && (byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}"))
      if isClosing { depth -= 1 }
      if !isText, depth == 1, byte == UInt8(ascii: ",") {
        elements.append([])
      } else if depth > 0 {
        elements[elements.count - 1].append(byte)
      }
      if isOpening { depth += 1 }
    }
    let texts = elements.map { CaseText(trimming: String(decoding: $0, as: UTF8.self)) }
    return texts.count == 1 && texts[0].text.isEmpty ? [] : texts
  }

  /// The members of an object.
  public var members: [(name: String, value: CaseText)] {
    elements.compactMap { member in
      // No name has a quotation mark in it.
      guard let end = member.text.dropFirst().firstIndex(of: "\"") else { return nil }
      let rest = member.text[end...].drop { $0 != ":" }.dropFirst()
      return (String(member.text[..<end].dropFirst()), CaseText(trimming: String(rest)))
    }
  }

  public init(trimming text: String) {
    self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "cases")

  /// The names of the files in a folder.
  public static func files(in folder: String) -> [String] {
    let folder = Self.folder.appending(path: folder).path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// What a file holds.
  public static func file(_ name: String) -> CaseText {
    let file = folder.appending(path: "\(name).json")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      preconditionFailure("there is no \(file.path)")
    }
    return CaseText(trimming: text)
  }

  fileprivate static func table(_ name: String) -> [CaseText] {
    let parts = name.split(separator: ".").map(String.init)
    guard let rows = file(parts[0]).members.first(where: { $0.name == parts[1] }) else {
      preconditionFailure("there is no table \(name)")
    }
    return rows.value.elements
  }
}

extension String: CaseValue {
  public init?(_ text: CaseText) {
    // A mark that combines with the quotation mark makes one character of both.
    let isQuoted = text.text.utf8.first == UInt8(ascii: "\"")
    self = isQuoted ? text.json?.string ?? "" : text.text
  }
}

extension Double: CaseValue {
  public init?(_ text: CaseText) { self.init(text.text) }
}

extension Int: CaseValue {
  public init?(_ text: CaseText) { self.init(text.text) }
}

extension UInt8: CaseValue {
  public init?(_ text: CaseText) { self.init(text.text) }
}

extension UInt32: CaseValue {
  public init?(_ text: CaseText) { self.init(text.text) }
}

extension UInt64: CaseValue {
  public init?(_ text: CaseText) { self.init(text.text) }
}

extension Int32: CaseValue {
  public init?(_ text: CaseText) { self.init(text.text) }
}

extension Bool: CaseValue {
  public init?(_ text: CaseText) { self.init(text.text) }
}

extension JSON: CaseValue {
  public init?(_ text: CaseText) {
    guard let json = text.json else { return nil }
    self = json
  }
}

extension Optional: CaseValue where Wrapped: CaseValue {
  public init?(_ text: CaseText) {
    if text.text == "null" {
      self = Self.none
    } else {
      guard let value = Wrapped(text) else { return nil }
      self = .some(value)
    }
  }
}

extension Array: CaseValue where Element: CaseValue {
  public init?(_ text: CaseText) {
    var values: [Element] = []
    for element in text.elements {
      guard let value = Element(element) else { return nil }
      values.append(value)
    }
    self = values
  }
}
