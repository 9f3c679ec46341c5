import CMicroHTTPD
import Glibc
import System

/// The connection of a stream: a socket of its own, or one with TLS that libmicrohttpd still owns.
///
/// A plain socket is taken from libmicrohttpd, which closes its connection and frees its memory. A
/// TLS session cannot be taken out of libmicrohttpd. So such a connection stays suspended while the
/// stream lasts, and the stream writes with its session, which nobody else uses meanwhile.
///
/// `@unchecked Sendable`: it moves to the thread of the streams, which alone uses it. libmicrohttpd
/// neither uses nor frees a suspended connection or its session before it is resumed, and any
/// thread may do that.
struct StreamSocket: @unchecked Sendable {
  private enum Owner {
    case stream
    case library(OpaquePointer, session: UnsafeMutableRawPointer)
  }

  let descriptor: Int32
  private let owner: Owner

  /// What the system's buffer of unsent bytes may hold, before the system doubles it. Clients that
  /// take nothing must not fill megabytes each.
  private static let sendBufferBytes: Int32 = 16 << 10

  /// A socket that belongs to the stream from now on.
  init(taking descriptor: Int32) {
    self.descriptor = descriptor
    owner = .stream
  }

  /// A suspended connection of libmicrohttpd; `nil` if it has no TLS session.
  init?(suspended handle: OpaquePointer, _ descriptor: Int32) {
    guard let session = micro_tls_session(handle) else { return nil }
    self.descriptor = descriptor
    owner = .library(handle, session: session)
  }

  /// Lets the system give a connection up whose client has vanished or takes nothing.
  ///
  /// - Parameter sendTimeout: The time that sent bytes may be without an acknowledgement.
  func prepare(sendTimeout: Nanoseconds) {
    setOption(SO_SNDBUF, of: SOL_SOCKET, to: Self.sendBufferBytes, at: descriptor)
    let milliseconds = UInt32(clamping: sendTimeout / 1_000_000)
    setOption(TCP_USER_TIMEOUT, of: Int32(IPPROTO_TCP), to: milliseconds, at: descriptor)
    // The last packet of an event must not wait for more.
    setOption(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: Int32(1), at: descriptor)
  }

  enum Sent {
    case bytes(Int)
    case wouldBlock
    case broken
  }

  func send(_ bytes: ArraySlice<UInt8>) -> Sent {
    bytes.withUnsafeBytes { bytes in
      while true {
        switch owner {
        case .stream:
          let count = Glibc.send(
            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
          if count >= 0 { return .bytes(count) }
          if errno == EINTR { continue }
          return errno == EAGAIN ? .wouldBlock : .broken
        case .library(_, let session):
          let count = gnutls_record_send(session, bytes.baseAddress, bytes.count)
          if count >= 0 { return .bytes(count) }
          if count == micro_tls_interrupted { continue }
          return count == micro_tls_again ? .wouldBlock : .broken
        }
      }
    }
  }

  /// Closes the connection, or has libmicrohttpd close it.
  ///
  /// - Parameter isComplete: Whether the client is to see all that was sent, and then the end.
  func close(isComplete: Bool) {
    switch owner {
    case .stream:
      if isComplete {
        // Unread input would make the system send a reset, which may overtake what was sent.
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
          var rounds = 0
          while rounds < 64,
            recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) > 0
          { rounds += 1 }
        }
      }
      Glibc.close(descriptor)
    case .library(let handle, _):
      MHD_resume_connection(handle)
    }
  }
}
