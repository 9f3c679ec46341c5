import Glibc
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
    var writer = JSONWriter()
    writer.write("{\"time\":")
    writer.write(string: Timestamp.text(unixTime: SystemClock().unixTime()))
    writer.write(",\"level\":")
    writer.write(string: event.level.rawValue)
    writer.write(",\"logger\":")
    writer.write(string: label)
    writer.write(",\"message\":")
    writer.write(string: "\(event.message)")
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) {
      writer.write(",")
      writer.write(string: key)
      writer.write(":")
      Self.add(value, to: &writer)
    }
    writer.write("}\n")
    return writer.bytes
  }

  /// Writes numbers and booleans as JSON values, everything else as a string.
  private static func add(_ value: Logger.Metadata.Value, to writer: inout JSONWriter) {
    switch value {
    case .stringConvertible(let number as Int): writer.write(number)
    case .stringConvertible(let flag as Bool): writer.write(flag)
    default: writer.write(string: "\(value)")
    }
  }
}
