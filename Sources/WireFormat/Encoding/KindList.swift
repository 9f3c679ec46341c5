public import CollectionLayout

/// The list of all kinds and their options.
public enum KindList {
  /// The kinds as JSON text in UTF-8, each with its form and its options.
  public static func encoded(_ kinds: [LayoutKind]) -> [UInt8] {
    var writer = JSONWriter(capacity: 16 << 10)
    writer.write("{\"kinds\":[")
    for (index, kind) in kinds.enumerated() {
      if index > 0 { writer.write(",") }
      writer.write("{\"name\":")
      writer.write(string: kind.name)
      writer.write(",\"form\":")
      writer.write(string: kind.form.name)
      writer.write(",\"options\":[")
      let table = kind.optionTable
      for (index, option) in table.entries.enumerated() {
        if index > 0 { writer.write(",") }
        writer.write(option, rival: GivenOptions.rival(of: option.name, in: table))
      }
      writer.write("]}")
    }
    writer.write("]}")
    return writer.bytes
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

extension JSONWriter {
  /// - Parameter rival: The option that excludes it, if there is one.
  fileprivate mutating func write(_ option: OptionTable.Entry, rival: String?) {
    write("{\"name\":")
    write(string: option.name)
    write(",\"scope\":")
    write(string: option.scope.rawValue)
    switch option.form {
    case .number(let range):
      write(",\"type\":\"number\"")
      write(range)
    case .integer(let minimum):
      write(",\"type\":\"integer\",\"minimum\":")
      write(minimum)
      write(",\"maximum\":")
      write(JSONInteger.maximum)
    case .boolean: write(",\"type\":\"boolean\"")
    case .choice(let words):
      write(",\"type\":\"choice\",\"choices\":")
      write(.array(words.map { .string($0) }))
    case .group: write(",\"type\":\"group\"")
    case .card: write(",\"type\":\"card\"")
    }
    write(",\"default\":")
    write(option.defaultValue)
    if let rival {
      write(",\"excludes\":")
      write(string: rival)
    }
    write("}")
  }

  /// Writes the limits of a range, in the words of JSON Schema.
  private mutating func write(_ range: NumberRange) {
    switch range {
    case .finite: break
    case .nonNegative: write(",\"minimum\":0")
    case .positive: write(",\"exclusiveMinimum\":0")
    case .fraction: write(",\"minimum\":0,\"maximum\":1")
    case .integers(let first, let last, _):
      write(",\"minimum\":")
      write(first)
      write(",\"maximum\":")
      write(last)
    }
  }
}
