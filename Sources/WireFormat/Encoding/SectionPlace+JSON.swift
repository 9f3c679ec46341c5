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
      $0["folded"] = isFolded ? true : nil
      $0["hidden"] = isFolded ? itemCount : nil
    }
  }
}

extension JSONObject {
  /// Writes what something is folded in.
  public mutating func write(foldedIn cover: PreparedCollection.Cover) {
    object("foldedIn") {
      switch cover {
      case .node(let path, let id):
        $0["id"] = id
        $0["indexPath"] = [path.section, path.item]
      case .section(let section, let id):
        $0["section"] = section
        $0["id"] = id
      }
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
