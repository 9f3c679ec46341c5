import TestSupport

@testable import CollectionLayout

// What tables of cases have of layouts.

extension OptionValue {
  init(json: JSON) {
    switch json {
    case .null: preconditionFailure("an option that is null is not given")
    case .boolean(let value): self = .boolean(value)
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .array(let values): self = .array(values.map { OptionValue(json: $0) })
    case .object: self = .object(GivenOptions(json: json))
    }
  }
}

extension GivenOptions {
  init(json: JSON) {
    self.init()
    for (name, value) in json.object.sorted(by: { $0.key < $1.key }) {
      self[name] = OptionValue(json: value)
    }
  }
}

extension CollectionSection {
  init(json: JSON) {
    let items = json.object["items"] ?? json
    self.init(
      items.integer.map { Items(uniform: $0) } ?? Items(items.array.map { PlainItem(json: $0) }),
      GivenOptions(json: json["options"]), kind: json["kind"].string,
      orthogonalHeight: json["orthogonal"].number)
  }
}

extension PlainItem {
  init(json: JSON) {
    self.init(id: json["id"].string, height: json.number)
    for field in ItemField.stored {
      if let value = json["\(field)"].number { self[field] = value }
    }
  }
}

extension Element {
  init(json: JSON) {
    let kind = json[0].string ?? ""
    let pin = json[4].array.compactMap(\.number)
    self.init(
      category: kind == "cell" ? .cell : kind == "background" ? .decoration : .supplementary,
      kind: kind == "cell" ? nil : kind, section: json[1].integer ?? -1,
      item: json[2].integer ?? -1, frame: Rect(json: json[3]),
      pinRange: pin.isEmpty ? nil : PinRange(from: pin[0], to: pin[1]))
  }
}

extension Rect {
  init(json: JSON) {
    let sides = json.array.compactMap(\.number)
    self.init(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
  }
}

extension Size {
  init(json: JSON) {
    self.init(width: json[0].number ?? .nan, height: json[1].number ?? .nan)
  }
}
