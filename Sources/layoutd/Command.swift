import ArgumentParser
import CollectionLayout
import Contract
import Glibc
import LayoutService
import LayoutSessions
import MicroHTTP
import RedisStore

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

  @Option(help: "The address or name to listen on. Of a name, all addresses are used.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on. 0: any free port.")
  var port = 8080

  @Option(help: "A Unix socket to listen on instead, as in unix:/run/layoutd.sock.")
  var listen: String?

  @Option(
    help: """
      The hosts for which it answers, separated by commas, or *. (default: *, but with --host \
      localhost only the names of this machine)
      """)
  var allowedHosts: String?

  @Option(help: "The path under which clients reach the service, as in /tiles.")
  var basePath: String?

  @Option(
    help: """
      The addresses of proxies, as in 10.0.0.0/8,::1,unix. They may say who their clients are.
      """)
  var trustedProxies: String?

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

  @Option(help: "The data of an item, as it was sent.")
  var maxItemData = ByteCount(4 << 10)

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
      redis://host:6379/0?prefix=layoutd:, redis+sentinel://host,host/name or \
      unix:///run/redis.sock.
      """)
  var store = "memory"

  @Option(help: "The time within which a dead connection to the store is noticed.")
  var storeProbe = TimeSpan.seconds(5)

  @Option(help: "The time to wait for the store at the start.")
  var storeWait = TimeSpan.seconds(60)

  @Option(help: "The time to look for a text. What takes longer is answered in part.")
  var maxFindTime = TimeSpan.seconds(2)

  @Option(help: "The memory of what was found last.")
  var maxFindBytes = ByteCount(16 << 20)

  @Option(help: "Open connections. One more gets 503.")
  var maxConnections = 10_000

  @Option(help: "Open event streams. They do not count as connections. One more gets 503.")
  var maxEventStreams = 10_000

  @Option(
    help: """
      The longest life of an event stream. Some end up to a tenth earlier. Clients come again and \
      miss nothing.
      """)
  var eventStreamLifetime = TimeSpan.seconds(3600)

  @Option(help: "Open connections and event streams of one client address. 0: no limit.")
  var maxConnectionsPerAddress = 0

  @Option(help: "The time until a connection without a request is closed.")
  var connectionTimeout = TimeSpan.seconds(30)

  @Option(
    help: """
      The time for a header section to arrive, from the end of its first line. Content has as \
      long, and a second for each 16 KiB of it; no pause in it may be longer.
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

  @Option(help: "What needs a key: all, or prepare: then an id is enough for its layout.")
  var keysFor: KeysFor?

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

  @Option(help: "Folders with fonts, separated by commas; or none: texts are not measured.")
  var fonts = "/usr/share/fonts"

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

  enum KeysFor: String, ExpressibleByArgument, CaseIterable {
    case all, prepare
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
    try check(maxItemData.bytes, "max-item-data", 0...TextColumn.maxBytes)
    try check(maxSessions, "max-sessions", 1...100_000_000)
    try check(maxSessionBytes.bytes, "max-session-bytes", 1...1 << 50)
    try check(maxViews, "max-views", 1...100_000_000)
    try check(maxHistoryBytes.bytes, "max-history-bytes", 0...1 << 50)
    try check(
      sessionIdleTimeout, "session-idle-timeout", .milliseconds(1) ... .seconds(1_000_000_000))
    try check(storeProbe, "store-probe", .milliseconds(10) ... .seconds(3600))
    try check(storeWait, "store-wait", .seconds(0) ... .seconds(86_400))
    try check(maxFindTime, "max-find-time", .milliseconds(1) ... .seconds(3600))
    try check(maxFindBytes.bytes, "max-find-bytes", 0...1 << 50)
    do {
      _ = try storeAddress
    } catch {
      throw ValidationError("--store \(error).")
    }
    try check(maxConnections, "max-connections", 1...1_000_000)
    try check(maxEventStreams, "max-event-streams", 0...1_000_000)
    try check(
      eventStreamLifetime, "event-stream-lifetime", .seconds(1) ... .seconds(31_536_000))
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
    try validateProxying()
    guard keysFor == nil || apiKeysFile != nil else {
      throw ValidationError("--keys-for needs keys: --api-keys-file.")
    }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key go together. Give both or none.")
    }
  }

  private func validateProxying() throws {
    if let listen, socketPath == nil {
      throw ValidationError("--listen must be unix: and a path, was \(listen).")
    }
    if let allowedHosts, allowedHosts != "*", AllowedHosts(allowedHosts) == nil {
      throw ValidationError(
        "--allowed-hosts must be *, or names and addresses without a port, separated by commas.")
    }
    if let basePath {
      guard let path = BasePath(basePath) else {
        throw ValidationError("--base-path must be a path like /tiles, was \(basePath).")
      }
      guard !path.isAmbiguous else {
        throw ValidationError("--base-path must not begin like a path of the service itself.")
      }
    }
    if let trustedProxies, AddressRanges(trustedProxies) == nil {
      throw ValidationError(
        "--trusted-proxies must be addresses, ranges like 10.0.0.0/8, or unix, separated by "
          + "commas.")
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
      // The parser itself finds names with up to three wrong letters.
      let message = fullMessage(for: error)
      if message.contains("Unknown option '"), !message.contains("Did you mean"),
        let name = message.split(separator: "'").dropFirst().first,
        let nearest = EnvironmentArguments.nearest(to: String(name))
      {
        tell("layoutd: there is no \(name). Did you mean \(nearest)?")
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
