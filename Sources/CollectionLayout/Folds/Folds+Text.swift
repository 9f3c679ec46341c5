/// How a log writes what is folded.
extension Folds {
  /// The depth, and a word for each mark.
  package var text: String {
    var words = [from.map { "\($0)" } ?? "-"]
    for mark in marks where groups.isEmpty {
      words.append(Self.sign(mark.isFolded) + "\(mark.place)")
    }
    for (group, isFolded) in groups {
      switch group {
      case .id(let id):
        words.append(Self.sign(isFolded) + "=" + id.utf8.map { "\($0)" }.joined(separator: "."))
      case .index(let index): words.append(Self.sign(isFolded) + "#\(index)")
      }
    }
    return words.joined(separator: " ")
  }

  private static func sign(_ isFolded: Bool) -> String { isFolded ? "+" : "-" }

  /// - Returns: `nil` if it is something else.
  package init?(from depth: String, marks words: ArraySlice<String>) {
    self.init()
    if depth != "-" {
      guard let from = Int(depth), from >= 0 else { return nil }
      self.from = from
    }
    for word in words {
      guard let sign = word.first, "+-".contains(sign) else { return nil }
      let (isFolded, rest) = (sign == "+", word.dropFirst())
      if rest.first == "=" {
        let bytes = rest.dropFirst().split(separator: ".").map { UInt8($0) }
        guard !bytes.contains(nil) else { return nil }
        groups[.id(String(decoding: bytes.compactMap(\.self), as: UTF8.self))] = isFolded
      } else if rest.first == "#" {
        guard let index = Int(rest.dropFirst()), index >= 0 else { return nil }
        groups[.index(index)] = isFolded
      } else {
        guard let place = Int(rest), place >= 0 else { return nil }
        marks.append(Mark(place: place, isFolded: isFolded))
      }
    }
  }
}
