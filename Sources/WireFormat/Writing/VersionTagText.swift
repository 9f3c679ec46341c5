extension JSONObject {
  /// Writes `"version": …, "versionTag": …`.
  ///
  /// - Parameter hash: Of the version's history, 24 bits.
  public mutating func write(version: Int, hash: UInt32) {
    self["version"] = version
    self["versionTag"] = VersionTagText.text(version, hash)
  }
}

/// The text of a version's tag: its number, a hyphen and six hexadecimal digits.
package enum VersionTagText {
  /// The whole text.
  package static func text(_ number: Int, _ hash: UInt32) -> String {
    String(unsafeUninitializedCapacity: NumberText.maxIntegerLength + hashLength) { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return writeHash(hash, at: NumberText().write(number, at: start)) - start
    }
  }

  /// The hyphen and the digits.
  static let hashLength = 7

  /// Writes what follows the number.
  ///
  /// - Returns: The end.
  @inline(__always)
  static func writeHash(
    _ hash: UInt32, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    start.pointee = UInt8(ascii: "-")
    for place in 1..<hashLength {
      let digit = UInt8(truncatingIfNeeded: hash >> (4 * UInt32(hashLength - 1 - place))) & 15
      start[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
    return start + hashLength
  }
}
