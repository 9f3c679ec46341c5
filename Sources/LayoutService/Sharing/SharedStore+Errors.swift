import LayoutSessions
import WireFormat

/// What keeps this server from the log, and how clients are told.
extension SharedStore {
  /// Why there is no copy.
  enum SharingError: Error {
    case isGone
    /// What the store has of it is not what it should be. Others are not affected.
    case unreadable(String)
    case log(SessionLogError)
    case tooLarge(SessionStoreError)
  }

  /// Does something about a layout, and says what is wrong with it, if it is that layout alone.
  func reachingStore(
    _ id: SessionID, _ body: () throws(SharingError) -> Void
  ) throws(ServiceError) {
    do throws(SharingError) {
      try body()
    } catch {
      switch error {
      case .isGone:
        remember(.isGone, of: id)
        throw .noSuchLayout
      case .unreadable(let reason):
        warnOfUnreadable(id, reason)
        throw .storeUnavailable(.unreadable)
      case .tooLarge(let error): throw ServiceError(error)
      case .log(let error): throw unavailable(error)
      }
    }
  }

  private func warnOfUnreadable(_ id: SessionID, _ reason: String) {
    if remembered(id) != .isUnreadable { warn("layout \(id) in the store: \(reason)") }
    remember(.isUnreadable, of: id)
  }

  func reading<R>(
    _ body: () throws(SessionLogError) -> R
  ) throws(SharingError) -> R {
    do throws(SessionLogError) {
      return try body()
    } catch {
      throw error.cause == .unreadable ? .unreadable(error.reason) : .log(error)
    }
  }

  /// - Parameter id: The layout that it is about, if it is about one.
  func unavailable(_ error: SessionLogError, _ id: SessionID? = nil) -> ServiceError {
    if let id, error.cause == .unreadable { warnOfUnreadable(id, error.reason) }
    return switch error.cause {
    case .unsuitable, .unavailable: .storeUnavailable(.away)
    case .unreadable, .lost: .storeUnavailable(.unreadable)
    case .full: .storeUnavailable(.full)
    case .tooLong(let bytes, let limit): .collectionTooLong(bytes: bytes, limit: limit)
    }
  }

  /// Calls `body` with bytes as the decoders want them.
  static func withPadding<R>(
    _ bytes: [UInt8], _ body: (UnsafeMutableRawBufferPointer) throws(BodyError) -> R
  ) throws(BodyError) -> R {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count + PrepareRequest.padding, alignment: 16)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    buffer.copyBytes(from: bytes)
    return try body(UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes.count]))
  }
}
