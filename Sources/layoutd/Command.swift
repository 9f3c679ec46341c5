import ArgumentParser
import Contract
import Glibc
import LayoutService
import LayoutSessions
import MicroHTTP

/// The command line. Every option has an environment variable too: `--max-body-bytes` is
/// `LAYOUTD_MAX_BODY_BYTES`; the command line wins.
@main
struct Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layoutd",
    abstract: "Computes collection view layouts and answers what a rect of them shows, over HTTP.",
    discussion: """
      Every option can be given as an environment variable as well: --max-body-bytes is \
      LAYOUTD_MAX_BODY_BYTES. The command line wins.
      """,
    version: APIContract.version)

  @Option(help: "The address to listen on, or a name that resolves to one.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes any that is free.")
  var port = 8080

  @Option(help: "Threads that read requests and answer queries.")
  var threads = Command.defaultThreads(processors: Command.processorCount)

  @Option(help: "Threads that compute layouts, changes and long answers.")
  var workers = Command.defaultWorkers(processors: Command.processorCount)

  @Option(help: "Computations that may wait for a worker; beyond them the answer is 503.")
  var queueLength = 64

  @Option(help: "The largest body of a request, in bytes.")
  var maxBodyBytes = 64 << 20

  @Option(
    help: "The memory of bodies and answers on their way, in bytes, beyond 64 KiB each; then 503.")
  var maxBufferBytes = 1 << 30

  @Option(help: "The items that one layout may store; a grid's items without names don't count.")
  var maxItems = 10_000_000

  @Option(help: "The layouts kept at a time; beyond them the least recently used go.")
  var maxSessions = 10_000

  @Option(help: "The memory that the layouts may take together, in bytes.")
  var maxSessionBytes = 1 << 30

  @Option(help: "Seconds after which a layout that nobody uses is forgotten.")
  var sessionIdleTimeout = 900

  @Option(help: "Connections open at a time; one more is answered with 503.")
  var maxConnections = 10_000

  @Option(help: "Connections open at a time from one address; 0 for no such limit.")
  var maxConnectionsPerAddress = 0

  @Option(help: "Seconds without a request after which a connection is closed.")
  var connectionTimeout = 30

  @Option(
    help: """
      Seconds from the end of a request's first line to its last byte, after which it is cut off; \
      before that --connection-timeout rules.
      """)
  var requestTimeout = 30

  @Option(
    help: """
      The longest header section, in bytes, request line and trailers included; each of its fields \
      counts 64 more, a Cookie twice.
      """)
  var maxHeaderBytes = 16 << 10

  @Option(
    help: """
      The longest request target (path and query), in bytes. (default: 8192, or --max-header-bytes \
      where that is less)
      """)
  var maxTargetBytes: Int?

  @Option(help: "About the most bytes of one answer; a longer list goes on behind a link.")
  var maxResponseBytes = 64 << 20

  @Option(help: "Seconds that running requests have to finish after SIGTERM or SIGINT.")
  var shutdownGrace = 30

  @Option(help: "Web pages that may read the answers: *, origins separated by commas, or off.")
  var corsOrigin = "*"

  @Option(help: "A file of keys, one a line; requests then need Authorization: Bearer <key>.")
  var apiKeysFile: String?

  @Option(help: "A PEM file with the certificate chain to serve HTTPS with.")
  var tlsCertificate: String?

  @Option(help: "A PEM file with the certificate's private key.")
  var tlsKey: String?

  @Option(help: "Whether answers may be compressed: on or off.")
  var compression = Switch.on

  @Option(help: "How the log is written to standard error: text or json.")
  var logFormat = LogFormat.text

  @Option(help: "Whether every request is logged: on or off.")
  var accessLog = Switch.off

  enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  func validate() throws {
    try check(port, "port", 0...65_535)
    try check(threads, "threads", Self.threadCounts)
    try check(workers, "workers", Self.threadCounts)
    try check(queueLength, "queue-length", 0...1_000_000)
    try check(maxBodyBytes, "max-body-bytes", 1...4 << 30 - 4096)
    try check(maxBufferBytes, "max-buffer-bytes", 1 << 20...1 << 50)
    try check(maxItems, "max-items", 0...Int(Int32.max))
    try check(maxSessions, "max-sessions", 1...100_000_000)
    try check(maxSessionBytes, "max-session-bytes", 1...1 << 50)
    try check(sessionIdleTimeout, "session-idle-timeout", 1...1_000_000_000)
    try check(maxConnections, "max-connections", 1...1_000_000)
    try check(maxConnectionsPerAddress, "max-connections-per-address", 0...1_000_000)
    try check(connectionTimeout, "connection-timeout", 1...86_400)
    try check(requestTimeout, "request-timeout", 1...86_400)
    try check(maxHeaderBytes, "max-header-bytes", 4096...1 << 20)
    if let maxTargetBytes {
      try check(maxTargetBytes, "max-target-bytes", 256...1 << 20)
      guard maxTargetBytes <= maxHeaderBytes else {
        throw ValidationError(
          "--max-target-bytes must be at most --max-header-bytes, which is \(maxHeaderBytes), was "
            + "\(maxTargetBytes).")
      }
    }
    try check(maxResponseBytes, "max-response-bytes", 4096...1 << 40)
    try check(shutdownGrace, "shutdown-grace", 0...86_400)
    guard CORSPolicy(corsOrigin) != nil else {
      throw ValidationError(
        "--cors-origin must be *, off, or origins like https://example.com separated by commas: in "
          + "lowercase, without a path, and without the scheme's own port.")
    }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key go together.")
    }
  }

  private func check(_ value: Int, _ name: String, _ range: ClosedRange<Int>) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "--\(name) must be from \(range.lowerBound) to \(range.upperBound), was \(value).")
    }
  }

  func run() throws {
    do {
      try Server(self).run()
    } catch {
      Self.tell("\(error)")
      throw ExitCode(1)
    }
  }

  static func main() {
    let commandLine = Array(CommandLine.arguments.dropFirst())
    let environment = EnvironmentArguments(besides: commandLine)
    do {
      var command = try parseAsRoot(environment.arguments + commandLine)
      try command.run()
    } catch {
      // What is wrong is told as if it stood on the command line.
      if exitCode(for: error) == .validationFailure, !environment.variables.isEmpty {
        tell("the environment gives " + environment.variables.joined(separator: ", "))
      }
      exit(withError: error)
    }
  }

  private static func tell(_ text: String) {
    let line = Array("layoutd: \(text)\n".utf8)
    write(STDERR_FILENO, line, line.count)
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
      queueLength: queueLength, maxBodyBytes: maxBodyBytes, maxBufferBytes: maxBufferBytes,
      maxConnections: maxConnections,
      maxConnectionsPerAddress: maxConnectionsPerAddress,
      connectionTimeout: .seconds(connectionTimeout), requestTimeout: .seconds(requestTimeout),
      maxHeaderBytes: maxHeaderBytes,
      maxTargetBytes: maxTargetBytes ?? min(8 << 10, maxHeaderBytes), tls: tls)
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
      maxItems: maxItems, maxBodyBytes: maxBodyBytes, maxResponseBytes: maxResponseBytes
    ).fitting(into: maxBufferBytes)
  }

  /// What the process may come to take by its limits: layouts and contents, with a quarter for what
  /// malloc and the system make of them, and the process itself.
  var memoryBound: Int { (maxSessionBytes + maxBufferBytes) / 4 * 5 + (100 << 20) }

  var sessionLimits: SessionStore.Limits {
    SessionStore.Limits(
      maxSessions: maxSessions, maxBytes: maxSessionBytes,
      idleTimeout: .seconds(sessionIdleTimeout))
  }

  private func text(ofFile path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FileError(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else {
        throw FileError(path: path, reason: String(cString: strerror(errno)))
      }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
