public import CollectionLayout

extension PreparedCollection.SectionPlace: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["section"] = index
      $0["id"] = id
      $0["kind"] = kind
      $0["items"] = itemCount
      $0["frame"] = frame
      $0["body"] = body
      $0["contentSize"] = contentSize
    }
  }
}

extension JSONWriter {
  /// Writes an id with its quotes.
  mutating func write(_ id: ItemID) {
    id.withBytes { write(string: $0) }
  }
}
