import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct FixedContentTests {
  private let service = TestService()
  private static let paths = [
    "/", "/?f=html", "/client/store.js", "/client/layoutd.d.ts", "/viewer/viewer.css", "/kinds",
    "/openapi.yaml",
  ]

  private func send(
    _ path: String, _ method: MicroHTTP.Method = .get, known: String? = nil, gzip: Bool = false
  ) -> Answer {
    var headers: [(FieldName, String)] = []
    if let known { headers.append((.ifNoneMatch, known)) }
    if gzip { headers.append((.acceptEncoding, "gzip")) }
    return service.send(method, path, headers: headers)
  }

  @Test("what never changes has a tag of its own for each coding", arguments: paths)
  func tags(path: String) throws {
    let (plain, packed) = (send(path), send(path, gzip: true))
    for (answer, isPacked) in [(plain, false), (packed, true)] {
      same(answer.status, 200)
      same(answer["Cache-Control"], "no-cache")
      same(answer["Vary"]?.contains("Accept-Encoding"), true)
      same(answer["Content-Encoding"], (isPacked ? "gzip" : nil))
      let schema = OpenAPI.document["components"]["headers"]["ContentTag"]["schema"]
      let tag = JSON.string(try #require(answer["ETag"]))
      same(OpenAPI.faults(of: tag, against: schema, at: ""), [])
    }
    #expect(plain["ETag"] != packed["ETag"])
    #expect(packed.body.count < plain.body.count / 2)
  }

  @Test("a client that has it is told so, in few bytes", arguments: paths)
  func notModified(path: String) throws {
    for gzip in [false, true] {
      let answer = send(path, gzip: gzip)
      let tag = try #require(answer["ETag"])
      for known in [tag, "W/\(tag)", "\"a\", \(tag)", "\"a,\(tag)\"\"\" , \(tag)", "*"] {
        let again = send(path, known: known, gzip: gzip)
        same(again.status, 304, "\(known)")
        #expect(again.body.isEmpty)
        same(again["ETag"], tag)
        same(again["Cache-Control"], "no-cache")
        same(again["Vary"], answer["Vary"])
        same(again["Content-Encoding"], nil)
        same(again["Content-Type"], nil)
      }
      for known in ["\"a\"", "", tag + "x", String(tag.dropLast()), "W/", "\"1-952f14.2\""] {
        same(send(path, known: known, gzip: gzip).status, 200, "\(known)")
      }
      // The tag of the other coding is that of another answer.
      same(send(path, known: tag, gzip: !gzip).status, 200)
    }
  }

  @Test("HEAD has the fields of GET", arguments: paths)
  func head(path: String) {
    for gzip in [false, true] {
      let (head, get) = (send(path, .head, gzip: gzip), send(path, gzip: gzip))
      same(head.status, 200)
      for name in ["ETag", "Content-Type", "Content-Encoding", "Vary"] {
        same(head[name], get[name], "\(name)")
      }
    }
  }
}
