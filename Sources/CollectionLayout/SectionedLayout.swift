/// A layout whose sections lie one below the other.
protocol SectionedLayout: PreparedLayout {
  var sections: [Items] { get }
  /// Whether frames depend on the items' fields, rather than only on how many items there are.
  var dependsOnFields: Bool { get }
  /// The right edge of the rightmost frame, or a little more.
  var maximumX: Double { get }
  /// Where the section begins and where its last frame ends, or a little below.
  func verticalBounds(ofSection section: Int) -> (top: Double, bottom: Double)
  func hasElements(inSection section: Int) -> Bool
  /// An item's frame before it is made integral: those of the items behind follow from it.
  func unroundedFrame(ofItemAt indexPath: IndexPath) -> Rect?
  /// No element that comes with items from `item` on, and none whose frame depends on the section's
  /// height if that changed, begins above.
  ///
  /// - Parameter item: May be beyond the last one.
  func minimumY(inSection section: Int, from item: Int, isResized: Bool) -> Double
}

extension SectionedLayout {
  var dependsOnFields: Bool { true }

  func unroundedFrame(ofItemAt indexPath: IndexPath) -> Rect? {
    series.firstIndex(of: .cells).flatMap { attributes(of: $0, at: indexPath)?.frame }
  }

  func hasIDs(inSection section: Int) -> Bool { sections[section].hasIDs }

  func id(ofItemAt indexPath: IndexPath) -> ItemID? {
    sections[indexPath.section].id(at: indexPath.item)
  }
}
