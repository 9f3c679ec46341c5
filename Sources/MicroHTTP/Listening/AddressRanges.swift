/// Addresses of peers: `10.0.0.0/8, ::1, unix`.
public struct AddressRanges: Equatable, Sendable {
  private struct Range: Equatable, Sendable {
    let start: SocketAddress
    /// The bits that all addresses of the range share, of 128. Those of IPv4 are mapped.
    let prefixLength: Int
  }

  private var ranges: [Range] = []

  /// No address.
  public init() {}

  /// Reads addresses and ranges, separated by commas. `unix` stands for peers on a Unix socket.
  /// `nil` if a part is none of these.
  public init?(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let range = Self.range(String(part.withoutBlanksAround())) else { return nil }
      ranges.append(range)
    }
  }

  private static func range(_ text: String) -> Range? {
    if text == "unix" { return Range(start: .unix, prefixLength: 128) }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let start = SocketAddress(host: String(parts[0])) else { return nil }
    let width = start.isIPv4 ? 32 : 128
    guard parts.count == 2 else {
      return parts.count == 1 ? Range(start: start, prefixLength: 128) : nil
    }
    guard let length = Int(parts[1]), (0...width).contains(length), "\(length)" == parts[1] else {
      return nil
    }
    return Range(start: start, prefixLength: 128 - width + length)
  }

  public var isEmpty: Bool { ranges.isEmpty }

  public func contains(_ address: SocketAddress) -> Bool {
    ranges.contains { $0.start.shares($0.prefixLength, bitsWith: address) }
  }
}
