import TestSupport
import Testing

@testable import System

@Suite("A lock for brief looks at state")
struct BriefLockTests {
  @Test("one thread at a time is in it")
  func exclusion() async {
    let lock = BriefLock((count: 0, isTaken: false))
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10_000 {
            lock.withLock {
              #expect(!$0.isTaken)
              $0.isTaken = true
              $0.count += 1
              $0.isTaken = false
            }
          }
        }
      }
    }
    same(lock.withLock { $0.count }, 80_000)
  }
}
