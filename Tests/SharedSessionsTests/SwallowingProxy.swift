import Foundation
import Synchronization
import TestSupport

/// Passes bytes on between sockets; while it swallows them nobody is told, and no connection ends.
final class SwallowingProxy: Sendable {
  let socket: String
  private let target: String
  private let listener: Int32
  private let swallows = Atomic(false)

  var isSwallowing: Bool {
    get { swallows.load(ordering: .acquiring) }
    set { swallows.store(newValue, ordering: .releasing) }
  }

  init(to target: String) throws {
    self.target = target
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
    guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
      close(client)
      close(server)
      return
    }
    for (from, to) in [(client, server), (server, client)] {
      BackgroundThread.detached { [self] in
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
          let count = read(from, &bytes, bytes.count)
          guard count > 0 else { break }
          if !isSwallowing { _ = send(to, bytes, count, Int32(MSG_NOSIGNAL)) }
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
