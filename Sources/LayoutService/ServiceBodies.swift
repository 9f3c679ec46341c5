public import CollectionLayout
public import LayoutSessions
import MicroHTTP
import System
public import TextMeasure
import WireFormat

/// Reads and writes what a log has of layouts, as requests are read and exports are written.
///
/// What is read is for all who ask for the layout, so it is read to its end even if the first of
/// them has left.
public struct ServiceBodies: LoggedBodies {
  private let limits: LayoutService.Limits
  private let typesetter: CardTypesetter

  /// - Parameters:
  ///   - limits: Those of the service.
  ///   - fonts: The fonts of the service.
  public init(
    limits: LayoutService.Limits = .standard,
    fonts: FontLibrary = FontLibrary(folders: [])
  ) {
    self.limits = limits
    typesetter = CardTypesetter(fonts)
  }

  public func collection(
    _ body: [UInt8], of kind: LayoutKind
  ) throws(UnreadableBody) -> PreparedCollection {
    try reading(body) { (bytes) throws(BodyError) in
      try PrepareRequest(bytes, kind: kind, maxItems: limits.maxItems).prepared(
        typesetter: typesetter)
    }
  }

  public func applying(
    _ change: LoggedChange, to collection: PreparedCollection
  ) throws(UnreadableBody) -> ChangedCollection {
    try reading(change.body) { (bytes) throws(BodyError) in
      switch change.operation {
      case LoggedChange.patch:
        let patched = try PatchRequest(bytes, merging: collection)
          .applied(to: collection, maxItems: limits.maxItems)
        return ChangedCollection(patched.collection, patched.change)
      case LoggedChange.updates:
        let change = try UpdatesRequest(
          bytes, kind: collection.layout.kind, maxItems: limits.maxItems
        ).applied(to: collection, maxItems: limits.maxItems)
        return ChangedCollection(change, of: collection)
      case LoggedChange.measurements:
        let change = try MeasurementsRequest(bytes).applied(
          to: collection, maxItems: limits.maxItems)
        return ChangedCollection(change, of: collection)
      case LoggedChange.folds:
        let folded = try FoldsRequest(bytes).applied(to: collection, maxItems: limits.maxItems)
        return ChangedCollection(folded.collection, folded.change)
      default: throw .syntax(offset: 0)
      }
    }
  }

  public func layout(
    _ body: [UInt8], changing given: GivenLayout
  ) throws(UnreadableBody) -> GivenLayout {
    try reading(body) { (bytes) throws(BodyError) in
      try PatchRequest(bytes, merging: given).layout
    }
  }

  public func write(_ collection: PreparedCollection, _ take: @escaping ([UInt8]) -> Void) {
    CollectionEncoder.write(collection, partLength: Self.partLength, take)
  }

  public func mostGrowth(by change: CollectionChange?, askedWith length: Int) -> Int {
    CollectionEncoder.mostGrowth(by: change, askedWith: length)
  }

  public func body(of layout: GivenLayout) -> [UInt8] {
    var encoder = CollectionEncoder()
    encoder.encode(layout)
    return encoder.writer.bytes
  }

  /// How long the parts are in which a collection is written.
  private static let partLength = 1 << 20

  /// Calls `read` with bytes as the decoders want them.
  private func reading<R>(
    _ bytes: [UInt8], _ read: (UnsafeMutableRawBufferPointer) throws(BodyError) -> R
  ) throws(UnreadableBody) -> R {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count + PrepareRequest.padding, alignment: 16)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    buffer.copyBytes(from: bytes)
    do throws(BodyError) {
      return try CurrentWork.forEverybody { () throws(BodyError) in
        try read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes.count]))
      }
    } catch {
      throw UnreadableBody()
    }
  }
}
