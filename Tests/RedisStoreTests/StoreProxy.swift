import Foundation
import Synchronization
import TestSupport

/// An address of a store that may lead to another one.
///
/// It passes bytes on between sockets. While it swallows them nobody is told, and no connection
/// ends.
final class StoreProxy: Sendable {
  let socket: String
  private let listener: Int32

  /// What takes the place of something that a server has sent.
  enum Lie {
    case say([UInt8])
    /// The last that is said on this connection.
    case cut([UInt8])
  }

  typealias Liar = @Sendable ([UInt8], inout SeededGenerator) -> Lie

  private struct State {
    var target: String
    var liar: (random: SeededGenerator, lie: Liar)?
    /// The sockets of all connections so far. They stay open, so that no number means another.
    var sockets: [Int32] = []
  }

  private let state: Mutex<State>
  private let swallows = Atomic(false)

  var isSwallowing: Bool {
    get { swallows.load(ordering: .acquiring) }
    set { swallows.store(newValue, ordering: .releasing) }
  }

  /// Leads new connections to another store.
  func lead(to target: String) { state.withLock { $0.target = target } }

  /// Has everything changed that servers send, from now on; `nil` ends that.
  func lie(_ random: SeededGenerator?, _ lie: @escaping Liar = { bytes, _ in .say(bytes) }) {
    state.withLock { $0.liar = random.map { ($0, lie) } }
  }

  private func told(_ bytes: [UInt8]) -> Lie {
    state.withLock { state in
      guard var liar = state.liar else { return .say(bytes) }
      defer { state.liar = liar }
      return liar.lie(bytes, &liar.random)
    }
  }

  /// Ends all connections.
  func cut() {
    for socket in state.withLock({ $0.sockets }) { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  init(to target: String) throws {
    state = Mutex(State(target: target))
    socket = target + ".p"
    listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let status = Self.withAddress(socket) { bind(listener, $0, $1) }
    guard status == 0, listen(listener, 16) == 0 else {
      throw RawClient.Broken("no proxy: errno \(errno)")
    }
    BackgroundThread.detached { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        serve(client)
      }
    }
  }

  private func serve(_ client: Int32) {
    let server = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let target = state.withLock { state in
      state.sockets += [client, server]
      return state.target
    }
    guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
      shutdown(client, Int32(SHUT_RDWR))
      return
    }
    for (from, to) in [(client, server), (server, client)] {
      BackgroundThread.detached { [self] in
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
          let count = read(from, &bytes, bytes.count)
          guard count > 0 else { break }
          guard !isSwallowing else { continue }
          let said = from == server ? told(Array(bytes[..<count])) : .say(Array(bytes[..<count]))
          switch said {
          case .say(let bytes): _ = send(to, bytes, bytes.count, Int32(MSG_NOSIGNAL))
          case .cut(let bytes):
            _ = send(to, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            shutdown(from, Int32(SHUT_RDWR))
          }
        }
        shutdown(to, Int32(SHUT_RDWR))
      }
    }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

extension BackgroundThread {
  /// A thread that nobody waits for.
  static func detached(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { body() }
    thread.start()
  }
}
