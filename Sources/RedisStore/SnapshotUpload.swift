import LayoutSessions

/// Writes the parts of a snapshot but the last one under a key of its own, while the body is being
/// made. So no more than a part is on the way, and no command takes the store long.
final class SnapshotUpload {
  /// How long a part is, but for the last one.
  static let partLength = 1 << 20
  /// For how long parts are kept whose snapshot nobody has ended.
  private static let timeToLive = Duration.seconds(60)

  private let client: RedisClient
  /// The key of the parts.
  let key: [UInt8]
  private let slot: UInt16
  private let maxBytes: Int

  private(set) var partCount = 0
  private var rest: [UInt8] = []
  private var byteCount = 0
  private var failure: LogError?

  /// - Parameters:
  ///   - key: One that nobody else writes.
  ///   - maxBytes: The longest body.
  init(_ client: RedisClient, key: [UInt8], slot: UInt16, maxBytes: Int) {
    self.client = client
    self.key = key
    self.slot = slot
    self.maxBytes = maxBytes
  }

  /// Writes a body.
  ///
  /// - Returns: The last part, packed.
  func write(_ source: SnapshotSource) throws(LogError) -> [UInt8] {
    source.body { self.take($0) }
    guard byteCount <= maxBytes else {
      discard()
      throw LogError(
        .tooLong(bytes: byteCount, limit: maxBytes),
        "a layout is too long for the store: \(byteCount) bytes")
    }
    if let failure { throw failure }
    return PackedBytes.pack(rest)
  }

  /// Takes away parts of which nothing becomes. What cannot be taken away goes by itself.
  private func discard() {
    guard partCount > 0 else { return }
    _ = try? client.answer(to: RedisCommand([Array("UNLINK".utf8), key], slot: slot))
  }

  private func take(_ bytes: [UInt8]) {
    byteCount += bytes.count
    guard failure == nil, byteCount <= maxBytes else {
      rest = []
      return
    }
    var start = 0
    while rest.count + bytes.count - start > Self.partLength, failure == nil {
      let end = start + Self.partLength - rest.count
      rest += bytes[start..<end]
      start = end
      do throws(LogError) {
        try send()
      } catch {
        failure = error
      }
    }
    rest += bytes[start...]
  }

  /// A field that is written twice is there once.
  private func send() throws(LogError) {
    for command in [
      [Array("HSET".utf8), key, Array("\(partCount)".utf8), PackedBytes.pack(rest)],
      [Array("PEXPIRE".utf8), key, Array("\(Self.timeToLive.milliseconds)".utf8)],
    ] {
      _ = try client.answer(to: RedisCommand(command, slot: slot))
    }
    partCount += 1
    rest.removeAll(keepingCapacity: true)
  }
}
