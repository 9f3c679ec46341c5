import Foundation
import Logging
import TestSupport
import Testing

@testable import layoutd

@Suite("The log")
struct LogTests {
  @Test("a JSON line has numbers and truth values as such, and all else as strings")
  func jsonLine() throws {
    var handler = JSONLogHandler(label: "layoutd")
    handler[metadataKey: "status"] = .stringConvertible(1)
    let line = handler.line(
      for: LogEvent(
        level: .error, message: "a \"request\"\n",
        metadata: [
          "status": .stringConvertible(503), "complete": .stringConvertible(false),
          "target": "/a\"b", "list": ["1", "2"],
        ],
        source: "", file: "", function: "", line: 0))
    same(line.count { $0 == UInt8(ascii: "\n") }, 1)
    same(line.last, UInt8(ascii: "\n"))
    let object = try JSON(parsing: Array(line))
    let time = try #require(object["time"].string)
    #expect(ISO8601DateFormatter().date(from: time) != nil)
    same(
      object.removing("time"),
      [
        "level": "error", "logger": "layoutd", "message": "a \"request\"\n", "status": 503,
        "complete": false, "target": "/a\"b", "list": #"["1", "2"]"#,
      ])
  }
}
