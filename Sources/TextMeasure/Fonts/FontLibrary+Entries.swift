import CHarfBuzz

extension FontLibrary {
  /// All fonts, by name.
  ///
  /// - Complexity: O(bytes of all files) for the first call, which reads them; then O(1). Others
  ///   that call meanwhile wait.
  public func entries() -> [Entry] {
    known.withLock { known in
      if let known { return known }
      let found = names.compactMap(makeEntry)
      known = found
      return found
    }
  }

  /// The font whose file has a SHA-256, in hexadecimal digits; the first of several.
  ///
  /// - Complexity: As that of ``entries()``.
  public func entry(sha256: String) -> Entry? {
    entries().first { $0.sha256 == sha256 }
  }

  /// The bytes of a font's file; `nil` if it cannot be read any more, or is another.
  ///
  /// - Complexity: O(bytes).
  public static func bytes(of entry: Entry) -> [UInt8]? {
    (try? FontBytes(path: entry.path, as: entry.stamp)).map { Array($0.bytes) }
  }

  private func makeEntry(_ name: String) -> Entry? {
    guard let path = paths[name], let format = Self.format(of: path),
      let file = try? FontBytes(path: path), let font = try? FontFile(path: path)
    else { return nil }
    let (family, style) = (font.name([16, 1]), font.name([17, 2]))
    return Entry(
      name: name, family: family ?? name, style: style ?? "Regular", weight: font.tables.weight,
      weights: font.weights, isItalic: font.tables.isItalic, sha256: file.sha256(),
      bytes: file.bytes.count,
      format: format, path: path, stamp: file.stamp)
  }
}

extension FontFile {
  /// The range of the axis `wght`, if the font has one.
  var weights: ClosedRange<Double>? {
    var axis = hb_ot_var_axis_info_t()
    guard hb_ot_var_find_axis_info(face, FontTables.tag("wght"), &axis) != 0 else { return nil }
    return Double(axis.min_value)...Double(axis.max_value)
  }

  /// The first of some names of the `name` table that the font has, in English.
  fileprivate func name(_ ids: [UInt32]) -> String? {
    for id in ids {
      var buffer = [CChar](repeating: 0, count: 256)
      var length = UInt32(buffer.count)
      let found = hb_ot_name_get_utf8(
        face, id, hb_language_from_string("en", -1), &length, &buffer)
      guard found > 0 else { continue }
      return String(
        decoding: buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return nil
  }
}
