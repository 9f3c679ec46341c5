import Foundation
import MicroHTTP
import TestSupport
import Testing

@Suite("TLS")
struct TLSTests {
  /// The first byte of a record that has a ClientHello or a ServerHello (RFC 5246, section 6.2.1).
  private static let handshake: UInt8 = 22

  @Test(
    "versions that RFC 8996 deprecates are refused",
    arguments: [(minorVersion: 1, isRefused: true), (2, true), (3, false)])
  func versions(minorVersion: Int, isRefused: Bool) throws {
    try withDaemon(.changed { $0.tls = .test }) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send(Self.clientHello(minorVersion: UInt8(minorVersion)))
      client.finishSending()
      let isAnswered = try client.rest().utf8.first == Self.handshake
      #expect(isAnswered != isRefused)
    }
  }

  @Test("events come over TLS, and the daemon stops with streams open")
  func events() throws {
    // No heartbeats come while the clock stands still.
    try withDaemon(.changed { $0.tls = .test }, clock: ManualClock()) { daemon, responder in
      func curl(_ version: String...) throws -> (Process, FileHandle) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = version + ["-skN", "https://127.0.0.1:\(daemon.port)/events"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output.fileHandleForReading)
      }
      /// Reads events of nine bytes.
      func event(_ output: FileHandle) throws -> String {
        String(decoding: try output.read(upToCount: 9) ?? Data(), as: UTF8.self)
      }
      let clients = try [curl("--tlsv1.3"), curl("--tls-max", "1.2")]
      for (_, output) in clients { try same(event(output), "data: 0\n\n") }
      for number in 1...3 {
        responder.feed.publish()
        for (_, output) in clients { try same(event(output), "data: \(number)\n\n") }
      }
      same(daemon.streamStatistics.streams, 2)
      same(daemon.connectionCount, 0)
      // One that is killed is noticed.
      let (killed, _) = try curl("--tlsv1.3")
      #expect(responder.feed.waitForWatchers(3))
      kill(killed.processIdentifier, SIGKILL)
      #expect(responder.feed.waitForWatchers(2))
      responder.feed.advanceSilently()
      daemon.shutDown(grace: .seconds(10))
      for (process, output) in clients {
        try same(event(output), "data: 4\n\n")
        #expect(try output.readToEnd() ?? Data() == Data())
        process.waitUntilExit()
        same(process.terminationStatus, 0)
      }
    }
  }

  /// A ClientHello (RFC 5246, section 7.4.1.2) for a version up to 1.2 and what it had to offer.
  private static func clientHello(minorVersion: UInt8) -> [UInt8] {
    // ECDHE with ECDSA or RSA: AES-256-CBC with SHA-1, AES-128-GCM with SHA-256.
    let cipherSuites: [UInt8] = [0xC0, 0x0A, 0xC0, 0x14, 0xC0, 0x2B, 0xC0, 0x2F]
    let extensions: [UInt8] =
      [0, 10, 0, 4, 0, 2, 0, 23]  // supported_groups: secp256r1
      + [0, 11, 0, 2, 1, 0]  // ec_point_formats: uncompressed
      + [0, 13, 0, 6, 0, 4, 4, 3, 4, 1]  // signature_algorithms: ECDSA and RSA with SHA-256
    let hello =
      [3, minorVersion] + [UInt8](repeating: 7, count: 32) + [0]
      + [0, UInt8(cipherSuites.count)] + cipherSuites + [1, 0]
      + [0, UInt8(extensions.count)] + extensions
    let message = [1, 0, 0, UInt8(hello.count)] + hello
    return [handshake, 3, 1, 0, UInt8(message.count)] + message
  }
}
