public import CollectionLayout

/// The list of all kinds and their options.
public enum KindList {
  /// The kinds as JSON text in UTF-8, each with its form and its options.
  public static func encoded(_ kinds: [LayoutKind]) -> [UInt8] {
    JSONWriter.text(capacity: 16 << 10) {
      $0.array("kinds", kinds) { writer, kind in
        let table = kind.optionTable
        writer.object {
          $0["name"] = kind.name
          $0["form"] = kind.form.name
          $0.array("options", table.entries) { writer, option in
            let rival = GivenOptions.rival(of: option.name)
            writer.object {
              $0.write(option, rival: rival.flatMap { table.option(named: $0)?.name })
            }
          }
        }
      }
    }
  }
}

extension LayoutKind.Form {
  fileprivate var name: String {
    switch self {
    case .sections: "sections"
    case .compositional: "compositional"
    case .forest: "forest"
    }
  }
}

extension JSONObject {
  /// - Parameter rival: The option that excludes it, if there is one.
  fileprivate mutating func write(_ option: OptionTable.Entry, rival: String?) {
    self["name"] = option.name
    self["scope"] = option.scope.rawValue
    switch option.form {
    case .number(let range):
      if case .integers = range { self["type"] = "integer" } else { self["type"] = "number" }
      write(range)
    case .integer(let minimum):
      self["type"] = "integer"
      self["minimum"] = minimum
      self["maximum"] = JSONInteger.maximum
    case .boolean: self["type"] = "boolean"
    case .choice(let words):
      self["type"] = "choice"
      self["choices"] = words
    case .group: self["type"] = "group"
    case .card: self["type"] = "card"
    }
    self["default"] = option.defaultValue
    self["excludes"] = rival
  }

  /// Writes the limits of a range, in the words of JSON Schema.
  private mutating func write(_ range: NumberRange) {
    switch range {
    case .finite: break
    case .nonNegative: self["minimum"] = 0
    case .positive: self["exclusiveMinimum"] = 0
    case .fraction:
      self["minimum"] = 0
      self["maximum"] = 1
    case .integers(let first, let last, _):
      self["minimum"] = first
      self["maximum"] = last
    }
  }
}
