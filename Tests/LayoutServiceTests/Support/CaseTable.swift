import Foundation
import TestSupport
import Testing

/// Tables of cases in `Fixtures/faults`, a case a line. A body is sent as it is written there; one
/// that would be no JSON in the table stands in a text.
enum CaseTable {
  /// A body that cannot be used, and what is said of it.
  struct Fault: CustomTestStringConvertible, Sendable {
    let kind: String
    let body: String
    let pointer: String
    /// What the detail says, beside what was given.
    let says: String

    var testDescription: String { "\(kind) \(body)" }
  }

  static func faults(_ name: String) -> [Fault] {
    rows(name).map { Fault(kind: $0[0], body: $0[1], pointer: $0[2], says: $0[3]) }
  }

  static func rows(_ name: String) -> [[String]] {
    guard
      let file = Bundle.module.url(forResource: "Fixtures/faults/\(name)", withExtension: "json"),
      let text = try? String(contentsOf: file, encoding: .utf8)
    else { preconditionFailure("there is no table \(name)") }
    return text.split(separator: "\n").filter { $0.count > 1 }.map { line in
      values(of: Array(line.utf8)).map { value in
        (try? JSON(parsing: value))?.string ?? String(decoding: value, as: UTF8.self)
      }
    }
  }

  /// The values of an array in its text, each as it is written.
  private static func values(of array: [UInt8]) -> [[UInt8]] {
    var (values, depth, isText, isEscaped): ([[UInt8]], Int, Bool, Bool) = ([[]], 0, false, false)
    for byte in array {
      let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
      if isQuote { isText.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      let isOpening = !isText && (byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{"))
      let isClosing = !isText && (byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}"))
      if isClosing { depth -= 1 }
      if !isText, depth == 1, byte == UInt8(ascii: ",") {
        values.append([])
      } else if depth > 0 {
        values[values.count - 1].append(byte)
      }
      if isOpening { depth += 1 }
    }
    return values
  }
}
