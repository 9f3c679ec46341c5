import CollectionLayout
import LayoutSessions
import WireFormat

/// What a change in the log was asked for as.
enum SharedOperation: String {
  case patch, updates
  /// A view's layout, whole.
  case layout
}

/// What the log has of a view: its source, and its layout.
///
/// The text is `source revision kind`, a line feed, and bounds and options as JSON.
struct ViewRecord {
  /// The kind of a snapshot of a view.
  static let kind = "view"

  let source: SessionID
  /// The revision of the source's data at which the first version was.
  let firstRevision: Int
  var layout: GivenLayout

  init(source: SessionID, firstRevision: Int, layout: GivenLayout) {
    self.source = source
    self.firstRevision = firstRevision
    self.layout = layout
  }

  init?(_ snapshot: SessionSnapshot) {
    guard let end = snapshot.body.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = snapshot.body[..<end].split(separator: UInt8(ascii: " "))
    guard words.count == 3, let source = SessionID(Array(words[0]).span),
      let revision = Int(String(decoding: words[1], as: UTF8.self)),
      (0...HistoryPosition.maxCount).contains(revision),
      let layout = Self.layout(words[2], snapshot.body[(end + 1)...])
    else { return nil }
    self.init(source: source, firstRevision: revision, layout: layout)
  }

  var body: [UInt8] { source.text + Array(" \(firstRevision) ".utf8) + Self.body(of: layout) }

  /// Takes over a change of the view.
  ///
  /// - Returns: False if it is none.
  mutating func take(_ change: LoggedChange) -> Bool {
    guard SharedOperation(rawValue: change.operation) == .layout,
      let end = change.body.firstIndex(of: UInt8(ascii: "\n")),
      let layout = Self.layout(change.body[..<end], change.body[(end + 1)...])
    else { return false }
    self.layout = layout
    return true
  }

  /// The kind of a layout, a line feed, and bounds and options.
  static func body(of layout: GivenLayout) -> [UInt8] {
    var encoder = CollectionEncoder()
    encoder.encode(layout)
    return Array("\(layout.kind.name)\n".utf8) + encoder.writer.bytes
  }

  private static func layout(
    _ name: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>
  ) -> GivenLayout? {
    guard let kind = LayoutKind.named(String(decoding: name, as: UTF8.self)) else { return nil }
    return try? SharedStore.withPadding(Array(text)) { (bytes) throws(BodyError) in
      try PatchRequest(bytes, of: kind).layout
    }
  }
}
