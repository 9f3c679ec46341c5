/// Names, and all names below some names: `example.com`, `*.example.com`.
struct NamePatterns: Equatable, Sendable {
  private var names: Set<String> = []
  /// What stands before and behind the asterisk.
  private var patterns: [Pattern] = []

  private struct Pattern: Equatable, Sendable {
    let start: String
    let end: String
  }

  init(_ texts: [String]) {
    for text in texts {
      if let star = text.firstIndex(of: "*") {
        patterns.append(
          Pattern(start: String(text[..<star]), end: String(text[text.index(after: star)...])))
      } else {
        names.insert(text)
      }
    }
  }

  func contains(_ name: String) -> Bool {
    if names.contains(name) { return true }
    return patterns.contains {
      name.utf8.count > $0.start.utf8.count + $0.end.utf8.count && name.hasPrefix($0.start)
        && name.hasSuffix($0.end)
        && name.utf8.dropFirst($0.start.utf8.count).dropLast($0.end.utf8.count)
          .allSatisfy(Self.mayStandInName)
    }
  }

  static func mayStandInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
