/// What those may do who know the id of a layout.
public struct LayoutAccess: Equatable, Sendable {
  /// Whether it may be read and followed, and views may be made of it, and nothing else.
  public var isReadOnly = false
  /// The read-only views of which it was made, the nearest last. It goes with each of them, and its
  /// arrangement stays.
  public var bases: [SessionID] = []

  /// Whether its arrangement stays, and is not told.
  public var isBound: Bool { isReadOnly || !bases.isEmpty }
  /// Whether a read-only view may be made of it.
  public var mayBeBase: Bool { bases.count < 16 }
}
