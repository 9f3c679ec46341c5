import Foundation
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

/// The page and the files for browsers.
@Suite struct WebTests {
  private let service = TestService()
  private static let folder = OpenAPI.file.deletingLastPathComponent().appending(
    path: "Sources/Web")

  private static func names(in folder: String) throws -> [String] {
    let path = Self.folder.appending(path: folder).path(percentEncoded: false)
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  private func get(_ target: String, accept: String? = nil) -> Answer {
    service.send(.get, target, headers: accept.map { [(.accept, $0)] } ?? [])
  }

  private static let html = "text/html; charset=utf-8"

  // MARK: Files

  @Test(
    "every file is served byte for byte, as what its name says",
    arguments: [("Client", "/client/"), ("Viewer", "/viewer/")])
  func files(folder: String, path: String) throws {
    let types = [
      "js": "text/javascript; charset=utf-8", "ts": "application/typescript; charset=utf-8",
      "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "json": "application/json",
      "py": "text/x-python; charset=utf-8",
    ]
    for name in try Self.names(in: folder) {
      let answer = get(path + name)
      let bytes = try Data(contentsOf: Self.folder.appending(path: "\(folder)/\(name)"))
      same(answer.status, 200, "\(path + name)")
      #expect(answer.body.elementsEqual(bytes), "\(path + name)")
      let ending = try #require(name.split(separator: ".").last)
      same(answer["Content-Type"], types[String(ending)], "\(path + name)")
      same(answer["X-Content-Type-Options"], "nosniff")
    }
  }

  @Test("the page is served byte for byte")
  func page() throws {
    let answer = get("/?f=html")
    same(answer.status, 200)
    same(answer["Content-Type"], Self.html)
    let bytes = try Data(contentsOf: Self.folder.appending(path: "index.html"))
    #expect(answer.body.elementsEqual(bytes))
  }

  @Test("every file that the page and its modules name is served")
  func references() throws {
    var (loaded, waiting): (Set<String>, [String]) = ([], ["/?f=html"])
    while let path = waiting.popLast() {
      guard loaded.insert(path).inserted else { continue }
      let answer = get(path)
      same(answer.status, 200, "\(path)")
      let named =
        answer["Content-Type"] == Self.html
        ? answer.text.matches(of: #/(?:src|href)="(?<name>viewer\/[^"]*|client\/[^"]*)"/#)
          .map(\.name)
        : answer.text.matches(of: #/^import .*?'(?<name>\.[^']*)'/#.anchorsMatchLineEndings())
          .map(\.name)
      let base = try #require(URL(string: "http://host\(path)"))
      waiting += try named.map {
        try #require(URL(string: String($0), relativeTo: base)).path(percentEncoded: false)
      }
    }
    let all = try Self.names(in: "Viewer").filter { $0 != "index.html" }.map { "/viewer/\($0)" }
    same(loaded.filter { $0.hasPrefix("/viewer/") }, Set(all))
    #expect(loaded.contains("/client/layoutd.js"))
  }

  // MARK: The page

  @Test("both link to the contract, the metrics and each other, and the links lead somewhere")
  func links() throws {
    for (form, other) in [
      ("json", ("service-doc", Self.html)), ("html", ("alternate", "application/json")),
    ] {
      let field = try #require(get("/?f=\(form)")["Link"])
      let links = field.matches(of: #/<([^>]*)>; rel="([^"]*)"; type="([^"]*)"/#)
      same(links.map { String($0.2) }.sorted(), ["service-desc", "status", other.0].sorted())
      for link in links {
        let url = try #require(URL(string: String(link.1), relativeTo: URL(string: "http://host/")))
        let answer = get(url.path(percentEncoded: false) + (url.query().map { "?\($0)" } ?? ""))
        same(answer.status, 200, "\(link.1)")
        same(answer["Content-Type"]?.hasPrefix(link.3), true, "\(link.1)")
        if link.2 == other.0 { answer.expectType(other.1) }
      }
    }
  }

  @Test("the page may load and ask this server only, and has no script or style inside")
  func policy() throws {
    let page = get("/?f=html")
    let policy = try #require(page["Content-Security-Policy"])
    let directives = policy.split(separator: "; ").map { $0.split(separator: " ") }
    #expect(directives.contains(["default-src", "'none'"]))
    for directive in directives { #expect(["'none'", "'self'"].contains(directive[1])) }
    #expect(directives.allSatisfy { $0.count == 2 })
    same(page["Referrer-Policy"], "no-referrer")
    #expect(page.text.firstMatch(of: #/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/#) == nil)
  }

  // MARK: Access

  @Test("page and files need no key, layouts do")
  func keys() throws {
    let service = TestService(configuration: .init(apiKeys: try APIKeys("key")))
    for path in ["/", "/?f=html", "/client/layoutd.js", "/viewer/viewer.js"] {
      same(service.get(path).status, 200, "\(path)")
    }
    same(service.prepare("grid", Sample.grid).status, 401)
  }

  @Test("without the viewer there is JSON only")
  func off() {
    let service = TestService(hasViewer: false)
    let browser = [(FieldName.accept, "text/html,*/*;q=0.8")]
    let answer = service.send(.get, "/", headers: browser)
    answer.expectType("application/json")
    same(answer["Link"]?.contains("f=html"), false)
    let paths = answer.json["operations"].array.compactMap { $0["path"].string }
    #expect(paths.contains("/kinds"))
    #expect(!paths.contains { $0.hasPrefix("/viewer") || $0.hasPrefix("/client") })
    same(service.get("/?f=json").status, 200)
    service.get("/?f=html").expectProblem(400, "invalid-f", saying: "the viewer is off")
    service.send(.get, "/", headers: [(.accept, "text/html")])
      .expectProblem(406, "not-acceptable", saying: "The answer is application/json.")
    for path in ["/client/layoutd.js", "/viewer/viewer.js"] {
      service.get(path).expectProblem(404, "no-such-path")
    }
  }
}

extension Answer {
  fileprivate func expectType(_ type: String) {
    same(status, 200)
    same(self["Content-Type"], type)
  }
}
