import System
import TestSupport
import Testing

@testable import MicroHTTP

/// What is told of requests when they are over.
@Suite("Records of requests")
struct RecordTests {
  /// Keeps what records say and none of the requests, whose memory the next ones on the connection
  /// are given.
  private final class Recorder: Responder {
    struct Texts: Equatable {
      var method: String
      var target: String
      var requestID: String?
      var traceParent: String?
      var peerHasPort: Bool
      var bytesSent = 0
      var answerID: RequestID?
    }

    private let texts = Monitor<[Texts]>([])

    func respond(to request: borrowing Request) -> Outcome {
      let isUnchanged = request.target.path.elementsEqual("/unchanged".utf8)
      return .respond(
        Response(status: isUnchanged ? .notModified : .ok, body: Array("hello".utf8)))
    }

    func response(to problem: TransportProblem, request: Request?) -> Response {
      var response = Response(status: problem.status, body: Array("sorry".utf8))
      response.requestID = .given("id")
      return response
    }

    func requestCompleted(_ record: borrowing RequestRecord) {
      let text = Texts(
        method: record.request.method.rawValue,
        target: String(decoding: record.request.target.bytes, as: UTF8.self),
        requestID: record.request.headers[.xRequestID],
        traceParent: record.request.headers[.traceparent],
        peerHasPort: record.request.remoteAddress.port > 0, bytesSent: record.bytesSent,
        answerID: record.requestID)
      texts.update { $0.append(text) }
    }

    func texts(atLeast count: Int) -> [Texts] {
      texts.wait(until: inAMinute()) { $0.count >= count ? $0 : nil } ?? texts.withLock { $0 }
    }
  }

  @Test("a request that breaks off before its fields are complete has none of the one before")
  func brokenHeader() throws {
    let recorder = Recorder()
    let daemon = try Daemon(
      configuration: DaemonConfiguration(port: 0, threads: 1), responder: recorder)
    defer { daemon.shutDown(grace: .zero) }
    let client = try RawClient(port: daemon.port)
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    client.send(
      "DELETE /first HTTP/1.1\r\nHost: a\r\nX-Request-Id: first\r\nTraceparent: \(trace)\r\n\r\n")
    try same(client.answer().status, 200)
    let first = Recorder.Texts(
      method: "DELETE", target: "/first", requestID: "first", traceParent: trace, peerHasPort: true,
      bytesSent: 5)
    same(recorder.texts(atLeast: 1), [first])

    #expect(eventually { daemon.requestsInFlight == 0 })
    client.send("GET /second HTTP/1.1\r\nHost: a\r\nX-")
    #expect(eventually { daemon.requestsInFlight == 1 })
    client.reset()
    let second = Recorder.Texts(method: "", target: "/second", peerHasPort: true)
    same(recorder.texts(atLeast: 2), [first, second])
  }

  @Test("content counts as sent where it is sent: not in answers to HEAD, nor with 304")
  func bytesSent() throws {
    let recorder = Recorder()
    let daemon = try Daemon(
      configuration: DaemonConfiguration(port: 0, threads: 1), responder: recorder)
    defer { daemon.shutDown(grace: .zero) }
    let client = try RawClient(port: daemon.port)
    for (method, path) in [("GET", "/"), ("HEAD", "/"), ("GET", "/unchanged"), ("GET", "/")] {
      client.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.answer(hasBody: method != "HEAD")
      same(answer.headers["content-length"], "5")
    }
    same(recorder.texts(atLeast: 4).map(\.bytesSent), [5, 0, 0, 5])
  }

  @Test("an answer that ends the connection has its id told and content counted, and none for HEAD")
  func bytesSentAtTheEnd() throws {
    let recorder = Recorder()
    let daemon = try Daemon(
      configuration: .changed {
        $0.threads = 1
        $0.maxHeaderBytes = 4096
        $0.maxTargetBytes = 256
      }, responder: recorder)
    defer { daemon.shutDown(grace: .zero) }
    for method in ["GET", "HEAD"] {
      let client = try RawClient(port: daemon.port)
      let value = String(repeating: "x", count: 4100)
      client.send("\(method) / HTTP/1.1\r\nHost: a\r\nX: \(value)\r\n\r\n")
      let answer = try client.rest()
      #expect(answer.hasPrefix("HTTP/1.1 431 ") && answer.contains("\r\nContent-Length: 5\r\n"))
      #expect(answer.hasSuffix(method == "HEAD" ? "\r\n\r\n" : "\r\n\r\nsorry"))
    }
    let texts = recorder.texts(atLeast: 2)
    same(texts.map(\.bytesSent), [5, 0])
    #expect(texts.allSatisfy { $0.answerID == .given("id") })
  }
}
