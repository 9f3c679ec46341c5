/// The place of an item in the collection. An element has the index path of the item that it
/// belongs to.
public struct IndexPath: Hashable, Comparable, BitwiseCopyable, Sendable {
  public var section: Int
  public var item: Int

  @inlinable
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  @inlinable
  public static func < (a: IndexPath, b: IndexPath) -> Bool {
    a.section != b.section ? a.section < b.section : a.item < b.item
  }
}
