/// An object that stands for the long searches of a session, which are done one after another.
public final class LongSearches: Sendable {
  init() {}
}
