import MicroHTTP

/// A parameter that a query may have: its name, what its value must be, and where that goes.
struct QueryParameter<Values>: Sendable {
  let name: StaticString
  let isRepeatable: Bool
  /// Never released, for the same reason for which ``QueryParameters`` are not.
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

  /// A value as it might be given, where one must be.
  var example: String? { form._withUnsafeGuaranteedRef { $0.example } }

  /// What the value must be: "must be …".
  var requirement: String { form._withUnsafeGuaranteedRef { $0.requirement } }

  /// Takes a value; false when it is wrong.
  func take(_ values: inout Values, _ text: Span<UInt8>) -> Bool {
    form._withUnsafeGuaranteedRef { $0.take(&values, text) }
  }
}

/// The parameters that a query may have.
///
/// Make them once, as static constants: they are never freed, so that no references to them are
/// counted, for which the threads would contend.
///
/// `@unchecked Sendable`: the memory is written by the initializer and only read after it.
struct QueryParameters<Values>: ExpressibleByArrayLiteral, @unchecked Sendable {
  let list: UnsafeBufferPointer<QueryParameter<Values>>

  init(arrayLiteral list: QueryParameter<Values>...) {
    let memory = UnsafeMutableBufferPointer<QueryParameter<Values>>.allocate(capacity: list.count)
    _ = memory.initialize(from: list)
    self.list = UnsafeBufferPointer(memory)
  }

  var names: [String] { list.map { "\($0.name)" } }
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
