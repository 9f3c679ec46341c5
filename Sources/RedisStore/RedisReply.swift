import CHiredis

/// What a server answers to one command, copied from the library's memory.
enum RedisReply: Equatable {
  case null
  case status(String)
  /// A word in capitals such as `ERR`, and what it says.
  case error(String)
  case integer(Int)
  case bytes([UInt8])
  case array([RedisReply])

  init(_ reply: UnsafePointer<redisReply>) {
    switch reply.pointee.type {
    case REDIS_REPLY_STATUS: self = .status(Self.text(of: reply))
    case REDIS_REPLY_ERROR: self = .error(Self.text(of: reply))
    case REDIS_REPLY_INTEGER: self = .integer(Int(reply.pointee.integer))
    case REDIS_REPLY_STRING: self = .bytes(Array(Self.bytes(of: reply)))
    case REDIS_REPLY_ARRAY:
      self = .array(
        (0..<reply.pointee.elements).map { RedisReply(reply.pointee.element[$0]!) })
    default: self = .null
    }
  }

  private static func bytes(of reply: UnsafePointer<redisReply>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: reply.pointee.str, count: reply.pointee.len)
  }

  private static func text(of reply: UnsafePointer<redisReply>) -> String {
    String(decoding: bytes(of: reply), as: UTF8.self)
  }

  /// What it holds; `nil` if it holds nothing that can be listed.
  var elements: [RedisReply]? { if case .array(let elements) = self { elements } else { nil } }

  var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  var integer: Int? { if case .integer(let number) = self { number } else { nil } }

  /// A string or a status.
  var text: String? {
    switch self {
    case .status(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }
}
