import TestSupport
import Testing

@testable import System

@Suite("the memory of work that is being done")
struct WorkMemoryTests {
  private static let mebibyte = 1 << 20

  private func reserve(_ mebibytes: Int) -> WorkRefusal? {
    do throws(WorkRefusal) {
      try CurrentWork.reserve(mebibytes * Self.mebibyte)
      return nil
    } catch {
      return error
    }
  }

  @Test("the oldest work gets all it needs, others wait, and what ended gives back")
  func oldest() {
    let memory = WorkMemory(limit: 8 * Self.mebibyte, mostKept: 100 * Self.mebibyte)
    memory.during {
      same(reserve(20), nil)
      // Others do not wait for ever: nobody waits for them.
      CurrentWork.with(abandonedIf: { true }) {
        memory.during { same(reserve(2), .abandoned) }
        memory.during(waits: false) { same(reserve(2), nil) }
      }
      same(memory.reservedBytes, 20 * Self.mebibyte)
    }
    same(memory.reservedBytes, 0)
  }

  @Test("work that waits goes on when there is room")
  func waiting() async {
    let memory = WorkMemory(limit: 8 * Self.mebibyte, mostKept: 100 * Self.mebibyte)
    let order = Monitor<[String]>([])
    await withTaskGroup { group in
      memory.during {
        same(reserve(20), nil)
        group.addTask {
          memory.during {
            same(self.reserve(4), nil)
            order.update { $0.append("younger") }
          }
        }
        order.update { $0.append("oldest") }
      }
    }
    same(order.withLock { $0 }, ["oldest", "younger"])
  }

  @Test("what could not be kept is refused at once")
  func tooLarge() {
    let memory = WorkMemory(limit: 8 * Self.mebibyte, mostKept: 100 * Self.mebibyte)
    let bytes = 101 * Self.mebibyte
    memory.during {
      #expect(throws: WorkRefusal.tooLarge(bytes: bytes, limit: 100 * Self.mebibyte)) {
        try CurrentWork.checkFits(bytes)
      }
      same(reserve(101), nil)
    }
    // Work for nobody in particular is not refused.
    #expect(throws: Never.self) { try CurrentWork.checkFits(bytes) }
  }
}
