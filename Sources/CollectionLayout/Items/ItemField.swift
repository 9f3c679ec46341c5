/// A field that an item may have beside its `id`, whatever the kind of its section.
///
/// A kind uses the fields that it knows. The other fields are kept for exports and for a later
/// change of kind.
public enum ItemField: Int, CaseIterable, Sendable {
  /// In points, ≥ 0.
  case width
  /// In points, ≥ 0.
  case height
  /// Width divided by height, > 0. An item may not have it beside both width and height.
  case aspectRatio
  /// The item's position in the body of its section, in points, for the kind `frames`.
  case x
  /// Like ``x``.
  case y
  /// How many columns the item covers, 1 … 10,000; infinity for all columns.
  case columnSpan
  /// How many rows the item covers, 1 … 1,000,000.
  case rowSpan
  /// The first column of the item, from 0.
  case column
  /// The size along the scroll direction that was measured earlier, in points, ≥ 0. It belongs to
  /// one layout: ``Items`` keeps it beside what is stored.
  case measured
  /// The width across the scroll direction that the cell had when it was measured, in points, ≥ 0.
  /// Not given, it is the width that it has.
  case measuredAt

  /// The field's name on the wire.
  public var name: String {
    switch self {
    case .width: "width"
    case .height: "height"
    case .aspectRatio: "aspectRatio"
    case .x: "x"
    case .y: "y"
    case .columnSpan: "columnSpan"
    case .rowSpan: "rowSpan"
    case .column: "column"
    case .measured: "measured"
    case .measuredAt: "measuredAt"
    }
  }

  /// What a value must be.
  public var range: NumberRange {
    switch self {
    case .width, .height, .measured, .measuredAt: .nonNegative
    case .aspectRatio: .positive
    case .x, .y: .finite
    case .columnSpan: .integers(from: 1, to: Self.maximumSpan, orAll: true)
    case .rowSpan: .integers(from: 1, to: 1_000_000, orAll: false)
    case .column: .integers(from: 0, to: Self.maximumSpan - 1, orAll: false)
    }
  }

  /// The fields that are stored with the items: all but those that belong to one layout.
  public static let stored = allCases.filter(\.isSettable)

  /// Whether an update of an item's fields may set it. What was measured belongs to a layout, and
  /// is set there.
  public var isSettable: Bool { self != .measured && self != .measuredAt }

  /// Whether the field says how large the item is: what was measured holds no longer if it changes.
  var isSize: Bool { self == .width || self == .height || self == .aspectRatio }

  /// The largest number of columns that an item may cover.
  static let maximumSpan = 10_000
  /// The word that stands for infinity on the wire.
  public static let wordForAll = "all"

  /// The field that takes the place of this one if both axes are exchanged.
  var transposed: ItemField {
    switch self {
    case .width: .height
    case .height: .width
    case .aspectRatio: .aspectRatio
    case .x: .y
    case .y: .x
    case .columnSpan, .rowSpan, .column, .measured, .measuredAt: self
    }
  }
}
