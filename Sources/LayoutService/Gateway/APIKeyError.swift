/// The reason why a text is not a list of keys. It never contains a key.
public enum APIKeyError: Error, Equatable, CustomStringConvertible {
  case noKey
  /// A line, counted from 1, that cannot be a key in a header field.
  case unusableKey(line: Int)

  public var description: String {
    switch self {
    case .noKey: "has no key"
    case .unusableKey(let line): "line \(line) is not one key of visible ASCII characters"
    }
  }
}
