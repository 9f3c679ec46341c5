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
      $0["data"] = data.map { JSONText(bytes: Array($0.bytes)) }
    }
  }
}

extension JSONArray {
  /// Appends a mark of a scroll bar.
  ///
  /// - Parameter axis: The name of the coordinate along the scroll direction.
  public mutating func append(_ mark: PreparedCollection.SectionMark, along axis: StaticString) {
    append { writer in
      writer.object {
        $0["section"] = mark.section.index
        $0["id"] = mark.section.id
        $0[axis] = Coordinate(value: mark.start)
        $0["items"] = mark.section.itemCount
      }
    }
  }
}

extension JSONWriter {
  /// Writes an id with its quotes.
  mutating func write(_ id: ItemID) {
    id.withBytes { write(string: $0) }
  }
}
