import CollectionLayout

/// Whether there is room for a collection that is to be kept.
extension SessionStore {
  /// Waits until there is room for a version, if too much is not freed yet. What is kept and what
  /// is not freed, with the version, must not exceed the limit by more than a quarter.
  ///
  /// - Parameter source: That of the document's first layout; `nil` if the version is of that.
  /// - Throws: ``SessionsError/tooLarge(bytes:limit:)`` if it exceeds the limit, with the document.
  func makeRoom(for held: HeldCollection, beside source: LayoutVersion?) throws(SessionsError) {
    try check(source.map { $0.held.bytesWithData + held.frameBytes } ?? held.bytesWithData)
    let bytes = source == nil ? held.bytesWithData : held.frameBytes
    let waitingBytes = HeldCollection.waitingBytes
    if waitingBytes > 0,
      statistics.bytes + waitingBytes + bytes > limits.maxBytes + limits.maxBytes / 4
    {
      HeldCollection.waitForDisposal()
    }
  }

  func check(_ bytes: Int) throws(SessionsError) {
    guard bytes <= limits.maxBytes else {
      throw .tooLarge(bytes: bytes, limit: limits.maxBytes)
    }
  }
}
