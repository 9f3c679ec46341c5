import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("Numbers that people can read")
struct ReadableNumbersTests {
  private let service = TestService()

  @Test("JSON says a coordinate in few decimals, CBOR every digit, and what was given comes back")
  func formats() {
    let path = service.path(
      "list",
      #"{"bounds": {"width": 320.30000000000001}, "sections": [{"items": [{"height": 446.08}]}]}"#)
    let query = "\(path)/elements?rect=0,0.30000000000000004,10,10"
    let answer = service.get(query)
    #expect(answer.text.contains(#""frame":[0,0,320.3,446.08]"#), "\(answer.text)")
    #expect(answer.text.contains(#""rect":[0,0.30000000000000004,10,10]"#), "\(answer.text)")
    same(service.get(query + "&f=cbor").cbor["elements"]?["height"]?.doubles, [446.080078125])
    let cell = "\(path)/items/0/0"
    same(service.get(cell).json["frame"], [0, 0, 320.3, 446.08])
    same(
      service.get(cell + "?f=cbor").cbor["frame"]?.array.map(\.number),
      [
        0, 0, 320.3, 446.080078125,
      ])
    same(service.get(path).json["contentSize"]["height"], 446.08)
    same(service.get(path + "?f=cbor").cbor["contentSize"]?["height"]?.number, 446.080078125)
    same(service.get("\(path)/sections").json["sections"][0]["body"], [0, 0, 320.3, 446.08])
    #expect(service.get("\(path)/collection").text.contains("446.08"))
  }

  @Test("the frame of an element, sent back, meets what the element meets", arguments: 0..<20)
  func sentBack(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let heights = (0..<40).map { _ in "\(Double.random(in: 0.01...300, using: &generator))" }
    let path = service.path(
      "list",
      #"{"bounds": {"width": 320}, "options": {"rowSpacing": 0}, "sections": [{"items": {"height": [\#(heights.joined(separator: ","))]}}]}"#
    )
    let whole = service.get("\(path)/elements?rect=0,0,1e6,1e6").json["elements"].array
    same(whole.count, 40)
    for element in whole {
      let rect = element["frame"].array.map(\.text).joined(separator: ",")
      same(
        service.get("\(path)/elements?rect=\(rect)").json["elements"], [element],
        "seed \(seed): \(rect)")
      same(
        service.get("\(path)/elements?rect=\(rect)&known=\(rect)").json["elements"], [],
        "seed \(seed): \(rect)")
    }
  }

  @Test(
    "a rect is searched in multiples of 1/1024, halves away from 0",
    arguments: [
      // The row is from 0 to 10, and points are searched.
      ("9.9995", 1), ("9.99951171875", 0), ("9.999511", 1), ("-0.00048828124", 1),
      ("-0.00048828125", 0),
    ])
  func searched(y: String, count: Int) {
    let path = service.path(
      "list",
      #"{"bounds": {"width": 320}, "options": {"itemHeight": 10}, "sections": [{"items": 1}]}"#)
    let answer = service.get("\(path)/elements?rect=0,\(y),0,0")
    same(answer.json["elements"].array.count, count, "\(answer.text)")
  }
}
