import Foundation
import Logging
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
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(line.last == UInt8(ascii: "\n"))
    var object = try #require(
      try JSONSerialization.jsonObject(with: Data(line)) as? [String: NSObject])
    let time = try #require(object.removeValue(forKey: "time") as? String)
    #expect(ISO8601DateFormatter().date(from: time) != nil)
    let expected: [String: NSObject] = [
      "level": "error" as NSString, "logger": "layoutd" as NSString,
      "message": "a \"request\"\n" as NSString, "status": 503 as NSNumber,
      "complete": false as NSNumber, "target": "/a\"b" as NSString,
      "list": #"["1", "2"]"# as NSString,
    ]
    #expect(object == expected)
  }
}
