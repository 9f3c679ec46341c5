/// The values of one field of a run of items. It holds integers in four bytes each.
enum ItemColumn: Sendable {
  /// NaN stands for an item without the field.
  case numbers([Double])
  /// ``none`` and ``all`` stand for an item without the field and for "all".
  case integers([UInt32])

  static let none = UInt32.max
  static let all = UInt32.max - 1

  /// - Parameter values: NaN for an item without the field, infinity for "all". What a field of
  ///   integers cannot hold counts as not given.
  init(_ values: [Double], of field: ItemField) {
    guard case .integers = field.range else {
      self = .numbers(values)
      return
    }
    self = .integers(
      values.map { value in
        value >= 0 && value < Double(Self.all)
          ? UInt32(value) : value == .infinity ? Self.all : Self.none
      })
  }

  /// NaN if the item does not have the field, infinity for "all".
  @inline(__always)
  subscript(index: Int) -> Double {
    switch self {
    case .numbers(let values): values[index]
    case .integers(let values): Self.number(values[index])
    }
  }

  func hasValue(in range: Range<Int>) -> Bool {
    switch self {
    case .numbers(let values): values[range].contains { !$0.isNaN }
    case .integers(let values): values[range].contains { $0 != Self.none }
    }
  }

  /// Appends the values of a range to a list.
  func append(_ range: Range<Int>, to values: inout [Double]) {
    switch self {
    case .numbers(let own): values += own[range]
    case .integers(let own): values += own[range].lazy.map { Self.number($0) }
    }
  }

  var memoryBytes: Int {
    switch self {
    case .numbers(let values): values.count * 8 + 32
    case .integers(let values): values.count * 4 + 32
    }
  }

  private static func number(_ value: UInt32) -> Double {
    value == none ? .nan : value == all ? .infinity : Double(value)
  }
}
