import LayoutSessions
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions
@testable import MicroHTTP

@Suite("Turns of those who make followed versions")
struct FairTurnsTests {
  private func jobs(_ turns: inout FairTurns<String, String>) -> [String] {
    var jobs: [String] = []
    while let job = turns.next() { jobs.append(job) }
    return jobs
  }

  @Test("a stranger's cheap job comes before the long ones of somebody else, however many wait")
  func stranger() {
    var turns = FairTurns<String, String>()
    for job in 0..<640 { turns.add("long \(job)", of: "many", cost: .milliseconds(2)) }
    same(turns.next(), "long 0")
    turns.add("cheap", of: "stranger", cost: .microseconds(50))
    same(turns.next(), "cheap")
    same(turns.next(), "long 1")
  }

  @Test("owners share the time, and the jobs of one keep their order")
  func shares() {
    var turns = FairTurns<String, String>()
    for job in 1...6 { turns.add("a\(job)", of: "a", cost: .milliseconds(1)) }
    for job in 1...2 { turns.add("b\(job)", of: "b", cost: .milliseconds(3)) }
    same(jobs(&turns), ["a1", "a2", "a3", "b1", "a4", "a5", "a6", "b2"])
    #expect(turns.isEmpty)
  }

  @Test("who has waited for nothing has saved nothing up")
  func nothingSaved() {
    var turns = FairTurns<String, String>()
    for _ in 0..<3 { turns.add("early", of: "a", cost: .milliseconds(5)) }
    _ = jobs(&turns)
    turns.add("a", of: "a", cost: .milliseconds(5))
    turns.add("b", of: "b", cost: .milliseconds(5))
    same(jobs(&turns), ["a", "b"])
  }

  @Test(
    "jobs of random owners and costs: each once, those of one owner in order", arguments: 0..<20)
  func random(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var turns = FairTurns<Int, (owner: Int, number: Int)>()
    var added = [Int](repeating: 0, count: 5)
    var done = [Int](repeating: 0, count: 5)
    for _ in 0..<500 {
      if Bool.random(using: &generator) {
        let owner = Int.random(in: 0..<5, using: &generator)
        turns.add(
          (owner, added[owner]), of: owner,
          cost: .microseconds(Int.random(in: 0...100, using: &generator)))
        added[owner] += 1
      } else if let job = turns.next() {
        same(job.number, done[job.owner], "seed \(seed)")
        done[job.owner] += 1
      }
    }
    while let job = turns.next() {
      same(job.number, done[job.owner], "seed \(seed)")
      done[job.owner] += 1
    }
    same(added, done)
  }
}

@Suite("Lanes of those who make followed versions")
struct LaneTests {
  @Test("nobody waits for a view that takes long, the first time and after each change")
  func slowViews() throws {
    let service = TestService()
    let keys = (0..<30_000).map { "\($0 * 7919 % 30_011)" }.joined(separator: ",")
    let long = service.path(
      "list",
      #"{"bounds": {"width": 9}, "sections": [{"items": {"keys": {"a": [\#(keys)]}}}]}"#)
    let slow = service.viewPath(of: long, #"{"arrange": {"sortBy": [{"key": "a"}]}}"#)
    let short = service.path("list", #"{"bounds": {"width": 9}, "sections": [{"items": 9}]}"#)
    let quick = service.viewPath(of: short, #"{"bounds": {"width": 5}}"#)
    let delete = #"[{"delete": {"at": [0, 0]}}]"#
    try withDaemon(service.gateway) { port in
      let client = try EventClient(port: port, "\(quick)/events")
      same(try client.event()?.data["version"], 1)
      same(service.update(long, delete).status, 200)
      guard case .pending(let work)? = service.sessions.find(SessionID(path: slow)) else {
        Issue.record("nothing is to be made")
        return
      }
      var slowClient: EventClient?
      for version in 2...4 {
        // Until the other event has come, nobody can make the slow view.
        try work.lock.withLock {
          if slowClient == nil { slowClient = try EventClient(port: port, "\(slow)/events") }
          same(service.update(long, delete).status, 200)
          same(service.update(short, delete).status, 200)
          same(try client.event()?.data["version"].integer, version)
        }
        same(try slowClient?.event()?.data["version"].integer, version + 1)
      }
    }
  }
}

@Suite("What a stream of many layouts holds for a slow client")
struct SlowStreamTests {
  @Test("it writes a part at a time, each layout once, and of what comes meanwhile only the newest")
  func parts() throws {
    let service = TestService()
    let grid = #"{"bounds": {"width": 320}, "sections": [{"items": 9}]}"#
    let paths = (0..<64).map { _ in service.path("grid", grid) }
    let ids = paths.map { SessionID(Array($0.utf8.dropFirst("/layouts/".utf8.count)).span)! }
    let source = LayoutEventSource(service.service.events, ids, isNamed: true, after: nil)
    let loop = StreamLoop(limit: 1, sendTimeout: 1, lifetime: 1, now: { 0 })
    source.begin(EventStream(serial: 1, loop: loop))
    defer { source.end() }

    let first = try #require(source.next())
    // While the client takes this, the last layout has two more versions.
    let update = #"[{"insert": {"at": [0, 0], "items": 1}}]"#
    for _ in 0..<2 { same(service.update(paths[63], update).status, 200) }
    var texts = [String(decoding: first.bytes, as: UTF8.self)]
    var largest = first.bytes.count
    while let batch = source.next() {
      texts.append(String(decoding: batch.bytes, as: UTF8.self))
      largest = max(largest, batch.bytes.count)
    }
    // An event names all 64 layouts with their versions.
    #expect(largest < 2048 + 64 * 48 + 512, "\(largest) bytes at once")
    let data = texts.joined().split(separator: "\n").filter { $0.hasPrefix("data: ") }
    same(data.count, 64)
    for id in ids {
      same(data.filter { $0.contains("\"layout\":\"\(id)\"") }.count, 1)
    }
    let last = data.last { $0.contains("\"layout\":\"\(ids[63])\"") }
    same(last?.contains("\"version\":3"), true)
  }
}
