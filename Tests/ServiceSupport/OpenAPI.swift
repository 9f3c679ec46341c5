public import Foundation
public import TestSupport
public import Testing

/// The project's openapi.yaml, read by a library that the service does not use.
public enum OpenAPI {
  public static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "openapi.yaml")

  public static let bytes = (try? Data(contentsOf: file)).map { Array($0) } ?? []

  public static let document: JSON = {
    let (python, output) = (Process(), Pipe())
    python.executableURL = URL(filePath: "/usr/bin/python3")
    let program = "import json, yaml; print(json.dumps(yaml.load(open(0), yaml.CSafeLoader)))"
    python.arguments = ["-c", program]
    python.standardInput = try? FileHandle(forReadingFrom: file)
    python.standardOutput = output
    do {
      try python.run()
      return try JSON(parsing: Array(output.fileHandleForReading.readToEnd() ?? Data()))
    } catch {
      preconditionFailure("no YAML: \(file): \(error)")
    }
  }()

  static let methods = ["get", "head", "post", "put", "patch", "delete", "options"]

  /// Every operation that is written down, by method in uppercase and path.
  public static let operations: [Operation] = document["paths"].object.flatMap { path, item in
    item.object.filter { methods.contains($0.key) }.map {
      Operation(method: $0.key.uppercased(), path: path, item: item, description: $0.value)
    }
  }.sorted { ($0.path, $0.method) < ($1.path, $1.method) }

  /// Also HEAD and OPTIONS, which the document describes once for all paths: HEAD is wherever GET
  /// is, OPTIONS everywhere. Both need a key where the written operation does.
  public static let allOperations: [Operation] =
    operations
    + operations.filter { $0.method == "GET" }.map { $0.with(method: "HEAD") }
    + Dictionary(grouping: operations, by: \.path).values.map { $0[0].with(method: "OPTIONS") }

  public struct Operation: CustomTestStringConvertible, Sendable {
    public var method: String
    public var path: String
    public var item: JSON
    public var description: JSON

    public var testDescription: String { "\(method) \(path)" }

    public var parameters: [JSON] {
      (item["parameters"].array + description["parameters"].array).map { OpenAPI.resolved($0) }
    }

    func with(method: String) -> Self {
      var operation = self
      operation.method = method
      return operation
    }

    public func response(_ status: String) -> JSON {
      OpenAPI.resolved(description["responses"][status])
    }
  }

  /// What a reference leads to; anything else itself.
  public static func resolved(_ value: JSON) -> JSON {
    var value = value
    while let reference = value["$ref"].string {
      value = reference.dropFirst(2).split(separator: "/").reduce(document) { $0[String($1)] }
      precondition(value != .null, "\(reference) leads nowhere")
    }
    return value
  }

  /// Where a value does not fit a schema of the document.
  public static func faults(of value: JSON, as schema: String) -> [String] {
    faults(of: value, against: ["$ref": .string("#/components/schemas/\(schema)")], at: "")
  }

  /// Where a value does not fit: the keywords of JSON Schema that the document uses.
  public static func faults(of value: JSON, against schema: JSON, at path: String) -> [String] {
    let schema = resolved(schema)
    var faults: [String] = []
    func check(_ isRight: Bool, _ keyword: String) {
      if !isRight { faults.append("\(path): \(keyword) \(schema[keyword]), was \(value)") }
    }
    if schema["type"] != .null {
      let types = schema["type"].string.map { [$0] } ?? schema["type"].array.map { $0.string! }
      check(types.contains { value.isOfType($0) }, "type")
    }
    if schema.object.keys.contains("const") { check(value == schema["const"], "const") }
    if schema["enum"] != .null { check(schema["enum"].array.contains(value), "enum") }
    for (keyword, isMet) in bounds {
      if let bound = schema[keyword].number, let number = value.measure(for: keyword) {
        check(isMet(number, bound), keyword)
      }
    }
    if let pattern = schema["pattern"].string, let text = value.string {
      check(text.range(of: pattern, options: .regularExpression) != nil, "pattern")
    }
    if case .object(let members) = value {
      for name in schema["required"].array { check(members[name.string!] != nil, "required") }
      for (name, member) in members {
        if let property = schema["properties"].object[name] {
          faults += Self.faults(of: member, against: property, at: "\(path)/\(name)")
        } else {
          check(schema["additionalProperties"] != false, "additionalProperties")
        }
      }
    }
    if case .array(let elements) = value {
      let prefix = schema["prefixItems"].array
      for (index, element) in elements.enumerated() {
        let item = index < prefix.count ? prefix[index] : schema["items"]
        if item != .null {
          faults += Self.faults(of: element, against: item, at: "\(path)/\(index)")
        }
      }
    }
    func fits(_ other: JSON) -> Bool { Self.faults(of: value, against: other, at: path).isEmpty }
    for part in schema["allOf"].array { faults += Self.faults(of: value, against: part, at: path) }
    if schema["anyOf"] != .null { check(schema["anyOf"].array.contains { fits($0) }, "anyOf") }
    if schema["oneOf"] != .null { check(schema["oneOf"].array.count { fits($0) } == 1, "oneOf") }
    if schema["not"] != .null { check(!fits(schema["not"]), "not") }
    return faults
  }

  private static let bounds: [(String, @Sendable (Double, Double) -> Bool)] = [
    ("minimum", { $0 >= $1 }), ("exclusiveMinimum", { $0 > $1 }), ("maximum", { $0 <= $1 }),
    ("minLength", { $0 >= $1 }), ("maxLength", { $0 <= $1 }), ("minItems", { $0 >= $1 }),
    ("maxItems", { $0 <= $1 }), ("minProperties", { $0 >= $1 }), ("maxProperties", { $0 <= $1 }),
  ]
}

extension JSON {
  fileprivate func isOfType(_ name: String) -> Bool {
    switch (name, self) {
    case ("null", .null), ("boolean", .boolean), ("number", .number), ("string", .string),
      ("array", .array), ("object", .object):
      true
    case ("integer", .number(let value)): value == value.rounded()
    default: false
    }
  }

  /// What a keyword of JSON Schema measures; nil for a value that it does not speak of.
  fileprivate func measure(for keyword: String) -> Double? {
    switch (keyword, self) {
    case ("minimum", .number(let value)), ("exclusiveMinimum", .number(let value)),
      ("maximum", .number(let value)):
      value
    case ("minLength", .string(let text)), ("maxLength", .string(let text)):
      Double(text.unicodeScalars.count)
    case ("minItems", .array(let elements)), ("maxItems", .array(let elements)):
      Double(elements.count)
    case ("minProperties", .object(let members)), ("maxProperties", .object(let members)):
      Double(members.count)
    default: nil
    }
  }
}

extension OpenAPI {
  /// The schemas of a kind's options, those inside objects by their dotted names, without older
  /// names of options.
  public static func options(of kind: String) -> [String: JSON] {
    let name = kind.prefix(1).uppercased() + kind.dropFirst() + "Options"
    return flattened(document["components"]["schemas"][name])
  }

  private static func flattened(_ schema: JSON, prefix: String = "") -> [String: JSON] {
    var options: [String: JSON] = [:]
    precondition(schema["additionalProperties"] == false, "options of any name: \(prefix)")
    for (name, property) in schema["properties"].object {
      let property = resolved(property)
      if property["deprecated"] == true { continue }
      let object = resolved(property["oneOf"].array.first ?? .null)
      // A group and a card are one value.
      if object["properties"] == .null || name == "group" || name == "card" {
        options[prefix + name] = property
      } else {
        options.merge(flattened(object, prefix: "\(prefix)\(name).")) { $1 }
      }
    }
    return options
  }
}
