import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

@Suite("Updates bodies")
struct UpdatesTests {
  /// How many updates a body has; nil when they bring more than ten items.
  private func count(_ updates: [String], _ name: String) throws -> Int? {
    let body = #"{"updates": [\#(updates.joined(separator: ","))]}"#
    let kind = try kind(name)
    return try withPadding(Array(body.utf8)) { bytes -> Int? in
      do {
        return try UpdatesRequest(bytes, kind: kind, maxItems: 10).updates.count
      } catch BodyError.tooManyItems(limit: 10) {
        return nil
      }
    }
  }

  private func tree(_ count: Int) -> String {
    let children = Array(repeating: "{}", count: count - 1).joined(separator: ",")
    return #"{"insertNode": {"at": 0, "node": {"children": [\#(children)]}}}"#
  }

  private func items(_ count: Int) -> String {
    #"{"insert": {"at": [0, 0], "items": \#(heights(count))}}"#
  }

  private func sections(_ count: Int) -> String {
    #"{"insertSections": {"at": 0, "sections": [{"items": \#(heights(count))}]}}"#
  }

  private func heights(_ count: Int) -> String {
    #"{"height": [\#(Array(repeating: "1", count: count).joined(separator: ","))]}"#
  }

  @Test("the items of all updates together may be so many, whatever is deleted between them")
  func allTogether() throws {
    let deleteNode = #"{"deleteNode": {"at": [0, 0]}}"#
    try same(count([tree(3), deleteNode, tree(3), tree(4)], "tree"), 4)
    try same(count([tree(3), deleteNode, tree(3), tree(5)], "tree"), nil)
    try same(count([tree(10)], "tree"), 1)
    try same(count([tree(11)], "tree"), nil)
    let delete = #"{"delete": {"at": [0, 0]}}"#
    try same(count([items(5), delete, sections(5)], "waterfall"), 3)
    try same(count([items(5), delete, sections(6)], "waterfall"), nil)
    try same(count([sections(6), delete, items(5)], "waterfall"), nil)
  }
}
