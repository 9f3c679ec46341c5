public import CollectionLayout

extension JSONWriter {
  /// Writes a section's place.
  public mutating func write(_ section: PreparedCollection.SectionPlace) {
    write("{\"section\":")
    write(section.index)
    if let id = section.id {
      write(",\"id\":")
      write(id)
    }
    write(",\"kind\":")
    write(string: section.kind)
    write(",\"items\":")
    write(section.itemCount)
    write(",\"frame\":")
    write(section.frame)
    write(",\"body\":")
    write(section.body)
    if let size = section.contentSize {
      write(",\"contentSize\":")
      write(size)
    }
    write("}")
  }

  /// Writes a section's place as one of a list.
  public mutating func write(_ section: PreparedCollection.SectionPlace, isFirst: Bool) {
    if !isFirst { write(",") }
    write(section)
  }

  /// Writes an id with its quotes.
  mutating func write(_ id: ItemID) {
    id.withBytes { write(string: $0) }
  }

  /// Writes the beginning of a list of sections, up to its first one.
  public mutating func writeSectionsHead(id: [UInt8], version: Int, hash: UInt32) {
    writeHead(id: id, version: version, hash: hash)
    write(",\"sections\":[")
  }

  /// Writes the end of a list of sections.
  ///
  /// - Parameter next: The link to the rest of the list.
  public mutating func writeSectionsEnd(next: String?) {
    write("]")
    if let next {
      write(",\"next\":")
      write(string: next)
    }
    write("}")
  }

  private mutating func writeHead(id: [UInt8], version: Int, hash: UInt32) {
    write("{\"id\":\"")
    write(raw: id)
    write("\",")
    writeMembers(version: version, hash: hash)
  }
}
