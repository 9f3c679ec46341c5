public import CollectionLayout

/// The body of a request that says how large cells are that a viewer measured.
public struct MeasurementsRequest: Sendable {
  public var sizes: [Measurement]

  /// The largest number of sizes in one request.
  static let maxSizes = 10_000

  /// Reads a body.
  ///
  /// - Parameter body: The text, followed by ``PrepareRequest/padding`` bytes that may be
  ///   overwritten.
  /// - Throws: ``BodyError`` if the text is no JSON, if a size is wrong, or if there are too many.
  public init(_ body: UnsafeMutableRawBufferPointer) throws(BodyError) {
    sizes = try BodyError.reading(body, listOf: "sizes", upTo: Self.maxSizes, Self.readSize)
  }

  private enum Member: BodyMember {
    case id, at
    case size(Measurement.Axis)

    static let all = [id, at] + Measurement.Axis.allCases.map { .size($0) }

    var name: String {
      switch self {
      case .id: "id"
      case .at: "at"
      case .size(let axis): axis.rawValue
      }
    }
  }

  private static func readSize(
    _ reader: inout JSONReader
  ) throws(BodyError) -> Measurement? {
    var item: ItemReference?
    var axis: Measurement.Axis?
    var size: Double?
    var (itemCount, axisCount) = (0, 0)
    let faultCount = reader.faults.members.count
    let isObject = try reader.readObject(known: Member.all) { (member, reader) throws(BodyError) in
      switch member {
      case .id:
        itemCount += 1
        item = try reader.readID().map { .id($0) }
      case .at:
        itemCount += 1
        item = try reader.readIndexPath().map { .path($0) }
      case .size(let given):
        axisCount += 1
        axis = given
        if try !reader.readNullIfPresent() {
          size = try reader.readNumber(in: .nonNegative)
        }
      }
    }
    guard isObject, reader.faults.members.count == faultCount else { return nil }
    if itemCount != 1 { reader.refuse("must have either id or at") }
    if axisCount != 1 { reader.refuse("must have either height or width") }
    guard itemCount == 1, let item, let axis, axisCount == 1 else { return nil }
    return Measurement(item, axis, size)
  }

  /// The collection after the sizes were taken over.
  ///
  /// - Parameters:
  ///   - itemIDs: Returns the index of the collection's ids; `nil` if no item has one.
  ///   - visitLimit: The limit of the work of finding items.
  ///   - maxItems: The largest number of items that may be stored in the end.
  /// - Returns: `nil` if each cell has its size already.
  /// - Throws: ``BodyError`` if an item may not have the size.
  public func applied(
    to collection: PreparedCollection, itemIDs: (() -> ItemIDIndex?)? = nil,
    visitLimit: Int = PreparedCollection.defaultVisitLimit, maxItems: Int = .max
  ) throws(BodyError) -> CollectionChange? {
    do {
      return try collection.measuring(
        sizes, itemIDs: itemIDs, visitLimit: visitLimit, itemLimit: maxItems)
    } catch {
      throw BodyError(error, madeAt: "/sizes")
    }
  }
}
