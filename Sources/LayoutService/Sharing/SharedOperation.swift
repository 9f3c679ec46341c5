import CollectionLayout
import LayoutSessions
import WireFormat

/// What a change in the log was asked for as.
enum SharedOperation: String {
  case patch, updates, measurements
  /// A view's layout, whole.
  case layout
}

/// What the log has of a view: its source, and its layout.
///
/// The text is `source revision kind`, a line feed, and bounds and options as JSON. If sizes were
/// measured, a line feed and these follow, see ``ViewSizes``.
struct ViewRecord {
  /// The kind of a snapshot of a view.
  static let kind = "view"

  let source: SessionID
  /// The revision of the source's data at which the first version was.
  let firstRevision: Int
  var layout: GivenLayout
  /// What was measured in it, in the order in which that was said.
  private(set) var measured: [ViewSizes] = []

  init(source: SessionID, firstRevision: Int, layout: GivenLayout, measured: ViewSizes? = nil) {
    self.source = source
    self.firstRevision = firstRevision
    self.layout = layout
    self.measured = measured.map { [$0] } ?? []
  }

  init?(_ snapshot: SessionSnapshot) {
    guard let end = snapshot.body.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = snapshot.body[..<end].split(separator: UInt8(ascii: " "))
    guard words.count == 3, let source = SessionID(Array(words[0]).span),
      let revision = Int(String(decoding: words[1], as: UTF8.self)),
      (0...HistoryPosition.maxCount).contains(revision),
      case let rest = snapshot.body[(end + 1)...],
      case let layoutEnd = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex,
      let layout = Self.layout(words[2], rest[..<layoutEnd])
    else { return nil }
    self.init(source: source, firstRevision: revision, layout: layout)
    guard layoutEnd < rest.endIndex else { return }
    guard let sizes = ViewSizes(rest[(layoutEnd + 1)...]) else { return nil }
    measured = [sizes]
  }

  var body: [UInt8] {
    source.text + Array(" \(firstRevision) ".utf8) + Self.body(of: layout)
      + measured.flatMap { Array("\n".utf8) + $0.body }
  }

  /// Takes over a change of the view.
  ///
  /// - Returns: False if it is none.
  mutating func take(_ change: LoggedChange) -> Bool {
    if SharedOperation(rawValue: change.operation) == .measurements {
      guard let sizes = ViewSizes(change.body[...]) else { return false }
      // Whatever was said before that counts no longer.
      if sizes.replacesAll { measured = [] }
      measured.append(sizes)
      return true
    }
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

/// What the log has of sizes that were measured in a view.
///
/// The text is the revision of the data, and for each size a line feed and `section item width size`;
/// without a size, an earlier one is taken away. `all` before the revision says that what was measured
/// before is gone.
struct ViewSizes {
  let revision: Int
  /// Whether what was measured before is gone.
  let replacesAll: Bool
  let sizes: [MeasuredItems.Size]

  init(revision: Int, replacesAll: Bool, sizes: [MeasuredItems.Size]) {
    self.revision = revision
    self.replacesAll = replacesAll
    self.sizes = sizes
  }

  init?(_ body: ArraySlice<UInt8>) {
    let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let first = lines.first else { return nil }
    let words = Self.words(first)
    guard let last = words.last, let revision = Int(last), revision >= 0,
      words.count == 1 || words.count == 2 && words[0] == "all"
    else { return nil }
    var sizes: [MeasuredItems.Size] = []
    for line in lines.dropFirst() {
      let words = Self.words(line)
      guard (3...4).contains(words.count), let section = Int(words[0]), let item = Int(words[1]),
        section >= 0, item >= 0, let width = Self.length(words[2])
      else { return nil }
      let size = words.count == 4 ? Self.length(words[3]) : nil
      guard words.count == 3 || size != nil else { return nil }
      sizes.append(
        MeasuredItems.Size(IndexPath(section: section, item: item), size: size, width: width))
    }
    self.init(revision: revision, replacesAll: words.count == 2, sizes: sizes)
  }

  var body: [UInt8] {
    var text = (replacesAll ? "all " : "") + "\(revision)"
    for size in sizes {
      text += "\n\(size.path.section) \(size.path.item) \(size.width)"
      if let size = size.size { text += " \(size)" }
    }
    return Array(text.utf8)
  }

  private static func words(_ line: ArraySlice<UInt8>) -> [Substring] {
    String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
  }

  private static func length(_ word: Substring) -> Double? {
    Double(word).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }
}
