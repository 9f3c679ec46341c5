import CollectionLayout

/// What the log has of all that is folded in a view.
///
/// The text is `folds revision from`, with `-` for no depth, and for each mark a blank and a word:
/// `+` for a fold, `-` for its contrary, and a place in the data; or, for the group of an
/// arrangement, `=` and the bytes of its id between dots, or `#` and its index.
struct ViewFolds {
  let folds: Folds
  /// Of the data.
  let revision: Int

  init(_ folds: Folds, revision: Int) {
    self.folds = folds
    self.revision = revision
  }

  /// - Returns: `nil` if the text is something else.
  init?(_ text: ArraySlice<UInt8>) {
    let words = text.split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard words.count >= 3, words[0] == "folds", let revision = Int(words[1]), revision >= 0,
      let folds = Folds(from: words[2], marks: words[3...])
    else { return nil }
    self.init(folds, revision: revision)
  }

  /// A body that begins with the text, and what follows it; the body alone if it does not.
  static func split(_ body: [UInt8]) -> (folds: ViewFolds?, rest: [UInt8]) {
    guard body.first == UInt8(ascii: "f"), let end = body.firstIndex(of: 10),
      let folds = ViewFolds(body[..<end])
    else { return (nil, body) }
    return (folds, Array(body[(end + 1)...]))
  }

  var text: [UInt8] { Array(["folds \(revision)", folds.text].joined(separator: " ").utf8) }
}
