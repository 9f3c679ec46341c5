import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct QueryTests {
  private let service = TestService()

  private func elements(_ target: String) -> [JSON] {
    let answer = service.get(target)
    same(answer.status, 200, "\(target): \(answer.text)")
    return answer.json["elements"].array
  }

  @Test(
    "following next until there is none gives each element once", arguments: Sample.all.map(\.kind))
  func paging(kind: String) throws {
    let path = service.path(kind, Sample.all.first { $0.kind == kind }!.body)
    for query in ["rect=-10,-10,1e6,1e6", "rect=0,30,2000,3000&known=0,0,200,300&category=cell"] {
      let whole = elements("\(path)/elements?\(query)")
      #expect(whole.count > 20, "\(query)")
      for limit in [1, 7, whole.count - 1, whole.count, whole.count + 1] {
        var pages: [JSON] = []
        var next: String? = "\(path)/elements?\(query)&limit=\(limit)&version=1"
        while let target = next {
          let page = service.get(target)
          page.expectLayoutHeaders(cacheControl: "private, max-age=31536000, immutable")
          let given = page.json["elements"].array
          pages += given
          next = page.json["next"].string
          #expect(given.count == limit || next == nil && given.count < limit)
        }
        same(pages, whole, "limit \(limit)")
      }
    }
  }

  @Test(
    "with summary=true each page begins with what the summary says of its version, without a tag",
    arguments: Sample.all.map(\.kind))
  func summary(kind: String) {
    let path = service.path(kind, Sample.all.first { $0.kind == kind }!.body)
    for _ in 0..<2 {
      let expected = service.get(path).json.removing("expiresAt", "memoryBytes", "views")
      let everything = "\(path)/elements?rect=0,0,1e6,1e6"
      let tag = service.get(everything)["ETag"]
      let version = expected["versionTag"].string ?? ""
      for (query, limit) in [
        ("", ""), ("&version=\(version)", ""), ("", "&limit=60"), ("&category=cell", "&limit=90"),
      ] {
        var pages: [JSON] = []
        var target: String? = "\(everything)\(query)\(limit)&summary=true"
        while let next = target {
          for known in [nil, tag, "*"] {
            let answer = service.get(next, ifNoneMatch: known)
            #expect(answer.text.hasPrefix("{\"summary\":{\"id\":"), "\(answer.text)")
            same(answer.json["summary"], expected)
            same(OpenAPI.faults(of: answer.json, as: "Elements"), [])
            same(answer["ETag"], nil)
            same(answer["Cache-Control"], "private, no-cache")
          }
          let page = service.get(next).json
          pages += page["elements"].array
          target = page["next"].string
        }
        same(pages, elements("\(everything)\(query)"))
      }
      let transitions = "\(everything)&summary=true&transitions=true&since=1"
      same(service.get(transitions).json["summary"], expected)
      // Of another version, or of the same one with other bounds.
      let change = kind == "tree" ? #"{"bounds": {"width": 9}}"# : #"{"bounds": {"width": 700}}"#
      same(service.patch(path, change).status, 200)
    }
  }

  @Test("next repeats the query as it was sent, with another cursor in place of its own")
  func nextLink() {
    let path = service.path("grid", Sample.grid)
    let query = "cat%65gory=cell&rect=0%2C0,320,480&limit=2"
    let first = service.get("\(path)/elements?\(query)").json["next"].string
    same(first, "\(path)/elements?\(query)&cursor=\(tag(1))-1-0-2")
    let second = service.get(first ?? "").json["next"].string
    same(second, "\(path)/elements?\(query)&cursor=\(tag(1))-1-0-4")
    let encoded = service.get("\(path)/elements?%63ursor=\(tag(1))-1-0-2&\(query)").json["next"]
      .string
    same(encoded, second)
  }

  @Test(
    "elements come by zIndex, category, element kind, section and item",
    arguments: Sample.all.map(\.kind))
  func order(kind: String) {
    let path = service.path(kind, Sample.all.first { $0.kind == kind }!.body)
    let answer = service.get("\(path)/elements?rect=0,0,1e6,1e6").json
    same(OpenAPI.faults(of: answer, as: "Elements"), [])
    let categories = ["decoration", "cell", "supplementary"]
    let keys = answer["elements"].array.map { element in
      (
        element["zIndex"].integer!, categories.firstIndex(of: element["category"].string!)!,
        element["kind"].string ?? "", element["indexPath"][0].integer!,
        element["indexPath"][1].integer!
      )
    }
    for (a, b) in zip(keys, keys.dropFirst()) { #expect(a < b) }
  }

  @Test(
    "category leaves only the elements of the categories given", arguments: Sample.all.map(\.kind))
  func categories(kind: String) {
    let path = service.path(kind, Sample.all.first { $0.kind == kind }!.body)
    let all = elements("\(path)/elements?rect=0,0,1e6,1e6")
    for wanted in cases("Query.categories", [String].self) {
      let query = wanted.map { "&category=\($0)" }.joined()
      let expected = all.filter { wanted.contains($0["category"].string!) }
      same(elements("\(path)/elements?rect=0,0,1e6,1e6\(query)"), expected, "\(wanted)")
    }
  }

  @Test("known leaves out the elements that intersect it", arguments: Sample.all.map(\.kind))
  func known(kind: String) {
    let path = service.path(kind, Sample.all.first { $0.kind == kind }!.body)
    let all = elements("\(path)/elements?rect=0,100,1000,900")
    for known in ["0,0,1000,500", "0,0,0,0", "50,300,100,0", "-5,-5,1e9,1e9"] {
      let have = Set(elements("\(path)/elements?rect=\(known)").map(\.identity))
      same(
        elements("\(path)/elements?rect=0,100,1000,900&known=\(known)"),
        all.filter { !have.contains($0.identity) }, "\(known)")
    }
  }

  @Test("a single element is the same object as in the list", arguments: Sample.all.map(\.kind))
  func single(kind: String) throws {
    let path = service.path(kind, Sample.all.first { $0.kind == kind }!.body)
    let folders = [
      "cell": "items", "supplementary": "supplementary", "decoration": "decorations",
    ]
    for element in elements("\(path)/elements?rect=0,0,1e6,1e6") {
      let folder = try #require(folders[element["category"].string ?? ""])
      let kind = element["kind"].string.map { "/\($0)" } ?? ""
      let place = element["indexPath"].array.map { "\($0.integer ?? -1)" }.joined(separator: "/")
      let answer = service.get("\(path)/\(folder)\(kind)/\(place)")
      same(answer.json.removing("ordinal"), element)
      answer.expectLayoutHeaders()
    }
  }

  @Test("the parameters of an element's path may be percent-encoded")
  func encodedPath() {
    let path = service.path("grid", Sample.grid)
    let answer = service.get("\(path)/supplementary/%68eader/%31/0")
    same(answer.json["indexPath"], [1, 0])
  }

  @Test("a tree's cells and connectors name their first child, and up to 100 of them all")
  func children() {
    let path = service.path(
      "tree", #"{"root": {"children": [{}, {"children": [{}, {}]}]}}"#)
    for (target, members) in [
      ("items/0/0", ["firstChild": [1, 0], "childCount": 2, "children": [[1, 0], [1, 1]]]),
      (
        "supplementary/connector/1/1",
        ["firstChild": [2, 0], "childCount": 2, "children": [[2, 0], [2, 1]]]
      ), ("items/2/0", [:]),
    ] as [(String, [String: JSON])] {
      let element = service.get("\(path)/\(target)").json
      for name in ["firstChild", "childCount", "children"] {
        #expect(element[name] == members[name] ?? .null, "\(target) \(name)")
      }
    }
    service.get("\(path)/supplementary/connector/1/0").expectProblem(404, "no-such-element")
    for count in [100, 101, 250_000] {
      let path = service.path(
        "tree", #"{"nodes": {"parent": [null\#(String(repeating: ",0", count: count))]}}"#)
      let elements = service.get("\(path)/elements?rect=20,20,190,48").json["elements"].array
      let connector = service.get("\(path)/supplementary/connector/0/0")
      #expect(elements.count == 2 && connector.body.count < 2000 && !connector.wasDeferred)
      for element in elements + [connector.json, service.get("\(path)/items/0/0").json] {
        #expect(element["firstChild"] == [1, 0] && element["childCount"] == .number(Double(count)))
        same(element["children"].array.count, (count <= 100 ? count : 0))
      }
    }
  }

  @Test("a query that goes over many elements is left to the workers")
  func deferral() {
    let path = service.path("grid", #"{"bounds": {"width": 9}, "sections": [{"items": 60000}]}"#)
    let small = service.get("\(path)/elements?rect=0,0,9,100000")
    #expect(!small.wasDeferred)
    let large = service.get("\(path)/elements?rect=0,0,9,1e9&limit=25000&version=1")
    #expect(large.wasDeferred)
    same(large.cellCount, 25_000)
    large.expectLayoutHeaders(cacheControl: "private, max-age=31536000, immutable")
  }

  @Test("pages that may go over next to nothing get on all the same", arguments: 1...3)
  func smallPages(budget: Int) throws {
    let small = TestService(
      limits: LayoutService.Limits(visitBudget: budget, pageBudget: budget))
    for (kind, body) in Sample.all {
      // A layout's id is none of its elements'.
      let whole = elements("\(service.path(kind, body))/elements?rect=-10,-10,1e6,1e6")
      var pages: [JSON] = []
      var next: String? = "\(small.path(kind, body))/elements?rect=-10,-10,1e6,1e6"
      var count = 0
      while let target = next, count < 10_000 {
        let page = small.get(target)
        #expect(page.wasDeferred || page.json["next"] == .null)
        pages += page.json["elements"].array
        next = page.json["next"].string
        count += 1
      }
      same(next, nil, "\(kind): \(pages.count) elements on 10,000 pages")
      same(pages, whole, "\(kind)")
      #expect(count > 10, "\(kind)")
    }
  }

  // MARK: Caching

  @Test("an answer that names its version never changes, any other is asked for again")
  func cacheControl() {
    let path = service.path("grid", Sample.grid)
    service.get("\(path)/elements?rect=0,0,320,480").expectLayoutHeaders()
    service.get("\(path)/elements?rect=0,0,320,480&version=1")
      .expectLayoutHeaders(cacheControl: "private, max-age=31536000, immutable")
    service.get(path).expectLayoutHeaders(cacheControl: "no-store")
  }

  @Test("shared caches may keep an answer that names its version, if the operator says so")
  func sharedCaching() {
    let service = TestService(caching: .public)
    let path = service.path("grid", Sample.grid)
    let target = "\(path)/elements?rect=0,0,320,480"
    service.get("\(target)&version=1")
      .expectLayoutHeaders(cacheControl: "public, max-age=31536000, immutable")
    service.get("\(target)&version=1", ifNoneMatch: "*")
      .expectLayoutHeaders(cacheControl: "public, max-age=31536000, immutable")
    service.get(target).expectLayoutHeaders()
    service.get(path).expectLayoutHeaders(cacheControl: "no-store")
  }

  @Test(
    "If-None-Match with the current version is answered with 304 and no body",
    arguments: [
      "\"\(tag(1))\"", "W/\"\(tag(1))\"", "*", "\"0\", \"\(tag(1))\"",
      "\"x\",W/\"\(tag(1))\" , \"\(tag(3))\"", " \"\(tag(1))\" ",
    ])
  func notModified(field: String) {
    let path = service.path("grid", Sample.grid)
    for target in [
      "\(path)/elements?rect=0,0,320,480", "\(path)/items/0/0",
      "\(path)/supplementary/header/0/0", "\(path)/decorations/background/0/0",
    ] {
      let answer = service.get(target, ifNoneMatch: field)
      same(answer.status, 304, "\(target)")
      same(answer.body, [])
      answer.expectLayoutHeaders()
    }
    let immutable = service.get("\(path)/elements?rect=0,0,1,1&version=1", ifNoneMatch: field)
    same(immutable.status, 304)
    immutable.expectLayoutHeaders(cacheControl: "private, max-age=31536000, immutable")
  }

  @Test("a summary is sent whole to who has its tag, under which it may differ")
  func unstored() throws {
    let path = service.path("grid", Sample.grid)
    let tag = try #require(service.get(path)["ETag"])
    _ = service.patch(path, #"{"bounds": {"height": 777}}"#)
    for field in [tag, "W/\(tag)", "*"] {
      for method in [Method.get, .head] {
        let answer = service.send(method, path, headers: [(.ifNoneMatch, field)])
        same(answer.status, 200)
        same(answer["Cache-Control"], "no-store")
        same(answer.json["bounds"]["height"], 777)
      }
    }
  }

  @Test(
    "who has the tag that an answer would have gets a 304, and who has another one the answer",
    arguments: cases("Query.notModified", String.self))
  func notModified(operation: String) throws {
    let path = service.path("grid", Sample.grid)
    for coding in ["gzip", "identity"] {
      let fields = [(FieldName.acceptEncoding, coding)]
      let answer = service.send(.get, path + operation, headers: fields)
      let tag = try #require(answer["ETag"])
      #expect(answer.status == 200 && answer["Cache-Control"] == "private, no-cache")
      for field in [tag, "W/\(tag)", "*", "\"a\", \(tag.dropLast())-gzip\""] {
        for method in [Method.get, .head] {
          let again = service.send(
            method, path + operation, headers: fields + [(.ifNoneMatch, field)])
          #expect(again.status == 304 && again["ETag"] == tag, "\(operation) \(field)")
        }
      }
    }
  }

  @Test("an export whose bounds differ in the same version has another tag")
  func amendedExport() throws {
    let path = service.path("grid", Sample.grid)
    let tag = try #require(service.get("\(path)/collection")["ETag"])
    same(service.patch(path, #"{"bounds": {"height": 777}}"#).json["version"], 1)
    let answer = service.get("\(path)/collection", ifNoneMatch: tag)
    #expect(answer.status == 200 && answer.json["bounds"]["height"] == 777)
    let match = (FieldName.ifMatch, try #require(answer["ETag"]))
    same(service.send(.get, "\(path)/collection", headers: [match]).status, 200)
  }

  @Test("the tag of every answer is one that is not modified, for GET and HEAD")
  func ownTag() throws {
    let path = service.path("grid", Sample.grid)
    for target in ["\(path)/elements?rect=0,0,320,480", "\(path)/items/0/0"] {
      let tag = try #require(service.get(target)["ETag"])
      for method in [Method.get, .head] {
        let answer = service.send(method, target, headers: [(.ifNoneMatch, tag)])
        same(answer.status, 304)
        same(answer["ETag"], tag)
      }
    }
  }

  @Test(
    "a 304 has the tag and the length of the answer that it stands for",
    arguments: ["\"\(tag(1))\"", "*", "W/\"\(tag(1))\"", "\"0.1\", \"\(tag(1))\""])
  func notModifiedTag(field: String) {
    let path = service.path("grid", Sample.grid)
    for target in [
      "\(path)/elements?rect=0,0,320,480", "\(path)/items/0/0", "\(path)/items?id=a",
      "\(path)/sections", "\(path)/ids",
    ] {
      let answer = service.get(target)
      let again = service.get(target, ifNoneMatch: field)
      same(again.status, 304)
      same(again["ETag"], answer["ETag"], "\(target)")
      same(again["Content-Length"], "\(answer.body.count)", "\(target)")
    }
  }

  @Test("what tells what has changed has no tag: it may be another answer of the same version")
  func untagged() {
    let path = service.path("grid", Sample.grid)
    same(service.touch(path).status, 200)
    for query in ["known=0,0,9,9&since=1", "transitions=true&since=1", "summary=true"] {
      for version in ["", "&version=2"] {
        let target = "\(path)/elements?rect=0,0,320,480&\(query)\(version)"
        for known in [nil, "*", "\"\(tag(2))\""] {
          let answer = service.get(target, ifNoneMatch: known)
          same(answer.status, 200, "\(target)")
          same(answer["ETag"], nil)
          same(answer["Cache-Control"], "private, no-cache")
        }
        let match = service.send(.get, target, headers: [(.ifMatch, "\"\(tag(1))\"")])
        match.expectProblem(412, "precondition-failed")
      }
    }
  }

  @Test("an answer that takes a worker is not sent again either")
  func notModifiedDeferred() {
    let path = service.path("grid", #"{"bounds": {"width": 9}, "sections": [{"items": 30000}]}"#)
    let target = "\(path)/elements?rect=0,0,9,1e9&limit=30000"
    let answer = service.get(target)
    let again = service.get(target, ifNoneMatch: "\"\(tag(1))\"")
    #expect(answer.wasDeferred && again.wasDeferred)
    same(again.status, 304)
    same(again["ETag"], answer["ETag"])
  }

  @Test(
    "If-None-Match without the current version changes nothing",
    arguments: [
      "\"\(tag(2))\"", "W/\"\(tag(1))1\"", "1", "\"1", "", ",", "\"*\"", "w/\"\(tag(1))\"",
    ])
  func modified(field: String) {
    let path = service.path("grid", Sample.grid)
    let answer = service.get("\(path)/elements?rect=0,0,320,480", ifNoneMatch: field)
    same(answer.status, 200)
    same(answer.json["elements"].array.count, 29)
  }

  @Test("what is wrong with a request is told before 304")
  func errorBeforeNotModified() {
    let path = service.path("grid", Sample.grid)
    service.get("\(path)/elements?rect=0", ifNoneMatch: "*").expectProblem(400, "invalid-rect")
    service.get("\(path)/items/9/9", ifNoneMatch: "*").expectProblem(404, "no-such-element")
    service.get("\(path)?x", ifNoneMatch: "*").expectProblem(400, "invalid-parameter")
  }
}
