import LayoutSessions
import WireFormat

/// What keeps this server from the log, and how clients are told.
extension SharedStore {
  /// Why there is no copy.
  enum SharingError: Error {
    case isGone
    case log(SessionLogError)
    case tooLarge(SessionStoreError)
  }

  func reading<R>(_ body: () throws(SessionLogError) -> R) throws(SharingError) -> R {
    do throws(SessionLogError) {
      return try body()
    } catch {
      throw .log(error)
    }
  }

  func reachingStore(_ body: () throws(SharingError) -> Void) throws(ServiceError) {
    do throws(SharingError) {
      try body()
    } catch {
      switch error {
      case .isGone: throw .noSuchLayout
      case .tooLarge(let error): throw ServiceError(error)
      case .log(let error): throw unavailable(error)
      }
    }
  }

  func unavailable(_ error: SessionLogError) -> ServiceError {
    if error.cause == .unreadable { warn(error.reason) }
    return .storeUnavailable(isFull: error.cause == .full)
  }

  func unreadable(_ id: SessionID) -> SharingError {
    .log(
      SessionLogError(
        .unreadable,
        "a layout in the store cannot be made here; do all servers have the same limits and version?"
      ))
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
