import LayoutSessions
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("Tags of versions") struct VersionTagTests {
  private let service = TestService()

  private func changed() -> String {
    let path = service.path("grid", Sample.grid)
    same(service.touch(path).status, 200)
    return path
  }

  @Test("every answer that says its version says its tag")
  func answers() {
    let path = changed()
    let view = service.view(of: path, "{}")
    let viewPath = view["Location"] ?? ""
    for target in cases("VersionTag.answers", String.self) {
      let answer = service.get(path + target).json
      same(answer["version"], 2)
      same(answer["versionTag"], .string(tag(2)))
      let ofView = service.get(viewPath + target.replacing("version=2", with: "version=1")).json
      same(ofView["version"], 1)
      same(ofView["versionTag"], view.json["versionTag"])
    }
  }

  @Test("the tag of a view says which data it is of, and which layout")
  func views() throws {
    let path = service.path("list", Sample.all.first { $0.kind == "list" }!.body)
    let view = try #require(
      service.view(of: path, #"{"bounds": {"width": 99}}"#)["Location"])
    func tag() throws -> String { try #require(service.get(view).json["versionTag"].string) }
    func patch(_ target: String, _ body: String) {
      let answer = service.patch(target, body)
      same(answer.status, 200, "\(answer.text)")
    }
    let first = try tag()
    // What its source looks like is nothing to a view.
    patch(path, #"{"options": {"itemHeight": 5}}"#)
    try same(tag(), first)
    same(service.touch(path).status, 200)
    let second = try tag()
    patch(view, #"{"options": {"itemHeight": 7}}"#)
    let third = try tag()
    same(service.update(path, #"[{"delete": {"at": [0, 0]}}]"#).status, 200)
    let fourth = try tag()
    for (index, tag) in [first, second, third, fourth].enumerated() {
      #expect(tag.hasPrefix("\(index + 1)-"))
      let query = "\(view)/elements?rect=0,0,1e9,1e9&known=0,0,9,9"
      // The header of the first section is as it was; what is known has no cell.
      let answer = service.get("\(query)&since=\(tag)")
      let isKnown = service.get("\(query)&since=\(index + 1)").json["reset"]
      same(answer.json["reset"], isKnown, "\(tag)")
      let other = tag.prefix(2) + "000000"
      same(service.get("\(query)&since=\(other)").json["reset"], true)
    }
  }
}
