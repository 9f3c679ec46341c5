public import CollectionLayout

/// The body of a PATCH: bounds and options, merged into those that there are (RFC 7396).
public struct PatchRequest: Sendable {
  public var layout: any CollectionViewLayout
  public var bounds: Bounds?
  /// The options that the body has.
  private let optionNames: Set<String>

  /// Reads a body and merges it.
  ///
  /// - Parameter body: The text, followed by ``PrepareRequest/padding`` bytes that are overwritten.
  /// - Throws: ``BodyError`` when it is no JSON, or has bounds or options that cannot be.
  public init(
    _ body: UnsafeMutableRawBufferPointer, merging collection: PreparedCollection
  ) throws(BodyError) {
    self = try Self.decode(body, layout: collection.layout, bounds: collection.bounds)
  }

  private init(
    layout: any CollectionViewLayout, bounds: Bounds?, optionNames: Set<String>
  ) {
    self.layout = layout
    self.bounds = bounds
    self.optionNames = optionNames
  }

  private static func decode<Layout: CollectionViewLayout>(
    _ body: UnsafeMutableRawBufferPointer, layout: Layout, bounds: Bounds?
  ) throws(BodyError) -> PatchRequest {
    try BodyError.reading(body) { reader in
      var faults = InvalidMembers()
      var layout = layout
      var bounds = bounds
      var optionNames: Set<String> = []
      try reader.readObject(at: "", known: ["bounds", "options"], faults: &faults) {
        name, reader, faults in
        if try reader.readNullIfPresent() {
          if name == "options" {
            layout = Layout()
          } else if Layout.dataForm.needsBounds {
            faults.add("/bounds", "must not be taken away")
          } else {
            bounds = nil
          }
        } else if name == "bounds" {
          try BoundsDecoder.decode(
            &reader, over: &bounds, of: Layout.dataForm, isMergePatch: true, faults: &faults)
        } else {
          optionNames = try OptionsDecoder.decode(&reader, into: &layout, faults: &faults)
        }
      }
      try reader.finish()
      try faults.throwIfAny()
      return PatchRequest(layout: layout, bounds: bounds, optionNames: optionNames)
    }
  }

  /// The collection with what was read.
  ///
  /// - Throws: ``BodyError`` when the layout cannot be had with these bounds and options.
  public func applied(
    to collection: PreparedCollection
  ) throws(BodyError) -> (collection: PreparedCollection, change: CollectionChange?) {
    do {
      return try collection.changing(layout: layout, bounds: bounds)
    } catch {
      // All was right before: what is wrong now is the doing of what the body has.
      guard case .invalidOption(let name, _) = error, !optionNames.contains(name),
        bounds?.width != collection.bounds?.width
      else { throw Self.fault(ofOptions: error) }
      var bounds = bounds
      bounds?.width = collection.bounds?.width
      do {
        _ = try collection.changing(layout: layout, bounds: bounds)
      } catch {
        throw Self.fault(ofOptions: error)
      }
      throw BodyError(error, madeAt: "/bounds/width")
    }
  }

  private static func fault(ofOptions error: LayoutError) -> BodyError {
    switch error {
    case .invalidOption:
      BodyError(error, items: { _, _ in "/options" }, parent: { _ in "/options" })
    case .invalidItem(_, _, let option, _):
      BodyError(error, madeAt: JSONPointer.option(option))
    default:
      BodyError(error, madeAt: "/options")
    }
  }
}
