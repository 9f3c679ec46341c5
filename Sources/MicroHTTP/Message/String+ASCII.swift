extension String {
  /// Text from ASCII bytes. Each other byte becomes U+FFFD.
  ///
  /// The bytes are not decoded as UTF-8, because comparing and hashing strings takes quadratic time
  /// in the number of adjacent combining characters.
  init(ascii bytes: some Collection<UInt8>) {
    // Decoding as UTF-8 is faster.
    self =
      bytes.allSatisfy { $0 < 0x80 }
      ? String(decoding: bytes, as: UTF8.self) : String(decoding: bytes, as: Unicode.ASCII.self)
  }
}
