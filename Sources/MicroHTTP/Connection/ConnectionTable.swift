import Glibc
import Synchronization
import System

/// All open connections by descriptor, from the moment they are accepted until just before they are
/// closed.
///
/// libmicrohttpd reports the end of a connection before it closes the descriptor, and the report
/// removes the entry. So while the lock is held, a descriptor in the table belongs to the
/// connection in its entry, and `shutdown` cannot hit another connection.
final class ConnectionTable: Sendable {
  private struct Entry {
    var address: SocketAddress
    /// `nil` until libmicrohttpd has taken over the connection.
    var connection: Connection?
    /// Streams have a limit of their own.
    var isStream = false
  }

  private struct State {
    var entries: [Int32: Entry] = [:]
    var streamCount = 0
    var countByAddress: [SocketAddress: Int] = [:]
  }

  private let state = Mutex(State())
  private let limit: Int
  private let limitPerAddress: Int

  init(limit: Int, limitPerAddress: Int) {
    self.limit = limit
    self.limitPerAddress = limitPerAddress
  }

  /// The number of connections, without streams.
  var count: Int { state.withLock { $0.entries.count - $0.streamCount } }

  /// The number of connections with a request whose answer is not sent yet.
  ///
  /// - Complexity: O(number of connections).
  var busyCount: Int {
    state.withLock {
      $0.entries.values.count { $0.connection?.isBusy.load(ordering: .acquiring) ?? false }
    }
  }

  /// The reason why there is no room for a connection.
  enum Shortage: String {
    case ofConnections = "the limit of open connections is reached"
    case ofConnectionsFromAddress = "the limit of open connections from one address is reached"
  }

  /// Adds an accepted connection.
  ///
  /// - Returns: `nil` if it was added; otherwise the reason why not.
  func admit(_ descriptor: Int32, from address: SocketAddress) -> Shortage? {
    let host = address.withoutPort
    return state.withLock {
      // If memory runs out, libmicrohttpd drops a connection without a report. Then its descriptor
      // is used again.
      remove(descriptor, from: &$0)
      guard $0.entries.count - $0.streamCount < limit else { return .ofConnections }
      if limitPerAddress > 0 {
        guard $0.countByAddress[host, default: 0] < limitPerAddress else {
          return .ofConnectionsFromAddress
        }
        $0.countByAddress[host, default: 0] += 1
      }
      $0.entries[descriptor] = Entry(address: address)
      return nil
    }
  }

  /// Makes a connection one of the streams, or adds a stream whose socket was taken from a
  /// connection.
  func admitStream(_ descriptor: Int32, from address: SocketAddress) {
    state.withLock {
      if $0.entries[descriptor] == nil {
        $0.entries[descriptor] = Entry(address: address)
        if limitPerAddress > 0 { $0.countByAddress[address.withoutPort, default: 0] += 1 }
      }
      $0.entries[descriptor]?.isStream = true
      $0.streamCount += 1
    }
  }

  /// The address of an admitted connection; `nil` for an unknown descriptor.
  func address(of descriptor: Int32) -> SocketAddress? {
    state.withLock { $0.entries[descriptor]?.address }
  }

  func attach(_ connection: Connection) {
    state.withLock { $0.entries[connection.descriptor]?.connection = connection }
  }

  func remove(_ descriptor: Int32) {
    state.withLock { remove(descriptor, from: &$0) }
  }

  /// Ends connections whose deadline has passed.
  ///
  /// - Parameter answer: Makes an answer for each connection that has begun a request, which it is
  ///   given once its header section is complete. It is sent first; `nil` sends nothing.
  func shutDownExpired(at now: Nanoseconds, saying answer: (Request?) -> Response?) {
    forEachConnection { descriptor, connection in
      // This is under the lock, because the connection's thread may see at once that it has
      // expired.
      connection.timeout.withLock { timeout in
        switch connection.deadline.expire(at: now) {
        case .notYet: return
        case .beforeAnswer:
          if let answer = answer(timeout.request) {
            let isHead = timeout.request?.method == .head
            timeout.answer = (answer.requestID, isHead ? 0 : answer.body.count)
            sendOnce(answer.closingMessage(isHead: isHead), to: descriptor)
          }
        case .silently: break
        }
        Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
      }
    }
  }

  /// Makes libmicrohttpd notice that clients have ended their output.
  ///
  /// libmicrohttpd waits for edges. If the end came together with the last bytes, it read the bytes
  /// and was not told of the end again. Such a connection would stay until its deadline. Answers in
  /// progress are not affected.
  ///
  /// - Complexity: O(number of connections).
  func noticeEndsOfInput() {
    forEachConnection { descriptor, _ in
      var byte: UInt8 = 0
      if recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0 {
        Glibc.shutdown(descriptor, Int32(SHUT_RD))
      }
    }
  }

  /// Calls `body` with every connection that libmicrohttpd has taken over. It holds the lock for
  /// only some of them at a time: system calls for thousands of connections take long, and opening
  /// or closing a connection must not wait for them.
  func forEachConnection(_ body: (Int32, Connection) -> Void) {
    let descriptors = state.withLock { Array($0.entries.keys) }
    for start in stride(from: 0, to: descriptors.count, by: Self.connectionsAtATime) {
      let slice = descriptors[start..<min(start + Self.connectionsAtATime, descriptors.count)]
      state.withLock {
        for descriptor in slice {
          if let connection = $0.entries[descriptor]?.connection { body(descriptor, connection) }
        }
      }
    }
  }

  private static let connectionsAtATime = 128

  private func remove(_ descriptor: Int32, from state: inout State) {
    guard let entry = state.entries.removeValue(forKey: descriptor) else { return }
    if entry.isStream { state.streamCount -= 1 }
    guard limitPerAddress > 0 else { return }
    let host = entry.address.withoutPort
    let count = state.countByAddress[host, default: 1] - 1
    state.countByAddress[host] = count > 0 ? count : nil
  }
}

/// Writes as much as fits into the socket's buffer, without waiting.
func sendOnce(_ bytes: [UInt8], to descriptor: Int32) {
  _ = bytes.withUnsafeBytes {
    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }
}
