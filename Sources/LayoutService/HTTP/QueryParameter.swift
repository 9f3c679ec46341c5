import MicroHTTP

/// A parameter that a query may have: its name, the rule for its value, and where the value is
/// stored.
struct QueryParameter<Values>: Sendable {
  let name: StaticString
  let isRepeatable: Bool
  /// An example of a value, if the parameter is required.
  let example: String?
  /// The rule for the value: "must be …".
  let requirement: String
  /// Stores a value. It returns false if the value is wrong.
  let take: @Sendable (inout Values, Span<UInt8>) -> Bool

  init<Value>(
    _ name: StaticString, _ form: ParameterForm<Value>, requiredAs example: String? = nil,
    isRepeatable: Bool = false, store: @escaping @Sendable (inout Values, Value) -> Void
  ) {
    self.name = name
    self.isRepeatable = isRepeatable
    self.example = example
    requirement = form.requirement
    take = { values, text in
      guard let value = form.parse(text) else { return false }
      store(&values, value)
      return true
    }
  }
}

/// The parameters that a query may have. Make them once, as static constants.
struct QueryParameters<Values>: ExpressibleByArrayLiteral, Sendable {
  let list: UncountedValues<QueryParameter<Values>>

  init(arrayLiteral list: QueryParameter<Values>...) {
    self.list = UncountedValues(list)
  }

  var names: [String] { list.indices.map { list.use($0) { "\($0.name)" } } }
}

/// The rule for the value of a parameter, and the function that reads it.
struct ParameterForm<Value>: Sendable {
  /// The rule: "must be …".
  let requirement: String
  /// Reads a value; `nil` if the text is wrong.
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
