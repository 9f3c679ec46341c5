import TestSupport
import Testing

@testable import MicroHTTP

@Suite("The queues of the workers")
struct WorkQueuesTests {
  private final class Object: Sendable {}

  private struct Job: DeferrableJob {
    var number = 0
    var object: (any AnyObject & Sendable)?
    var isShort = false
  }

  private func queues(workers: Int = 1, queueLength: Int = 64) -> WorkQueues<Job> {
    WorkQueues(workers: workers, queueLength: queueLength)
  }

  private func add(_ job: Job, to queues: inout WorkQueues<Job>) {
    let hasPlace = queues.reserve(isShort: job.isShort)
    let isAdded = queues.add(job)
    #expect(hasPlace && isAdded)
  }

  @Test("short work that turns out long may begin as soon as it is passed on")
  func passedOn() throws {
    var queues = queues()
    add(Job(object: Object(), isShort: true), to: &queues)
    let short = queues.take(for: 1)
    // The worker looks now, and sleeps.
    let early = queues.take(for: 0)
    queues.end(1)
    let isPassedOn = queues.passOn(try #require(short))
    // It is woken by this, and not again.
    let late = queues.take(for: 0)
    #expect(early == nil && isPassedOn && late != nil)
  }

  @Test("short work that turns out long is the next of the workers, before what came behind it")
  func passedOnFirst() throws {
    var queues = queues()
    for number in 0..<3 { add(Job(number: number, isShort: number == 0), to: &queues) }
    let short = queues.take(for: 1)
    queues.end(1)
    let isPassedOn = queues.passOn(try #require(short))
    let order = (0..<3).map { _ in
      let entry = queues.take(for: 0)
      queues.end(0)
      return entry?.job.number
    }
    #expect(isPassedOn)
    same(order, [0, 1, 2])
  }

  @Test("whoever leaves an object is told that others wait for it")
  func left() {
    let object = Object()
    var queues = queues()
    add(Job(object: object, isShort: true), to: &queues)
    let short = queues.take(for: 1)
    add(Job(object: object), to: &queues)
    let early = queues.take(for: 0)
    queues.end(1)
    let mustWake = queues.leave(1)
    let late = queues.take(for: 0)
    queues.end(0)
    let mustWakeAgain = queues.leave(0)
    #expect(short != nil && early == nil && mustWake && late != nil && !mustWakeAgain)
  }

  @Test(
    "no job waits for a sleeping thread, and no object has two jobs at once", arguments: 0..<100)
  func model(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let workers = random.integer(1...3)
    var queues = queues(workers: workers, queueLength: random.integer(0...5))
    let objects = (0..<3).map { _ in Object() }
    var busy: [Int: WorkQueues<Job>.Entry] = [:]
    // Threads that have found nothing, and that nobody has woken since.
    var asleep: Set<Int> = []
    var done = 0
    var added = 0

    func wakeAll() { asleep = [] }
    for step in 0..<2000 {
      switch random.integer(0...3) {
      case 0:
        let isShort = random.integer(0...1) == 0
        guard step < 1500, queues.reserve(isShort: isShort) else { continue }
        let object = random.integer(0...3)
        let isAdded = queues.add(
          Job(number: added, object: object < 3 ? objects[object] : nil, isShort: isShort))
        #expect(isAdded)
        added += 1
        wakeAll()
      case 1, 2:
        let idle = (0...workers).filter { busy[$0] == nil && !asleep.contains($0) }
        guard let thread = idle.randomElement(using: &random) else { continue }
        guard let entry = queues.take(for: thread) else {
          asleep.insert(thread)
          continue
        }
        for other in busy.values {
          #expect(other.job.object == nil || other.job.object !== entry.job.object)
        }
        busy[thread] = entry
      default:
        guard let thread = busy.keys.sorted().randomElement(using: &random),
          let entry = busy.removeValue(forKey: thread)
        else { continue }
        queues.end(thread)
        if thread == workers, random.integer(0...1) == 0, queues.passOn(entry) {
          wakeAll()
        } else {
          done += 1
        }
        if queues.leave(thread) { wakeAll() }
      }
    }
    // Whatever is left is done by threads that are awake.
    while done < added {
      let idle = (0...workers).filter { busy[$0] == nil && !asleep.contains($0) }
      if let thread = idle.first {
        busy[thread] = queues.take(for: thread)
        if busy[thread] == nil { asleep.insert(thread) }
      } else if let thread = busy.keys.min() {
        busy[thread] = nil
        queues.end(thread)
        done += 1
        if queues.leave(thread) { wakeAll() }
      } else {
        Issue.record("\(added - done) of \(added) jobs wait, and all threads sleep")
        return
      }
    }
    same(queues.unfinished, 0)
  }
}
