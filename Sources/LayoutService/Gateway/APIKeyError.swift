/// Why a text is no list of keys. The keys themselves are not told.
public enum APIKeyError: Error, Equatable, CustomStringConvertible {
  case noKey
  /// A line, counted from 1, that no header field could carry as a key.
  case unusableKey(line: Int)

  public var description: String {
    switch self {
    case .noKey: "has no key"
    case .unusableKey(let line): "line \(line) is not one key of visible ASCII characters"
    }
  }
}
