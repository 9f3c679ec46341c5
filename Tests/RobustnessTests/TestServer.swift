import Glibc
import LayoutSessions
import ServiceSupport
import TestSupport

@testable import LayoutService
@testable import MicroHTTP

/// The service as it runs, on a free port.
struct TestServer {
  let daemon: Daemon
  let sessions: SessionStore

  var port: UInt16 { daemon.port }

  /// Starts a server, and ends it after `body`.
  static func with(
    maxBodyBytes: Int = 1 << 20, maxConnections: Int = 4096, _ body: (TestServer) throws -> Void
  ) throws {
    let service = TestService(limits: LayoutService.Limits(maxBodyBytes: maxBodyBytes))
    let daemon = try Daemon(
      configuration: DaemonConfiguration(
        port: 0, threads: 2, workers: 2, queueLength: 64, maxBodyBytes: maxBodyBytes,
        maxConnections: maxConnections),
      responder: service.gateway)
    defer { daemon.shutDown(grace: .seconds(5)) }
    let server = TestServer(daemon: daemon, sessions: service.sessions)
    try body(server)
    try server.expectWellBeing()
  }

  func connect() throws -> RawClient { try RawClient(port: port) }

  /// That a proper client is served, whatever happened before.
  private func expectWellBeing() throws {
    let client = try connect()
    client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    let answer = try client.answer()
    guard answer.status == 200, answer.body == #"{"status":"ok"}"# else {
      throw RawClient.Broken("not well afterwards: \(answer)")
    }
  }
}

enum OwnProcess {
  /// Lets this process have so many descriptors, if it may.
  static func allowDescriptors(_ count: Int) -> Bool {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_max >= rlim_t(count) else { return false }
    limit.rlim_cur = max(limit.rlim_cur, rlim_t(count))
    return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
  }
}
