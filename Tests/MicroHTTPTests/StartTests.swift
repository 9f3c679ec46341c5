import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Starting")
struct StartTests {
  @Test("a port that is taken is told by name")
  func portInUse() throws {
    try withDaemon { daemon, _ in
      let expected = DaemonError.addressInUse(host: "127.0.0.1", port: daemon.port)
      #expect(throws: expected) {
        try Daemon(
          configuration: DaemonConfiguration(port: daemon.port), responder: TestResponder())
      }
      same(expected.description, "127.0.0.1 port \(daemon.port) is in use by another process")
    }
  }

  @Test("an address of another machine and a name of none are refused")
  func badHosts() {
    #expect(throws: DaemonError.addressNotAvailable(host: "192.0.2.1")) {
      try Daemon(
        configuration: DaemonConfiguration(host: "192.0.2.1", port: 0), responder: TestResponder())
    }
    #expect(throws: DaemonError.self) {
      try Daemon(
        configuration: DaemonConfiguration(host: "no such host", port: 0),
        responder: TestResponder())
    }
  }

  @Test(
    "a configuration that can't work is refused with its reason",
    arguments: [
      (DaemonConfiguration(port: 0, threads: 0), "threads must be 1 … 256, was 0"),
      (
        DaemonConfiguration(port: 0, maxBufferBytes: -1),
        "maxBufferBytes must be 0 … 1125899906842624, was -1"
      ),
      (
        DaemonConfiguration(port: 0, maxBufferBytes: .max),
        "maxBufferBytes must be 0 … 1125899906842624, was 9223372036854775807"
      ),
      (
        DaemonConfiguration(port: 0, connectionTimeout: .zero),
        "connectionTimeout must be positive, was \(Duration.zero)"
      ),
      (
        DaemonConfiguration(port: 0, maxHeaderBytes: 4096, maxTargetBytes: 4097),
        "maxTargetBytes must be 1 … maxHeaderBytes, was 4097"
      ),
    ])
  func badConfiguration(configuration: DaemonConfiguration, reason: String) {
    #expect(throws: DaemonError.invalidConfiguration(reason)) {
      try Daemon(configuration: configuration, responder: TestResponder())
    }
  }

  @Test("a bad certificate stops the start, and libmicrohttpd says why")
  func badCertificate() throws {
    let error = try #require(throws: DaemonError.self) {
      try Daemon(
        configuration: DaemonConfiguration(
          port: 0, tls: .init(certificate: "no", privateKey: "no")), responder: TestResponder())
    }
    guard case .libraryRefused(let messages) = error else {
      Issue.record("\(error)")
      return
    }
    same(messages.first?.contains("certificate/key"), true, "\(messages)")
  }

  @Test("names and IPv6 addresses can be listened on")
  func hosts() throws {
    try withDaemon(.changed { $0.host = "::" }) { daemon, _ in
      same(daemon.addresses, ["[::]:\(daemon.port)"])
      // Dual-stack: IPv4 clients are let in.
      let client = try RawClient(port: daemon.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer().status, 200)
    }
    try withDaemon(.changed { $0.host = "localhost" }) { daemon, _ in #expect(daemon.port != 0) }
  }
}
