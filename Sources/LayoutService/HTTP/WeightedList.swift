/// The members of a field such as Accept, each with whether its weight lets it through (RFC 9110,
/// section 12.4.2).
enum WeightedList {
  /// - Returns: What each member names, in lowercase and without parameters; accepted unless its `q` is
  ///   zero.
  static func members(of field: String) -> [(name: String, isAccepted: Bool)] {
    field.split(separator: ",").compactMap { member in
      let parts = member.split(separator: ";").map { $0.withoutBlanksAround().lowercased() }
      guard let name = parts.first else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
        Double($0.dropFirst(2))
      }
      return (name, quality ?? 1 > 0)
    }
  }
}
