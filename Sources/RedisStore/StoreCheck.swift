import LayoutSessions

/// Whether a server is one for us, by what it says of itself.
enum StoreCheck {
  /// Refuses a server that takes no changes, and one that drops keys when its memory is full: it
  /// would drop layouts that people look at, and change logs of others.
  ///
  /// What a store does not tell its user is not known: it may take changes.
  static func check(_ client: RedisClient) throws(LogError) {
    var information = ""
    do {
      information = try client.answer(to: RedisCommand("INFO")).reply.text ?? ""
    } catch  where error.cause == .unsuitable {}
    guard takesChanges(information) else {
      throw LogError(.unavailable, "the store is a replica, which takes no changes")
    }
    guard !client.address.allowsEviction else { return }
    guard let policy = value(of: "maxmemory_policy", in: information) else {
      throw LogError(
        .unsuitable,
        """
        the store does not say its maxmemory-policy; give its user the right to INFO, or add \
        eviction=any to --store to take it
        """)
    }
    guard policy == "noeviction" else {
      throw LogError(
        .unsuitable,
        """
        the store's maxmemory-policy is \(policy), so it may drop layouts that are in use; set it \
        to noeviction, or add eviction=any to --store
        """)
    }
  }

  /// Whether this is no replica, or one of a cluster, which knows who takes changes.
  static func takesChanges(_ information: String) -> Bool {
    value(of: "role", in: information) != "slave"
      || value(of: "cluster_enabled", in: information) == "1"
  }

  static func value(of name: String, in information: String) -> String? {
    information.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name):") }
      .map { String($0.dropFirst(name.count + 1)) }
  }
}
