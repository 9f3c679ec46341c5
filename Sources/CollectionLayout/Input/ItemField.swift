/// A field that an item may have beside its `id`, by its name on the wire.
public struct ItemField: Sendable {
  /// On the wire; at most 15 bytes.
  public let name: String
  /// What a value must be.
  public let range: NumberRange

  public init(_ name: String, _ range: NumberRange) {
    self.name = name
    self.range = range
  }
}
