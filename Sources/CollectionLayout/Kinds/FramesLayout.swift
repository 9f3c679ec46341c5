/// Frames that the client computed, for content that is too large to be shown at once. They are
/// kept as they are; only the body's height is a whole number of steps.
///
/// Limitations: no size can be measured, and a change of the section's width moves nothing. When
/// about a thousand frames have changed, the next change makes the index of all frames anew.
public struct FramesLayout: SectionLayout {
  /// The size of an item that has no size, in points, each > 0.
  public var itemSize = Size(width: 50, height: 50)

  public init() {}

  public static let kind = "frames"
  public static let keptBytesPerItem = 32
  public static let options: [LayoutOption<FramesLayout>] = LayoutOption.size(
    "itemSize", \.itemSize)

  public func transposed() -> FramesLayout {
    var layout = self
    layout.itemSize = itemSize.transposed
    return layout
  }

  public var traits: SectionTraits { .widensContent }

  private static let fields: [ItemField] = [.x, .y, .width, .height]

  public func hasPlainItems(_ items: Items, in container: Container) -> Bool {
    !Self.fields.contains { items.has($0) }
  }

  /// - Complexity: O(*n*) for *n* items with fields; O(1) without fields.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    guard !isUniform(items, in: container) else {
      return LatticeBody(
        .single(itemSize), count: items.count, pitch: 0,
        height: items.count == 0 ? 0 : container.step.roundedUp(itemSize.height))
    }
    if let earlier, let body = earlier.body as? FramesBody {
      let tail = earlier.unchangedTail(of: items.count)
      return FramesBody(
        body.frames.replacing(
          earlier.firstChanged..<body.count - tail,
          with: frames(of: items, in: earlier.firstChanged..<items.count - tail, container)),
        step: container.step)
    }
    return FramesBody(
      IndexedFrames(frames(of: items, in: 0..<items.count, container)), step: container.step)
  }

  private func frames(
    of items: Items, in range: Range<Int>, _ container: Container
  ) -> [Rect] {
    func frame(_ storage: ItemStorage?, _ index: Int) -> Rect {
      func value(_ field: ItemField, else standard: Double) -> Double {
        guard let value = storage?[container.field(field)]?[index], !value.isNaN else {
          return standard
        }
        return value
      }
      return Rect(
        x: value(.x, else: 0), y: value(.y, else: 0),
        width: value(.width, else: itemSize.width), height: value(.height, else: itemSize.height))
    }
    var frames: [Rect] = []
    frames.reserveCapacity(range.count)
    items.forEachRun(in: range) { storage, run in
      for index in run { frames.append(frame(storage, index)) }
    }
    return frames
  }
}
