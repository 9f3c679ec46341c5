public import CollectionLayout

/// The body of a request that folds and unfolds nodes or sections.
public struct FoldsRequest: Sendable {
  private let change: FoldsChange

  /// The largest number of references, in all lists together.
  static let maxReferences = 10_000

  /// Reads a body.
  ///
  /// - Parameter body: The text, followed by ``PrepareRequest/padding`` bytes that may be
  ///   overwritten.
  public init(_ body: UnsafeMutableRawBufferPointer) throws(BodyError) {
    change = try BodyError.reading(body) { (reader) throws(BodyError) in
      try Self.decode(&reader, [.from, .fold, .unfold, .levels, .reveal])
    }
  }

  private enum Member: String, BodyMember {
    case from, fold, unfold, levels, reveal
  }

  /// Reads the member `folded`, which says all that is folded. Null is nothing.
  static func decodeState(_ reader: inout JSONReader) throws(BodyError) -> FoldsChange? {
    var change: FoldsChange? = FoldsChange()
    if try !reader.readNullIfPresent() {
      change = try decode(&reader, [.from, .fold, .unfold], upTo: .max)
    }
    // What was folded before is so no longer.
    if case .none? = change?.from { change?.from = .remove }
    return change
  }

  private static func decode(
    _ reader: inout JSONReader, _ members: [Member], upTo maxReferences: Int = maxReferences
  ) throws(BodyError) -> FoldsChange? {
    var change = FoldsChange()
    var count = 0
    func list(_ reader: inout JSONReader) throws(BodyError) -> [FoldsChange.Reference] {
      if try reader.readNullIfPresent() { return [] }
      let limit = maxReferences - count
      let list =
        try reader.readList(of: "references, in all lists together", upTo: limit) {
          (reader) throws(BodyError) in try reference(&reader)
        } ?? []
      count += list.count
      return list
    }
    let isObject = try reader.readObject(known: members) { (member, reader) throws(BodyError) in
      switch member {
      case .from:
        if try reader.readNullIfPresent() {
          change.from = .remove
        } else if let from = try reader.readInteger(in: 0...JSONInteger.maximum) {
          change.from = .set(from)
        }
      case .fold: change.fold = try list(&reader)
      case .unfold: change.unfold = try list(&reader)
      case .reveal: change.reveal = try list(&reader)
      case .levels:
        if try reader.readNullIfPresent() { return }
        if let levels = try reader.readInteger(in: 1...100) { change.levels = levels }
      }
    }
    return isObject ? change : nil
  }

  /// About how many bytes a reference takes.
  private static let bytesPerReference = 64

  private enum ReferenceMember: String, CaseIterable, BodyMember {
    case id, at, section
  }

  private static func reference(
    _ reader: inout JSONReader
  ) throws(BodyError) -> FoldsChange.Reference? {
    try BodyError.reserve(Self.bytesPerReference)
    var reference: FoldsChange.Reference?
    var count = 0
    let faultCount = reader.faults.members.count
    let isObject = try reader.readObject(known: ReferenceMember.allCases) {
      (member, reader) throws(BodyError) in
      count += 1
      switch member {
      case .id: reference = try reader.readID().map { .item(.id($0)) }
      case .at: reference = try reader.readIndexPath().map { .item(.path($0)) }
      case .section:
        if try reader.nextType() == .string {
          reference = try reader.readID(of: ItemID.lengthsOfSections).map { .sectionID($0) }
        } else {
          reference = try reader.readInteger(in: 0...JSONInteger.maximum).map { .section($0) }
        }
      }
    }
    if isObject, count != 1, reader.faults.members.count == faultCount {
      reader.refuse("must have exactly one member, one of id, at, section")
    }
    return count == 1 ? reference : nil
  }

  /// The collection after something was folded or unfolded.
  ///
  /// - Parameters:
  ///   - source: The collection of which `collection` is a view, if it is one.
  ///   - itemIDs: Returns the index of the collection's ids; `nil` if no item has one.
  /// - Returns: No change if nothing else is folded.
  /// - Throws: ``BodyError`` if it names what cannot be folded.
  public func applied(
    to collection: PreparedCollection, from source: PreparedCollection? = nil,
    itemIDs: (() -> ItemIDIndex?)? = nil, maxItems: Int = .max
  ) throws(BodyError) -> (collection: PreparedCollection, change: CollectionChange?) {
    do {
      return try collection.folding(change, from: source, itemIDs: itemIDs, itemLimit: maxItems)
    } catch {
      throw BodyError(error, madeAt: "")
    }
  }
}
