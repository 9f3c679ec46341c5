/// A pattern of items that repeats, like NSCollectionLayoutGroup.
///
/// Limitations: the pattern repeats whatever its items say: their sizes, ratios and spans do not
/// count, and no size can be measured. A pattern has at most 1,000 items and 16 levels of groups.
public struct GroupLayout: SectionLayout {
  /// The pattern. It is required.
  public var group: Group?
  /// The distance between two repetitions, in points, ≥ 0.
  public var rowSpacing = 0.0

  public init() {}

  public static let kind = "group"
  public static let uniformity = Uniformity.always
  private static let groupOption = "group"
  public static let requiredOptions: Set = [groupOption]
  public static let options: [LayoutOption<GroupLayout>] = [
    LayoutOption(groupOption, .group) { _ in
      // It has none until it is given one.
      .null
    } assign: { (layout, value) throws(OptionFault) in
      layout.group = try Group(value)
    },
    .number("rowSpacing", \.rowSpacing, .nonNegative),
  ]

  public static let lengths: [any WritableKeyPath<GroupLayout, Double> & Sendable] = [
    \.rowSpacing
  ]

  public func transposed() -> GroupLayout {
    var layout = self
    layout.group = group?.transposed
    return layout
  }

  public var traits: SectionTraits { group?.usesHeightAround ?? false ? .boundsHeight : [] }

  public var memoryBytes: Int { group?.subitemBytes ?? 0 }

  /// - Complexity: O(*l*) for *l* items in the group.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    guard let group else {
      throw container.invalidOption(Self.groupOption, "given, here or in every section's options")
    }
    if group.usesHeightAround, !(container.boundsHeight ?? 0 > 0) {
      throw .invalidBounds(
        container.isTransposed ? "width" : "height",
        requirement: "given and > 0, because the group takes a fraction of it")
    }
    var places = GroupPlaces(
      around: Size(width: container.width, height: container.boundsHeight ?? 0))
    let size = try places.place(group, in: container)
    let pitch = container.step.length(size.height) + rowSpacing
    return LatticeBody(
      .given(places.slots.map { $0.withEdges(in: container.step) }), count: items.count,
      pitch: pitch, spacing: rowSpacing)
  }
}

extension GroupLayout {
  /// The width or height of a group or item.
  public enum Dimension: Equatable, Sendable {
    /// In points, > 0.
    case absolute(Double)
    /// A fraction of the width of the surrounding group, > 0.
    case fractionalWidth(Double)
    /// A fraction of the height of the surrounding group, > 0.
    case fractionalHeight(Double)
    /// A share of the space that the other subitems leave along the direction of the surrounding
    /// group, > 0.
    case flexible(Double)

    /// The length in points. A flexible dimension has length 0 here; it depends on its siblings.
    func length(in size: Size) -> Double {
      switch self {
      case .absolute(let length): length
      case .fractionalWidth(let part): part * size.width
      case .fractionalHeight(let part): part * size.height
      case .flexible: 0
      }
    }

    var transposed: Dimension {
      switch self {
      case .absolute, .flexible: self
      case .fractionalWidth(let part): .fractionalHeight(part)
      case .fractionalHeight(let part): .fractionalWidth(part)
      }
    }
  }

  /// A group, or an item in a group.
  public struct Group: Equatable, Sendable {
    /// What stands in its place.
    public enum Content: Equatable, Sendable {
      /// A cell, smaller by the insets, in points.
      case item(insets: EdgeInsets)
      /// Subitems one after another, `spacing` points ≥ 0 apart; at least one.
      case group(isHorizontal: Bool, spacing: Double, subitems: [Group])
    }

    public var width: Dimension
    public var height: Dimension
    /// The number of repetitions, ≥ 1.
    public var count = 1
    public var content: Content

    var transposed: Group {
      var turned = self
      (turned.width, turned.height) = (height.transposed, width.transposed)
      switch content {
      case .item(let insets): turned.content = .item(insets: insets.transposed)
      case .group(let isHorizontal, let spacing, let subitems):
        turned.content = .group(
          isHorizontal: !isHorizontal, spacing: spacing, subitems: subitems.map(\.transposed))
      }
      return turned
    }

    /// The memory of the subitems, in bytes.
    var subitemBytes: Int {
      guard case .group(_, _, let subitems) = content else { return 0 }
      return subitems.reduce(ArrayMemory.bytes(of: subitems)) { $0 + $1.subitemBytes }
    }

    /// Whether its size is a fraction of the surrounding height.
    var usesHeightAround: Bool {
      func uses(_ dimension: Dimension) -> Bool {
        if case .fractionalHeight = dimension { true } else { false }
      }
      return uses(width) || uses(height)
    }
  }
}

/// Places the items of a group.
private struct GroupPlaces {
  private let around: Size
  private(set) var slots: [Rect] = []

  init(around: Size) {
    self.around = around
  }

  /// Places all items of the outermost group.
  ///
  /// - Returns: The size of the group.
  mutating func place(
    _ group: GroupLayout.Group, in container: Container
  ) throws(LayoutError) -> Size {
    let size = Size(width: group.width.length(in: around), height: group.height.length(in: around))
    guard size.width.isReachable, size.height.isReachable, size.width > 0, size.height > 0 else {
      throw container.invalidOption("group", "above 0 and at most 1e300 in width and height")
    }
    try place(group, of: size, at: Point(x: 0, y: 0), "group", in: container)
    return size
  }

  private mutating func place(
    _ group: GroupLayout.Group, of size: Size, at origin: Point, _ path: String,
    in container: Container
  ) throws(LayoutError) {
    switch group.content {
    case .item(let insets):
      let frame = Rect(
        x: origin.x + insets.left, y: origin.y + insets.top,
        width: size.width - (insets.left + insets.right),
        height: size.height - (insets.top + insets.bottom))
      guard frame.size.width >= 0, frame.size.height >= 0 else {
        throw container.invalidOption(
          path + ".insets",
          "no larger than the item's \(size.width.messageText) × \(size.height.messageText)")
      }
      slots.append(frame)
    case .group(let isHorizontal, let spacing, let subitems):
      try place(
        subitems, isHorizontal, spacing, of: size, at: origin, path, in: container)
    }
  }

  private mutating func place(
    _ subitems: [GroupLayout.Group], _ isHorizontal: Bool, _ spacing: Double, of size: Size,
    at origin: Point, _ path: String, in container: Container
  ) throws(LayoutError) {
    let share = try share(of: subitems, isHorizontal, spacing, in: size, path, container)
    var place = 0.0
    for (index, subitem) in subitems.enumerated() {
      var extent = Size(
        width: subitem.width.length(in: size), height: subitem.height.length(in: size))
      let flexible = isHorizontal ? subitem.width : subitem.height
      if case .flexible(let part) = flexible, let share {
        let length = share.left * part / share.sum
        if isHorizontal { extent.width = length } else { extent.height = length }
      }
      let subpath = "\(path).subitems.\(index)"
      for _ in 0..<subitem.count {
        for (reached, limit) in [
          (place + extent.along(isHorizontal), size.along(isHorizontal)),
          (extent.along(!isHorizontal), size.along(!isHorizontal)),
        ] where !(reached <= limit * (1 + 1e-9)) {
          throw container.invalidOption(
            path,
            "large enough for its subitems: subitem \(index) reaches "
              + "\((reached - limit).messageText) beyond its \(limit.messageText)")
        }
        let start =
          isHorizontal
          ? Point(x: origin.x + place, y: origin.y) : Point(x: origin.x, y: origin.y + place)
        try self.place(subitem, of: extent, at: start, subpath, in: container)
        place += extent.along(isHorizontal) + spacing
      }
    }
  }

  /// The space that flexible subitems share, and the sum of their shares; `nil` if none is
  /// flexible.
  private func share(
    of subitems: [GroupLayout.Group], _ isHorizontal: Bool, _ spacing: Double, in size: Size,
    _ path: String, _ container: Container
  ) throws(LayoutError) -> (left: Double, sum: Double)? {
    var sum = 0.0
    var fixed = 0.0
    var count = 0
    for subitem in subitems {
      let dimension = isHorizontal ? subitem.width : subitem.height
      for _ in 0..<subitem.count {
        if case .flexible(let part) = dimension {
          sum += part
        } else {
          fixed += dimension.length(in: size)
        }
      }
      count += subitem.count
    }
    guard sum > 0 else { return nil }
    let left = (size.along(isHorizontal) - Double(count - 1) * spacing) - fixed
    guard left > 0 else {
      throw container.invalidOption(
        path,
        "large enough for its flexible subitems: the others need "
          + "\((-left).messageText) more than its \(size.along(isHorizontal).messageText)")
    }
    return (left, sum)
  }
}

extension Rect {
  /// The rect with its upper and its lower edge at whole steps.
  fileprivate func withEdges(in step: LengthStep) -> Rect {
    let y = step.nearest(to: origin.y)
    return Rect(
      x: origin.x, y: y, width: size.width, height: step.nearest(to: maxY) - y)
  }
}

extension Size {
  fileprivate func along(_ isHorizontal: Bool) -> Double { isHorizontal ? width : height }
}
