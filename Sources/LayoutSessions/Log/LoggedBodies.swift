public import CollectionLayout

/// Reads and writes the bodies that a log has. Sessions know no wire format: they are given this.
public protocol LoggedBodies: Sendable {
  /// The collection that a body prepares.
  func collection(
    _ body: [UInt8], of kind: LayoutKind
  ) throws(UnreadableBody) -> PreparedCollection

  /// What a change makes of a collection, as it was made by whoever was asked for it.
  func applying(
    _ change: LoggedChange, to collection: PreparedCollection
  ) throws(UnreadableBody) -> ChangedCollection

  /// What a change of kind, bounds and options makes of a layout. Of a layout without bounds and
  /// options, what ``body(of:)`` writes makes the one that was written.
  func layout(
    _ body: [UInt8], changing given: GivenLayout
  ) throws(UnreadableBody) -> GivenLayout

  /// Gives a body that prepares a collection, in parts.
  func write(_ collection: PreparedCollection, _ take: @escaping ([UInt8]) -> Void)

  /// By how many bytes at most a change makes longer what ``write(_:_:)`` gives.
  ///
  /// - Parameters:
  ///   - change: `nil` if all attributes stay the same.
  ///   - length: Of the body with which it was asked for.
  func mostGrowth(by change: CollectionChange?, askedWith length: Int) -> Int
  /// Bounds and options of a layout.
  func body(of layout: GivenLayout) -> [UInt8]
}

/// What a change makes of a collection.
public struct ChangedCollection {
  public let collection: PreparedCollection
  /// `nil` if all attributes certainly stay the same.
  public let change: CollectionChange?
  /// As ``CollectionChange/missing``.
  public var missing: [String]?

  public init(_ collection: PreparedCollection, _ change: CollectionChange?) {
    self.collection = collection
    self.change = change
  }

  /// - Parameter collection: The one that is changed.
  public init(_ change: CollectionChange?, of collection: PreparedCollection) {
    self.init(change?.next ?? collection, change)
  }
}

/// A body in a log is not what this program writes, or cannot be made here.
public struct UnreadableBody: Error {
  public init() {}
}
