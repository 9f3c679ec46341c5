import LayoutSessions
import MicroHTTP
import Synchronization
import WireFormat

/// The events of one stream: what becomes of its layouts.
///
/// Source: WHATWG HTML, section 9.2, "Server-sent events"
final class LayoutEventSource: EventSource {
  /// A layout, and what the client was told of it.
  private struct Place {
    let id: SessionID
    /// `nil` if there is no such layout.
    var layout: FollowedLayout?
    /// The version that the client knows.
    var position: AskedVersion?
    var isFirst = true
    var isOver = false
  }

  private struct State {
    var stream: EventStream?
    var places: [Place]
    /// The place that is looked at next. All have their turn.
    var turn = 0
    var isFirst = true
  }

  /// From how many bytes on the rest of the events waits until the client has taken these. What is
  /// superseded meanwhile is never written.
  private static let batchBytes = 2048
  /// The id of so many layouts comes with each version. That of more is longer than an event, so it
  /// comes once a batch.
  private static let fewLayouts = 8

  /// The time after which a client that lost its stream tries again, in milliseconds. It differs
  /// from stream to stream, so that clients that have lost theirs together do not come together.
  static let retryMilliseconds = 1000...3000
  /// The reason for the end of a layout that was not there at the start.
  static let unknown = "unknown"

  private let hub: EventHub
  /// Whether events say which layout they are about.
  private let isNamed: Bool
  private let missing: Set<SessionID>
  private let state: Mutex<State>

  /// - Parameters:
  ///   - ids: The layouts, none twice.
  ///   - isNamed: Whether events say which layout they are about.
  ///   - missing: Those of which it is known that there is none.
  ///   - positions: What the client knows; `nil` for nothing.
  init(
    _ hub: EventHub, _ ids: [SessionID], without missing: Set<SessionID> = [], isNamed: Bool,
    after positions: EventPosition?
  ) {
    self.missing = missing
    self.hub = hub
    self.isNamed = isNamed
    let isOnly = ids.count == 1
    state = Mutex(
      State(places: ids.map { Place(id: $0, position: positions?[$0, isOnly: isOnly]) }))
  }

  func begin(_ stream: EventStream) {
    state.withLock { state in
      state.stream = stream
      for index in state.places.indices where !missing.contains(state.places[index].id) {
        state.places[index].layout = hub.follow(state.places[index].id, stream)
      }
    }
  }

  func next() -> EventBatch? {
    state.withLock { state in
      var text: [UInt8] = []
      var count = 0
      var withoutNews = 0
      var lastVersion: Int?
      while withoutNews < state.places.count, text.count < Self.batchBytes {
        let event = nextEvent(of: &state.places[state.turn])
        if let event {
          if case .version = event { lastVersion = text.count }
          write(event, of: state.places[state.turn].id, &state, to: &text)
          count += 1
        }
        withoutNews = event == nil ? withoutNews + 1 : 0
        state.turn = (state.turn + 1) % state.places.count
      }
      guard count > 0 else { return nil }
      if let lastVersion, state.places.count > Self.fewLayouts {
        text.insert(contentsOf: "id: \(id(of: state.places))\n".utf8, at: lastVersion)
      }
      return EventBatch(text, count: count, isLast: state.places.allSatisfy(\.isOver))
    }
  }

  private func write(
    _ event: FollowedLayout.Event, of id: SessionID, _ state: inout State, to text: inout [UInt8]
  ) {
    if state.isFirst { text += "retry: \(Int.random(in: Self.retryMilliseconds))\n".utf8 }
    state.isFirst = false
    switch event {
    case .version(_, let data):
      if state.places.count <= Self.fewLayouts { text += "id: \(self.id(of: state.places))\n".utf8 }
      text += "data: ".utf8
      text += data
    case .gone(let reason):
      text += "event: gone\ndata: {".utf8
      if isNamed { text += "\"layout\":\"\(id)\",".utf8 }
      text += "\"reason\":\"\(reason)\"}".utf8
    }
    text += "\n\n".utf8
  }

  func end() {
    let (stream, places) = state.withLock { ($0.stream.take(), $0.places) }
    guard let stream else { return }
    for place in places where place.layout != nil { hub.leave(place.id, stream) }
  }

  /// The next event of a layout, which counts as told.
  private func nextEvent(of place: inout Place) -> FollowedLayout.Event? {
    guard !place.isOver else { return nil }
    let event =
      place.layout.map {
        $0.event(after: place.position, isFirst: place.isFirst, isNamed: isNamed)
      } ?? .gone(reason: Self.unknown)
    switch event {
    case .version(let tag, _)?:
      place.position = AskedVersion(tag)
      place.isFirst = false
    case .gone?: place.isOver = true
    case nil: break
    }
    return event
  }

  /// The id of an event: where the stream is.
  private func id(of places: [Place]) -> String {
    guard isNamed else { return places[0].position?.description ?? "" }
    return places.lazy.filter { !$0.isOver }
      .compactMap { place in place.position.map { "\(place.id):\($0)" } }.joined(separator: ",")
  }
}
