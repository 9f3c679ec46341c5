import MicroHTTP

/// A parameter that a query may have: its name, the rule for its value, and where the value is
/// stored.
struct QueryParameter<Values>: Sendable {
  let name: StaticString
  let isRepeatable: Bool
  /// This is never released, like ``QueryParameters``.
  private let form: Unmanaged<Form>

  private final class Form: Sendable {
    let example: String?
    let requirement: String
    let take: @Sendable (inout Values, Span<UInt8>) -> Bool

    init(
      example: String?, requirement: String,
      take: @escaping @Sendable (inout Values, Span<UInt8>) -> Bool
    ) {
      self.example = example
      self.requirement = requirement
      self.take = take
    }
  }

  init<Value>(
    _ name: StaticString, _ form: ParameterForm<Value>, requiredAs example: String? = nil,
    isRepeatable: Bool = false, store: @escaping @Sendable (inout Values, Value) -> Void
  ) {
    self.name = name
    self.isRepeatable = isRepeatable
    self.form = .passRetained(
      Form(example: example, requirement: form.requirement) { values, text in
        guard let value = form.parse(text) else { return false }
        store(&values, value)
        return true
      })
  }

  /// An example of a value, if the parameter is required.
  var example: String? { form._withUnsafeGuaranteedRef { $0.example } }

  /// The rule for the value: "must be …".
  var requirement: String { form._withUnsafeGuaranteedRef { $0.requirement } }

  /// Stores a value.
  ///
  /// - Returns: False if the value is wrong.
  func take(_ values: inout Values, _ text: Span<UInt8>) -> Bool {
    form._withUnsafeGuaranteedRef { $0.take(&values, text) }
  }
}

/// The parameters that a query may have.
///
/// Make them once, as static constants. They are never freed, so no references are counted, for
/// which threads would contend.
///
/// `@unchecked Sendable`: the initializer writes the memory. Afterwards it is only read.
struct QueryParameters<Values>: ExpressibleByArrayLiteral, @unchecked Sendable {
  let list: UnsafeBufferPointer<QueryParameter<Values>>

  init(arrayLiteral list: QueryParameter<Values>...) {
    let memory = UnsafeMutableBufferPointer<QueryParameter<Values>>.allocate(capacity: list.count)
    _ = memory.initialize(from: list)
    self.list = UnsafeBufferPointer(memory)
  }

  var names: [String] { list.map { "\($0.name)" } }
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
