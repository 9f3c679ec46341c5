public import TestSupport

/// Random values that fit the schemas of openapi.yaml, made from nothing else: what the document
/// describes is tested from the day on which it does.
///
/// A schema does not say all that a server asks: of two options that exclude each other, both may
/// be here. ``Answering/sendMended(_:_:_:type:)`` takes away what a server names.
public struct RandomBodies {
  public var random: SeededGenerator
  /// For the names of schemas, values to take instead: index paths and ids that there are.
  public var known: [String: [JSON]] = [:]
  /// The paths of all members that values had so far; see ``OpenAPI/memberPaths(of:)``.
  public private(set) var made: Set<String> = []
  /// Paths of members that values should have soon, as long as they were not made.
  public var wanted: Set<String> = []
  /// The paths that lead to what is wanted and not made.
  private var sought: Set<String> = []
  /// For the columns of a list, how long all are.
  private var columnLength: Int?
  private var depth = 0
  /// The schemas that were read, by name: reading takes longer than making values.
  private var schemas: [String: Schema] = [:]

  public init(seed: Int) { random = SeededGenerator(seed: seed) }

  /// A value that fits a component of the document.
  public mutating func value(of name: String) -> JSON {
    let schema =
      schemas[name] ?? Schema(["$ref": .string("#/components/schemas/\(name)")])
    schemas[name] = schema
    sought = []
    for path in wanted.subtracting(made) {
      var prefix = ""
      for member in path.split(separator: ".") {
        prefix += prefix.isEmpty ? member : ".\(member)"
        sought.insert(prefix)
      }
    }
    guard let value = make(schema, "") else { preconditionFailure("nothing fits \(name)") }
    note(value, "")
    return value
  }

  /// Notes the paths of a value's members.
  private mutating func note(_ value: JSON, _ path: String) {
    for element in value.array { note(element, path) }
    for (name, member) in value.object {
      made.insert(path + name)
      note(member, "\(path)\(name).")
    }
  }

  /// - Returns: `nil` if no value fits.
  private mutating func make(_ schema: Schema, _ path: String) -> JSON? {
    guard !schema.isImpossible else { return nil }
    if let values = known[schema.name], !values.isEmpty, random.chance(85) {
      return random.element(of: values)
    }
    depth += 1
    defer { depth -= 1 }
    guard !schema.alternatives.isEmpty || schema["not"] != .null else {
      return plain(schema, path)
    }
    for _ in 0..<100 {
      var chosen = schema
      while !chosen.alternatives.isEmpty {
        // Deep down, the first one, which holds nothing of its own kind.
        chosen = depth > 12 ? chosen.alternatives[0] : alternative(of: chosen, path)
      }
      if let value = plain(chosen, path),
        OpenAPI.faults(of: value, against: schema.source, at: "").isEmpty
      {
        return value
      }
    }
    preconditionFailure("nothing fits \(path): \(schema.source)")
  }

  /// One of a schema's alternatives, rather one that leads to what is wanted.
  private mutating func alternative(of schema: Schema, _ path: String) -> Schema {
    let leading =
      sought.isEmpty
      ? []
      : schema.alternatives.filter { $0.properties.contains { sought.contains(path + $0.name) } }
    return random.element(
      of: leading.isEmpty || random.chance(20) ? schema.alternatives : leading)
  }

  /// A value of a schema without choices.
  private mutating func plain(_ schema: Schema, _ path: String) -> JSON? {
    if schema["const"] != .null { return schema["const"] }
    if schema["enum"] != .null { return random.element(of: schema["enum"].array) }
    var types = schema.types
    if types.isEmpty { types = schema.properties.isEmpty ? ["string"] : ["object"] }
    if types.count > 1, random.chance(85) { types.removeAll { $0 == "null" } }
    switch random.element(of: types) {
    case "null": return .null
    case "boolean": return .boolean(random.chance(50))
    case "integer": return .number(Double(integer(schema)))
    case "number": return number(schema)
    case "string": return .string(text(schema))
    case "array": return array(schema, path)
    default: return object(schema, path)
    }
  }

  private mutating func integer(_ schema: Schema) -> Int {
    let least = schema["minimum"].integer ?? 0
    let most = schema["maximum"].integer ?? .max
    return random.integer(least...min(most, least + (random.chance(90) ? 4 : 100)))
  }

  /// Lengths that must not be 0 are those of things; others are distances, which are shorter.
  private mutating func number(_ schema: Schema) -> JSON {
    let isPositive = schema["exclusiveMinimum"] != .null
    let least = max(schema["minimum"].number ?? schema["exclusiveMinimum"].number ?? -100, -100)
    let most = min(schema["maximum"].number ?? .infinity, least + (isPositive ? 120 : 20))
    let value = random.number(least...most, isNice: random.chance(50))
    return .number(isPositive && value == least ? most : value)
  }

  private mutating func text(_ schema: Schema) -> String {
    if schema["pattern"] != .null { return schema["default"].string ?? "" }
    let length = random.integer((schema["minLength"].integer ?? 0)...8)
    return String(
      (0..<length).map { _ in random.element(of: ["a", "b", "é", "1", " ", "\"", "文"]) })
  }

  private mutating func array(_ schema: Schema, _ path: String) -> JSON {
    let least = schema["minItems"].integer ?? 0
    let count =
      columnLength ?? random.integer(least...max(least, min(schema["maxItems"].integer ?? .max, 4)))
    var elements: [JSON] = []
    for index in 0..<(depth > 14 ? least : count) {
      let prefix = schema.prefixItems
      guard let item = index < prefix.count ? prefix[index] : schema.items,
        let element = make(item, path)
      else { break }
      elements.append(element)
    }
    return .array(elements)
  }

  private mutating func object(_ schema: Schema, _ path: String) -> JSON {
    let required = schema.required
    var names = schema.properties.filter { name, _ in
      required.contains(name)
        || depth < 14 && random.chance(sought.contains(path + name) ? 80 : 25)
    }.map(\.name)
    let optional = schema.properties.map(\.name).filter { !names.contains($0) }
    let (least, most) = (schema["minProperties"].integer ?? 0, schema["maxProperties"].integer)
    names += optional.shuffled(using: &random).prefix(max(0, least - names.count))
    if let most, names.count > most { names = Array(names.shuffled(using: &random).prefix(most)) }
    let isOfColumns = schema["title"].string?.hasSuffix("Columns") ?? false
    if isOfColumns { columnLength = random.integer(0...4) }
    defer { if isOfColumns { columnLength = nil } }
    var members: [String: JSON] = [:]
    for (name, member) in schema.properties where names.contains(name) {
      members[name] = make(member, "\(path)\(name).")
    }
    if let others = schema.others {
      for name in ["title", "body"] where random.chance(50) {
        members[name] = make(others, "\(path)*.")
      }
    }
    return .object(members)
  }
}
