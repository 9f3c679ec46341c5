import TestSupport
import Testing

@testable import MicroHTTP

@Suite("The content of a request in memory")
struct RequestBodyTests {
  @Test(
    "content stays as it came, however long, with zeros behind it",
    arguments: [1, 65_536, 65_537, (2 << 20) - 64, (2 << 20) - 63, 4 << 20]
      + (Extent.isWide ? [9_000_001] : []))
  func content(total: Int) {
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: index &* 31 &+ index >> 16) }
    let body = RequestBody(limit: total)
    var next = 0
    while next < total {
      let piece = (next..<min(next + 16_001, total)).map(byte)
      let isStored = piece.withUnsafeBytes { body.append($0) }
      #expect(isStored)
      next += piece.count
    }
    body.finish()
    body.withBytes { bytes in
      same(bytes.count, total)
      #expect(bytes.indices.allSatisfy { bytes[$0] == byte($0) })
      let padding = UnsafeRawBufferPointer(
        start: bytes.baseAddress! + total, count: RequestBody.padding)
      #expect(padding.allSatisfy { $0 == 0 })
    }
  }
}
