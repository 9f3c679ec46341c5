import Foundation
import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Where a daemon listens")
struct ListeningTests {
  private static let get = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  /// A path for a socket, short enough for its address.
  private let path = "/tmp/layoutd-\(UUID().uuidString.prefix(8)).sock"

  /// That a server on a Unix socket answers.
  private func expectAnswer(at path: String) throws {
    let client = try RawClient(path: path)
    client.send(Self.get)
    #expect(try client.rest().hasPrefix("HTTP/1.1 200 "))
  }

  @Test("a name's addresses are all listened on")
  func name() throws {
    try withDaemon(.changed { $0.host = "localhost" }) { daemon, _ in
      // A machine without IPv6 has one.
      let hosts = try addresses(of: "localhost")
      let expected = hosts.map {
        $0.contains(":") ? "[\($0)]:\(daemon.port)" : "\($0):\(daemon.port)"
      }
      same(Set(daemon.addresses), Set(expected))
      #expect(daemon.addresses.contains("127.0.0.1:\(daemon.port)"))
      for host in hosts {
        let client = try RawClient(host: host, port: daemon.port)
        client.send(Self.get)
        try same(client.answer().status, 200)
      }
    }
  }

  /// The addresses of a name to which one can bind.
  private func addresses(of name: String) throws -> Set<String> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    try #require(getaddrinfo(name, nil, &hints, &found) == 0)
    defer { freeaddrinfo(found) }
    var hosts: Set<String> = []
    var next = found
    while let info = next {
      next = info.pointee.ai_next
      let probe = socket(info.pointee.ai_family, info.pointee.ai_socktype, 0)
      defer { if probe >= 0 { close(probe) } }
      if probe >= 0, bind(probe, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 {
        hosts.insert(SocketAddress(info.pointee.ai_addr).host)
      }
    }
    return hosts
  }

  @Test("a port that is taken at one of the addresses is in use")
  func partlyInUse() throws {
    try withDaemon { daemon, _ in
      #expect(throws: DaemonError.addressInUse(host: "localhost", port: daemon.port)) {
        try Daemon(
          configuration: DaemonConfiguration(host: "localhost", port: daemon.port),
          responder: TestResponder())
      }
    }
  }

  @Test("a Unix socket serves requests and streams, and its file goes with the daemon")
  func unixSocket() throws {
    try withDaemon(.changed { $0.socketPath = path }) { daemon, responder in
      same(daemon.addresses, ["unix:\(path)"])
      try expectAnswer(at: path)
      same(responder.records(atLeast: 1).first?.request.remoteAddress.description, "unix")
      let follower = try RawClient(path: path)
      follower.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(follower.answer(hasBody: false).status, 200)
      try same(follower.chunk(), "data: 0\n\n")
      responder.feed.publish()
      try same(follower.chunk(), "data: 1\n\n")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(
    "a file that a killed server has left is replaced, and one in use or of another kind is not")
  func leftBehind() throws {
    defer { unlink(path) }
    // As a process leaves it that is killed.
    let socket = try ListeningSocket.all(.changed { $0.socketPath = path })[0]
    #expect(throws: DaemonError.system(call: "bind to \(path)", errno: EADDRINUSE)) {
      try Daemon(configuration: .changed { $0.socketPath = path }, responder: TestResponder())
    }
    close(socket.descriptor)
    try withDaemon(.changed { $0.socketPath = path }) { _, _ in
      try expectAnswer(at: path)
    }
    try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: DaemonError.system(call: "bind to \(path)", errno: EADDRINUSE)) {
      try Daemon(configuration: .changed { $0.socketPath = path }, responder: TestResponder())
    }
    try same(String(contentsOfFile: path, encoding: .utf8), "precious")
  }

  @Test("a path that is too long is told")
  func longPath() {
    let long = "/tmp/\(String(repeating: "x", count: 110))"
    #expect(throws: DaemonError.system(call: "bind to \(long)", errno: ENAMETOOLONG)) {
      try Daemon(configuration: .changed { $0.socketPath = long }, responder: TestResponder())
    }
  }

  @Test("sockets that are handed over are served, and their files stay")
  func inherited() throws {
    defer { unlink(path) }
    let made = try ListeningSocket.all(.changed { $0.socketPath = path })[0]
    try withDaemon(.changed { $0.inheritedSockets = [made.descriptor] }) { daemon, _ in
      same(daemon.addresses, ["unix:\(path)"])
      try expectAnswer(at: path)
    }
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(throws: DaemonError.invalidConfiguration("descriptor 0 is not a socket that listens")) {
      try Daemon(configuration: .changed { $0.inheritedSockets = [0] }, responder: TestResponder())
    }
  }
}
