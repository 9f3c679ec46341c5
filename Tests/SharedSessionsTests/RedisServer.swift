import Foundation
import TestSupport

/// A redis-server of a test's own, on a socket in a directory of its own; killed with its last
/// reference.
final class RedisServer {
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  let directory: URL
  private var process: Process?
  private let arguments: [String]

  var socket: String { directory.appendingPathComponent("s").path }

  /// - Parameter arguments: Beside those for the socket.
  init(_ arguments: [String] = []) throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("layoutd-\(UInt32.random(in: 0 ... .max))")
    self.arguments = arguments
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // A connection that the server has closed must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    try start()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: directory)
  }

  /// Starts it again in the same place.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/redis-server")
    process.arguments =
      ["--port", "0", "--unixsocket", socket, "--dir", directory.path, "--save", ""] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    guard eventually({ (try? self.command("PING"))?.contains("PONG") == true }) else {
      throw Missing(description: "redis-server does not answer")
    }
  }

  /// Ends it as a power failure would.
  func kill() {
    guard let process else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// What redis-cli prints.
  @discardableResult
  func command(_ words: String...) throws -> String {
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
}
