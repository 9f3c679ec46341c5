/// The searches of a session that take long: what they are done on, one after another.
public final class LongSearches: Sendable {
  init() {}
}
