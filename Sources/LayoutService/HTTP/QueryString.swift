import MicroHTTP

/// The parameters of a query, in the order in which they came.
enum QueryString {
  /// Calls `body` with the name and value of each parameter, percent-decoded.
  static func forEachParameter(
    of target: RequestTarget,
    _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(ServiceError) -> Void
  ) throws(ServiceError) {
    guard let range = target.queryRange else { return }
    let query = target.bytes.span.extracting(range)
    let isEncoded = query.firstIndex(of: UInt8(ascii: "%")) != nil
    var start = 0
    while start < query.count {
      let end = query.firstIndex(of: UInt8(ascii: "&"), from: start) ?? query.count
      let pair = query.extracting(start..<end)
      start = end + 1
      if pair.isEmpty { continue }
      var nameEnd = 0
      while nameEnd < pair.count, pair[nameEnd] != UInt8(ascii: "=") { nameEnd += 1 }
      let name = pair.extracting(..<nameEnd)
      let value = pair.extracting(min(nameEnd + 1, pair.count)...)
      if isEncoded {
        guard let plainName = PercentCoding.decode(name), let plain = PercentCoding.decode(value)
        else { throw .malformedParameter(name: name.text) }
        try body(plainName.span, plain.span)
      } else {
        try body(name, value)
      }
    }
  }

  /// Refuses any parameter but the known ones.
  static func check(
    _ target: RequestTarget, known: [String] = []
  ) throws(ServiceError) {
    guard target.queryRange != nil else { return }
    try forEachParameter(of: target) { (name, _) throws(ServiceError) in
      guard let word = name.word, known.contains(word) else {
        throw .unknownParameter(name: name.text, known: known)
      }
    }
  }
}
