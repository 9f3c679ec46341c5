/// A parameter that a query may have: its name, what its value must be, and where that goes.
struct QueryParameter<Values>: Sendable {
  let name: StaticString
  /// A value as it might be given, where one must be.
  let example: String?
  let isRepeatable: Bool
  /// What the value must be: "must be …".
  let requirement: String
  /// Takes a value; false when it is wrong.
  let take: @Sendable (inout Values, Span<UInt8>) -> Bool

  init<Value>(
    _ name: StaticString, _ form: ParameterForm<Value>, requiredAs example: String? = nil,
    isRepeatable: Bool = false, store: @escaping @Sendable (inout Values, Value) -> Void
  ) {
    self.name = name
    self.example = example
    self.isRepeatable = isRepeatable
    requirement = form.requirement
    take = { values, text in
      guard let value = form.parse(text) else { return false }
      store(&values, value)
      return true
    }
  }
}

/// What the value of a parameter must be, and how it is read.
struct ParameterForm<Value>: Sendable {
  /// "must be …".
  let requirement: String
  /// `nil` for a text that is none.
  let parse: @Sendable (Span<UInt8>) -> Value?
}

extension ParameterForm<Int> {
  static func integer(in range: ClosedRange<Int>) -> Self {
    ParameterForm(
      requirement: "must be an integer from \(range.lowerBound) to \(range.upperBound)"
    ) { text in
      Decimal.integer(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}
