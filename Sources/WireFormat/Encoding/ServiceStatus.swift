/// The answer of a successful probe.
public enum ServiceStatus: String {
  /// The process answers.
  case ok
  /// The server accepts new work.
  case ready

  /// The status as JSON text in UTF-8.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter(capacity: 32)
    writer.write("{\"status\":")
    writer.write(string: rawValue)
    writer.write("}")
    return writer.bytes
  }
}
