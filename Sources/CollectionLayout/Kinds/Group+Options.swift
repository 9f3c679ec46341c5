// Reads a group from a client's value.
extension GroupLayout.Group {
  /// The largest number of items in a group, with counts multiplied.
  static let maximumItems = 1000
  /// The largest depth of nested groups.
  static let maximumDepth = 16

  init(_ value: OptionValue) throws(OptionFault) {
    self = try Self.read(value, direction: nil, depth: 1, isOutermost: true)
    guard let count = Self.itemCount(of: self), count <= Self.maximumItems else {
      throw OptionFault(requirement: "of at most \(Self.maximumItems) items, counts multiplied")
    }
  }

  /// The number of items; `nil` if it exceeds ``maximumItems``.
  private static func itemCount(of group: GroupLayout.Group) -> Int? {
    guard group.count <= maximumItems else { return nil }
    guard case .group(_, _, let subitems) = group.content else { return group.count }
    var total = 0
    for subitem in subitems {
      guard let count = itemCount(of: subitem), total + count <= maximumItems else { return nil }
      total += count
    }
    return total * group.count
  }

  private static let itemMembers = ["width", "height", "insets", "count"]
  private static let groupMembers = [
    "direction", "width", "height", "spacing", "subitems", "count",
  ]

  /// - Parameter direction: Whether the surrounding group is horizontal; `nil` for the outermost
  ///   group. Only extents along this direction may be flexible.
  private static func read(
    _ value: OptionValue, direction: Bool?, depth: Int, isOutermost: Bool
  ) throws(OptionFault) -> GroupLayout.Group {
    let given = try value.object("an object {\"width\", \"height\", …}")
    let isGroup = isOutermost || given["direction"] != nil || given["subitems"] != nil
    var known = isGroup ? groupMembers : itemMembers
    if isOutermost { known.removeLast() }
    try given.check(known: known)
    let width = try dimension("width", in: given, mayBeFlexible: direction == true)
    let height = try dimension("height", in: given, mayBeFlexible: direction == false)
    let count = try given.integer("count", in: 1...maximumItems) ?? 1
    guard isGroup else {
      let insets = try given.insets(
        "insets", "an object {\"top\", \"left\", \"bottom\", \"right\"}")
      return GroupLayout.Group(
        width: width, height: height, count: count, content: .item(insets: insets))
    }
    guard depth <= maximumDepth else {
      throw OptionFault(requirement: "in at most \(maximumDepth - 1) other groups")
    }
    let isHorizontal: Bool
    switch given["direction"] {
    case .string("horizontal"): isHorizontal = true
    case .string("vertical"): isHorizontal = false
    default:
      throw OptionFault(path: ["direction"], requirement: "\"horizontal\" or \"vertical\"")
    }
    let subitems = try given.list("subitems", of: "subitem", upTo: maximumItems) {
      (value) throws(OptionFault) in
      try read(value, direction: isHorizontal, depth: depth + 1, isOutermost: false)
    }
    return GroupLayout.Group(
      width: width, height: height, count: count,
      content: .group(
        isHorizontal: isHorizontal, spacing: try given.length("spacing"), subitems: subitems))
  }

  private static func dimension(
    _ name: String, in given: GivenOptions, mayBeFlexible: Bool
  ) throws(OptionFault) -> GroupLayout.Dimension {
    var makers: [(String, (Double) -> GroupLayout.Dimension)] = [
      ("absolute", { .absolute($0) }), ("fractionalWidth", { .fractionalWidth($0) }),
      ("fractionalHeight", { .fractionalHeight($0) }),
    ]
    if mayBeFlexible { makers.append(("flexible", { .flexible($0) })) }
    let forms = makers.map { "{\"\($0.0)\": a number > 0}" }.joined(separator: " or ")
    guard case .object(let members) = given[name], members.members.count == 1,
      let maker = makers.first(where: { $0.0 == members.members[0].name })
    else { throw OptionFault(path: [name], requirement: forms) }
    guard let number = NumberRange.positive.number(members.members[0].value) else {
      throw OptionFault(path: [name, maker.0], requirement: NumberRange.positive.requirement)
    }
    return maker.1(number)
  }
}
