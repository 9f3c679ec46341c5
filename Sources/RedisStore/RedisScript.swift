/// A program in Lua that the server runs at once, between the commands of others.
///
/// It is sent with its text each time, some hundred bytes, so it does not matter which scripts a
/// server remembers; it compiles a text once.
struct RedisScript: Sendable {
  private let text: [UInt8]

  init(_ text: String) {
    self.text = Array(text.utf8)
  }

  func command(keys: [[UInt8]], _ arguments: [[UInt8]]) -> [[UInt8]] {
    [Array("EVAL".utf8), text, Array("\(keys.count)".utf8)] + keys + arguments
  }
}
