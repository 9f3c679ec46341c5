import LayoutSessions

/// Reads what a store says of sessions. Whoever can write to the store can write anything, so it is
/// input like a request's: each part is checked, and has a bound.
struct RecordReader: Sendable {
  /// The longest body of a change.
  let maxBodyBytes: Int
  /// The longest body that prepares a session.
  let maxSnapshotBytes: Int

  /// The form of records that this program writes. It is raised when a record gets another form.
  static let format = "4"
  /// What the bodies of changes that are read at once may take, beside the first.
  private static let pageBytes = 16 << 20
  /// The last second of the year 9999. Later times have no text on the wire.
  private static let lastUnixTime = 253_402_300_799
  /// The longest name of a kind or operation.
  private static let maxNameBytes = 64

  // MARK: Where a history ends

  /// - Parameter reply: The field `head`.
  func head(_ reply: RedisReply) -> LogHead {
    if reply == .null { return .none }
    return reply.text.flatMap { HistoryPosition($0) }.map { .at($0) } ?? .unreadable
  }

  // MARK: Snapshots

  /// A snapshot without its body.
  struct SnapshotRecord {
    let position: HistoryPosition
    let kind: String
    let createdUnixTime: Int
    let name: String?
    /// How many parts of the body are beside the record.
    let partCount: Int
    /// The last part of the body, packed.
    let lastPart: [UInt8]
  }

  static let snapshotFields = ["format", "base", "kind", "created", "parts", "snapshot", "name"]

  /// - Parameter reply: The ``snapshotFields``.
  /// - Returns: `nil` if there is no session.
  func snapshot(_ reply: RedisReply) throws(LogError) -> SnapshotRecord? {
    guard let fields = reply.elements, fields.count == Self.snapshotFields.count else {
      throw .unreadable
    }
    if fields.allSatisfy({ $0 == .null }) { return nil }
    let format = fields[0] == .null ? "1" : fields[0].text ?? ""
    guard format == Self.format else { throw .otherFormat(format) }
    guard case .at(let position) = head(fields[1]), let kind = name(fields[2]),
      let created = number(fields[3], in: 0...Self.lastUnixTime),
      let partCount = number(fields[4], in: 0...maxSnapshotBytes / SnapshotUpload.partLength),
      let lastPart = fields[5].bytes
    else { throw .unreadable }
    return SnapshotRecord(
      position: position, kind: kind, createdUnixTime: created,
      name: fields[6].text.flatMap { 1...128 ~= $0.utf8.count ? $0 : nil }, partCount: partCount,
      lastPart: lastPart)
  }

  /// Adds a part to a body.
  func add(_ packed: [UInt8], to body: inout [UInt8]) throws(LogError) {
    let limit = min(SnapshotUpload.partLength, maxSnapshotBytes - body.count)
    guard let part = PackedBytes.unpack(packed, limit: limit) else { throw .unreadable }
    body += part
  }

  // MARK: Changes

  static let changeFields = ["position", "id", "operation", "body"]

  /// - Parameters:
  ///   - reply: Where the history ends, and entries of the stream.
  ///   - limit: The most entries that were asked for.
  func changes(_ reply: RedisReply, limit: Int) throws(LogError) -> LoggedChanges {
    guard let parts = reply.elements, parts.count == 2, let entries = parts[1].elements,
      entries.count <= limit
    else { throw .unreadable }
    let end: HistoryPosition?
    switch head(parts[0]) {
    case .at(let position): end = position
    case .none: end = nil
    case .unreadable: throw .unreadable
    }
    var page = LoggedChanges(head: end, changes: [])
    var byteCount = 0
    for entry in entries {
      let change = try change(entry)
      byteCount += change.body.count
      // What is left out is the next page.
      if byteCount > Self.pageBytes, !page.changes.isEmpty { break }
      page.changes.append(change)
    }
    return page
  }

  private func change(_ entry: RedisReply) throws(LogError) -> LoggedChange {
    guard let parts = entry.elements, parts.count == 2, let fields = parts[1].elements,
      fields.count == 2 * Self.changeFields.count,
      zip(Self.changeFields.indices, Self.changeFields).allSatisfy({ fields[2 * $0].text == $1 }),
      case .at(let position) = head(fields[1]), parts[0].text == position.streamNumber,
      let id = fields[3].text.flatMap({ UInt64($0, radix: 16) }), let operation = name(fields[5]),
      let body = fields[7].bytes.flatMap({ PackedBytes.unpack($0, limit: maxBodyBytes) })
    else { throw .unreadable }
    return LoggedChange(
      id: HistoryPosition.ChangeID(bits: id), position: position, operation: operation, body: body)
  }

  // MARK: Fields

  private func name(_ reply: RedisReply) -> String? {
    reply.text.flatMap { $0.utf8.count <= Self.maxNameBytes ? $0 : nil }
  }

  private func number(_ reply: RedisReply, in range: ClosedRange<Int>) -> Int? {
    reply.text.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
  }
}

extension LogError {
  static let unreadable = LogError(.unreadable, "its keys hold something else")

  fileprivate static func otherFormat(_ format: String) -> LogError {
    LogError(
      .unreadable,
      """
      its record has format \(format.prefix(16)), and this program reads format \
      \(RecordReader.format); give servers of different versions different prefixes in --store, \
      or let the old layouts expire
      """)
  }
}

extension HistoryPosition {
  /// As the stream numbers the change: numbers ascend, and none is there twice.
  var streamNumber: String { "\(serial)-0" }
}
