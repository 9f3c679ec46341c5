public import TestSupport

/// A schema of openapi.yaml as makers of values need it: references are followed and `allOf` is one
/// schema. What is inside is only read when it is asked for, since schemas may hold themselves.
final class Schema {
  /// Itself, as the document has it, to check values against.
  let source: JSON
  /// The name of the component that it is; empty for others.
  let name: String
  /// `source` in one piece, with each `anyOf` and `oneOf` in the list `choices`.
  private let whole: JSON

  lazy var properties: [(name: String, schema: Schema)] =
    whole["properties"].object.sorted { $0.key < $1.key }.map { ($0.key, Schema($0.value)) }
  lazy var items: Schema? = whole["items"] == .null ? nil : Schema(whole["items"])
  lazy var prefixItems: [Schema] = whole["prefixItems"].array.map { Schema($0) }
  /// Of members with any name.
  lazy var others: Schema? =
    whole["additionalProperties"].object.isEmpty ? nil : Schema(whole["additionalProperties"])
  /// For each combination of choices, the schema that it leads to; empty if there are none.
  lazy var alternatives: [Schema] = combinations()

  convenience init(_ source: JSON) {
    let name = source["$ref"].string?.split(separator: "/").last.map { String($0) } ?? ""
    self.init(source, name: name, whole: Self.whole(source))
  }

  private init(_ source: JSON, name: String, whole: JSON) {
    (self.source, self.name, self.whole) = (source, name, whole)
  }

  subscript(keyword: String) -> JSON { whole[keyword] }

  var required: Set<String> { Set(whole["required"].array.compactMap(\.string)) }
  /// Whether nothing fits.
  var isImpossible: Bool { whole["not"] == .object([:]) }
  /// Whether there may be no other members than those of `properties`.
  private var isClosed: Bool { whole["additionalProperties"] == false }

  /// The types of JSON that a value may have; empty if none is named.
  var types: [String] { Self.types(whole) }

  private static func types(_ schema: JSON) -> [String] {
    schema["type"].string.map { [$0] } ?? schema["type"].array.compactMap(\.string)
  }

  private func combinations() -> [Schema] {
    var wholes = [whole.removing("choices")]
    var isChoice = false
    for choice in whole["choices"].array {
      let parts = choice.array.map { Self.whole($0) }
      // Alternatives of an object whose members are all known only allow fewer.
      if isClosed, whole["properties"] != .null,
        parts.allSatisfy({ $0["additionalProperties"] == false })
      {
        continue
      }
      isChoice = true
      wholes = wholes.flatMap { whole in parts.map { Self.combined(whole, $0) } }
    }
    return isChoice ? wholes.map { Schema(source, name: name, whole: $0) } : []
  }

  /// A schema in one piece.
  private static func whole(_ schema: JSON) -> JSON {
    var whole = schema.removing("$ref", "allOf", "anyOf", "oneOf")
    if schema["$ref"] != .null {
      whole = combined(self.whole(OpenAPI.resolved(["$ref": schema["$ref"]])), whole)
    }
    for part in schema["allOf"].array { whole = combined(whole, self.whole(part)) }
    for keyword in ["anyOf", "oneOf"] where schema[keyword] != .null {
      whole = combined(whole, ["choices": [schema[keyword]]])
    }
    return whole
  }

  /// What fits both of two schemas in one piece.
  private static func combined(_ a: JSON, _ b: JSON) -> JSON {
    var members = a.object
    for (keyword, value) in b.object {
      guard let old = members[keyword] else {
        members[keyword] = value
        continue
      }
      switch keyword {
      case "properties":
        members[keyword] = .object(
          old.object.merging(value.object) { .object(["allOf": [$0, $1]]) })
      case "items": members[keyword] = .object(["allOf": [old, value]])
      case "required", "choices": members[keyword] = .array(old.array + value.array)
      case "type":
        members[keyword] = .array(types(a).filter { types(b).contains($0) }.map { .string($0) })
      case "additionalProperties":
        if old != false { members[keyword] = value }
      default: members[keyword] = value
      }
    }
    // Members that only one of both knows are not allowed by the other, if that is closed.
    for side in [a, b] where side["additionalProperties"] == false {
      guard let properties = members["properties"]?.object else { continue }
      members["properties"] = .object(
        properties.filter { side["properties"].object.keys.contains($0.key) })
    }
    return .object(members)
  }
}

extension OpenAPI {
  /// The paths of all members that a value of a schema may have, as in
  /// `sections.options.rowHeight`. What holds itself is entered once.
  public static func memberPaths(of schema: JSON) -> Set<String> {
    var paths: Set<String> = []
    collect(Schema(schema), "", [], into: &paths)
    return paths
  }

  private static func collect(
    _ schema: Schema, _ path: String, _ around: [String], into paths: inout Set<String>
  ) {
    guard !schema.isImpossible, !around.contains(schema.name) else { return }
    let around = schema.name.isEmpty ? around : around + [schema.name]
    guard schema.alternatives.isEmpty else {
      for alternative in schema.alternatives {
        // An alternative has the name of the schema itself.
        collect(alternative, path, around.filter { $0 != schema.name }, into: &paths)
      }
      return
    }
    for (name, member) in schema.properties where !member.isImpossible {
      paths.insert(path + name)
      collect(member, "\(path)\(name).", around, into: &paths)
    }
    if let items = schema.items { collect(items, path, around, into: &paths) }
    if let others = schema.others { collect(others, "\(path)*.", around, into: &paths) }
  }
}
