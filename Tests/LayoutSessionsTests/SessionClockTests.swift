import TestSupport
import Testing

@Suite("Manual clock")
struct ManualSessionClockTests {
  @Test("it stands still until it is advanced")
  func advance() {
    let clock = ManualSessionClock(startUnixTime: 1_000)
    #expect(clock.now() == .zero)
    #expect(clock.unixTime() == 1_000)
    clock.advance(by: .milliseconds(1_999))
    #expect(clock.now() == .milliseconds(1_999))
    #expect(clock.unixTime() == 1_001)
    clock.advance(by: .milliseconds(1))
    #expect(clock.now() == .seconds(2))
    #expect(clock.unixTime() == 1_002)
  }
}
