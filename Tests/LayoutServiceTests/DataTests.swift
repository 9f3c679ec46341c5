import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("data: what a page shows in a cell")
struct DataTests {
  private let test = TestService()

  /// Texts that JSON allows, and that a parser of ours would write in another way.
  static let texts = [
    #"{"title":"Gull", "size" : [1.50, 1e400, -0]}"#, #""\ud800""#, #""\u0041\/é文""#, "1.50",
    "-0.0e-07", "true", "[]", "{ }", #"{"a":{"a":1,"a":2}}"#, #"" ,:]}""#,
  ]

  private func body(_ items: String, _ member: String = "") -> String {
    """
    {"bounds": {"width": 300}, "options": {"itemHeight": 10\(member)},
     "sections": [{"items": \(items)}]}
    """
  }

  @Test("it comes back byte for byte, in every answer and from the export", arguments: texts)
  func bytes(text: String) {
    let blanks = " \n\t "
    let forms = [
      #"[{"id": "a"}, {"id": "b", "data":\#(blanks)\#(text)\#(blanks)}]"#,
      #"{"id": ["a", "b"], "data": [null,\#(blanks)\#(text)\#(blanks)]}"#,
    ]
    for items in forms {
      let path = test.path("list", body(items))
      let exported = test.get("\(path)/collection").text
      for target in cases("Data.bytes", String.self) {
        let told = test.get("\(path)/\(target)data=true").text
        #expect(told.contains("\"data\":\(text)}") || told.contains("\"data\":\(text),"), "\(told)")
        #expect(!test.get("\(path)/\(target)data=false").text.contains("\"data\""))
      }
      #expect(exported.contains("\"data\":[null,\(text)]"), "\(exported)")
      same(test.get("\(test.path("list", exported))/collection").text, exported)
      // In another version, and in a view.
      same(test.update(path, #"[{"insert": {"at": [0, 0], "items": 3}}]"#).status, 200)
      let view = test.view(of: path, #"{"kind": "grid", "options": {"columns": 2}}"#)["Location"]!
      #expect(test.get("\(view)/items?id=b&data=true").text.contains("\"data\":\(text)}"))
    }
  }

  @Test("a text without a name is no data", arguments: ["b", "1", ""])
  func namelessText(text: String) {
    let items = [
      #"[{"data": 1}, {"text": {"": "\#(text)"}}]"#, #"[{"data": 1, "text": {"": "\#(text)"}}]"#,
      #"[{"text": {"": "\#(text)"}, "data": 1}]"#, #"{"data": [1], "text": {"": ["\#(text)"]}}"#,
    ]
    for items in items {
      same(test.prepare("list", body(items)).status, 422, "\(items)")
      let path = test.path("list", body(#"[{"data": 1}, {"data": 2}]"#))
      let set = #"[{"set": {"at": [0, 0], "items": \#(items)}}]"#
      same(test.update(path, set).status, 422, "\(items)")
    }
  }

  @Test(
    "a change of data alone resets those who ask for data, and nobody else",
    arguments: RandomLayouts.sectionKinds, Extent.seeds(1, of: 6))
  func alone(kind: String, seed: Int) {
    var layouts = RandomLayouts(seed: seed &* 17 &+ kind.utf8.count)
    let path = test.path(kind, layouts.body(of: kind).text)
    func cells(_ query: String) -> [JSON] {
      test.get("\(path)/elements?limit=100000&category=cell&\(query)").json["elements"].array
    }
    let everything = "rect=-1e7,-1e7,2e7,2e7"
    for _ in 1...12 {
      let version = test.get(path).json["version"].integer!
      let before = cells("\(everything)&data=true")
      guard !before.isEmpty else { return }
      let first = before[layouts.integer(0...before.count - 1)]["indexPath"]
      let section = before.filter { $0["indexPath"][0] == first[0] }
      let most = section.count - first[1].integer!
      let items = (0..<layouts.integer(1...most)).map { _ -> JSON in
        layouts.chance(20) ? [:] : ["data": layouts.chance(20) ? nil : layouts.data()]
      }
      let update: JSON = ["set": ["at": first, "items": .array(items)]]
      let answer = test.update(path, "[\(update.text)]").json
      let after = cells("\(everything)&data=true")
      // What a plain list has.
      var expected = before
      let start = before.firstIndex { $0["indexPath"] == first }!
      for (offset, item) in items.enumerated() {
        guard let data = item.object["data"] else { continue }
        var cell = expected[start + offset].object
        cell.removeValue(forKey: "data")
        if data != .null { cell["data"] = data }
        expected[start + offset] = .object(cell)
      }
      same(after, expected)
      let area = answer["invalidatedRects"].array.map(\.window)
      for (old, new) in zip(before, after) where old != new {
        let frame = new["frame"].window
        let window = "\(frame.text)&known=\(frame.text)&since=\(version)"
        #expect(area.contains { $0.meets(new, isHorizontal: false) }, "\(answer.text): \(new)")
        same(test.get("\(path)/elements?rect=\(window)").json["reset"], .null)
        same(test.get("\(path)/elements?rect=\(window)&data=true").json["reset"], true)
      }
      let since = "\(everything)&transitions=true&since=\(version)"
      let plain = test.get("\(path)/elements?limit=1&\(since)").json["transitions"]
      same(plain, ["appearing": [], "disappearing": [], "moving": []])
      let moving = test.get("\(path)/elements?limit=1&data=true&\(since)").json["transitions"][
        "moving"]
      same(
        moving.array.map { $0["to"] }, zip(before, after).filter { $0 != $1 }.map { $1 },
        "\(update.text)")
    }
  }

  @Test("so do very many changes in one request")
  func scattered() {
    let path = test.path("list", body("5000"))
    let sets = (0..<700).map { #"{"set": {"at": [0, \#($0 * 7)], "items": [{"data": 1}]}}"# }
    let answer = test.update(path, "[\(sets.joined(separator: ","))]").json
    same(answer["version"], 2)
    #expect(
      answer["invalidatedRect"].window.holds(Window(x: 0, y: 0, width: 300, height: 48_940)))
    let window = "\(path)/elements?rect=0,0,300,900&known=0,0,300,900&since=1"
    same(test.get(window).json["reset"], .null)
    same(test.get("\(window)&data=true").json["reset"], true)
  }

  @Test(
    "ids are those of the cells, in their order, whatever changes", arguments: RandomLayouts.kinds,
    Extent.seeds(1, of: 6))
  func ids(kind: String, seed: Int) {
    var layouts = RandomLayouts(seed: seed &* 13 &+ kind.utf8.count)
    let path = test.path(kind, layouts.body(of: kind).text)
    for _ in 0..<8 {
      let target = "\(path)/elements?limit=100000&category=cell&rect=-1e7,-1e7,2e7,2e7"
      let elements = test.get(target).json["elements"].array
      let cells = elements.sorted {
        ($0["indexPath"][0].integer!, $0["indexPath"][1].integer!)
          < ($1["indexPath"][0].integer!, $1["indexPath"][1].integer!)
      }
      same(test.get("\(path)/ids").json["ids"].array, cells.map { $0["id"] })
      if cells.isEmpty { return }
      let (one, other) = (
        layouts.integer(0...cells.count - 1), layouts.integer(0...cells.count - 1)
      )
      func name(_ index: Int) -> String {
        if let id = cells[index]["id"].string,
          cells.firstIndex(where: { $0["id"].string == id }) == index
        {
          return id
        }
        return cells[index]["indexPath"].array.map { "\($0.integer!)" }.joined(separator: ",")
      }
      let range = min(one, other)...max(one, other)
      let answer = pages("\(path)/ids?from=\(name(one))&to=\(name(other))&limit=3")
      same(answer.first["first"].integer, range.lowerBound)
      same(answer.first["count"].integer, range.count)
      same(answer.ids, cells[range].map { $0["id"] })
      let section = cells[one]["indexPath"][0].integer!
      let own = cells.filter { $0["indexPath"][0].integer == section }
      same(pages("\(path)/ids?section=\(section)").ids, own.map { $0["id"] })
      let update =
        kind == "tree"
        ? layouts.nodeUpdate(elements)
        : layouts.update(of: kind, test.get("\(path)/sections").json["sections"].array)
      same(test.update(path, JSON.array([update]).text).status, 200)
    }
  }

  private func pages(_ target: String) -> (first: JSON, ids: [JSON]) {
    let first = test.get(target).json
    var (ids, next) = (first["ids"].array, first["next"].string)
    while let target = next {
      let page = test.get(target).json
      same(page["first"], first["first"])
      same(page["count"], first["count"])
      ids += page["ids"].array
      next = page["next"].string
    }
    return (first, ids)
  }

  @Test("what is not there is not found, and what makes no sense is refused")
  func refusedIDs() {
    let path = test.path("list", body(#"[{"id": "a"}, {}, {"id": "a"}, {"id": "b"}]"#))
    for query in ["from=x&to=a", "from=a&to=0,4", "from=a&to=1,0", "section=1"] {
      test.get("\(path)/ids?\(query)").expectProblem(404, "no-such-element")
    }
    for query in ["from=a", "to=a", "section=0&from=a&to=a", "limit=100001", "section=x", "f=cbor"]
    {
      same(test.get("\(path)/ids?\(query)").status, 400, "\(query)")
    }
    // The first of equal ids counts.
    same(test.get("\(path)/ids?from=b&to=a").json["ids"], ["a", nil, "a", "b"])
    same(
      test.get("\(path)/ids?limit=0").json.removing("id", "version", "versionTag"),
      ["first": 0, "count": 4, "ids": []])
    let next = test.get("\(path)/ids?limit=2").json["next"].string!
    let answer = test.get("\(path)/ids", ifNoneMatch: test.get("\(path)/ids")["ETag"])
    same(answer.status, 304)
    _ = test.touch(path)
    same(test.get(next).status, 410)
    same(test.get("\(path)/ids?version=1").status, 410)
  }

  @Test(
    "marks are the first sections of equal stretches", arguments: cases("Data.marks", String.self))
  func marks(options: String) {
    let counts = [3, 0, 1, 40, 2, 0, 0, 5, 9, 1, 1, 1]
    let sections = counts.enumerated().map { #"{"id": "s\#($0)", "items": \#($1)}"# }
    let path = test.path(
      "list",
      """
      {"bounds": {"width": 300, "height": 300}, "options": \(options),
       "sections": [\(sections.joined(separator: ","))]}
      """)
    let places = test.get("\(path)/sections").json["sections"].array
    let size = test.get(path).json["contentSize"]
    let isHorizontal = options.contains("horizontal")
    let isMirrored = options.contains("rightToLeft")
    let length = size[isHorizontal ? "width" : "height"].number!
    for count in [1, 2, 5, 12, 1000] {
      var expected: [JSON] = []
      var taken: Set<Int> = []
      for (place, items) in zip(places, counts) where items > 0 || !options.contains("hide") {
        let frame = place["frame"].array.map { $0.number! }
        let start = !isHorizontal ? frame[1] : isMirrored ? frame[0] + frame[2] : frame[0]
        let distance = isMirrored ? 300 - start : start
        let stretch = min(count - 1, Int(distance * Double(count) / length))
        guard taken.insert(stretch).inserted else { continue }
        expected.append([
          "section": place["section"], "id": place["id"], "items": place["items"],
          isHorizontal ? "x" : "y": .number(start),
        ])
      }
      let answer = test.get("\(path)/sections?marks=\(count)").json
      same(answer["marks"].array, expected, "\(count)")
      same(answer["count"].integer, counts.count)
    }
    for other in ["rect=0,0,9,9", "id=s1", "limit=3", "cursor=1-952f14-0-2-0"] {
      same(test.get("\(path)/sections?marks=3&\(other)").status, 400, "\(other)")
    }
  }
}
