import Glibc
import LayoutService
import LayoutSessions
import Logging
import MicroHTTP
import TestSupport

/// The service as it runs, on a free port.
struct TestServer {
  let daemon: Daemon
  let sessions: SessionStore

  var port: UInt16 { daemon.port }

  /// Starts a server, and ends it after `body`.
  static func with(
    maxBodyBytes: Int = 1 << 20, maxConnections: Int = 4096, _ body: (TestServer) throws -> Void
  ) throws {
    let sessions = SessionStore(bounds: SessionStore.Bounds(), clock: ManualSessionClock())
    let gateway = Gateway(
      LayoutService(
        sessions: sessions, limits: LayoutService.Limits(maxBodyBytes: maxBodyBytes)),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    let daemon = try Daemon(
      configuration: DaemonConfiguration(
        port: 0, threads: 2, workers: 2, queueLength: 64, maxBodyBytes: maxBodyBytes,
        maxConnections: maxConnections),
      responder: gateway)
    defer { daemon.shutDown(grace: .seconds(5)) }
    let server = TestServer(daemon: daemon, sessions: sessions)
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

/// What this process holds.
enum OwnProcess {
  static var descriptorCount: Int {
    guard let folder = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }

  static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return -1 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 200)
    guard fgets(&line, 200, file) != nil else { return -1 }
    let fields = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: " ")
    return (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Lets this process have so many descriptors, if it may.
  static func allowDescriptors(_ count: Int) -> Bool {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_max >= rlim_t(count) else { return false }
    limit.rlim_cur = max(limit.rlim_cur, rlim_t(count))
    return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
  }
}
