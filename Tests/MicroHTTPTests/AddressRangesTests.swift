import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Ranges of addresses")
struct AddressRangesTests {
  @Test(
    "ranges of addresses",
    arguments: cases("AddressRanges.ranges", String.self, String.self, Bool.self))
  func ranges(text: String, address: String, isIn: Bool) throws {
    let ranges = try #require(AddressRanges(text))
    same(ranges.contains(try #require(SocketAddress(host: address, port: 7))), isIn)
  }

  @Test("a peer on a Unix socket is in the range of these alone")
  func unixPeers() {
    same(AddressRanges("unix")?.contains(.unix), true)
    same(AddressRanges("::1")?.contains(.unix), false)
    #expect(!AddressRanges().contains(.unix))
    same(SocketAddress.unix.description, "unix")
  }

  @Test(
    "what is no range is refused",
    arguments: ["", ",", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "::/129", "proxy", "10.0.0"])
  func noRange(text: String) {
    same(AddressRanges(text), nil)
  }
}
