import LayoutSessions

/// What a server does when its memory is full.
///
/// One that drops keys would drop layouts that people look at, and change logs of others.
enum EvictionPolicy {
  /// Whether a server is one for us.
  static func check(_ client: RedisClient) throws(SessionLogError) {
    let reply = try client.answer(to: RedisCommand("INFO", "memory")).reply
    guard !client.address.allowsEviction else { return }
    guard let policy = policy(in: reply.text ?? "") else {
      throw SessionLogError(
        .unreadable,
        "the store does not say its maxmemory-policy; add eviction=any to --store to take it")
    }
    guard policy == "noeviction" else {
      throw SessionLogError(
        .unreadable,
        """
        the store's maxmemory-policy is \(policy), so it may drop layouts that are in use; set it \
        to noeviction, or add eviction=any to --store
        """)
    }
  }

  static func policy(in information: String) -> String? {
    information.split(whereSeparator: \.isNewline).first { $0.hasPrefix("maxmemory_policy:") }
      .map { String($0.drop { $0 != ":" }.dropFirst()) }
  }
}
