@testable import CollectionLayout

// Options as JSON has them: `["columns": 3, "sectionInset": ["top": 5]]`.

extension GivenOptions: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, OptionValue)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}

extension OptionValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByArrayLiteral
{
  init(floatLiteral value: Double) { self = .number(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(arrayLiteral elements: OptionValue...) { self = .array(elements) }

  init(dictionaryLiteral elements: (String, OptionValue)...) {
    var options = GivenOptions()
    for (name, value) in elements { options[name] = value }
    self = .object(options)
  }
}

extension GivenOptions {
  /// The names, in order.
  var names: [String] { members.map(\.name) }

  /// The number of a name.
  func double(_ name: String) -> Double? {
    if case .number(let value) = self[name] { value } else { nil }
  }

  /// The string of a name.
  func text(_ name: String) -> String? {
    if case .string(let text) = self[name] { text } else { nil }
  }

  func flag(_ name: String) -> Bool? {
    if case .boolean(let flag) = self[name] { flag } else { nil }
  }

  /// The insets of a name; 0 where they are not given.
  func edges(_ name: String) -> EdgeInsets {
    var edges = EdgeInsets(all: 0)
    guard case .object(let given) = self[name] else { return edges }
    edges.top = given.double("top") ?? 0
    edges.left = given.double("left") ?? 0
    edges.bottom = given.double("bottom") ?? 0
    edges.right = given.double("right") ?? 0
    return edges
  }

  /// These options with others merged over them, member by member (RFC 7396).
  func patched(by patch: GivenOptions) -> GivenOptions {
    var result = self
    for member in patch.members {
      if case .object(let inner) = member.value, member.name != "group" {
        var target = GivenOptions()
        if case .object(let object) = result[member.name] { target = object }
        result[member.name] = .object(target.patched(by: inner))
      } else {
        result[member.name] = member.value
      }
    }
    return result
  }
}
