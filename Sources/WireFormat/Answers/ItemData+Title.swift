import CollectionLayout

extension ItemData {
  /// What a picture calls the item: the member `title` of its data, or `name`, if that is a string.
  var title: String? {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count + JSONReader.padding, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    do throws(BodyError) {
      var reader = try JSONReader(UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]))
      guard try reader.nextType() == .object else { return nil }
      try reader.openObject()
      var texts: [String: String] = [:]
      while let member = try reader.nextField() {
        if ["title", "name"].contains(member), texts[member] == nil,
          try reader.nextType() == .string
        {
          var text: [UInt8] = []
          try reader.readString(appendingTo: &text)
          texts[member] = String(decoding: text, as: UTF8.self)
        } else {
          try reader.skipValue(isRaw: true)
        }
      }
      return texts["title"] ?? texts["name"]
    } catch {
      // A surrogate that stands alone is no text.
      return nil
    }
  }
}
