import Contract
import Foundation
import TestSupport
import Testing

/// The program from its start to its end.
@Suite("The program", .serialized)
struct ProgramTests {
  private let host = "HTTP/1.1\r\nHost: a\r\n"
  private static let grid = #"{"bounds": {"width": 320}, "sections": [{"items": 100}]}"#

  /// Begins to prepare a layout, so that the program knows; the body is still to be sent.
  private func beginPreparing(_ client: RawClient) throws {
    client.send(
      "POST /layouts/grid/prepare \(host)Content-Type: application/json\r\n"
        + "Content-Length: \(Self.grid.utf8.count)\r\nExpect: 100-continue\r\n\r\n")
    try same(client.answer().status, 100)
  }

  private func prepare(_ client: RawClient) throws -> RawClient.Answer {
    try beginPreparing(client)
    client.send(Self.grid)
    return try client.answer()
  }

  private func get(
    _ client: RawClient, _ target: String, _ fields: String = ""
  ) throws -> RawClient.Answer {
    client.send("GET \(target) \(host)\(fields)\r\n")
    return try client.answer()
  }

  /// Has the program stop, and asks `/readyz` on a connection that was open before until an answer
  /// ends the connection.
  ///
  /// - Returns: That answer.
  private func stop(_ program: Program, _ client: RawClient) throws -> RawClient.Answer? {
    program.send(signal: SIGTERM)
    var answer: RawClient.Answer?
    let isLast = eventually {
      answer = try? get(client, "/readyz")
      return answer?.headers["connection"] == "close"
    }
    return isLast ? answer : nil
  }

  /// Starts a program with an hour's grace, and ends it after `body`.
  ///
  /// - Parameter body: Is given a client whose request is under way, and one on an open connection.
  private func withBusyProgram(
    _ body: (Program, _ working: RawClient, _ probing: RawClient) throws -> Void
  ) throws {
    let program = try Program(["--shutdown-grace", "3600", "--request-timeout", "3600"])
    defer { program.stop() }
    let working = try RawClient(port: program.port)
    try beginPreparing(working)
    let probing = try RawClient(port: program.port)
    try same(get(probing, "/readyz").status, 200)
    try body(program, working, probing)
  }

  /// What `/metrics` has for a name.
  private func metric(_ name: String, _ client: RawClient) throws -> Double? {
    try get(client, "/metrics").body.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
      .flatMap { Double($0.dropFirst(name.count + 1)) }
  }

  @Test("after SIGTERM it is not ready, finishes what is under way, and ends well")
  func termination() throws {
    try withBusyProgram { program, working, probing in
      let answer = try #require(try stop(program, probing))
      same(answer.status, 503)
      #expect(answer.body.contains("/problems/not-ready"))
      #expect(answer.headers["retry-after"] != nil)
      #expect(try probing.isClosed())
      #expect(program.isRunning)

      working.send(Self.grid)
      try same(working.answer().status, 201)
      #expect(try working.isClosed())
      same(program.exitStatus, 0)
      let log = program.logLinesToTheEnd()
      #expect(log.first?.contains("stopping") == true && log.first?.contains("signal=15") == true)
      same(log.last?.contains("stopped"), true)
      #expect(!log.contains { $0.contains("at once") })
    }
  }

  @Test("it says in a line for people where it listens and how to stop it")
  func greeting() throws {
    let program = try Program()
    defer { program.stop() }
    same(
      program.greeting,
      "layoutd \(APIContract.version) listens on "
        + "http://127.0.0.1:\(program.port), press Ctrl-C to stop")
  }

  @Test("SIGINT stops it too")
  func interruption() throws {
    let program = try Program()
    defer { program.stop() }
    program.send(signal: SIGINT)
    same(program.exitStatus, 0)
  }

  @Test("a second signal ends the grace")
  func secondSignal() throws {
    try withBusyProgram { program, _, probing in
      let answer = try stop(program, probing)
      same(answer?.status, 503)
      program.send(signal: SIGTERM)
      same(program.exitStatus, 0)
      #expect(program.logLinesToTheEnd().contains { $0.contains("stopping at once") })
    }
  }

  @Test("without a grace nothing is waited for")
  func noGrace() throws {
    let program = try Program(["--shutdown-grace", "0", "--request-timeout", "3600"])
    defer { program.stop() }
    let working = try RawClient(port: program.port)
    try beginPreparing(working)
    program.send(signal: SIGTERM)
    same(program.exitStatus, 0)
  }

  @Test("answers are compressed unless that is off", arguments: ["on", "off"])
  func compression(value: String) throws {
    let program = try Program(["--compression", value])
    defer { program.stop() }
    let client = try RawClient(port: program.port)
    let path = try #require(try prepare(client).headers["location"])
    let answer = try get(
      client, "\(path)/elements?rect=0,0,320,1e6", "Accept-Encoding: gzip\r\n")
    same(answer.status, 200)
    same(answer.headers["content-encoding"], (value == "on" ? "gzip" : nil))
    same(answer.body.hasPrefix("{"), (value == "off"))
  }

  @Test("requests are logged only where that is on", arguments: ["on", "off"])
  func accessLog(value: String) throws {
    let program = try Program(["--access-log", value])
    defer { program.stop() }
    let client = try RawClient(port: program.port)
    try same(get(client, "/healthz", "X-Request-Id: wanted\r\n").status, 200)
    program.send(signal: SIGTERM)
    same(program.exitStatus, 0)
    let lines = program.logLinesToTheEnd().filter { $0.contains("request_id=wanted") }
    same(lines.count, (value == "on" ? 1 : 0))
    if let line = lines.first {
      #expect(line.contains("method=GET") && line.contains("target=/healthz"), "\(line)")
      #expect(line.contains("status=200"), "\(line)")
    }
  }

  @Test("the log is JSON where that is asked for, be it by the environment")
  func environment() throws {
    let program = try Program(
      environment: ["LAYOUTD_LOG_FORMAT": "json", "LAYOUTD_MAX_ITEMS": "10"])
    defer { program.stop() }
    let line = try JSON(parsing: Array(program.firstLine.utf8))
    same(line["level"], "info")
    same(line["message"], "listening")
    same(line["address"].string, "127.0.0.1:\(program.port)")
    same(line["tls"], false)
    same(line["max_items"], 10)
    same(line["max_body_bytes"], "64MiB")
    same(line["session_idle_timeout"], "15m")
    same(program.greeting, nil)
    let client = try RawClient(port: program.port)
    let body = #"{"bounds": {"width": 1}, "sections": [{"items": 11}]}"#
    client.send(
      "POST /layouts/justified/prepare \(host)Content-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    try same(client.answer().status, 413)
  }

  @Test("layouts that nobody uses are forgotten by themselves")
  func expiry() throws {
    let program = try Program(["--session-idle-timeout", "1"])
    defer { program.stop() }
    let client = try RawClient(port: program.port)
    try same(prepare(client).status, 201)
    // Asked for the metrics alone, since a layout that is asked for is used.
    #expect(eventually { (try? metric("layoutd_session_expiries_total", client)) == 1 })
    try same(metric("layoutd_sessions", client), 0)
  }

  @Test("the metrics know the connections, the layouts and what waits")
  func metrics() throws {
    let program = try Program()
    defer { program.stop() }
    let client = try RawClient(port: program.port)
    try same(prepare(client).status, 201)
    try same(metric("layoutd_connections", client), 1)
    try same(metric("layoutd_sessions", client), 1)
    try same(metric("layoutd_queue_depth", client), 0)
  }

  @Test("the metrics know what is being worked on")
  func queueDepth() throws {
    let program = try Program(["--workers", "1"])
    defer { program.stop() }
    let working = try RawClient(port: program.port)
    let body = #"{"nodes": 5000000}"#
    working.send(
      "POST /layouts/tree/prepare \(host)Content-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let client = try RawClient(port: program.port)
    #expect(eventually { (try? metric("layoutd_queue_depth", client)) == 1 })
  }

  @Test("an option that there is not is told with the one that is meant")
  func unknownOption() throws {
    let run = try Program.run(["--max-session-memory", "1GiB"])
    same(run.status, 64)
    #expect(run.errors.contains("Did you mean --max-session-bytes?"))
    #expect(run.errors.contains("Unknown option '--max-session-memory'"))
  }

  @Test("a variable that is no option's is warned about before anything else is done")
  func unknownVariable() throws {
    let keys = "/nonexistent/keys"
    let run = try Program.run(
      ["--port", "0", "--api-keys-file", keys], environment: ["LAYOUTD_MAX_BODYBYTES": "1MiB"])
    same(run.status, 1)
    let lines = run.errors.split(separator: "\n")
    same(lines.count, 2)
    same(lines.first?.contains("warning"), true)
    same(
      lines.first?.hasSuffix(
        "LAYOUTD_MAX_BODYBYTES is set, but there is no such option. "
          + "Did you mean LAYOUTD_MAX_BODY_BYTES?"), true)
  }

  @Test("a start that fails is told in a line, and the status is 1 or, for an option, 64")
  func failures() throws {
    let missing = "/nonexistent/keys"
    let keys = try Program.run(["--port", "0", "--api-keys-file", missing])
    same(keys.status, 1)
    same(keys.errors, "layoutd: \(missing): No such file or directory")
    let option = try Program.run(["--port", "65536"])
    same(option.status, 64)
    #expect(option.errors.contains("--port must be from 0 to 65535, was 65536"))
    let variable = try Program.run(
      ["--threads", "1"],
      environment: ["LAYOUTD_PORT": "tcp://10.0.0.1:8080", "LAYOUTD_THREADS": "2"])
    same(variable.status, 64)
    #expect(variable.errors.contains("'tcp://10.0.0.1:8080' is invalid for '--port"))
    #expect(variable.errors.contains("the environment sets LAYOUTD_PORT\n"))
  }
}
