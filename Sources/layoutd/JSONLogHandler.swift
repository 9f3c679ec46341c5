import Glibc
import Logging
import WireFormat

/// Writes a JSON object a line to standard error.
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
      writer.write(string: "\(value)")
    }
    writer.write("}\n")
    // One call, so that lines of several threads do not mix.
    _ = writer.bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
