/// The parameters of a query, in the order in which they came.
struct QueryString {
  typealias Parameter = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

  /// Calls `body` with the name and value of each parameter, percent-decoded.
  static func forEachParameter(
    of query: ArraySlice<UInt8>?, _ body: (Parameter) throws(ServiceError) -> Void
  ) throws(ServiceError) {
    guard let query else { return }
    var start = query.startIndex
    while start < query.endIndex {
      let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
      let pair = query[start..<end]
      start = end + 1
      if pair.isEmpty { continue }
      let nameEnd = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard let name = PercentCoding.decode(pair[..<nameEnd]),
        let value = PercentCoding.decode(pair[min(nameEnd + 1, pair.endIndex)...])
      else {
        throw .malformedParameter(name: String(decoding: pair[..<nameEnd], as: UTF8.self))
      }
      try body((name, value))
    }
  }

  /// Refuses any parameter but the known ones.
  static func check(
    _ query: ArraySlice<UInt8>?, known: [String] = []
  ) throws(ServiceError) {
    try forEachParameter(of: query) { (parameter) throws(ServiceError) in
      let name = String(decoding: parameter.name, as: UTF8.self)
      guard known.contains(name) else { throw .unknownParameter(name: name, known: known) }
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes are those of a text; on the hot path, so without any generic comparison.
  func spells(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for offset in 0..<count where self[startIndex + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }
}
