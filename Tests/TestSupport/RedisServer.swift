public import Foundation

/// A redis-server of a test's own, on a socket in a directory of its own; killed with its last
/// reference.
public final class RedisServer {
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  public let directory: URL
  private var process: Process?
  private let arguments: [String]

  public var socket: String { directory.appendingPathComponent("s").path }
  /// On the loopback; 0 if it only has a socket.
  public private(set) var port: Int
  /// On which it talks with others of its cluster.
  public let clusterPort: Int

  /// - Parameters:
  ///   - arguments: Beside those for the socket.
  ///   - hasPort: Whether it listens on a port, too, as others of a cluster need it.
  public init(
    _ arguments: [String] = [], hasPort: Bool = false, clusterPort: Int = 0
  ) throws {
    self.clusterPort = clusterPort
    port = hasPort ? try Self.freePort() : 0
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("layoutd-\(UInt32.random(in: 0 ... .max))")
    self.arguments = arguments
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // A connection that the server has closed must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    do {
      try start()
    } catch  where hasPort && clusterPort == 0 {
      // Somebody else has taken the port meanwhile.
      port = try Self.freePort()
      try start()
    }
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: directory)
  }

  /// Starts it again in the same place.
  public func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/redis-server")
    process.arguments =
      ["--port", "\(port)", "--bind", "127.0.0.1", "--unixsocket", socket]
      + ["--dir", directory.path, "--save", ""] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    guard eventually({ (try? self.command("PING"))?.contains("PONG") == true }) else {
      throw Missing(description: "redis-server does not answer")
    }
  }

  /// A port that nobody has at the moment.
  public static func freePort() throws -> Int {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
      }
    }
    guard status == 0 else { throw Missing(description: "no free port: errno \(errno)") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Ends it as a power failure would.
  public func kill() {
    guard let process else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// Lets it stand still, as a machine without processors would, until it goes on.
  public func standStill() {
    if let process { Foundation.kill(process.processIdentifier, SIGSTOP) }
  }

  public func goOn() {
    if let process { Foundation.kill(process.processIdentifier, SIGCONT) }
  }

  /// What redis-cli prints.
  @discardableResult
  public func command(_ words: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/redis-cli")
    process.arguments = ["-s", socket] + words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until a replica has read all that was written up to now.
  ///
  /// Redis's own WAIT only waits for what its connection has written.
  public func isRead(by replica: RedisServer) -> Bool {
    guard let written = offset("master_repl_offset") else { return false }
    return eventually { replica.offset("slave_repl_offset").map { $0 >= written } ?? false }
  }

  /// How much was written or read of a history that servers have in common, in bytes.
  private func offset(_ name: String) -> Int? {
    (try? command("INFO", "replication"))?.split(whereSeparator: \.isNewline)
      .first { $0.hasPrefix("\(name):") }
      .flatMap { Int($0.dropFirst(name.count + 1)) }
  }
}
