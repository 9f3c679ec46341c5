import CollectionLayout

/// What the log has of sizes that were measured in a view.
///
/// The text is the revision of the data, and for each size a line feed and
/// `section item width size`; without a size, an earlier one is taken away. `all` before the
/// revision says that what was measured before is gone.
struct ViewSizes {
  let revision: Int
  /// Whether what was measured before is gone.
  let replacesAll: Bool
  let sizes: [OwnState.Size]
}

extension ViewSizes {
  init?(_ body: ArraySlice<UInt8>) {
    let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let first = lines.first else { return nil }
    let words = Self.words(first)
    guard let last = words.last, let revision = Int(last), revision >= 0,
      words.count == 1 || words.count == 2 && words[0] == "all"
    else { return nil }
    var sizes: [OwnState.Size] = []
    for line in lines.dropFirst() {
      let words = Self.words(line)
      guard (3...4).contains(words.count), let section = Int(words[0]), let item = Int(words[1]),
        section >= 0, item >= 0, let width = Self.length(words[2])
      else { return nil }
      let size = words.count == 4 ? Self.length(words[3]) : nil
      guard words.count == 3 || size != nil else { return nil }
      sizes.append(
        OwnState.Size(IndexPath(section: section, item: item), size: size, width: width))
    }
    self.init(revision: revision, replacesAll: words.count == 2, sizes: sizes)
  }

  var body: [UInt8] {
    var text = (replacesAll ? "all " : "") + "\(revision)"
    for size in sizes {
      text += "\n\(size.path.section) \(size.path.item) \(size.width)"
      if let size = size.size { text += " \(size)" }
    }
    return Array(text.utf8)
  }

  private static func words(_ line: ArraySlice<UInt8>) -> [Substring] {
    String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
  }

  private static func length(_ word: Substring) -> Double? {
    Double(word).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }
}
