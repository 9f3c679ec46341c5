extension String {
  /// The text, or as much of its beginning as fits into so many bytes of UTF-8 and an ellipsis.
  ///
  /// For what a client sent and is told of in an answer, which must not grow with it.
  package func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}
