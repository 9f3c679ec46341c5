/// A value in a row or column that cannot be used.
struct JSONFault: Equatable {
  enum Code { case wrongType, unknownField, duplicateField }

  /// The index in the array.
  let row: Int
  /// The index of the field; `nil` for a whole row or an unknown field.
  let field: Int?
  let code: Code
  /// The name of an unknown field, or of a member of the field's value, shortened if it is long.
  var name = ""
  /// What the value must be, if that is not the rule of the field.
  var requirement: String?
  /// The text of the value.
  let text: String

  func detail(requirement: String) -> String {
    code == .duplicateField
      ? "must be given once only" : "must be \(self.requirement ?? requirement), was \(text)"
  }
}

/// The first faults of a list.
struct JSONFaults {
  let capacity: Int
  private(set) var items: [JSONFault] = []

  init(capacity: Int) {
    self.capacity = capacity
  }

  mutating func add(_ fault: @autoclosure () -> JSONFault) {
    if items.count < capacity { items.append(fault()) }
  }
}
