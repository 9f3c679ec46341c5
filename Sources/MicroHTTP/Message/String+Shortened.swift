extension String {
  /// The text. If it has more than `limit` bytes of UTF-8, it is the beginning that fits, with an
  /// ellipsis.
  ///
  /// It is used for parts of a request that an answer quotes. The answer must not grow with them.
  package func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}
