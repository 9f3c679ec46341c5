import CollectionLayout
import LayoutService
import RedisStore
import TestSupport
import Testing

@testable import LayoutSessions

/// The layouts of one or three servers.
struct ModelledServers {
  /// An error of the sessions, or of a change that is wrong for the version that a server knows.
  private enum Failure: SessionsFailure {
    case sessions(SessionsError)
    case isWrong

    init(_ error: SessionsError) { self = .sessions(error) }
  }

  private struct Frame: Equatable {
    let indexPath: IndexPath
    let frame: Rect
  }

  private let form: LogModelTests.Form
  private let seed: Int
  var step = 0
  private var random: SeededGenerator
  private let bodies = ServiceBodies()
  private let clock = ManualSessionClock()
  private let redis: RedisServer?
  private let redisLogs: [RedisLog]
  private let troubled: TroubledLog?
  private let faces: [TroubledLog.Face]
  private let sessions: [SessionStore]

  private var model = LayoutsModel()
  /// The models before each thing that was done.
  private var past: [LayoutsModel] = []
  /// What was shown under each tag, by any server.
  private var shown: [SessionID: [VersionTag: [Frame]]] = [:]

  init(_ form: LogModelTests.Form, seed: Int) throws {
    self.form = form
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let redis = form == .redis ? try RedisServer() : nil
    redisLogs =
      try redis.map { redis in
        try (0..<3).map { _ in
          try RedisLog(
            StoreAddress(.unix(path: redis.socket)), timeout: .seconds(60),
            probeInterval: .seconds(120), timeToLive: .seconds(1125))
        }
      } ?? []
    self.redis = redis
    let troubled = form == .troubled ? TroubledLog() : nil
    faces = troubled.map { log in (0..<3).map { _ in log.makeFace() } } ?? []
    self.troubled = troubled
    let logs: [(any Log)?] = form == .local ? [nil] : redisLogs + faces
    // With little room, copies, frames and what is kept of the past go all the time.
    let limits = SessionStore.Limits(
      maxBytes: form != .local && seed % 3 == 0 ? 60_000 : 1 << 30,
      maxHistoryBytes: seed % 4 == 0 ? 9000 : 1 << 20)
    sessions = logs.map { [clock, bodies] log in
      SessionStore(limits: limits, clock: clock, log: log, bodies: bodies)
    }
    try waitForNews()
  }

  func close() { for log in redisLogs { log.close() } }

  private var place: String { "\(form), seed \(seed), step \(step)" }

  private func waitForNews() throws {
    try #require(eventually { sessions.allSatisfy(\.isHeard) }, "\(place)")
  }

  // MARK: Trouble

  /// Makes trouble on the way to the log, if it is one for that.
  mutating func trouble() throws {
    guard let troubled else {
      if form == .redis, random.chance(10), let id = anyLayout() { server().forget(id) }
      return
    }
    let face = random.element(of: faces)
    switch random.integer(0...19) {
    case 0: face.expect(.requestIsLost)
    case 1: face.expect(.answerIsLost)
    case 2...3: face.expect(.comesTwice)
    case 4: face.leave()
    case 5...6: face.connectAgain()
    case 7 where !past.isEmpty:
      let count = random.integer(1...min(2, past.count))
      model = past[past.count - count]
      past.removeLast(count)
      troubled.lose(last: count)
      try waitForNews()
    case 8...9: if let id = anyLayout() { server().forget(id) }
    default: break
    }
  }

  /// Brings some of the news that are under way, in any order, some of them twice.
  mutating func bringNews() {
    for face in faces where random.chance(60) {
      face.bringNews { news in
        (news + news.filter { _ in random.chance(30) }).shuffled(using: &random)
      }
    }
  }

  // MARK: Changes

  private mutating func server() -> SessionStore { random.element(of: sessions) }

  private mutating func anyLayout() -> SessionID? {
    model.ids.isEmpty ? nil : random.element(of: model.ids)
  }

  private func collection(
    _ given: ModelledGiven, _ heights: [Int]
  ) throws -> PreparedCollection {
    try bodies.collection(Array(given.body(heights).utf8), of: given.layout.kind)
  }

  /// Does something with the layouts of a server.
  mutating func act() throws {
    let server = server()
    let countBefore = troubled?.count ?? 0
    // What is done without an answer is done, too. So the next model is there before.
    var next = model
    do {
      switch random.integer(0...9) {
      case 0 where model.documents.count < 3, _ where model.ids.isEmpty:
        let given = ModelledGiven.random(&random)
        let heights = (0..<9).map { _ in random.integer(5...90) }
        let version = try server.create(collection(given, heights))
        next.documents[version.id] = LayoutsModel.Document(heights: heights)
        next.layouts[version.id] = LayoutsModel.Layout(
          documentID: version.id, given: given, birth: 0)
      case 1...2:
        guard let id = anyLayout() else { return }
        let (given, base) = (ModelledGiven.random(&random), try server.newest(of: id))
        let version = try server.createView(of: base, given.layout)
        next.layouts[version.id] = LayoutsModel.Layout(
          documentID: version.documentID, given: given, birth: version.position.data.revision)
      case 3...5:
        let ids = model.ids.filter { model.documents[$0] != nil }
        try update(random.element(of: ids), on: server, &next)
      case 6...8:
        guard let id = anyLayout() else { return }
        try patch(id, on: server, &next)
      default:
        guard random.chance(40), let id = anyLayout() else { return }
        next.layouts[id] = nil
        next.documents[id] = nil
        let check: ((VersionTag) throws(Failure) -> Void)? = nil
        try server.remove(id, checking: check)
      }
    } catch {
      // Only trouble keeps anything from being done, or what a server has not heard yet.
      same(form, .troubled, "\(place): \(error)")
      guard form == .troubled else { return }
    }
    if let troubled {
      guard troubled.count > countBefore else { return }
      past.append(model)
    }
    model = next
  }

  /// Changes the data of a document.
  private mutating func update(
    _ id: SessionID, on server: SessionStore, _ next: inout LayoutsModel
  ) throws {
    guard var document = model.documents[id] else { return }
    let height = random.integer(5...90)
    let isInsert = document.heights.isEmpty || random.chance(60)
    let item = random.integer(0...document.heights.count - (isInsert ? 0 : 1))
    let text: String
    if isInsert {
      document.heights.insert(height, at: item)
      text = #"{"insert": {"at": [0, \#(item)], "items": {"height": [\#(height)]}}}"#
    } else {
      document.heights.remove(at: item)
      text = #"{"delete": {"at": [0, \#(item)]}}"#
    }
    document.revision += 1
    next.documents[id] = document
    _ = try server.commit(
      id, change(LoggedChange.updates, #"{"updates": [\#(text)]}"#, WasNew()))
  }

  /// Changes what is given of a layout.
  private mutating func patch(
    _ id: SessionID, on server: SessionStore, _ next: inout LayoutsModel
  ) throws {
    guard var layout = model.layouts[id] else { return }
    // Another kind of a first layout may be a change of the data, too.
    let text = layout.given.change(keepingKind: layout.documentID == id, &random)
    let wasNew = WasNew()
    defer {
      if wasNew.value { layout.own += 1 }
      next.layouts[id] = layout
    }
    _ = try server.commit(id, change(LoggedChange.patch, text, wasNew))
  }

  /// Whether the last change that was made is a new version.
  private final class WasNew {
    var value = false
  }

  private func change(
    _ operation: String, _ text: String, _ wasNew: WasNew
  ) -> SessionStore.MakeChange<Failure> {
    let body = Array(text.utf8)
    return { [bodies] (version, source) throws(Failure) in
      do {
        let changed: ChangedCollection
        if let source {
          let given = try bodies.layout(body, changing: version.collection.layout)
          let (collection, change) = try version.collection.changing(given, from: source)
          changed = ChangedCollection(collection, change)
        } else {
          changed = try bodies.applying(
            LoggedChange(
              id: .random(), position: version.position, operation: operation, body: body),
            to: version.collection)
        }
        wasNew.value = changed.change != nil
        return SessionStore.AskedChange(operation, body: body, makes: changed)
      } catch {
        throw .isWrong
      }
    }
  }

  // MARK: What is seen

  private func frames(of collection: PreparedCollection) -> [Frame] {
    var frames: [Frame] = []
    let everything = ElementQuery(rect: Rect(x: 0, y: 0, width: 1e6, height: 1e9))
    _ = collection.prepared.forEachElement(in: everything) { _, attributes in
      frames.append(Frame(indexPath: attributes.indexPath, frame: attributes.frame))
    }
    return frames
  }

  /// Whatever a server shows, and how far behind it may be: one tag is one set of frames.
  mutating func read() {
    let server = server()
    guard let id = anyLayout(), let version = try? server.newest(of: id) else {
      #expect(form == .troubled || model.ids.isEmpty, "\(place)")
      return
    }
    note(version)
  }

  private mutating func note(_ version: LayoutVersion) {
    let frames = frames(of: version.collection)
    let known = shown[version.id, default: [:]].updateValue(frames, forKey: version.tag)
    if let known { same(known, frames, "\(place): \(version.id) \(version.tag)") }
  }

  /// Ends all trouble. Then every server has what the model has.
  mutating func settle() throws {
    for face in faces { face.connectAgain() }
    try waitForNews()
    clock.advance(by: .seconds(10))
    for (id, layout) in model.layouts {
      guard let number = model.number(of: id),
        let heights = model.documents[layout.documentID]?.heights
      else {
        for server in sessions { #expect(eventually { isGone(id, on: server) }, "\(place)") }
        continue
      }
      let frames = frames(of: try collection(layout.given, heights))
      var tags: Set<VersionTag> = []
      for server in sessions {
        var version: LayoutVersion?
        let isRight = eventually {
          version = try? server.newest(of: id)
          return version.map {
            $0.number == number && ModelledGiven($0.collection.layout) == layout.given
              && self.frames(of: $0.collection) == frames
          } ?? false
        }
        let tag = version?.tag.description ?? "none"
        #expect(isRight, "\(place): \(id) should be \(number), is \(tag)")
        if let version {
          note(version)
          tags.insert(version.tag)
        }
      }
      same(tags.count, 1, "\(place): \(tags)")
    }
  }

  private func isGone(_ id: SessionID, on server: SessionStore) -> Bool {
    do throws(SessionsError) {
      _ = try server.newest(of: id)
      return false
    } catch {
      if case .noSuchLayout = error { return true }
      return false
    }
  }
}
