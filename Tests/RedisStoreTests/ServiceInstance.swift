import LayoutService
import LayoutSessions
import MicroHTTP
import ServiceSupport
import TestSupport

@testable import RedisStore

/// One of several services that share a store.
final class ServiceInstance: Answering, Sendable {
  private let service: TestService
  private let log: RedisLog

  var clock: ManualSessionClock { service.clock }
  var sessions: SessionStore { service.sessions }
  var gateway: Gateway { service.gateway }

  convenience init(_ redis: RedisServer) throws {
    try self.init(StoreAddress(.unix(path: redis.socket)))
  }

  /// - Parameters:
  ///   - timeout: How long the store may take for an answer. The machine may be busy: what is no
  ///     test of slow stores gives them time.
  ///   - probeInterval: Within what time it is noticed that no news come; twice that by default.
  ///   - limits: Of what the store keeps.
  init(
    _ address: StoreAddress, timeout: Duration = .seconds(60), probeInterval: Duration? = nil,
    limits: RedisLog.Limits = .standard
  ) throws {
    log = try RedisLog(
      address, timeout: timeout, probeInterval: probeInterval ?? timeout * 2,
      timeToLive: .seconds(1125), limits: limits)
    // Several servers must not give two changes one id.
    service = TestService(
      isCompressing: false, sessionLog: log, makeChangeID: { .random() })
    guard eventually({ [service] in service.sessions.isHeard }) else {
      throw RawClient.Broken("no news come")
    }
  }

  deinit { log.close() }
}
