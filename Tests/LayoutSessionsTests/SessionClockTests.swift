import TestSupport
import Testing

@Suite("Manual clock")
struct ManualSessionClockTests {
  @Test("it stands still until it is advanced")
  func advance() {
    let clock = ManualSessionClock(startUnixTime: 1_000)
    same(clock.now(), .zero)
    same(clock.unixTime(), 1_000)
    clock.advance(by: .milliseconds(1_999))
    same(clock.now(), .milliseconds(1_999))
    same(clock.unixTime(), 1_001)
    clock.advance(by: .milliseconds(1))
    same(clock.now(), .seconds(2))
    same(clock.unixTime(), 1_002)
  }
}
