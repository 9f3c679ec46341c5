public import CollectionLayout

extension CardPart: JSONWritable {
  /// The same text for every precision.
  public func write(to writer: inout JSONWriter) {
    let precision = writer.precision
    defer { writer.precision = precision }
    writer.precision = .readable
    writer.object {
      $0["part"] = part
      $0["frame"] = frame
      guard let lines else { return }
      $0["lines"] = lines.starts.map { Int($0) }
      $0["width"] = Coordinate(value: lines.width)
      guard let end = lines.end else { return }
      $0["end"] = Int(end)
      $0["cut"] = true
    }
  }
}
