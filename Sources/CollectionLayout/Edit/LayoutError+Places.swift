extension LayoutError {
  /// Throws if a place is not from 0 to `count`.
  ///
  /// - Parameter index: The update's index in the sequence.
  static func checkPlace(
    _ place: Int, upTo count: Int, _ member: String, _ index: Int
  ) throws(LayoutError) {
    guard (0...count).contains(place) else {
      throw .invalidUpdate(
        index, member: member, requirement: "a place from 0 to \(count), was \(place)")
    }
  }
}
