import Dispatch
import LayoutSessions
import MicroHTTP
import Synchronization
import System

/// Who follows which layouts, and tells them what becomes of these in the store.
///
///     a change ─▶ SessionStore ─▶ hear ─▶ FollowedLayout ─▶ (queue) ─▶ EventStream.wake()
///                                   └──▶ (lanes) make the versions of followed views ────────┘
///
/// Whoever changes a layout only leaves its newest version here. Waking thousands of streams and
/// making the frames of views happens on queues of their own, and what comes meanwhile is done at
/// once with it. So does reading what other servers have changed, where layouts are shared.
///
/// Collections take turns: the views of one do not keep those of another waiting. What takes long
/// has a lane of its own, and so has what may not be there at all, so that nobody waits for it.
final class EventHub: Sendable {
  private struct Followers {
    let layout: FollowedLayout
    /// For a view its source, otherwise the layout itself.
    var collectionID: SessionID
    var streams: [ObjectIdentifier: EventStream] = [:]
    /// Whether its streams are going to be woken.
    var wakesSoon = false
    /// Whether its version is going to be made.
    var isMadeSoon = false
    /// What it took to make the last version, or will take.
    var cost = Followers.unknownCost

    /// What a version is taken to cost before one was made.
    static let unknownCost = Duration.milliseconds(1)
    /// What takes longer is slow.
    static let slowCost = Duration.milliseconds(20)

    mutating func add(_ stream: EventStream) -> FollowedLayout {
      streams[ObjectIdentifier(stream)] = stream
      return layout
    }
  }

  /// A version to be made.
  private struct Making {
    let id: SessionID
    /// Why the layout has ended if it turns out not to be there; `nil` if it may never have been
    /// there.
    let end: SessionEnd?
  }

  /// Versions that wait to be made, and how many threads are at it.
  private struct Lane {
    /// How many threads make versions at most.
    let width: Int
    /// By the collections that they are of.
    var turns = FairTurns<SessionID, Making>()
    var threads = 0
  }

  private struct State {
    var layouts: [SessionID: Followers] = [:]
    /// The followed views of each session.
    var views: [SessionID: Set<SessionID>] = [:]
    /// Of layouts that are there.
    var known = Lane(width: 1)
    /// Of layouts that are there and whose version takes long, or whose last one did.
    var slow = Lane(width: 1)
    /// Of layouts that may not be there, for which another server is asked.
    var unknown = Lane(width: 4)
  }

  private let sessions: SessionStore
  private let work: WorkMemory
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "layoutd.events")
  private let makers = DispatchQueue(label: "layoutd.events.views", attributes: .concurrent)

  init(_ sessions: SessionStore, _ work: WorkMemory) {
    self.sessions = sessions
    self.work = work
  }

  /// Hears what becomes of the sessions.
  func listen() {
    sessions.listen { [weak self] in self?.hear($0) }
  }

  // MARK: Following

  /// Adds a stream to the followers of a layout.
  ///
  /// - Returns: `nil` if there is no such layout. One that is shared may turn out to be none.
  func follow(_ id: SessionID, _ stream: EventStream) -> FollowedLayout? {
    if case .none = sessions.known(id) { return nil }
    let layout = state.withLock { state in
      state.layouts[id, default: Followers(layout: FollowedLayout(id), collectionID: id)]
        .add(stream)
    }
    // Only now, because before nobody would have told of the next version.
    switch sessions.find(id) {
    case nil: layout.take(end: SessionEnd.deleted.rawValue)
    case .current(let version): take(version, for: layout)
    case .pending(let work):
      noteCollection(of: id, work.documentID)
      make(id)
    case .behind: make(id)
    case .unknown: make(id, orEnd: nil)
    }
    return layout
  }

  private func take(_ version: LayoutVersion, for layout: FollowedLayout) {
    noteCollection(of: version.id, version.documentID)
    layout.take(FollowedVersion(version))
  }

  /// Notes of which session a followed layout is a view.
  private func noteCollection(of id: SessionID, _ collectionID: SessionID) {
    guard collectionID != id else { return }
    state.withLock { state in
      guard state.layouts[id] != nil else { return }
      state.layouts[id]?.collectionID = collectionID
      state.views[collectionID, default: []].insert(id)
    }
  }

  func leave(_ id: SessionID, _ stream: EventStream) {
    state.withLock { state in
      // In place, because a copy of the table takes as long as there are streams.
      state.layouts[id]?.streams[ObjectIdentifier(stream)] = nil
      guard let followers = state.layouts[id], followers.streams.isEmpty else { return }
      state.layouts[id] = nil
      guard followers.collectionID != id else { return }
      state.views[followers.collectionID]?.remove(id)
      if state.views[followers.collectionID]?.isEmpty ?? false {
        state.views[followers.collectionID] = nil
      }
    }
  }

  /// Uses every layout that somebody follows, so that it does not expire.
  func useFollowedLayouts() {
    sessions.use(state.withLock { Array($0.layouts.keys) })
  }

  /// The number of layouts that somebody follows.
  var followedCount: Int { state.withLock { $0.layouts.count } }

  // MARK: What becomes of layouts

  func hear(_ notice: SessionNotice) {
    switch notice {
    case .hasMoved(let version):
      if let layout = state.withLock({ $0.layouts[version.id]?.layout }) {
        take(version, for: layout)
        tell(version.id)
      }
      makeViews(of: version.id)
    case .isBehind(let id):
      make(id)
      makeViews(of: id)
    case .hasLeft(let id, let end):
      guard let layout = state.withLock({ $0.layouts[id]?.layout }) else { return }
      if case .none = sessions.known(id) {
        layout.take(end: end.rawValue)
        tell(id)
      } else {
        make(id, orEnd: end)
      }
    }
  }

  /// Wakes the streams of a layout, soon.
  private func tell(_ id: SessionID) {
    let isNew = state.withLock { state in
      guard let followers = state.layouts[id], !followers.wakesSoon else { return false }
      state.layouts[id]?.wakesSoon = true
      return true
    }
    guard isNew else { return }
    queue.async {
      let streams = self.state.withLock { state in
        state.layouts[id]?.wakesSoon = false
        return state.layouts[id].map { Array($0.streams.values) } ?? []
      }
      EventStream.wake(streams)
    }
  }

  private func makeViews(of id: SessionID) {
    let views = state.withLock { $0.views[id] ?? [] }
    if !views.isEmpty { queue.async { for view in views { self.make(view) } } }
  }

  /// Makes the newest version of a layout, soon, and tells of it, if somebody follows it. A new
  /// thread enters its lane if there is room.
  ///
  /// - Parameter end: Why a layout has ended that turns out not to be there; `nil` if it may never
  ///   have been there.
  private func make(_ id: SessionID, orEnd end: SessionEnd? = .deleted) {
    let lane = state.withLock { state -> (WritableKeyPath<State, Lane> & Sendable)? in
      guard let followers = state.layouts[id], !followers.isMadeSoon else { return nil }
      state.layouts[id]?.isMadeSoon = true
      let lane: WritableKeyPath<State, Lane> & Sendable =
        end == nil ? \.unknown : followers.cost > Followers.slowCost ? \.slow : \.known
      state[keyPath: lane].turns.add(
        Making(id: id, end: end), of: followers.collectionID, cost: followers.cost)
      guard state[keyPath: lane].threads < state[keyPath: lane].width else { return nil }
      state[keyPath: lane].threads += 1
      return lane
    }
    if let lane { makers.async { while self.makeNext(in: lane) {} } }
  }

  /// Makes the version whose turn it is.
  ///
  /// - Returns: False if there is none. Then the thread has left the lane.
  private func makeNext(in lane: WritableKeyPath<State, Lane> & Sendable) -> Bool {
    let next = state.withLock { state -> (Making, FollowedLayout?)? in
      guard let making = state[keyPath: lane].turns.next() else {
        state[keyPath: lane].threads -= 1
        return nil
      }
      state.layouts[making.id]?.isMadeSoon = false
      return (making, state.layouts[making.id]?.layout)
    }
    guard let (making, layout) = next else { return false }
    guard let layout else { return true }
    if lane == \.known, case let cost = sessions.timeToMake(making.id), cost > Followers.slowCost {
      state.withLock { $0.layouts[making.id]?.cost = cost }
      make(making.id, orEnd: making.end)
      return true
    }
    let start = sessions.now
    do throws(SessionsError) {
      let version = try work.during { () throws(SessionsError) in
        try sessions.newest(of: making.id)
      }
      take(version, for: layout)
    } catch {
      switch error {
      case .noSuchLayout:
        layout.take(end: making.end?.rawValue ?? LayoutEventSource.unknown)
      case .unavailable:
        // Later the log may know more, or this server may be able to make what it cannot make now.
        // Meanwhile the layout keeps its last version.
        makers.asyncAfter(deadline: .now() + .seconds(1)) { self.make(making.id) }
        return true
      default:
        guard let tag = sessions.tag(of: making.id)?.tag else { return true }
        layout.take(FollowedVersion(impossible: tag))
      }
    }
    let cost = sessions.now - start
    state.withLock { $0.layouts[making.id]?.cost = cost }
    tell(making.id)
    return true
  }
}
