import Glibc
import LayoutSessions
import Logging
import Synchronization
import WireFormat

/// Writes one JSON object per line to standard error.
struct JSONLogHandler: LogHandler {
  private let label: String
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  init(label: String) {
    self.label = label
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let line = line(for: event)
    Self.output.withLock { _ in line.withUnsafeBytes { Self.write($0) } }
  }

  private static let output = Mutex(())

  /// Writes a whole line. A pipe with a slow reader may take a long line in parts.
  private static func write(_ line: UnsafeRawBufferPointer) {
    var rest = line
    while !rest.isEmpty {
      let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
      if count < 0 && errno != EINTR { return }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
    }
  }

  func line(for event: LogEvent) -> [UInt8] {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let text = JSONWriter.text {
      $0["time"] = Timestamp.text(unixTime: SystemClock().unixTime())
      $0["level"] = event.level.rawValue
      $0["logger"] = label
      $0["message"] = "\(event.message)"
      for (key, value) in all.sorted(by: { $0.key < $1.key }) { Self.add(key, value, to: &$0) }
    }
    return text + [UInt8(ascii: "\n")]
  }

  /// Adds numbers and booleans as JSON values, everything else as a string.
  private static func add(
    _ key: String, _ value: Logger.Metadata.Value, to object: inout JSONObject
  ) {
    switch value {
    case .stringConvertible(let number as Int): object.write(key, number)
    case .stringConvertible(let flag as Bool): object.write(key, flag)
    default: object.write(key, "\(value)")
    }
  }
}
