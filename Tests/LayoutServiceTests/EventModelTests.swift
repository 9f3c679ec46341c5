import Glibc
import LayoutSessions
import MicroHTTP
import ServiceSupport
import Synchronization
import TestSupport
import Testing

@testable import LayoutService

/// Followers that believe what events tell them, beside changes of several clients.
@Suite("Events of layouts that many change")
struct EventModelTests {
  private static let layoutCount = 3

  /// What a follower believes of a layout: its elements, asked for only where events say so.
  private struct Belief {
    var version = 0
    var elements: [JSON] = []
  }

  @Test(
    "a follower that asks only for what events name has what a full query gives",
    arguments: Extent.seeds(2, of: 4))
  func beliefs(seed: Int) throws {
    let service = TestService()
    var paths = (0..<Self.layoutCount).map { index in
      service.path(
        "waterfall",
        """
        {"bounds": {"width": \(300 + index)}, "options": {"columns": \(index + 1)},
         "sections": [{"items": {"height": [\((1...20).map { "\($0 * 7 % 50 + 5)" }
           .joined(separator: ","))]}}, {"items": 5}]}
        """)
    }
    let view = service.view(of: paths[0], #"{"kind": "list", "bounds": {"width": 90}}"#)
    paths.append(try #require(view["Location"]))
    // Known before the last changes are made.
    let finals = Mutex<[Int]?>(nil)
    try withDaemon(service.gateway) { [paths] port in
      let followers = (0..<6).map { follower in
        BackgroundThread {
          do {
            try follow(paths, service, port, finals, seed: seed * 100 + follower)
          } catch {
            Issue.record(error)
          }
        }
      }
      onThreads(4) { thread in
        var random = SeededGenerator(seed: seed * 100 + 50 + thread)
        for _ in 0..<40 {
          let path = paths[random.integer(0...Self.layoutCount - 1)]
          let answer = service.update(path, Self.update(&random))
          #expect(answer.status == 200 || answer.status == 422, "\(answer.text)")
          sched_yield()
        }
      }
      let ids = paths.map { SessionID(Array($0.utf8.dropFirst("/layouts/".utf8.count)).span)! }
      finals.withLock { $0 = ids.map { (service.sessions.tag(of: $0)?.tag.number ?? 0) + 1 } }
      for path in paths.prefix(Self.layoutCount) {
        same(service.update(path, #"[{"insert": {"at": [1, 0], "items": 1}}]"#).status, 200)
      }
      for follower in followers { follower.join() }
      #expect(eventually { service.service.events.followedCount == 0 })
    }
  }

  /// An update of the first section, which may not have the item that it is about.
  private static func update(_ random: inout SeededGenerator) -> String {
    let item = random.integer(0...25)
    return switch random.integer(0...3) {
    case 0: #"[{"delete": {"at": [0, \#(item)]}}]"#
    case 1:
      #"[{"insert": {"at": [0, \#(item)], "items": [{"height": \#(random.integer(5...60))}]}}]"#
    case 2: #"[{"move": {"from": [0, \#(item)], "to": [0, \#(random.integer(0...20))]}}]"#
    default: #"[{"setSection": {"at": 0, "id": "\#(item)"}}]"#
    }
  }

  /// Follows layouts on one stream, which breaks now and then, until all have their last version.
  private func follow(
    _ paths: [String], _ service: TestService, _ port: UInt16, _ finals: borrowing Mutex<[Int]?>,
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: seed)
    let ids = paths.map { String($0.dropFirst("/layouts/".count)) }
    let target = "/events?" + ids.map { "layout=\($0)" }.joined(separator: "&")
    var beliefs = [Belief](repeating: Belief(), count: paths.count)
    var client = try EventClient(port: port, target)
    while finals.withLock({ $0 }).map({ $0 != beliefs.map(\.version) }) ?? true {
      guard let event = try client.event() else { throw RawClient.Broken("an early end") }
      let layout = try #require(ids.firstIndex { $0 == event.data["layout"].string })
      let version = try #require(event.data["version"].integer)
      let isFirst = event.data["recovered"] != .null
      #expect(isFirst ? version >= beliefs[layout].version : version > beliefs[layout].version)
      beliefs[layout].version = version
      try believe(event.data, &beliefs[layout], paths[layout], service)
      if random.chance(15) {
        if random.chance(50) { client.reset() }
        client = try EventClient(port: port, target, lastEventID: client.lastEventID)
      }
    }
    for (path, belief) in zip(paths, beliefs) {
      let all = service.get("\(path)/elements?rect=0,0,1000,100000").json["elements"].array
      let isRight =
        belief.elements.count == all.count
        && Set(belief.elements.map(Self.text)) == Set(all.map(Self.text))
      #expect(isRight, "seed \(seed), \(path): \(belief.elements.count) of \(all.count)")
    }
  }

  private static func text(of element: JSON) -> String {
    "\(element["indexPath"].text) \(element["frame"].text)"
  }

  private func believe(
    _ event: JSON, _ belief: inout Belief, _ path: String, _ service: TestService
  ) throws {
    let rect: [Double]
    if event["recovered"] == false {
      belief.elements = []
      rect = [0, 0, 1000, 100_000]
    } else if event["invalidatedRect"] == .null {
      return
    } else {
      rect = event["invalidatedRect"].array.compactMap(\.number)
    }
    let text = rect.map { "\($0)" }.joined(separator: ",")
    let answer = service.get("\(path)/elements?rect=\(text)").json["elements"].array
    belief.elements.removeAll { element in
      let frame = element["frame"].array.compactMap(\.number)
      return frame[0] < rect[0] + rect[2] && rect[0] < frame[0] + frame[2]
        && frame[1] < rect[1] + rect[3] && rect[1] < frame[1] + frame[3]
    }
    // Elements that were there already lie outside of the rect.
    belief.elements += answer
  }
}
