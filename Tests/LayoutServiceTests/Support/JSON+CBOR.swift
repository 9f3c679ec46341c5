import ServiceSupport
import TestSupport
import Testing

extension JSON {
  /// What an answer in CBOR says, in the form that it has in JSON.
  ///
  /// A list of elements is columns in CBOR.
  init(answer: CBORValue) {
    guard case .map(var members) = answer, let columns = members["elements"] else {
      self = JSON(answer)
      return
    }
    members["elements"] = nil
    self = .object(
      members.mapValues { JSON($0) }.merging(["elements": .array(Self.elements(columns))]) { $1 })
  }

  private init(_ value: CBORValue) {
    switch value {
    case .integer(let number): self = .number(Double(number))
    case .float(let number): self = .number(number)
    case .text(let text): self = .string(text)
    case .array(let items): self = .array(items.map { JSON($0) })
    case .map(let members): self = .object(members.mapValues { JSON($0) })
    case .boolean(let boolean): self = .boolean(boolean)
    case .null: self = .null
    case .bytes, .tagged:
      Issue.record("not in an answer: \(value)")
      self = .null
    }
  }

  private static func elements(_ columns: CBORValue) -> [JSON] {
    func doubles(_ name: String, of map: CBORValue? = nil) -> [Double] {
      let doubles: [Double] = (map ?? columns)[name]?.doubles ?? fail(name)
      #expect(doubles.allSatisfy { $0.isFinite && ($0 != 0 || $0.sign == .plus) }, "\(name)")
      return doubles
    }
    func integers(_ name: String, of map: CBORValue? = nil) -> [Int] {
      (map ?? columns)[name]?.integers ?? fail(name)
    }
    func fail<T>(_ name: String) -> [T] {
      Issue.record("no column \(name): \(columns)")
      return []
    }
    /// One value for each element.
    func spread(_ name: String) -> [JSON] {
      let pairs = columns[name]?.array ?? []
      for (a, b) in zip(pairs, pairs.dropFirst()) {
        #expect(a.array.last != b.array.last, "runs that could be one")
      }
      return pairs.flatMap { pair in
        Array(repeating: JSON(pair.array[1]), count: pair.array[0].integer ?? 0)
      }
    }
    let x = doubles("x")
    let (y, width, height) = (doubles("y"), doubles("width"), doubles("height"))
    let (section, item) = (integers("section"), integers("item"))
    var elements = x.indices.map { index -> [String: JSON] in
      [
        "frame": [
          .number(x[index]), .number(y[index]), .number(width[index]), .number(height[index]),
        ],
        "indexPath": [.number(Double(section[index])), .number(Double(item[index]))],
      ]
    }
    let optional: [(name: String, values: [JSON]?)] = [
      ("category", spread("category")), ("zIndex", spread("zIndex")),
      ("kind", columns["kind"].map { _ in spread("kind") }),
      ("id", columns["id"].map { $0.array.map { JSON($0) } }),
      ("ordinal", columns["ordinal"].map { _ in integers("ordinal").map { .number(Double($0)) } }),
    ]
    for column in optional {
      guard let values = column.values else { continue }
      same(values.count, elements.count, "\(column.name)")
      #expect(values.isEmpty || values.contains { $0 != .null }, "\(column.name) has no value")
      for (index, value) in values.enumerated() where value != .null {
        elements[index][column.name] = value
      }
    }
    for mark in ["estimated", "cut"] where columns[mark] != nil {
      let marked = integers(mark)
      #expect(!marked.isEmpty)
      for index in marked { elements[index][mark] = true }
    }
    if let children = columns["children"] {
      let (first, count) = (integers("item", of: children), integers("count", of: children))
      let sections = integers("section", of: children)
      for (index, element) in integers("element", of: children).enumerated() {
        let children = (first[index]..<first[index] + count[index]).map {
          JSON.array([.number(Double(sections[index])), .number(Double($0))])
        }
        elements[element]["firstChild"] = children.first
        elements[element]["childCount"] = .number(Double(children.count))
        if children.count <= 100 { elements[element]["children"] = .array(children) }
      }
    }
    if let ranges = columns["pinRange"] {
      let (from, to) = (doubles("from", of: ranges), doubles("to", of: ranges))
      for (index, element) in integers("element", of: ranges).enumerated() {
        elements[element]["pinRange"] = [.number(from[index]), .number(to[index])]
      }
    }
    return elements.map { .object($0) }
  }
}

extension Answer {
  /// What an answer in CBOR says.
  var cbor: CBORValue {
    do {
      return try CBORValue(body)
    } catch {
      Issue.record("\(error): \(body.prefix(400))")
      return .null
    }
  }
}
