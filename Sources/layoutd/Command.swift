import ArgumentParser
import Contract
import Glibc
import LayoutService
import LayoutSessions
import MicroHTTP
import SharedSessions

/// The command line. Every option also has an environment variable: `--max-body-bytes` is
/// `LAYOUTD_MAX_BODY_BYTES`. The command line wins.
@main
struct Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layoutd",
    abstract: "Computes layouts of large collections and answers over HTTP what a rect shows.",
    discussion: """
      Every option is an environment variable, too: --max-body-bytes is LAYOUTD_MAX_BODY_BYTES. \
      The command line wins.

      A size is a number of bytes, or has a unit: B, KiB, MiB, GiB, TiB, kB, MB, GB, TB. \
      A time is a number of seconds, or has a unit: ms, s, m, h, d.
      """,
    version: APIContract.version)

  @Option(help: "The address or name to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on. 0: any free port.")
  var port = 8080

  @Option(help: "Threads that read requests and answer queries.")
  var threads = Command.defaultThreads(processors: Command.processorCount)

  @Option(help: "Threads that compute layouts, changes and long answers.")
  var workers = Command.defaultWorkers(processors: Command.processorCount)

  @Option(
    help: """
      Computations that may wait for a worker, and as many short ones. One more gets 503.
      """)
  var queueLength = 64

  @Option(help: "The largest body.")
  var maxBodyBytes = ByteCount(64 << 20)

  @Option(
    help: "The memory of all bodies and answers in transfer, without the first 64 KiB of each.")
  var maxBufferBytes = ByteCount(1 << 30)

  @Option(help: "The items that a layout may store. A grid's items without ids do not count.")
  var maxItems = 10_000_000

  @Option(help: "The layouts kept. For one more, the least recently used is deleted.")
  var maxSessions = 10_000

  @Option(help: "The memory of all layouts together.")
  var maxSessionBytes = ByteCount(1 << 30)

  @Option(help: "The views kept. For one more, the least recently used is deleted.")
  var maxViews = 100_000

  @Option(help: "The memory of earlier versions, kept for viewers who follow changes.")
  var maxHistoryBytes = ByteCount(64 << 20)

  @Option(help: "The time until an unused layout is deleted.")
  var sessionIdleTimeout = TimeSpan.seconds(900)

  @Option(
    help: """
      Where layouts are kept: memory, or a Redis that several servers share, as in \
      redis://host:6379/0?prefix=layoutd: or unix:///run/redis.sock.
      """)
  var store = "memory"

  @Option(help: "The time within which a dead connection to the store is noticed.")
  var storeProbe = TimeSpan.seconds(5)

  @Option(help: "Open connections. One more gets 503.")
  var maxConnections = 10_000

  @Option(help: "Open event streams. They do not count as connections. One more gets 503.")
  var maxEventStreams = 10_000

  @Option(help: "Open connections and event streams of one client address. 0: no limit.")
  var maxConnectionsPerAddress = 0

  @Option(help: "The time until a connection without a request is closed.")
  var connectionTimeout = TimeSpan.seconds(30)

  @Option(
    help: """
      The time for a request to arrive, from the end of its first line. Before that, \
      --connection-timeout counts.
      """)
  var requestTimeout = TimeSpan.seconds(30)

  @Option(
    help: """
      The largest header section with request line and trailers. Each field counts 64 \
      bytes more, and a Cookie twice.
      """)
  var maxHeaderBytes = ByteCount(16 << 10)

  @Option(
    help: """
      The longest path with query. (default: 8KiB, but at most --max-header-bytes)
      """)
  var maxTargetBytes: ByteCount?

  @Option(help: "The approximate size of the longest answer. A longer list has a link to the rest.")
  var maxResponseBytes = ByteCount(64 << 20)

  @Option(help: "The time for running requests after SIGTERM or SIGINT.")
  var shutdownGrace = TimeSpan.seconds(30)

  @Option(help: "Which web pages may read answers: *, off, or origins separated by commas.")
  var corsOrigin = "*"

  @Option(help: "A file with one key in each line. Requests then need a key.")
  var apiKeysFile: String?

  @Option(help: "A PEM file with the certificate chain for HTTPS.")
  var tlsCertificate: String?

  @Option(help: "A PEM file with the certificate's private key.")
  var tlsKey: String?

  @Option(help: "Whether answers may be compressed: on or off.")
  var compression = Switch.on

  @Option(help: "Who may cache answers to queries with a version: private (browsers) or public.")
  var cache = Cache.private

  @Option(help: "Whether browsers get a page to look at layouts, and the client: on or off.")
  var viewer = Switch.on

  @Option(help: "The format of the log on standard error: text or json.")
  var logFormat = LogFormat.text

  @Option(help: "Whether every request is logged: on or off.")
  var accessLog = Switch.off

  enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  enum Cache: String, ExpressibleByArgument, CaseIterable {
    case `private`, `public`
  }

  enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  func validate() throws {
    try check(port, "port", 0...65_535)
    try check(threads, "threads", Self.threadCounts)
    try check(workers, "workers", Self.threadCounts)
    try check(queueLength, "queue-length", 0...1_000_000)
    try check(maxBodyBytes.bytes, "max-body-bytes", 1...4 << 30 - 4096)
    try check(maxBufferBytes.bytes, "max-buffer-bytes", 1 << 20...1 << 50)
    try check(maxItems, "max-items", 0...Int(Int32.max))
    try check(maxSessions, "max-sessions", 1...100_000_000)
    try check(maxSessionBytes.bytes, "max-session-bytes", 1...1 << 50)
    try check(maxViews, "max-views", 1...100_000_000)
    try check(maxHistoryBytes.bytes, "max-history-bytes", 0...1 << 50)
    try check(
      sessionIdleTimeout, "session-idle-timeout", .milliseconds(1) ... .seconds(1_000_000_000))
    try check(storeProbe, "store-probe", .milliseconds(10) ... .seconds(3600))
    do {
      _ = try storeAddress
    } catch {
      throw ValidationError("--store \(error).")
    }
    try check(maxConnections, "max-connections", 1...1_000_000)
    try check(maxEventStreams, "max-event-streams", 0...1_000_000)
    try check(maxConnectionsPerAddress, "max-connections-per-address", 0...1_000_000)
    try check(connectionTimeout, "connection-timeout", .milliseconds(1) ... .seconds(86_400))
    try check(requestTimeout, "request-timeout", .milliseconds(1) ... .seconds(86_400))
    try check(maxHeaderBytes.bytes, "max-header-bytes", 4096...1 << 20)
    if let maxTargetBytes {
      try check(maxTargetBytes.bytes, "max-target-bytes", 256...1 << 20)
      guard maxTargetBytes.bytes <= maxHeaderBytes.bytes else {
        throw ValidationError(
          "--max-target-bytes must be at most --max-header-bytes, which is "
            + "\(maxHeaderBytes.bytes), was \(maxTargetBytes.bytes).")
      }
    }
    try check(maxResponseBytes.bytes, "max-response-bytes", 4096...1 << 40)
    try check(shutdownGrace, "shutdown-grace", .seconds(0) ... .seconds(86_400))
    guard CORSPolicy(corsOrigin) != nil else {
      throw ValidationError(
        "--cors-origin must be *, off, or origins like https://example.com, separated by commas. "
          + "Write origins in lowercase, without a path and without the default port.")
    }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key go together. Give both or none.")
    }
  }

  private func check<Value: Comparable>(
    _ value: Value, _ name: String, _ range: ClosedRange<Value>
  ) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "--\(name) must be from \(range.lowerBound) to \(range.upperBound), was \(value).")
    }
  }

  func run() throws {
    do {
      try Server(self).run()
    } catch {
      tell("layoutd: \(error)")
      throw ExitCode(1)
    }
  }

  static func main() {
    guard let arguments = ProgramArguments.all() else {
      tell("layoutd: the arguments of the program cannot be found")
      exit(withError: ExitCode.validationFailure)
    }
    let commandLine = Array(arguments.dropFirst())
    let environment = EnvironmentArguments(besides: commandLine)
    do {
      var command = try parseAsRoot(environment.arguments + commandLine)
      try command.run()
    } catch {
      // The error names the option, even if its value came from the environment. So this names the
      // variables.
      if exitCode(for: error) == .validationFailure, !environment.variables.isEmpty {
        tell("layoutd: the environment sets " + environment.variables.joined(separator: ", "))
      }
      exit(withError: error)
    }
  }

  private static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private static let threadCounts = 1...256

  static func defaultThreads(processors: Int) -> Int {
    min(2 * processors, threadCounts.upperBound)
  }

  static func defaultWorkers(processors: Int) -> Int { min(processors, threadCounts.upperBound) }
}

extension Command {
  func daemonConfiguration() throws -> DaemonConfiguration {
    var tls: DaemonConfiguration.TLS?
    if let tlsCertificate, let tlsKey {
      tls = try DaemonConfiguration.TLS(
        certificate: text(ofFile: tlsCertificate), privateKey: text(ofFile: tlsKey))
    }
    return DaemonConfiguration(
      host: host, port: UInt16(port), threads: threads, workers: workers,
      queueLength: queueLength, maxBodyBytes: maxBodyBytes.bytes,
      maxBufferBytes: maxBufferBytes.bytes, maxConnections: maxConnections,
      maxStreams: maxEventStreams,
      maxConnectionsPerAddress: maxConnectionsPerAddress,
      connectionTimeout: connectionTimeout.duration, requestTimeout: requestTimeout.duration,
      maxHeaderBytes: maxHeaderBytes.bytes,
      maxTargetBytes: maxTargetBytes?.bytes ?? min(8 << 10, maxHeaderBytes.bytes), tls: tls)
  }

  func gatewayConfiguration() throws -> Gateway.Configuration {
    var keys: APIKeys?
    if let apiKeysFile {
      let text = try text(ofFile: apiKeysFile)
      do throws(APIKeyError) {
        keys = try APIKeys(text)
      } catch {
        throw FileError(path: apiKeysFile, reason: "\(error)")
      }
    }
    return Gateway.Configuration(
      cors: CORSPolicy(corsOrigin) ?? .off, apiKeys: keys, logsAccess: accessLog == .on)
  }

  var serviceLimits: LayoutService.Limits {
    LayoutService.Limits(
      maxItems: maxItems, maxBodyBytes: maxBodyBytes.bytes,
      maxResponseBytes: maxResponseBytes.bytes
    ).fitting(into: maxBufferBytes.bytes)
  }

  /// Where the store is that servers share; `nil` for layouts in memory alone.
  var storeAddress: StoreAddress? {
    get throws(StoreAddress.Malformed) { store == "memory" ? nil : try StoreAddress(store) }
  }

  var caching: LayoutService.Caching { cache == .public ? .public : .private }

  /// The largest amount of memory that the process may need with these limits: layouts and buffers,
  /// a quarter more for the overhead of malloc and the system, and 100 MiB for the process itself.
  var memoryBound: Int {
    (maxSessionBytes.bytes + maxHistoryBytes.bytes + maxBufferBytes.bytes) / 4 * 5 + (100 << 20)
  }

  var sessionLimits: SessionStore.Limits {
    SessionStore.Limits(
      maxSessions: maxSessions, maxBytes: maxSessionBytes.bytes,
      idleTimeout: sessionIdleTimeout.duration, maxViews: maxViews,
      maxHistoryBytes: maxHistoryBytes.bytes)
  }

  private func text(ofFile path: String) throws -> String {
    guard let bytes = FileContents.bytes(at: path) else {
      throw FileError(path: path, reason: String(cString: strerror(errno)))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
