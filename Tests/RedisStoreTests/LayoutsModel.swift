import CollectionLayout
import LayoutSessions
import TestSupport

/// What all layouts should be.
struct LayoutsModel {
  struct Layout {
    let documentID: SessionID
    var given: ModelledGiven
    /// How many of its own changes have made a version.
    var own = 0
    /// The revision of the data at which it was made.
    let birth: Int
  }

  struct Document {
    var heights: [Int]
    var revision = 0
  }

  var documents: [SessionID: Document] = [:]
  var layouts: [SessionID: Layout] = [:]

  /// The layouts that there are, in the same order each time.
  var ids: [SessionID] {
    layouts.filter { documents[$0.value.documentID] != nil }.map(\.key)
      .sorted { $0.description < $1.description }
  }

  func number(of id: SessionID) -> Int? {
    guard let layout = layouts[id], let document = documents[layout.documentID] else { return nil }
    return 1 + layout.own + document.revision - layout.birth
  }
}

/// Kind, bounds and options of a layout.
struct ModelledGiven: Equatable {
  var kind: String
  var width: Int
  var options: [String: Int] = [:]

  /// Some options of each kind.
  private static let options = [
    "list": ["rowSpacing"], "grid": ["columns", "rowSpacing"],
    "waterfall": ["columns", "rowSpacing"],
  ]

  static func random(_ random: inout SeededGenerator) -> ModelledGiven {
    ModelledGiven(
      kind: random.element(of: options.keys.sorted()), width: random.integer(1...4) * 100)
  }

  init(kind: String, width: Int) {
    self.kind = kind
    self.width = width
  }

  init?(_ layout: GivenLayout) {
    guard let width = layout.bounds?.width else { return nil }
    self.init(kind: layout.kind.name, width: Int(width))
    for member in layout.options.members {
      guard case .number(let value) = member.value else { return nil }
      options[member.name] = Int(value)
    }
  }

  var layout: GivenLayout {
    var layout = GivenLayout(
      kind: LayoutKind.named(kind)!, bounds: Bounds(width: Double(width)))
    for (name, value) in options { layout.options[name] = .number(Double(value)) }
    return layout
  }

  /// A body that prepares items of these heights.
  func body(_ heights: [Int]) -> String {
    let options = options.map { "\"\($0)\": \($1)" }.joined(separator: ", ")
    return #"""
      {"bounds": {"width": \#(width)}, "options": {\#(options)},
       "sections": [{"items": {"height": \#(heights)}}]}
      """#
  }

  /// Changes some of it.
  ///
  /// - Returns: The body that asks for the change, with nothing of what stays the same.
  mutating func change(keepingKind: Bool, _ random: inout SeededGenerator) -> String {
    var members: [String] = []
    if !keepingKind, random.chance(40) {
      kind = random.element(of: Self.options.keys.sorted())
      members.append(#""kind": "\#(kind)""#)
    }
    if random.chance(50) {
      width = random.integer(1...4) * 100
      members.append(#""bounds": {"width": \#(width)}"#)
    }
    // Another kind takes the options that it has, too.
    let names = Self.options[kind] ?? []
    options = options.filter { names.contains($0.key) }
    switch random.integer(0...9) {
    case 0:
      options = [:]
      members.append(#""options": null"#)
    case 1...6:
      let name = random.element(of: names)
      options[name] = random.chance(80) ? random.integer(1...3) : nil
      let value = options[name].map(String.init) ?? "null"
      members.append(#""options": {"\#(name)": \#(value)}"#)
    default: break
    }
    return "{\(members.joined(separator: ", "))}"
  }
}
