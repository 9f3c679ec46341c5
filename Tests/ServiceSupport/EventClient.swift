public import TestSupport
import Testing

/// A client that follows layouts and reads events by the rules of the standard.
///
/// Source: WHATWG HTML, section 9.2.6, "Interpreting an event stream"
public final class EventClient {
  public struct Event: Equatable {
    public var name = "message"
    public var data = JSON.null
    /// The id of the last event that had one.
    public var id = ""

    public init(name: String = "message", data: JSON = .null, id: String = "") {
      self.name = name
      self.data = data
      self.id = id
    }
  }

  public let head: RawClient.Answer
  public private(set) var retryMilliseconds: Int?
  public private(set) var lastEventID = ""
  private let connection: RawClient
  private var text = ""
  private var hasEnded = false

  /// - Parameter lastEventID: From an earlier stream.
  public init(port: UInt16, _ target: String, lastEventID: String? = nil) throws {
    connection = try RawClient(port: port)
    var request = "GET \(target) HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n"
    if let lastEventID { request += "Last-Event-ID: \(lastEventID)\r\n" }
    connection.send(request + "\r\n")
    head = try connection.answer(hasBody: false)
    guard head.status == 200 else { throw RawClient.Broken("status \(head.status)") }
  }

  /// The next event; `nil` at the end of the stream.
  public func event() throws -> Event? {
    var event = Event()
    var data: [String] = []
    while let line = try line() {
      guard !line.isEmpty else {
        if data.isEmpty { continue }
        event.data = try JSON(parsing: Array(data.joined(separator: "\n").utf8))
        event.id = lastEventID
        let schema = event.name == "gone" ? "GoneEvent" : "VersionEvent"
        same(OpenAPI.faults(of: event.data, as: schema), [], "\(event.data.text)")
        return event
      }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
      switch parts[0] {
      case "data": data.append(value)
      case "event": event.name = value
      case "id": lastEventID = value
      case "retry": retryMilliseconds = Int(value)
      default: break
      }
    }
    return nil
  }

  private func line() throws -> String? {
    while true {
      if let end = text.firstIndex(of: "\n") {
        defer { text = String(text[text.index(after: end)...]) }
        return String(text[..<end])
      }
      guard !hasEnded, let chunk = try connection.chunk() else {
        hasEnded = true
        return nil
      }
      text += chunk
    }
  }

  public func reset() { connection.reset() }
}
