/// The answer of a successful probe.
public enum ServiceStatus: String {
  /// The process answers.
  case ok
  /// The server accepts new work.
  case ready

  /// The status as JSON text in UTF-8.
  ///
  /// - Parameter store: The state of the store that servers share; `nil` if there is none.
  public func encoded(store: String? = nil) -> [UInt8] {
    JSONWriter.text(capacity: 64) {
      $0["status"] = rawValue
      $0["store"] = store
    }
  }
}
