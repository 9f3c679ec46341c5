/// A command, and which part of a cluster it is for.
struct RedisCommand: Sendable {
  let arguments: [[UInt8]]
  /// The hash slot of its keys; `nil` where any server does.
  let slot: UInt16?
  /// The longest reply that is taken.
  let maxReplyBytes: Int

  /// What nearly all replies keep far below: a part of a snapshot is the longest.
  static let maxReplyBytes = 2 << 20

  init(
    _ arguments: [[UInt8]], slot: UInt16? = nil, maxReplyBytes: Int = Self.maxReplyBytes
  ) {
    self.arguments = arguments
    self.slot = slot
    self.maxReplyBytes = maxReplyBytes
  }

  init(_ arguments: String...) {
    self.init(arguments.map { Array($0.utf8) })
  }
}

/// A value as an argument of a command.
func text(_ value: some CustomStringConvertible) -> [UInt8] { Array(value.description.utf8) }

/// In which of a cluster's 16,384 slots a key is.
///
/// Source: the Redis cluster specification, "Key distribution model", and its appendix A.
enum HashSlot {
  /// - Parameter tag: What stands between the braces of a key, or all of a key without braces.
  static func number(of tag: [UInt8]) -> UInt16 {
    // CRC-16/XMODEM.
    var crc: UInt16 = 0
    for byte in tag {
      crc ^= UInt16(byte) << 8
      for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
    }
    return crc % 16_384
  }
}
