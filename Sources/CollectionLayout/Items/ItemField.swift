/// A field that an item may have beside its `id`, whatever the kind of its section.
///
/// Each kind uses the fields that it can. The others are kept, for another kind and for an export.
public enum ItemField: Int, CaseIterable, Sendable {
  /// In points, ≥ 0.
  case width
  /// In points, ≥ 0.
  case height
  /// Width divided by height, > 0. Not beside both of them.
  case aspectRatio
  /// Where the item lies in its section's body, for the kind `frames`.
  case x
  /// As ``x``.
  case y

  /// The field's name on the wire.
  public var name: String {
    switch self {
    case .width: "width"
    case .height: "height"
    case .aspectRatio: "aspectRatio"
    case .x: "x"
    case .y: "y"
    }
  }

  /// What a value must be.
  public var range: NumberRange {
    switch self {
    case .width, .height: .nonNegative
    case .aspectRatio: .positive
    case .x, .y: .finite
    }
  }

  /// The field that takes this one's part where both axes change places.
  var transposed: ItemField {
    switch self {
    case .width: .height
    case .height: .width
    case .aspectRatio: .aspectRatio
    case .x: .y
    case .y: .x
    }
  }
}
