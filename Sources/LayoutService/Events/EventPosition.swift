import LayoutSessions
import MicroHTTP

/// The ids of events: where a stream is, in each of its layouts.
///
/// For a stream of one layout, it is the version's tag: `7-9f3ac1`. For several, it is
/// `{layout}:7-9f3ac1` for each that has told its version, separated by commas. The parameter
/// `since` and the field `Last-Event-ID` have the same form.
struct EventPosition: Sendable {
  /// The versions by layout; that of the only layout under `nil`.
  private var versions: [SessionID?: AskedVersion] = [:]

  /// `nil` if the text is not the id of an event.
  init?(_ text: Span<UInt8>) {
    var start = 0
    while start <= text.count {
      let end = text.firstIndex(of: UInt8(ascii: ","), from: start) ?? text.count
      let part = text.extracting(start..<end)
      let colon = part.firstIndex(of: UInt8(ascii: ":"))
      let id = colon.flatMap { SessionID(part.extracting(..<$0)) }
      guard id != nil || colon == nil && part.count == text.count else { return nil }
      guard let version = AskedVersion(part.extracting((colon.map { $0 + 1 } ?? 0)...)) else {
        return nil
      }
      versions[id] = version
      start = end + 1
    }
  }

  /// The version that it has of a layout; `nil` if it has none.
  ///
  /// - Parameter isOnly: Whether the stream has no other layout.
  subscript(_ id: SessionID, isOnly isOnly: Bool) -> AskedVersion? {
    versions[id] ?? (isOnly ? versions[nil] : nil)
  }
}
