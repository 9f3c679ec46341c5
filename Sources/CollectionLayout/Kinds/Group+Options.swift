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
    guard case .object(let given) = value else {
      throw OptionFault(requirement: "an object {\"width\", \"height\", …}")
    }
    let isGroup = isOutermost || given["direction"] != nil || given["subitems"] != nil
    var known = isGroup ? groupMembers : itemMembers
    if isOutermost { known.removeLast() }
    for member in given.members where !known.contains(member.name) {
      throw OptionFault(
        path: [member.name],
        requirement: "left out; known: " + known.joined(separator: ", "))
    }
    let width = try dimension("width", in: given, mayBeFlexible: direction == true)
    let height = try dimension("height", in: given, mayBeFlexible: direction == false)
    let count = try integer("count", in: given)
    guard isGroup else {
      return GroupLayout.Group(
        width: width, height: height, count: count, content: .item(insets: try insets(in: given)))
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
    guard case .array(let values) = given["subitems"], !values.isEmpty else {
      throw OptionFault(path: ["subitems"], requirement: "an array of at least one subitem")
    }
    guard values.count <= maximumItems else {
      throw OptionFault(
        path: ["subitems"], requirement: "an array of at most \(maximumItems) subitems")
    }
    var subitems: [GroupLayout.Group] = []
    for (index, value) in values.enumerated() {
      do throws(OptionFault) {
        subitems.append(
          try read(value, direction: isHorizontal, depth: depth + 1, isOutermost: false))
      } catch {
        throw error.inside("subitems", "\(index)")
      }
    }
    return GroupLayout.Group(
      width: width, height: height, count: count,
      content: .group(
        isHorizontal: isHorizontal,
        spacing: try number("spacing", in: given, .nonNegative) ?? 0, subitems: subitems))
  }

  private static func number(
    _ name: String, in given: GivenOptions, _ range: NumberRange
  ) throws(OptionFault) -> Double? {
    guard let value = given[name] else { return nil }
    guard let number = range.number(value) else {
      throw OptionFault(path: [name], requirement: range.requirement)
    }
    return number
  }

  private static func integer(_ name: String, in given: GivenOptions) throws(OptionFault) -> Int {
    guard let value = given[name] else { return 1 }
    guard case .number(let number) = value, let integer = JSONInteger.exactly(number),
      (1...maximumItems).contains(integer)
    else {
      throw OptionFault(path: [name], requirement: "an integer from 1 to \(maximumItems)")
    }
    return integer
  }

  private static func insets(in given: GivenOptions) throws(OptionFault) -> EdgeInsets {
    guard let value = given["insets"] else { return EdgeInsets(all: 0) }
    guard case .object(let members) = value else {
      throw OptionFault(
        path: ["insets"], requirement: "an object {\"top\", \"left\", \"bottom\", \"right\"}")
    }
    var insets = EdgeInsets(all: 0)
    for member in members.members {
      do throws(OptionFault) {
        let length = try number(member.name, in: members, .nonNegative) ?? 0
        switch member.name {
        case "top": insets.top = length
        case "left": insets.left = length
        case "bottom": insets.bottom = length
        case "right": insets.right = length
        default:
          throw OptionFault(
            path: [member.name], requirement: "left out; known: top, left, bottom, right")
        }
      } catch {
        throw error.inside("insets")
      }
    }
    return insets
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

extension OptionFault {
  /// The same fault, with its path relative to the surrounding value.
  func inside(_ path: String...) -> OptionFault {
    OptionFault(path: path + self.path, requirement: requirement)
  }
}
