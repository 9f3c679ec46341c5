import CollectionLayout

extension JSONWriter {
  /// Writes the parts of a card.
  mutating func write(_ parts: [CardPart]) {
    write("[")
    for (index, part) in parts.enumerated() {
      write(index == 0 ? "{\"part\":" : ",{\"part\":")
      write(part.part)
      write(",\"frame\":")
      write(part.frame)
      if let lines = part.lines {
        write(",\"lines\":[")
        for (index, start) in lines.starts.enumerated() {
          if index > 0 { write(",") }
          write(Int(start))
        }
        write("],\"width\":")
        write(lines.width)
      }
      write("}")
    }
    write("]")
  }
}
