import TestSupport
import Testing

@testable import System

@Suite("memory pressure")
struct MemoryPressureTests {
  @Test("memory is returned from three quarters of the bound on, and again when it has grown")
  func steps() {
    var pressure = MemoryPressure(bound: 320)
    // What the process takes, and what of that is only kept.
    var (resident, kept, releases) = (0, 0, 0)
    func tick(_ bytes: Int, kept new: Int) -> Int {
      (resident, kept) = (bytes, new)
      pressure.relieve(
        residentBytes: { resident },
        release: {
          (resident, kept) = (resident - kept, 0)
          releases += 1
        })
      return releases
    }
    same(tick(240, kept: 90), 0)
    same(tick(241, kept: 90), 1)
    same(tick(240, kept: 90), 1)
    // Nothing is kept, so the same again would give nothing.
    same(tick(270, kept: 0), 2)
    same(tick(280, kept: 10), 2)
    same(tick(281, kept: 11), 3)
    // What was in use went by itself.
    same(tick(250, kept: 0), 3)
    same(tick(261, kept: 20), 4)
  }

  @Test("the process takes some memory")
  func resident() throws {
    let before = try #require(ProcessStatistics()).residentBytes
    let pages = [UInt8](repeating: 1, count: 64 << 20)
    let after = try #require(ProcessStatistics()).residentBytes
    #expect(before > 0 && after > before / 2 + pages.count / 2)
  }
}
