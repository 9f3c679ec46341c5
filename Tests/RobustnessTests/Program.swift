import Foundation
import TestSupport

/// `layoutd` as a process of its own.
final class Program {
  let port: UInt16
  /// The log's first line, which tells the address.
  let firstLine: String
  /// The line for people behind it; there is none where the log is JSON.
  let greeting: String?
  private let process: Process
  private let log: LogReader

  /// - Parameters:
  ///   - arguments: Beside those for a free port and few threads.
  ///   - environment: Beside that of the tests.
  ///   - descriptors: How many it may have.
  ///   - waiting: What its log says while it waits before it listens, and what ends that.
  init(
    _ arguments: [String] = [], environment: [String: String] = [:], descriptors: Int = 1024,
    waiting: (line: String, then: () throws -> Void)? = nil
  ) throws {
    (process, log) = try Self.start(
      ["--port", "0", "--threads", "2", "--workers", "2"] + arguments, environment,
      descriptors: descriptors)
    var line = log.nextLine() ?? ""
    if let waiting {
      guard line.contains(waiting.line) else {
        process.terminate()
        throw RawClient.Broken("\(line)")
      }
      try waiting.then()
      while line.contains(waiting.line) { line = log.nextLine() ?? "" }
    }
    firstLine = line
    greeting = firstLine.hasPrefix("{") ? nil : log.nextLine()
    let digits = firstLine.components(separatedBy: "127.0.0.1:").dropFirst().first?.prefix {
      $0.isNumber
    }
    guard let port = digits.flatMap({ UInt16($0) }) else {
      process.terminate()
      throw RawClient.Broken("no address in \(firstLine)")
    }
    self.port = port
  }

  /// Runs one that ends by itself.
  ///
  /// - Returns: The status with which it ended, and what it has told on standard error.
  ///
  /// - Parameter signal: Which it gets when its log has a line with these words.
  static func run(
    _ arguments: [String], environment: [String: String] = [:],
    onLine signal: (words: String, number: Int32)? = nil
  ) throws -> (status: Int32, errors: String) {
    let (process, log) = try start(arguments, environment, descriptors: 1024)
    defer { process.terminate() }
    var lines: [String] = []
    while let line = log.nextLine() {
      lines.append(line)
      if let signal, line.contains(signal.words) { kill(process.processIdentifier, signal.number) }
    }
    guard eventually({ !process.isRunning }) else {
      throw RawClient.Broken("still running: \(lines)")
    }
    return (process.terminationStatus, lines.joined(separator: "\n"))
  }

  private static func start(
    _ arguments: [String], _ environment: [String: String], descriptors: Int
  ) throws -> (Process, LogReader) {
    let process = Process()
    let products = Bundle.module.bundleURL.deletingLastPathComponent()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "ulimit -n \(descriptors) && exec \"$0\" \"$@\""]
      + [products.appendingPathComponent("layoutd").path] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let log = Pipe()
    process.standardError = log
    try process.run()
    return (process, LogReader(log.fileHandleForReading))
  }

  var isRunning: Bool { process.isRunning }

  /// The status with which it ended; nil if it has not within a minute.
  var exitStatus: Int32? { eventually { !process.isRunning } ? process.terminationStatus : nil }

  func send(signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// The next line of the log; nil at its end, or when none comes within a minute.
  func nextLogLine() -> String? { log.nextLine() }

  /// The lines of the log that have not been read, until it ends, or none comes within a minute.
  func logLinesToTheEnd() -> [String] { log.linesToTheEnd() }

  /// How many descriptors it has.
  var descriptorCount: Int { descriptors.count }

  /// How many sockets it has: that on which it listens, and one for each connection. Threads that
  /// still start open other descriptors.
  var socketCount: Int {
    // One that has been closed meanwhile leads nowhere.
    descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: $0) }
      .count { $0.hasPrefix("socket:") }
  }

  private var descriptors: [String] {
    let folder = "/proc/\(process.processIdentifier)/fd"
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).map { "\(folder)/\($0)" }
  }

  /// What it has of the machine's memory.
  var residentBytes: Int {
    let path = "/proc/\(process.processIdentifier)/statm"
    let pages = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ")
    return (pages.flatMap { Int($0[1]) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The most that it has had so far.
  var peakResidentBytes: Int {
    statusBytes("VmHWM:") ?? 0
  }

  /// A line of the kernel's status of the process that has a number of kibibytes.
  private func statusBytes(_ name: String) -> Int? {
    let path = "/proc/\(process.processIdentifier)/status"
    let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n")
    let digits = lines?.first { $0.hasPrefix(name) }?.filter { $0.isNumber }
    return digits.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// Lets it have so many more bytes of address space than it has now.
  func limitAddressSpace(toMore bytes: Int) throws {
    let limit = (statusBytes("VmSize:") ?? 0) + bytes
    let tool = try Process.run(
      URL(fileURLWithPath: "/usr/bin/prlimit"),
      arguments: ["--pid", "\(process.processIdentifier)", "--as=\(limit)"])
    tool.waitUntilExit()
    guard tool.terminationStatus == 0 else { throw RawClient.Broken("prlimit failed") }
  }

  /// Ends it whatever it is at.
  func stop() {
    send(signal: SIGKILL)
    process.waitUntilExit()
  }
}

/// What a program writes to standard error, line by line.
private final class LogReader {
  private let handle: FileHandle
  private var received: [UInt8] = []

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  func nextLine() -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeSubrange(...end) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      var waiting = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 60_000) > 0 else { return nil }
      let data = handle.availableData
      if data.isEmpty { return nil }
      received += data
    }
  }

  func linesToTheEnd() -> [String] {
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    return lines
  }
}
