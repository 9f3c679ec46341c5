import MicroHTTP

/// Reads the parameters of a query, in their order.
enum QueryString {
  /// Calls `body` with the name and value of each parameter, percent-decoded.
  static func forEachParameter(
    of target: RequestTarget,
    _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Problem) -> Void
  ) throws(Problem) {
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
        else {
          throw Problem(
            .invalidParameter,
            "The query parameter \"\(name.text.shortened(to: Problem.EchoLimit.name))\" has a "
              + "percent sign without two hexadecimal digits after it.")
        }
        try body(plainName.span, plain.span)
      } else {
        try body(name, value)
      }
    }
  }

  /// Reads a query that may have only these parameters.
  static func read<Values>(
    _ target: RequestTarget, _ parameters: QueryParameters<Values>, into values: inout Values
  ) throws(Problem) {
    let list = parameters.list
    /// A bit for each parameter.
    var given: UInt64 = 0
    try forEachParameter(of: target) { (name, value) throws(Problem) in
      guard let index = list.indices.first(where: { list.use($0) { name.spells($0.name) } })
      else {
        let known = parameters.names.joined(separator: ", ")
        throw Problem(
          .invalidParameter,
          "The query parameter \"\(name.text.shortened(to: Problem.EchoLimit.name))\" is unknown; "
            + (known.isEmpty ? "there are none here." : "known: \(known)."))
      }
      try list.use(index) { (parameter) throws(Problem) in
        guard given & 1 << index == 0 || parameter.isRepeatable else {
          throw .invalidParameter(parameter.name, "must be given once only")
        }
        given |= 1 << index
        guard parameter.take(&values, value) else {
          throw .invalidParameter(parameter.name, parameter.requirement)
        }
      }
    }
    for index in list.indices where given & 1 << index == 0 {
      try list.use(index) { (parameter) throws(Problem) in
        guard let example = parameter.example else { return }
        let name = parameter.name
        throw .invalidParameter(name, "must be given: \(name)=\(example)")
      }
    }
  }

  /// Whether a query has a parameter. A query that cannot be read has none.
  static func has(_ parameter: StaticString, in target: RequestTarget) -> Bool {
    var isFound = false
    try? forEachParameter(of: target) { (name, _) throws(Problem) in
      if name.spells(parameter) { isFound = true }
    }
    return isFound
  }

  private static let nothing: QueryParameters<Void> = []

  /// Refuses any parameter.
  static func checkEmpty(_ target: RequestTarget) throws(Problem) {
    guard target.queryRange != nil else { return }
    var values: Void = ()
    try read(target, nothing, into: &values)
  }
}
