extension UnsafeMutableBufferPointer {
  /// Puts an element in the place at an index of a binary heap whose element there is to go, or
  /// further down.
  ///
  /// - Parameter count: How many of the elements are in the heap; the first.
  /// - Complexity: O(log *n*) for *n* elements.
  @inline(__always)
  func siftDown(
    _ element: Element, from index: Int, count: Int, isBefore: (Element, Element) -> Bool
  ) {
    var hole = index
    while true {
      var child = 2 * hole + 1
      guard child < count else { break }
      if child + 1 < count, isBefore(self[child + 1], self[child]) { child += 1 }
      guard isBefore(self[child], element) else { break }
      self[hole] = self[child]
      hole = child
    }
    self[hole] = element
  }
}
