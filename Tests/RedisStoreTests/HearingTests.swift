import LayoutSessions
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

/// Two servers with one store, of which they hear at times, while they answer.
@Suite("Answers while news of a store stop and come again")
struct HearingTests {
  private let faces: [TroubledLog.Face]
  private let servers: [TestService]

  init() throws {
    let log = TroubledLog()
    let faces = (0..<2).map { _ in log.makeFace() }
    let servers = faces.map {
      TestService(
        limits: .init(visitBudget: 50), sessionLog: $0, makeChangeID: { .random() })
    }
    (self.faces, self.servers) = (faces, servers)
    try #require(eventually { servers.allSatisfy { $0.sessions.isHeard } })
  }

  private static let list = #"{"bounds": {"width": 320}, "sections": [{"items": 200}]}"#
  private static let insert = #"[{"insert": {"at": [0, 0], "items": 1}}]"#
  private static let all = "elements?rect=0,0,1e9,1e9&known=0,0,1,1&since="

  @Test(
    "a version that was chosen while no news came is not kept by caches, though they come again")
  func comingAgain() throws {
    // As a server that was just started.
    faces[0].tell(.isSilent)
    let path = servers[0].path("list", Self.list)
    let tag = servers[1].update(path, Self.insert).versionTag ?? ""
    let deferred = try #require(servers[0].deferred("\(path)/\(Self.all)\(tag)"))
    servers[0].clock.interrupt { [faces, servers] in
      faces[0].tell(.isHeard)
      _ = eventually { servers[0].sessions.isHeard }
    }
    let answer = Answer(deferred.work())
    #expect(servers[0].sessions.isHeard)
    #expect(answer.version == 2 || answer["Cache-Control"] == "no-store", "\(answer.headers)")
    same(servers[0].get("\(path)/\(Self.all)\(tag)").version, 2)
  }

  @Test("a copy of which it is known that it is behind is not kept by caches")
  func breakingOff() {
    let path = servers[0].path("list", Self.list)
    same(servers[1].update(path, Self.insert).status, 200)
    faces[0].bringNews()
    faces[0].breakOff()
    let answer = servers[0].get("\(path)/elements?rect=0,0,9,9")
    same(answer.version, 1)
    same(answer["Cache-Control"], "no-store")
  }

  @Test("who says which version it has seen gets it while no news come")
  func readingInSilence() {
    let path = servers[0].path("list", Self.list)
    faces[0].tell(.isSilent)
    let tag = servers[1].update(path, Self.insert).versionTag ?? ""
    let answer = servers[0].get("\(path)/elements?rect=0,0,9,9&version=\(tag)")
    same([answer.status, answer.version], [200, 2], "\(answer.text)")
    // Of what cannot be asked, the copy has to do.
    let later = servers[1].update(path, Self.insert).versionTag ?? ""
    faces[0].breakOff()
    same(servers[0].get("\(path)/elements?rect=0,0,9,9&version=\(later)").status, 410)
    same(servers[0].get("\(path)/\(Self.all)\(later)").version, 2)
  }

  @Test("a change is made while no news come, though others have made one")
  func changingInSilence() {
    let path = servers[0].path("list", Self.list)
    let view = servers[0].view(of: path, #"{"bounds": {"width": 90}}"#)["Location"] ?? ""
    faces[0].tell(.isSilent)
    same(servers[1].update(path, Self.insert).status, 200)
    let answer = servers[0].update(path, Self.insert)
    same([answer.status, answer.version], [200, 3], "\(answer.text)")
    same(servers[1].patch(view, #"{"bounds": {"width": 80}}"#).version, 4)
    let answerOfView = servers[0].patch(view, #"{"bounds": {"width": 70}}"#)
    same([answerOfView.status, answerOfView.version], [200, 5], "\(answerOfView.text)")
  }

  @Test(
    "who says which version it has seen gets that or a later one, or what no cache keeps",
    arguments: Extent.seeds(25, of: 100))
  func random(seed: Int) {
    var random = SeededGenerator(seed: seed)
    /// The layouts, and which version of each the client has seen.
    var seen: [(path: String, number: Int, tag: String)] = []
    var views: Set<String> = []
    let (faces, servers) = (faces, servers)
    @Sendable func turn(_ server: Int, _ number: Int) {
      let face = faces[server]
      switch number {
      case 0...2: face.tell(.isSilent)
      case 3: face.breakOff()
      case 4...5: face.bringNews()
      default:
        face.connectAgain()
        _ = eventually { servers[server].sessions.isHeard }
      }
    }
    for step in 0..<60 {
      let server = random.integer(0...1)
      if random.chance(30) { turn(server, random.integer(0...8)) }
      // In the middle of what comes now, some readings of the clock later.
      let (clock, turns) = (servers[server].clock, (0..<3).map { _ in random.integer(0...8) })
      @Sendable func interrupt(after readings: Int, _ turns: ArraySlice<Int>) {
        guard let next = turns.first else { return clock.interrupt(nil) }
        clock.interrupt {
          if readings == 0 { turn(server, next) }
          interrupt(after: (readings + 3) % 4, readings == 0 ? turns.dropFirst() : turns)
        }
      }
      let isInterrupted = random.chance(70)
      if isInterrupted { interrupt(after: random.integer(0...3), turns[...]) }
      let mayBeAway =
        faces[server].isAway || isInterrupted && turns.contains { $0 == 3 || $0 > 5 }
      defer { clock.interrupt(nil) }
      let place = "seed \(seed), step \(step)"
      func note(_ answer: Answer, _ path: String?) {
        guard let path, let number = answer.version, let tag = answer.versionTag else { return }
        seen.removeAll { $0.path == path }
        seen.append((path, number, tag))
      }
      if seen.isEmpty || random.chance(8) {
        let answer = servers[server].prepare("list", Self.list)
        note(answer, answer["Location"])
        continue
      }
      let (path, number, tag) = random.element(of: seen)
      if random.chance(40) {
        let answer =
          !views.contains(path) && random.chance(70)
          ? servers[server].update(path, Self.insert)
          : servers[server].patch(path, #"{"bounds": {"width": \#(random.integer(100...900))}}"#)
        let expected = mayBeAway ? [200, 409, 503] : [200, 409]
        #expect(expected.contains(answer.status), "\(place): \(answer.text)")
        if answer.status == 200 { note(answer, path) }
      } else if random.chance(10) {
        let answer = servers[server].view(of: path, #"{"bounds": {"width": 90}}"#)
        note(answer, answer["Location"])
        views.formUnion(answer["Location"].map { [$0] } ?? [])
      } else {
        let few = random.chance(50) ? "&limit=9" : ""
        let answer = servers[server].get("\(path)/\(Self.all)\(tag)\(few)")
        guard answer.status == 200 else {
          same(answer.status, 503, "\(place): \(answer.text)")
          continue
        }
        if answer["Cache-Control"] == "no-store" { continue }
        let isRight = answer.version ?? 0 > number || answer.versionTag == tag
        #expect(isRight, "\(place): \(tag) was seen, then \(answer.versionTag ?? "none")")
      }
    }
  }
}
