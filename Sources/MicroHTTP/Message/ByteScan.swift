extension UnsafeBufferPointer<UInt8> {
  /// Whether any byte is below `limit` (at most 128), equals `first` or `second`, or, if requested,
  /// is not ASCII.
  ///
  /// It tests eight bytes at a time. Each step finds exactly whether there is such a byte, but not
  /// where.
  @inline(__always)
  func hasByte(
    below limit: UInt8, or first: UInt8, or second: UInt8, orAboveASCII: Bool = false
  ) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func repeated(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }
    @inline(__always)
    func hasZero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
    let (limits, firsts, seconds) = (repeated(limit), repeated(first), repeated(second))
    @inline(__always)
    func hits(_ word: UInt64) -> UInt64 {
      (word &- limits) & ~word | hasZero(word ^ firsts) | hasZero(word ^ seconds)
        | (orAboveASCII ? word : 0)
    }
    guard let base = UnsafeRawPointer(baseAddress) else { return false }
    var found: UInt64 = 0
    var offset = 0
    while offset + 8 <= count {
      found |= hits(base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    while offset < count {
      found |= hits(repeated(self[offset]))
      offset += 1
    }
    return found & repeated(0x80) != 0
  }
}
