extension LayoutError {
  /// A place from 0 to `count`. ``CollectionUpdate/end`` is the last one.
  ///
  /// - Parameter index: The update's index in the sequence.
  static func place(
    _ place: Int, upTo count: Int, _ member: String, _ index: Int
  ) throws(LayoutError) -> Int {
    if place == CollectionUpdate.end { return count }
    guard (0...count).contains(place) else {
      throw .invalidUpdate(
        index, member: member, requirement: "a place from 0 to \(count), was \(place)")
    }
    return place
  }
}
