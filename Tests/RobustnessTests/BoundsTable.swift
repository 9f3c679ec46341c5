import Foundation

/// The table of all that is stored between requests, in Documentation/bounds.md.
enum BoundsTable {
  struct Row {
    let what: String
    /// The types that have it, or where it is.
    let places: [String]
    /// The names of those who fill it: ``Filling``s.
    let fillings: [String]
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let lines: [Substring] = {
    let file = root.appending(path: "Documentation/bounds.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false)
  }()

  /// The words in backquotes.
  private static func words(_ text: some StringProtocol) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  static let rows: [Row] = {
    let start = lines.firstIndex { $0.hasPrefix("| what | where |") } ?? lines.endIndex
    return lines[start...].dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.split(separator: "|").map { String($0) }
      return Row(
        what: cells[0].trimmingCharacters(in: .whitespaces), places: words(cells[1]),
        fillings: words(cells[3]))
    }
  }()

  /// The types with a lock around something that does not grow.
  static let fixed: [String] = {
    let line = lines.first { $0.hasPrefix("These have a lock") } ?? ""
    return words(line)
  }()

  /// The files of the product in which a lock guards something: the name of the type that each is
  /// about, as its file's name has it.
  ///
  /// In Swift 6 all that requests share is guarded by a lock, so a store has one.
  static let guarded: Set<String> = {
    let sources = root.appending(path: "Sources")
    let files = FileManager.default.enumerator(atPath: sources.path)
    let lock = #/\b(let|var) \w+(: | = )(Mutex|BriefLock|Monitor)[<(]/#
    var found = Set<String>()
    while let path = files?.nextObject() as? String {
      guard path.hasSuffix(".swift"),
        let text = try? String(contentsOf: sources.appending(path: path), encoding: .utf8)
      else { continue }
      let guards = text.split(separator: "\n").contains { line in
        !line.contains("Mutex(())") && line.firstMatch(of: lock) != nil
      }
      let name = path.split(separator: "/").last ?? ""
      if guards { found.insert(String(name.prefix { $0 != "+" && $0 != "." })) }
    }
    return found
  }()
}
