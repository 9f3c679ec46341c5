import Glibc
import Synchronization

/// Every open connection by its descriptor, from being accepted until just before it is closed.
///
/// libmicrohttpd reports a connection's end before it closes the descriptor, and an entry goes with
/// that report: so while the lock is held, a descriptor that is in the table belongs to the
/// connection beside it, and `shutdown` can't hit a stranger.
final class ConnectionTable: Sendable {
  private struct Entry {
    var address: SocketAddress
    /// Nil until libmicrohttpd has taken the connection over.
    var connection: Connection?
  }

  private struct State {
    var entries: [Int32: Entry] = [:]
    var countByAddress: [SocketAddress: Int] = [:]
  }

  private let state = Mutex(State())
  private let limit: Int
  private let limitPerAddress: Int

  init(limit: Int, limitPerAddress: Int) {
    self.limit = limit
    self.limitPerAddress = limitPerAddress
  }

  var count: Int { state.withLock { $0.entries.count } }

  /// Connections with a request that has begun and whose answer is not out.
  ///
  /// - Complexity: O(number of connections).
  var busyCount: Int {
    state.withLock {
      $0.entries.values.count { $0.connection?.isBusy.load(ordering: .acquiring) ?? false }
    }
  }

  /// Why there is no room for a connection.
  enum Shortage: String {
    case ofConnections = "as many connections are open as may be"
    case ofConnectionsFromAddress = "as many connections are open from an address as may be"
  }

  /// Makes room for an accepted connection; `nil` when it has it.
  func admit(_ descriptor: Int32, from address: SocketAddress) -> Shortage? {
    let host = address.withoutPort
    return state.withLock {
      // libmicrohttpd drops a connection without a report if memory ends; its descriptor comes
      // back.
      remove(descriptor, from: &$0)
      guard $0.entries.count < limit else { return .ofConnections }
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

  /// Where an admitted connection comes from, or `nil` for an unknown descriptor.
  func address(of descriptor: Int32) -> SocketAddress? {
    state.withLock { $0.entries[descriptor]?.address }
  }

  func attach(_ connection: Connection) {
    state.withLock { $0.entries[connection.descriptor]?.connection = connection }
  }

  func remove(_ descriptor: Int32) {
    state.withLock { remove(descriptor, from: &$0) }
  }

  /// Ends the connections whose deadline has passed.
  ///
  /// - Parameter answer: What is sent first to those that have begun a request, made for each of
  ///   them; `nil` sends nothing.
  func shutDownExpired(at now: Nanoseconds, saying answer: () -> Response?) {
    forEachConnection { descriptor, connection in
      // Under the lock, since the connection's thread may see at once that it has expired.
      connection.timeoutAnswer.withLock { sent in
        switch connection.deadline.expire(at: now) {
        case .notYet: return
        case .beforeAnswer:
          if let answer = answer() {
            sent = (answer.requestID, answer.body.count)
            sendOnce(answer.closingMessage(), to: descriptor)
          }
        case .silently: break
        }
        Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
      }
    }
  }

  /// Has libmicrohttpd look again at connections whose clients have said all that they will say.
  ///
  /// It waits for edges: where the end came together with the last bytes, it took those and was not
  /// told of the end again, so that the connection would stay until its deadline. Answers that are
  /// under way are not touched.
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

  /// Calls `body` with every connection that libmicrohttpd has taken over, holding the lock for
  /// some at a time: a system call for each of thousands takes so long that whoever opens or closes
  /// a connection should not wait for it.
  private func forEachConnection(_ body: (Int32, Connection) -> Void) {
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
    guard let entry = state.entries.removeValue(forKey: descriptor), limitPerAddress > 0 else {
      return
    }
    let host = entry.address.withoutPort
    let count = state.countByAddress[host, default: 1] - 1
    state.countByAddress[host] = count > 0 ? count : nil
  }
}

/// Writes what fits into the socket's buffer without waiting.
func sendOnce(_ bytes: [UInt8], to descriptor: Int32) {
  _ = bytes.withUnsafeBytes {
    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }
}
