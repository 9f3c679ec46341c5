import Synchronization
import TestSupport
import Testing

@testable import CollectionLayout
@testable import LayoutSessions

@Suite("Session store")
struct SessionStoreTests {
  private let clock = ManualSessionClock(startUnixTime: 1_000_000)

  private func store(
    sessions: Int = 100, bytes: Int = 1_000_000, timeout: Duration = .seconds(60)
  ) -> SessionStore {
    SessionStore(
      limits: .init(maxSessions: sessions, maxBytes: bytes, idleTimeout: timeout), clock: clock)
  }

  private func advance(
    _ store: SessionStore, _ version: LayoutVersion, bytes: Int = 1000, rect: Rect? = nil
  ) throws -> LayoutVersion? {
    try store.advance(
      version, to: .ofVersion(bytes: bytes), touching: InvalidatedRects(rect.map { [$0] } ?? []))
  }

  @Test("a new session is there under its id, at version 1")
  func insert() throws {
    let store = store()
    clock.advance(by: .seconds(5))
    let version = try store.insert(.ofVersion(bytes: 1000))
    same(version.number, 1)
    same(version.createdUnixTime, 1_000_005)
    same(version.memoryBytes, 1000)
    #expect(store.version(of: version.id) === version)
    #expect(store.version(of: .random()) == nil)
    same(store.statistics, .init(sessions: 1, bytes: 1000, evictions: 0, expiries: 0))
  }

  @Test("a change makes the next version and keeps the id and the time of creation")
  func advance() throws {
    let store = store()
    let first = try store.insert(.ofVersion(bytes: 1000))
    clock.advance(by: .seconds(10))
    let second = try #require(try advance(store, first, bytes: 3000))
    same(second.number, 2)
    same(second.id, first.id)
    same(second.createdUnixTime, first.createdUnixTime)
    #expect(store.version(of: first.id) === second)
    same(store.statistics, .init(sessions: 1, bytes: 3000, evictions: 0, expiries: 0))
  }

  @Test("who hears of the thousandth change is not deeper in the stack than for the first")
  func depthOfNews() throws {
    let store = store()
    let watch = StackWatch()
    store.listen { _ in watch.note() }
    var version = try store.insert(.ofVersion(bytes: 1000))
    for _ in 0..<1000 { version = try #require(try advance(store, version)) }
    #expect(watch.span < 50)
  }

  @Test("the index of names stays where names did not change")
  func keptIndex() throws {
    let store = store()
    let first = try store.insert(.named(["a", "b"]))
    #expect(store.itemIDs(of: first) != nil)
    let next = try store.advance(
      first, to: .named(["a", "b"]), touching: .none, keepsIDs: true)
    let second = try #require(next)
    #expect(second.hasBuiltItemIDs)
    same(second.memoryBytes, first.memoryBytes)
    let third = try #require(try store.amend(second, to: .named(["a", "b"])))
    #expect(third.hasBuiltItemIDs)
    let other = try store.advance(third, to: .named(["b"]), touching: .none)
    let fourth = try #require(other)
    #expect(!fourth.hasBuiltItemIDs)
    same(fourth.path(of: "b", in: store), IndexPath(section: 0, item: 0))
  }

  @Test("an earlier version goes with its layout, but not for somebody who works with it")
  func earlierInUse() throws {
    let store = store()
    let first = try store.insert(.ofVersion(bytes: 1000))
    let next = try store.advance(
      first, to: .ofVersion(bytes: 2000), touching: .none, lineage: .same)
    let second = try #require(next)
    #expect(store.statistics.historyBytes > 0)
    let earlier = try #require(store.earlierVersion(1, of: second))
    #expect(store.remove(second))
    same(store.statistics.historyBytes, 0)
    same(store.statistics.bytes, 0)
    same(earlier.held.collection.memoryBytes, first.collection.memoryBytes)
    #expect(store.earlierVersion(1, of: second) == nil)
  }

  private static func grid(width: Double) -> GivenLayout {
    GivenLayout(kind: LayoutKind.named("grid")!, bounds: Bounds(width: width))
  }

  /// Gives a layout another width.
  private func patch(
    _ version: LayoutVersion, width: Double, in store: SessionStore
  ) throws -> LayoutVersion {
    let (collection, change) = try version.collection.changing(
      Self.grid(width: width), from: version.isFirst ? nil : store.source(of: version))
    return try #require(try store.advance(version, by: ChangedCollection(collection, change)))
  }

  @Test("earlier versions of a layout stay when one goes that was given the same")
  func equalLayoutGoes() throws {
    let store = store()
    let first = try store.insert(.named(["a"]))
    let view = try #require(store.insertView(of: first, first.collection.layout))
    #expect(try store.makeVersion(of: view) != nil)
    let item = Items(ItemStorage(count: 1, columns: [:], ids: nil))
    let change = try first.collection.applying([
      .insertItems(item, at: .path(IndexPath(section: 0, item: 0)))
    ])
    let next = try store.advance(first, by: ChangedCollection(change, of: first.collection))
    let second = try #require(next)
    let shown = try #require(try store.makeVersion(of: view))
    let patched = try patch(shown, width: 200, in: store)
    same(patched.number, 3)
    for number in 1...2 { #expect(store.earlierVersion(number, of: patched) != nil) }
    store.forget(view)
    #expect(store.earlierVersion(1, of: patched) == nil)
    #expect(store.earlierVersion(1, of: second) != nil)
  }

  @Test("earlier versions of a layout stay when one goes that had the same")
  func formerlyEqualLayoutGoes() throws {
    let store = store()
    let first = try store.insert(.named(["a"]))
    var views = try (1...2).map { number in
      let view = try #require(store.insertView(of: first, first.collection.layout))
      let version = try #require(try store.makeVersion(of: view))
      return try patch(version, width: Double(100 * number), in: store)
    }
    views.append(try patch(first, width: 400, in: store))
    for _ in 1...2 {
      store.forget(views.removeFirst().id)
      for view in views { #expect(store.earlierVersion(1, of: view) != nil) }
    }
    #expect(store.remove(views[0]))
    same(store.statistics, .init())
  }

  @Test("the last 64 versions are kept, and go with their layout")
  func lastVersions() throws {
    let store = store()
    var version = try store.insert(.named(["a"]))
    for width in 101...170 { version = try patch(version, width: Double(width), in: store) }
    same(version.number, 71)
    #expect(store.earlierVersion(6, of: version) == nil)
    for number in 7...70 {
      let earlier = store.earlierVersion(number, of: version)
      same(earlier?.held.collection.bounds?.width, Double(99 + number))
    }
    #expect(store.remove(version))
    same(store.statistics, .init())
  }

  @Test("an index of names is built once, however many ask for it at once")
  func oneIndex() throws {
    let names = ItemNames()
    let data = try PreparedCollection.named((0..<10_000).map { "n\($0)" }).data
    let builds = Mutex(Set<UInt>())
    onThreads(8) { _ in
      guard let index = names.index(of: data) else { return }
      builds.withLock { _ = $0.insert(index.storageAddress) }
    }
    same(builds.withLock { $0.count }, 1)
  }

  @Test("only the version counts that a layout has, whoever works with others")
  func replaced() throws {
    let store = store()
    let first = try store.insert(.ofVersion(bytes: 1000))
    same(store.statistics.bytes, 1000)
    let second = try #require(try advance(store, first, bytes: 3000))
    same(store.statistics.bytes, 3000)
    #expect(store.version(of: first.id) === second)
    #expect(store.remove(second))
    same(store.statistics, .init())
    #expect(store.version(of: first.id) == nil)
  }

  @Test("nobody makes room for a version that was replaced")
  func replacedEviction() throws {
    let store = store(bytes: 10_000)
    let idle = try store.insert(.ofVersion(bytes: 5000))
    let changing = try store.insert(.ofVersion(bytes: 4000))
    #expect(try advance(store, changing, bytes: 4000) != nil)
    #expect(store.version(of: idle.id) === idle)
    same(store.statistics, .init(sessions: 2, bytes: 9000, evictions: 0, expiries: 0))
  }

  @Test("a change to a version that is not current any more changes nothing")
  func staleAdvance() throws {
    let store = store()
    let first = try store.insert(.ofVersion(bytes: 1000))
    let second = try #require(try advance(store, first))
    try #expect(advance(store, first, bytes: 5000) == nil)
    try #expect(store.amend(first, to: .ofVersion(bytes: 5000)) == nil)
    #expect(store.version(of: first.id) === second)
    same(store.statistics.bytes, 1000)
    #expect(!store.remove(first))
    #expect(store.remove(second))
    try #expect(advance(store, second) == nil)
    #expect(store.version(of: first.id) == nil)
    same(store.statistics, .init(sessions: 0, bytes: 0, evictions: 0, expiries: 0))
  }

  @Test("an amended version keeps its number, and replaces the one before")
  func amend() throws {
    let store = store()
    let first = try store.insert(.ofVersion(bytes: 1000))
    let amended = try #require(try store.amend(first, to: .ofVersion(bytes: 2000)))
    same(amended.number, 1)
    #expect(store.version(of: first.id) === amended)
    same(store.statistics.bytes, 2000)
    try #expect(advance(store, first) == nil)
    try same(advance(store, amended)?.number, 2)
  }

  @Test("a session does not expire while a change of it is being made")
  func changeOutlastsTimeout() throws {
    let store = store(timeout: .seconds(60))
    let first = try store.insert(.ofVersion(bytes: 1000))
    let other = try store.insert(.ofVersion(bytes: 1000))
    let second = try first.changeLock.withLock {
      clock.advance(by: .seconds(100))
      store.removeExpiredSessions()
      clock.advance(by: .seconds(100))
      #expect(store.version(of: first.id) === first)
      clock.advance(by: .seconds(100))
      return try #require(try advance(store, first))
    }
    #expect(store.version(of: other.id) == nil)
    #expect(store.version(of: first.id) === second)
    clock.advance(by: .seconds(60))
    store.removeExpiredSessions()
    same(store.statistics, .init(sessions: 0, bytes: 0, evictions: 0, expiries: 2))
  }

  @Test("a session of which a change is being made keeps no other from being swept")
  func sweepBesideChange() throws {
    let store = store(timeout: .seconds(60))
    let changing = try store.insert(.ofVersion(bytes: 1000))
    _ = try store.insert(.ofVersion(bytes: 1000))
    changing.changeLock.withLock {
      clock.advance(by: .seconds(60))
      store.removeExpiredSessions()
    }
    same(store.statistics, .init(sessions: 1, bytes: 1000, evictions: 0, expiries: 1))
  }

  @Test("a session ends once")
  func remove() throws {
    let store = store()
    let version = try store.insert(.ofVersion(bytes: 1000))
    #expect(store.remove(version))
    #expect(!store.remove(version))
    #expect(store.version(of: version.id) == nil)
    same(store.statistics, .init())
  }

  @Test("the least recently used session goes when there are too many")
  func leastRecentlyUsed() throws {
    let store = store(sessions: 3)
    let versions = try (0..<3).map { _ in try store.insert(.ofVersion(bytes: 1000)) }
    #expect(store.version(of: versions[0].id) != nil)
    _ = try store.insert(.ofVersion(bytes: 1000))
    #expect(store.version(of: versions[1].id) == nil)
    #expect(store.version(of: versions[0].id) === versions[0])
    // A change is a use too: now it is the session inserted fourth.
    let changed = try #require(try advance(store, versions[2]))
    let fifth = try store.insert(.ofVersion(bytes: 1000))
    #expect(store.version(of: versions[0].id) === versions[0])
    #expect(store.version(of: changed.id) === changed)
    #expect(store.version(of: fifth.id) === fifth)
    same(store.statistics, .init(sessions: 3, bytes: 3000, evictions: 2, expiries: 0))
  }

  @Test("sessions go in the order of their last use")
  func evictionOrder() throws {
    let store = store(sessions: 5)
    let versions = try (0..<5).map { _ in try store.insert(.ofVersion(bytes: 1000)) }
    let order = [3, 0, 4, 1, 2]
    for index in order { _ = store.version(of: versions[index].id) }
    for expected in order {
      _ = try store.insert(.ofVersion(bytes: 1000))
      // Asking is a use, so the one that went is asked for alone.
      #expect(store.version(of: versions[expected].id) == nil)
    }
    same(store.statistics.evictions, 5)
  }

  @Test("as many of the least recently used go as make room for a large one")
  func byteBound() throws {
    let store = store(bytes: 10_000)
    let small = try (0..<5).map { _ in try store.insert(.ofVersion(bytes: 2000)) }
    same(store.statistics, .init(sessions: 5, bytes: 10_000, evictions: 0, expiries: 0))
    let large = try store.insert(.ofVersion(bytes: 5000))
    same(store.statistics, .init(sessions: 3, bytes: 9000, evictions: 3, expiries: 0))
    same(small.map { store.version(of: $0.id) != nil }, [false, false, false, true, true])
    // Growing makes room as well, but never by the one that grows.
    _ = try #require(try advance(store, small[3], bytes: 10_000))
    same(store.statistics, .init(sessions: 1, bytes: 10_000, evictions: 5, expiries: 0))
    #expect(store.version(of: large.id) == nil)
    same(store.version(of: small[3].id)?.number, 2)
  }

  @Test("a layout that does not fit alone is refused, and nothing changes")
  func tooLarge() throws {
    let store = store(bytes: 5000)
    let version = try store.insert(.ofVersion(bytes: 5000))
    let error = SessionsError.tooLarge(bytes: 5001, limit: 5000)
    #expect(throws: error) { try store.insert(.ofVersion(bytes: 5001)) }
    #expect(throws: error) { try advance(store, version, bytes: 5001) }
    #expect(throws: error) { try store.amend(version, to: .ofVersion(bytes: 5001)) }
    #expect(store.version(of: version.id) === version)
    same(store.statistics, .init(sessions: 1, bytes: 5000, evictions: 0, expiries: 0))
  }

  @Test("a session that is idle for the timeout is gone, before it is swept too")
  func expiry() throws {
    let store = store(timeout: .seconds(60))
    let version = try store.insert(.ofVersion(bytes: 1000))
    clock.advance(by: .seconds(60) - .nanoseconds(1))
    #expect(store.version(of: version.id) === version)
    clock.advance(by: .seconds(60))
    #expect(store.version(of: version.id) == nil)
    try #expect(advance(store, version) == nil)
    try #expect(store.amend(version, to: .ofVersion(bytes: 1000)) == nil)
    store.removeExpiredSessions()
    same(store.statistics, .init(sessions: 0, bytes: 0, evictions: 0, expiries: 1))
    #expect(store.version(of: version.id) == nil)
  }

  @Test("an expired session cannot be ended any more")
  func removeExpired() throws {
    let store = store(timeout: .seconds(60))
    let version = try store.insert(.ofVersion(bytes: 1000))
    clock.advance(by: .seconds(60))
    #expect(!store.remove(version))
  }

  @Test("every use moves the timeout on")
  func idleTimeout() throws {
    let store = store(timeout: .seconds(60))
    var version = try store.insert(.ofVersion(bytes: 1000))
    for step in 0..<12 {
      clock.advance(by: .seconds(40))
      store.removeExpiredSessions()
      switch step % 3 {
      case 0: #expect(store.version(of: version.id) === version)
      case 1: version = try #require(try advance(store, version))
      default: version = try #require(try store.amend(version, to: .ofVersion(bytes: 1000)))
      }
    }
    clock.advance(by: .seconds(60))
    #expect(store.version(of: version.id) == nil)
  }

  @Test("sweeping ends those that are idle for the timeout, and no others")
  func sweep() throws {
    let store = store(timeout: .seconds(60))
    let versions = try (0..<5).map { _ in
      defer { clock.advance(by: .seconds(10)) }
      return try store.insert(.ofVersion(bytes: 1000))
    }
    // They were used 50, 40, 30, 20 and 10 seconds ago; the second is used now.
    _ = store.version(of: versions[1].id)
    store.removeExpiredSessions()
    same(store.statistics.expiries, 0)
    clock.advance(by: .seconds(30))
    store.removeExpiredSessions()
    same(store.statistics, .init(sessions: 3, bytes: 3000, evictions: 0, expiries: 2))
    same(versions.map { store.version(of: $0.id) != nil }, [false, true, false, true, true])
  }

  @Test("clients are told when a session ends that is used now")
  func expiryUnixTime() {
    let store = store(timeout: .seconds(900))
    same(store.expiryUnixTime(), 1_000_900)
    clock.advance(by: .milliseconds(2_500))
    same(store.expiryUnixTime(), 1_000_902)
  }

  @Test("the index of a version that is not current any more changes nothing")
  func itemIDsOfStale() throws {
    let store = store()
    let first = try store.insert(.named(["a"]))
    let second = try #require(try advance(store, first, bytes: 3000))
    #expect(first.path(of: "a", in: store) != nil)
    #expect(store.version(of: first.id) === second)
    same(store.statistics.bytes, 3000)
  }

  @Test("the versions of a session share a lock")
  func changeLock() throws {
    let store = store()
    let first = try store.insert(.ofVersion(bytes: 1000))
    let second = try #require(try advance(store, first))
    let third = try #require(try store.amend(second, to: .ofVersion(bytes: 1000)))
    first.changeLock.withLock { #expect(third.changeLock.isTaken) }
    #expect(!third.changeLock.isTaken)
    same(third.changeLock.withLockIfAvailable { 1 }, 1)
    first.changeLock.withLock { same(third.changeLock.withLockIfAvailable { 1 }, nil) }
  }

  private static let names = (0..<100).map { "item \($0)" }

  @Test("an index of names is built once, and counts from then on")
  func itemIDs() throws {
    let store = store()
    let named = try store.insert(.named(Self.names))
    let plain = try store.insert(.ofVersion(bytes: 1000))
    let before = store.statistics.bytes
    #expect(!named.hasBuiltItemIDs)
    #expect(store.itemIDs(of: plain) == nil)
    let index = try #require(store.itemIDs(of: named))
    same(named.path(of: "item 42", in: store), IndexPath(section: 0, item: 42))
    same(named.path(of: "item 100", in: store), nil)
    #expect(named.hasBuiltItemIDs)
    let after = before + index.memoryBytes
    same(store.statistics, .init(sessions: 2, bytes: after, evictions: 0, expiries: 0))
    #expect(store.itemIDs(of: named) != nil)
    same(store.statistics.bytes, after)
    // What has been counted goes when the session does.
    for version in [named, plain] { #expect(store.remove(version)) }
    same(store.statistics, .init())
  }

  @Test("others make room for an index of names", arguments: [0, 1])
  func roomForItemIDs(missing: Int) throws {
    let measuring = store()
    let example = try measuring.insert(.named(Self.names))
    _ = measuring.itemIDs(of: example)
    let indexed = measuring.statistics.bytes
    // Enough for all, or a byte too little once the index is there.
    let store = store(bytes: 1000 + indexed + 1000 - missing)
    let old = try store.insert(.ofVersion(bytes: 1000))
    let named = try store.insert(.named(Self.names))
    let plain = try store.insert(.ofVersion(bytes: 1000))
    same(store.statistics.evictions, 0)
    _ = store.itemIDs(of: named)
    same(
      store.statistics,
      .init(
        sessions: 3 - missing, bytes: indexed + 2000 - 1000 * missing, evictions: missing,
        expiries: 0))
    same((store.version(of: old.id) != nil), (missing == 0))
    #expect(store.version(of: named.id) === named)
    #expect(store.version(of: plain.id) === plain)
  }

  @Test("the newest session stays, without its index of names if that is too much")
  func newestStays() throws {
    let measuring = store()
    let bytes = try measuring.insert(.named(Self.names)).memoryBytes
    let store = store(bytes: bytes)
    let named = try store.insert(.named(Self.names))
    // Whoever has searched has the index; the store does not keep it.
    same(named.path(of: Self.names[3], in: store), IndexPath(section: 0, item: 3))
    same(store.statistics, .init(sessions: 1, bytes: bytes, evictions: 0, expiries: 0))
    #expect(!named.hasBuiltItemIDs)
    #expect(store.version(of: named.id) === named)
    // It makes room as soon as another is the newest.
    let other = try store.insert(.ofVersion(bytes: 1000))
    same(store.statistics, .init(sessions: 1, bytes: 1000, evictions: 1, expiries: 0))
    #expect(store.version(of: other.id) === other)
  }
}

extension LayoutVersion {
  /// Where the first item with a name is, by the index.
  fileprivate func path(of name: String, in store: SessionStore) -> IndexPath? {
    store.itemIDs(of: self)?.indexPath(of: ItemID(name), in: collection.data)
  }
}

@Suite("Change history")
struct ChangeHistoryTests {
  private let rect = Rect(x: 0, y: 100, width: 50, height: 50)

  @Test("only the changes that are asked for count")
  func lastChanges() {
    let far = Rect(x: 0, y: 1000, width: 50, height: 50)
    let history = ChangeHistory().adding(InvalidatedRects([rect]), after: 1).adding(.none, after: 2)
      .adding(InvalidatedRects([far]), after: 3)
    #expect(!history.touches(rect, inLast: 0))
    #expect(!history.touches(rect, inLast: 1))
    #expect(!history.touches(rect, inLast: 2))
    #expect(history.touches(rect, inLast: 3))
    #expect(history.touches(far, inLast: 1))
  }

  @Test("what is forgotten may have touched anything")
  func forgotten() {
    var history = ChangeHistory()
    #expect(history.touches(rect, inLast: 1))
    for _ in 0..<ChangeHistory.capacity + 5 { history = history.adding(.none, after: 0) }
    #expect(!history.touches(rect, inLast: ChangeHistory.capacity))
    #expect(history.touches(rect, inLast: ChangeHistory.capacity + 1))
  }

  @Test("areas that a frame in the changed one may intersect are touched")
  func edges() {
    let history = ChangeHistory().adding(InvalidatedRects([rect]), after: 1)
    for touched in [
      rect, Rect(x: 10, y: 110, width: 1, height: 1), Rect(x: -9, y: 0, width: 500, height: 500),
      Rect(x: 0, y: 100, width: 0, height: 0), Rect(x: 49, y: 149, width: 100, height: 100),
      Rect(x: 0, y: 100, width: 50, height: 0), Rect(x: 0, y: 100, width: 0, height: 50),
    ] {
      #expect(history.touches(touched, inLast: 1))
    }
    for apart in [
      Rect(x: 0, y: 0, width: 50, height: 99), Rect(x: 0, y: 151, width: 50, height: 10),
      Rect(x: 51, y: 100, width: 50, height: 50), Rect(x: -20, y: 100, width: 19, height: 50),
      // Intervals are half open: nothing at the end of what is known, or of what changed, belongs
      // to it. A frame without extent makes the rect of what changed larger.
      Rect(x: 0, y: 150, width: 50, height: 10), Rect(x: 50, y: 100, width: 10, height: 50),
      Rect(x: 0, y: 0, width: 50, height: 100), Rect(x: -20, y: 100, width: 20, height: 50),
    ] {
      #expect(!history.touches(apart, inLast: 1))
    }
  }

  @Test("a version knows the tags of the last ones before it, and of itself")
  func tags() throws {
    let store = SessionStore(limits: .standard, clock: ManualSessionClock())
    var version = try store.insert(.ofVersion(bytes: 1000))
    var tags = [version.tag]
    for number in 2...ChangeHistory.capacity + 3 {
      version = try #require(
        try store.advance(version, to: .ofVersion(bytes: 1000), touching: .none))
      same(version.tag.number, number)
      let amended = try #require(try store.amend(version, to: .ofVersion(bytes: 1000)))
      same(amended.tag, version.tag)
      version = amended
      tags.append(version.tag)
    }
    same(Set(tags.map(\.hash)).count, tags.count)
    for tag in tags {
      same(version.knows(tag), (version.number - tag.number <= ChangeHistory.capacity))
      #expect(!version.knows(VersionTag(number: tag.number, hash: tag.hash ^ 1)))
    }
    #expect(!version.knows(VersionTag(number: version.number + 1, hash: version.tag.hash)))
  }

  @Test("versions carry their session's history on")
  func versions() throws {
    let store = SessionStore(limits: .standard, clock: ManualSessionClock())
    let first = try store.insert(.ofVersion(bytes: 1000))
    let second = try #require(
      try store.advance(
        first, to: .ofVersion(bytes: 1000), touching: InvalidatedRects([rect])))
    let amended = try #require(try store.amend(second, to: .ofVersion(bytes: 1000)))
    #expect(amended.history.touches(rect, inLast: 1))
    #expect(!amended.history.touches(Rect(x: 0, y: 1000, width: 1, height: 1), inLast: 1))
    let third = try #require(
      try store.advance(amended, to: .ofVersion(bytes: 1000), touching: .none))
    #expect(!third.history.touches(rect, inLast: 1))
    #expect(third.history.touches(rect, inLast: 2))
  }
}
