import MicroHTTP
import ServiceSupport
import Synchronization
import TestSupport
import Testing

@testable import LayoutService

@Suite("clients of layouts that change")
struct ChangesClientTests {
  @Test("readers see each version whole while two writers change it")
  func readers() {
    let test = TestService()
    let changeCount = 60
    func body(_ count: Int) -> String {
      let heights = Array(repeating: "7", count: count) + ["1", "2", "3"]
      return
        #"{"bounds": {"width": 300}, "options": {"columns": 3, "placement": "shortestColumn"},"#
        + #" "sections": [{"items": {"height": [\#(heights.joined(separator: ","))]}}]}"#
    }
    @Sendable func elements(_ answer: Answer) -> Substring? {
      answer.text.range(of: #""elements":"#).map { answer.text[$0.upperBound...] }
    }
    let query = "/elements?rect=0,0,300,100000"
    let expected = (0...changeCount).map {
      elements(test.get(test.path("waterfall", body($0)) + query))
    }
    let path = test.path("waterfall", body(0))
    let faults = Mutex<[String]>([])
    let versions = Mutex<[Int]>([])
    onThreads(6) { thread in
      if thread < 2 {
        for _ in 0..<changeCount / 2 {
          let answer = test.update(path, #"[{"insert": {"at": [0, 0], "items": [{"height": 7}]}}]"#)
          versions.withLock { $0.append(answer.json["version"].integer ?? 0) }
        }
      } else {
        var last = 0
        for _ in 0..<40 {
          let answer = test.get(path + query)
          let version = answer.json["version"].integer ?? 0
          let isWhole =
            (1...changeCount + 1).contains(version) && version >= last
            && elements(answer) == expected[version - 1]
          if !isWhole { faults.withLock { $0.append("version \(version) after \(last)") } }
          last = version
        }
      }
    }
    same(faults.withLock { $0 }, [])
    same(versions.withLock { $0.sorted() }, Array(2...changeCount + 1))
    same(elements(test.get(path + query)), expected[changeCount])
  }

  @Test("of two writers that name the same version, one wins", arguments: [false, true])
  func race(isPatch: Bool) {
    let test = TestService()
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 3}]}"#)
    for round in 1...40 {
      let statuses = Mutex<[Int]>([])
      onThreads(2) { writer in
        let answer =
          isPatch
          ? test.patch(
            path, #"{"bounds": {"width": \#(round * 10 + writer)}}"#, ifMatch: "\"\(tag(round))\"")
          : test.update(
            path, #"[{"insert": {"at": [0, 0], "items": 1}}]"#, ifMatch: "\"\(tag(round))\"")
        statuses.withLock { $0.append(answer.status) }
      }
      same(statuses.withLock { $0.sorted() }, [200, 412])
      same(test.get(path).json["version"].integer, round + 1)
    }
  }

  @Test("of two that name none, one comes after the other")
  func raceWithoutPrecondition() {
    let test = TestService()
    let path = test.path("grid", #"{"bounds": {"width": 100}, "sections": [{"items": 0}]}"#)
    for round in 1...40 {
      let versions = Mutex<[Int]>([])
      onThreads(2) { writer in
        let answer =
          writer == 0
          ? test.update(path, #"[{"insert": {"at": [0, 0], "items": 1}}]"#)
          : test.patch(path, #"{"bounds": {"width": \#(100 + round)}}"#)
        versions.withLock { $0.append(answer.json["version"].integer ?? 0) }
      }
      same(versions.withLock { $0.sorted() }, [2 * round, 2 * round + 1])
    }
    let summary = test.get(path).json
    same(summary["counts"]["cells"], 40)
    same(summary["bounds"]["width"], 140)
  }
}
