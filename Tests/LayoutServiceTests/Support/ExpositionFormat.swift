/// Prometheus's text format as a reader has it.
///
/// Source: "Exposition formats", the Prometheus documentation, version 0.0.4.
struct ExpositionFormat {
  struct Sample: Equatable {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  struct Malformed: Error {
    var line: String
  }

  /// By the names of the families.
  private(set) var types: [String: String] = [:]
  /// By the names of the families that have one.
  private(set) var help: [String: String] = [:]
  private(set) var samples: [Sample] = []

  /// Takes a text whose samples stand right behind the types of their families.
  init(parsing text: String) throws {
    guard text.isEmpty || text.hasSuffix("\n") else { throw Malformed(line: "the last") }
    var family = ""
    // By bytes: of Swift's characters, some that begin with a line's end or a quotation mark are
    // others.
    for line in text.utf8.split(separator: UInt8(ascii: "\n")).map({ Substring($0) }) {
      if line.hasPrefix("# HELP ") {
        let words = line.split(separator: " ", maxSplits: 3)
        guard words.count == 4, types[String(words[2])] == nil,
          help.updateValue(String(words[3]), forKey: String(words[2])) == nil
        else { throw Malformed(line: String(line)) }
      } else if line.hasPrefix("# TYPE ") {
        let words = line.split(separator: " ")
        guard words.count == 4, ["counter", "gauge", "histogram"].contains(words[3]),
          types.updateValue(String(words[3]), forKey: String(words[2])) == nil
        else { throw Malformed(line: String(line)) }
        family = String(words[2])
      } else if !line.hasPrefix("#") {
        let sample = try Self.sample(line)
        let suffixes = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { sample.name == family + $0 }),
          !samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels })
        else { throw Malformed(line: String(line)) }
        samples.append(sample)
      }
    }
  }

  /// The value of a sample.
  subscript(name: String, labels: [String: String]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  subscript(name: String) -> Double? { self[name, [:]] }

  private static func sample(_ line: Substring) throws -> Sample {
    let malformed = Malformed(line: String(line))
    var rest = line
    let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }
    guard let first = name.first, !first.isNumber else { throw malformed }
    rest = rest.dropFirst(name.count)
    var labels: [String: String] = [:]
    if rest.first == "{" {
      rest.removeFirst()
      while rest.first != "}" {
        let label = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        rest = rest.dropFirst(label.count)
        guard !label.isEmpty, rest.hasPrefix("=\"") else { throw malformed }
        rest = rest.dropFirst(2)
        guard let value = quoted(&rest), labels.updateValue(value, forKey: String(label)) == nil
        else { throw malformed }
        if rest.first == "," { rest.removeFirst() } else if rest.first != "}" { throw malformed }
      }
      rest.removeFirst()
    }
    guard rest.first == " " else { throw malformed }
    rest.removeFirst()
    let value = rest == "+Inf" ? .infinity : rest == "-Inf" ? -.infinity : Double(rest)
    guard let value else { throw malformed }
    return Sample(name: String(name), labels: labels, value: value)
  }

  /// Reads to the closing quotation mark and over it.
  private static func quoted(_ rest: inout Substring) -> String? {
    var value = ""
    while let scalar = rest.unicodeScalars.popFirst() {
      switch scalar {
      case "\"": return value
      case "\\":
        switch rest.unicodeScalars.popFirst() {
        case "\\": value += "\\"
        case "\"": value += "\""
        case "n": value += "\n"
        default: return nil
        }
      default: value.unicodeScalars.append(scalar)
      }
    }
    return nil
  }
}
