import Logging
import ServiceSupport
import TestSupport
import Testing
import TextMeasure

@testable import LayoutService
@testable import MicroHTTP

/// What the service makes of proxies before it: a folder, addresses of clients, hosts.
@Suite struct BehindProxyTests {
  // MARK: A base path

  private static let below = Gateway.Configuration(basePath: BasePath("/tiles"))
  private let long = #"{"bounds": {"width": 9}, "sections": [{"items": 99}]}"#

  private let folder = FontFolder(["Made.otf": TestFont.bytes()])

  /// A service that has a font.
  private func service(_ configuration: Gateway.Configuration = .standard) -> TestService {
    TestService(
      configuration: configuration, fonts: FontLibrary(folders: [folder.path]))
  }

  /// The addresses in the answers of a service, asked by paths that begin with `sent`, with the
  /// prefix that they should have.
  private func expectAddresses(
    _ service: TestService, sent: String, prefix: String
  ) throws {
    func send(
      _ method: MicroHTTP.Method, _ target: String, _ more: [(FieldName, String)] = [],
      body: String? = nil
    ) -> Answer {
      service.send(
        method, sent + target, headers: more, body: body.map { Array($0.utf8) })
    }
    let json = (FieldName.contentType, "application/json")
    let prepared = send(.post, "/layouts/grid/prepare", [json], body: long)
    same(prepared.status, 201)
    let id = try #require(prepared.json["id"].string)
    same(prepared["Location"], "\(prefix)/layouts/\(id)")
    let view = send(.post, "/layouts/\(id)/views", [json], body: "{}")
    same(view["Location"]?.hasPrefix("\(prefix)/layouts/"), true)
    for format in ["json", "cbor"] {
      let page = send(.get, "/layouts/\(id)/elements?rect=0,0,9,1e6&limit=40&f=\(format)")
      let text = String(decoding: page.body, as: UTF8.self)
      #expect(text.contains("\(prefix)/layouts/\(id)/elements?rect=0,0,9,1e6&limit=40&"))
    }
    let page = send(.get, "/layouts/\(id)/elements?rect=0,0,9,1e6&limit=40").json
    let next = try #require(page["next"].string)
    #expect(next.hasPrefix("\(prefix)/layouts/\(id)/elements?"))
    // The address is of use for the client, whose proxy does what it did before.
    let path = String(next.dropFirst(prefix.count))
    same(send(.get, path).json["elements"].array.count, 40)
    let problem = send(.get, "/layouts/\(id)/elements").json
    same(problem["type"], .string("\(prefix)/problems/invalid-rect"))
    #expect(problem["requestId"].string != nil)
    let refused = send(.post, "/layouts/grid/prepare", body: long)
    same(refused.json["type"], .string("\(prefix)/problems/unsupported-media-type"))
    same(
      send(.get, "/problems/invalid-rect").json["type"], .string("\(prefix)/problems/invalid-rect"))
    let font = try #require(send(.get, "/fonts").json["fonts"].array.first?["url"].string)
    #expect(font.hasPrefix("\(prefix)/fonts/"))
    same(send(.get, String(font.dropFirst(prefix.count))).status, 200)
    same(send(.get, "/").status, 200)
    same(send(.delete, "/layouts/\(id)").status, 204)
  }

  @Test(
    "addresses have the base path, whether or not the proxy removes it", arguments: ["", "/tiles"])
  func basePath(sent: String) throws {
    try expectAddresses(service(Self.below), sent: sent, prefix: "/tiles")
  }

  @Test("a path that is none is no base path", arguments: ["", "a", "/a//b", "/..", "/a?b", "/é"])
  func noPath(text: String) { same(BasePath(text), nil) }

  @Test("the base path without a slash leads to the page, whose addresses are relative")
  func redirect() {
    let service = TestService(configuration: Self.below)
    let answer = service.get("/tiles?f=html")
    same(answer.status, 308)
    same(answer["Location"], "/tiles/?f=html")
    same(service.get("/tiles/?f=html").status, 200)
    same(service.get("/tilesandmore").json["type"], "/tiles/problems/no-such-path")
  }

  @Test("a base path that a path of the service begins with is ambiguous")
  func ambiguous() {
    same(BasePath("/layouts")?.isAmbiguous, true)
    same(BasePath("/kinds/x")?.isAmbiguous, true)
    same(BasePath("/tiles/layouts")?.isAmbiguous, false)
  }

  @Test("keys are asked for below a base path as everywhere")
  func keys() {
    let service = TestService(
      configuration: .init(apiKeys: try? APIKeys("key"), basePath: BasePath("/tiles")))
    same(service.get("/tiles/kinds").status, 200)
    for target in ["/tiles/metrics", "/metrics"] {
      same(service.get(target).json["type"], "/tiles/problems/unauthorized")
    }
  }

  // MARK: The client's address

  @Test(
    "the client is the last address that is not of a trusted proxy",
    arguments: cases("BehindProxy.client", String?.self, String?.self))
  func client(field: String?, address: String?) throws {
    let headers = HeaderFields(field.map { [(FieldName("X-Forwarded-For"), $0)] } ?? [])
    let proxies = try #require(AddressRanges("127.0.0.1, 10.0.0.0/8"))
    let request = Request(target: RequestTarget("/"), headers: headers)
    same(ForwardedClient.address(of: request, trusting: proxies), address)
    same(ForwardedClient.address(of: request, trusting: AddressRanges()), nil)
    let others = try #require(AddressRanges("10.0.0.0/8"))
    same(ForwardedClient.address(of: request, trusting: others), nil)
  }

  // MARK: Hosts

  private func status(_ hosts: AllowedHosts?, _ host: String?, _ target: String = "/metrics") -> Int
  {
    let service = TestService(configuration: .init(allowedHosts: hosts))
    return service.send(.get, target, headers: host.map { [(.host, $0)] } ?? []).status
  }

  @Test(
    "only allowed hosts are served", arguments: cases("BehindProxy.hosts", String?.self, Bool.self))
  func hosts(host: String?, isAllowed: Bool) {
    same(status(.loopback, host), (isAllowed ? 200 : 421))
    same(status(nil, host), 200)
    // What says only what the program is may be asked by an address, as probes do.
    same(status(.loopback, host, "/healthz"), 200)
  }

  @Test("the host of an absolute form counts, whatever Host says", arguments: [nil, "/tiles"])
  func absoluteForm(basePath: String?) {
    let service = TestService(
      configuration: .init(allowedHosts: .loopback, basePath: basePath.flatMap { BasePath($0) }))
    func status(_ start: String, _ host: String) -> Int {
      service.send(.get, "\(start)\(basePath ?? "")/metrics", headers: [(.host, host)]).status
    }
    same(status("http://evil.example", "localhost"), 421)
    same(status("http://localhost:8080", "evil.example"), 200)
    same(status("", "localhost"), 200)
  }

  @Test("a prepare for another host is refused before its body is read")
  func hostOfPrepare() {
    let service = TestService(configuration: .init(allowedHosts: AllowedHosts("a.example")))
    let refused = service.send(
      .post, "/layouts/grid/prepare", headers: [(.host, "b"), (.contentType, "application/json")],
      body: Array(Sample.grid.utf8))
    refused.expectProblem(421, "unknown-host", saying: "\"b\"")
    #expect(service.isUntouched)
  }

  @Test("hosts are read from a text")
  func hostList() {
    let hosts = AllowedHosts("a.example, *.b.example,[2001:db8::7],2001:db8::8")
    for host in ["a.example:1", "x.b.example", "x.y.b.example", "[2001:db8::7]", "[2001:db8::8]:1"]
    {
      same(hosts?.admit(host), true, "\(host)")
    }
    for host in ["b.example", "xb.example", "x.a.example", "[2001:db8::9]"] {
      same(hosts?.admit(host), false, "\(host)")
    }
    for text in ["", "a,", "a:80", "http://a", "a/b", "*", "*.", "a.*", "[::1]:80", "a b"] {
      same(AllowedHosts(text), nil, "\(text)")
    }
  }

  // MARK: EventSource

  @Test("an EventSource that finds no place comes back, anybody else gets 503")
  func eventSourceRefusal() throws {
    let service = TestService()
    let path = service.path("grid", Sample.grid)
    try withDaemon(
      service.gateway, configuration: DaemonConfiguration(port: 0, maxStreams: 0)
    ) { port in
      for target in ["\(path)/events", "/events?layout=\(path.dropFirst("/layouts/".count))"] {
        let answer = try HTTPClient(port: port).send(
          "GET", target, headers: [("Accept", "text/event-stream")])
        same(answer.status, 200)
        same(answer["Content-Type"], "text/event-stream")
        same(answer["Cache-Control"], "no-store, no-transform")
        let digits = answer.text.dropFirst("retry: ".count).prefix { $0.isNumber }
        same(answer.text, "retry: \(digits)\n\n")
        let milliseconds = try #require(Int(digits))
        #expect((10_000..<20_000).contains(milliseconds))
        let plain = try HTTPClient(port: port).send("GET", target)
        plain.expectProblem(503, "too-many-event-streams")
        same(plain["Retry-After"], "10")
      }
    }
  }
}
