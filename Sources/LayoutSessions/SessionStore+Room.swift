import CollectionLayout

/// Whether there is room for a collection that is to be kept.
extension SessionStore {
  /// The memory of a document with its first layout, without the index of ids.
  ///
  /// - Throws: ``SessionsError/tooLarge(bytes:limit:)`` if it exceeds the limit.
  func size(of held: HeldCollection) throws(SessionsError) -> Int {
    let bytes = held.bytesWithData
    try check(bytes)
    waitForRoom(bytes)
    return bytes
  }

  /// What a layout's frames take beside its document, and with it.
  ///
  /// - Throws: ``SessionsError/tooLarge(bytes:limit:)`` if both exceed the limit together.
  func size(
    of collection: PreparedCollection, besides source: LayoutVersion?
  ) throws(SessionsError) -> (frames: Int, all: Int) {
    let bytes = collection.frameBytes(asViewOf: source?.collection ?? collection)
    let all = bytes + (source?.held.bytesWithData ?? 0)
    try check(all)
    waitForRoom(bytes)
    return (bytes, all)
  }

  func check(_ bytes: Int) throws(SessionsError) {
    guard bytes <= limits.maxBytes else {
      throw .tooLarge(bytes: bytes, limit: limits.maxBytes)
    }
  }

  /// Waits if too much is not freed yet. What is kept and what is not freed, with so many bytes
  /// more, must not exceed the limit by more than a quarter.
  private func waitForRoom(_ bytes: Int) {
    let waitingBytes = OwnedContents.waitingBytes
    guard waitingBytes > 0 else { return }
    if statistics.bytes + waitingBytes + bytes > limits.maxBytes + limits.maxBytes / 4 {
      OwnedContents.waitForDisposal()
    }
  }
}
