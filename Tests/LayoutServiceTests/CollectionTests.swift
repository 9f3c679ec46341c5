import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("GET collection")
struct CollectionTests {
  private let test = TestService()

  @Test("what was given comes back, items as columns, and only what was given")
  func given() throws {
    let path = test.path(
      "compositional",
      """
      {"sections": [
        {"items": [{"id": "é\\n", "height": 0.1}, {"x": null}, {"aspectRatio": 2, "width": 1e21}],
         "id": "s", "kind": "list", "orthogonal": {"height": 70.5},
         "options": {"sectionInset": {"left": 3, "top": null}, "integral": true}},
        {"items": {"id": [null, null]}, "kind": "grid", "options": null, "orthogonal": null},
        {"items": 1000000, "kind": "group", "options": {"group": {"direction": "vertical",
         "width": {"absolute": 9}, "height": {"fractionalHeight": 0.5},
         "subitems": [{"width": {"fractionalWidth": 1}, "height": {"flexible": 1}, "count": 3}]}}}],
       "options": {"headerHeight": 0, "footerHeight": null, "contentInset": {"top": 1}},
       "bounds": {"height": 480, "width": 320}}
      """)
    let answer = test.get("\(path)/collection")
    same(answer.status, 200)
    answer.expectLayoutHeaders()
    same(
      answer.json,
      [
        "bounds": ["width": 320, "height": 480],
        "options": ["headerHeight": 0, "contentInset": ["top": 1]],
        "sections": [
          [
            "id": "s", "kind": "list", "orthogonal": ["height": 70.5],
            "options": ["sectionInset": ["left": 3], "integral": true],
            "items": [
              "id": ["é\n", nil, nil], "height": [0.1, nil, nil], "width": [nil, nil, 1e21],
              "aspectRatio": [nil, nil, 2],
            ],
          ],
          ["kind": "grid", "items": 2],
          [
            "kind": "group", "items": 1_000_000,
            "options": [
              "group": [
                "direction": "vertical", "width": ["absolute": 9],
                "height": ["fractionalHeight": 0.5],
                "subitems": [
                  ["width": ["fractionalWidth": 1], "height": ["flexible": 1], "count": 3]
                ],
              ]
            ],
          ],
        ],
      ])
  }

  @Test("a tree's nodes come back in the order of their index paths")
  func tree() {
    let path = test.path(
      "tree",
      """
      {"bounds": {"width": 5}, "options": {"direction": "down"},
       "root": {"id": "r", "children": [{"children": [{"id": "leaf"}]}, {}]}}
      """)
    same(
      test.get("\(path)/collection").json,
      [
        "bounds": ["width": 5], "options": ["direction": "down"],
        "nodes": ["parent": [nil, 0, 0, 1], "id": ["r", nil, nil, "leaf"]],
      ])
    let move = #"[{"moveNode": {"from": [2, 0], "parent": [1, 1], "at": 0}}]"#
    same(test.update(path, move).status, 200)
    same(test.get("\(path)/collection").json["nodes"]["parent"], [nil, 0, 0, 2])
    let empty = test.path("tree", #"{"nodes": []}"#)
    let body = test.get("\(empty)/collection")
    same(test.prepare("tree", body.text).status, 201, "\(body.text)")
  }

  @Test("prepared again it gives the same elements, bit for bit", arguments: Sample.all.map(\.kind))
  func again(kind: String) {
    let path = test.path(kind, Sample.all.first { $0.kind == kind }!.body)
    let body = test.get("\(path)/collection")
    let copy = test.path(kind, body.text)
    func elements(_ path: String) -> Substring? {
      let text = test.get("\(path)/elements?rect=-1e6,-1e6,2e6,2e6&limit=100000").text
      return text.range(of: #""elements""#).map { text[$0.upperBound...] }
    }
    let isSame = elements(copy) == elements(path)
    #expect(isSame)
    same(test.get("\(copy)/collection").text, body.text)
  }

  @Test("it is a version of the layout, and says of which")
  func caching() {
    let path = test.path("grid", Sample.grid)
    let head = test.send(.head, "\(path)/collection")
    same(head.status, 200)
    same(head["ETag"], test.get("\(path)/collection")["ETag"])
    _ = test.update(path, #"[{"deleteSections": {"at": 0}}]"#)
    let answer = test.get("\(path)/collection", ifNoneMatch: "\"\(tag(1))\"")
    same(answer.status, 200)
    answer.expectLayoutHeaders(version: 2)
    same(answer.json["sections"].array.count, 2)
    test.get("\(path)/collection?pretty").expectProblem(400, "invalid-parameter")
    test.get("/layouts/0000000000000000000000/collection").expectProblem(404, "no-such-layout")
    test.send(.delete, "\(path)/collection").expectProblem(405, "method-not-allowed")
  }

  @Test("a large one is left to the workers")
  func deferral() {
    let ids = (0..<2000).map { "\"\($0)\"" }.joined(separator: ",")
    let path = test.path(
      "grid", #"{"bounds": {"width": 9}, "sections": [{"items": {"id": [\#(ids)]}}]}"#)
    let answer = test.get("\(path)/collection")
    #expect(answer.wasDeferred)
    same(answer.json["sections"][0]["items"]["id"].array.count, 2000)
  }

  @Test("one that would be longer than a body may be is refused, however little it takes here")
  func tooLong() {
    let test = TestService(limits: LayoutService.Limits(maxBodyBytes: 1000))
    let path = test.path("grid", #"{"bounds": {"width": 9}, "sections": [{"items": 10000}]}"#)
    same(test.get("\(path)/collection").json["sections"], [["items": 10_000]])
    // A billion of them would be 5 GB of nulls.
    let set = #"[{"set": {"at": [0, 5000], "items": [{"id": "a"}]}}]"#
    same(test.update(path, set).status, 200)
    test.get("\(path)/collection").expectProblem(413, "layout-too-large", saying: "1000 bytes")
    same(test.get("\(path)/items?id=a").json["indexPath"], [0, 5000])
  }
}
