extension String {
  /// Text that is ASCII if it means anything; each other byte becomes U+FFFD.
  ///
  /// Not as UTF-8, because comparing and hashing strings takes time by the square of the combining
  /// characters that stand together: a second for a field of 30 KB.
  init(ascii bytes: some Collection<UInt8>) {
    // The way through UTF-8 is the fast one.
    self =
      bytes.allSatisfy { $0 < 0x80 }
      ? String(decoding: bytes, as: UTF8.self) : String(decoding: bytes, as: Unicode.ASCII.self)
  }
}
