import Foundation
import TestSupport

/// `layoutd` as a process of its own.
struct Program {
  let port: UInt16
  private let process = Process()

  /// - Parameter descriptors: How many it may have.
  init(descriptors: Int = 1024) throws {
    let products = Bundle.module.bundleURL.deletingLastPathComponent()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "ulimit -n \(descriptors) && exec \"$0\" --port 0 --threads 2 --workers 2",
      products.appendingPathComponent("layoutd").path,
    ]
    let log = Pipe()
    process.standardError = log
    try process.run()
    // The log's first line tells the address.
    var line = ""
    while !line.contains("\n") {
      let data = log.fileHandleForReading.availableData
      if data.isEmpty { break }
      line += String(decoding: data, as: UTF8.self)
    }
    let digits = line.components(separatedBy: "127.0.0.1:").dropFirst().first?.prefix {
      $0.isNumber
    }
    guard let port = digits.flatMap({ UInt16($0) }) else {
      process.terminate()
      throw RawClient.Broken("no address in \(line)")
    }
    self.port = port
  }

  var isRunning: Bool { process.isRunning }

  /// Ends it whatever it is at.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
