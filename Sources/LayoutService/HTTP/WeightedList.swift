/// The members of a field such as Accept, each with its weight (RFC 9110, section 12.4.2).
enum WeightedList {
  /// - Returns: What each member names, in lowercase and without parameters; with a quality of zero
  ///   it is not acceptable.
  static func members(of field: String) -> [(name: String, quality: Double)] {
    field.split(separator: ",").compactMap { member in
      let parts = member.split(separator: ";").map { $0.withoutBlanksAround().lowercased() }
      guard let name = parts.first else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
        Double($0.dropFirst(2))
      }
      return (name, quality ?? 1)
    }
  }
}
