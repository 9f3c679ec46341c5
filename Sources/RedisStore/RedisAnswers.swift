import DequeModule
public import LayoutSessions
import Synchronization
import System

/// The answers to requests with a key, for all servers of a store.
///
/// A request has a hash, `prefix{key}:answer`: `content`, what it asks for; `attempt`, who makes
/// it; and when it is made `answer`, which is empty if it was too long. It goes by itself. Each
/// server takes its own oldest ones away when they have too many bytes.
public final class RedisAnswers: AnsweredRequests {
  /// For how long a request is under way of which nobody says that it ended: its server is gone.
  static let timeToMake = Duration.seconds(60)

  /// What this server keeps, the oldest first.
  private struct Kept {
    var keys = Deque<(key: [UInt8], bytes: Int)>()
    var bytes = 0

    /// Adds a key.
    ///
    /// - Returns: Those that have to go.
    mutating func add(_ key: [UInt8], _ count: Int, upTo maxBytes: Int) -> [[UInt8]] {
      keys.append((key, count))
      bytes += count
      var gone: [[UInt8]] = []
      while bytes > maxBytes, keys.count > 1, let oldest = keys.popFirst() {
        gone.append(oldest.key)
        bytes -= oldest.bytes
      }
      return gone
    }
  }

  /// What an answer takes in the store beside its body, about.
  static let entryBytes = 512

  private let client: RedisClient
  private let lifetime: Duration
  private let maxBytes: Int
  private let kept = Mutex(Kept())

  /// - Parameters:
  ///   - lifetime: For how long answers are kept.
  ///   - maxBytes: How much all answers of this server may take in the store.
  public init(_ log: RedisLog, lifetime: Duration, maxBytes: Int) {
    client = log.client
    self.lifetime = lifetime
    self.maxBytes = maxBytes
  }

  public func begin(_ request: KeyedRequest) throws(LogError) -> KeyedRequest.Beginning {
    let reply = try run(
      Self.begin, request.key,
      [request.content.hexadecimal, attempt(request), text(Self.timeToMake.milliseconds)])
    switch reply.text {
    case "begun": return .begun
    case "under way": return .isUnderWay
    case "another": return .isAnother
    default: break
    }
    guard let bytes = reply.elements?.first?.bytes else { throw .unreadable }
    if bytes.isEmpty { return .answered(nil) }
    guard let answer = KeptAnswer(bytes) else { throw .unreadable }
    return .answered(answer)
  }

  public func end(_ request: KeyedRequest, with answer: KeptAnswer?) throws(LogError) {
    // One that takes most of the memory would drive all others out.
    let encoded = answer?.encoded ?? []
    let body = encoded.count <= maxBytes / 4 ? encoded : []
    let reply = try run(
      Self.end, request.key,
      [request.content.hexadecimal, attempt(request), body, text(lifetime.milliseconds)])
    guard reply.text == "done" else { return }
    let gone = kept.withLock {
      $0.add(request.key, Self.entryBytes + body.count, upTo: maxBytes)
    }
    for key in gone { _ = try run(Self.remove, key, []) }
  }

  /// What cannot be forgotten now is forgotten by itself.
  public func abandon(_ request: KeyedRequest) {
    _ = try? run(Self.abandon, request.key, [attempt(request)])
  }

  private func run(
    _ script: RedisScript, _ key: [UInt8], _ arguments: [[UInt8]]
  ) throws(LogError) -> RedisReply {
    let name = key.hexadecimal
    let key = Array("\(client.address.prefix){".utf8) + name + Array("}:answer".utf8)
    let command = script.command(keys: [key], arguments)
    return try client.answer(to: RedisCommand(command, slot: HashSlot.number(of: name))).reply
  }

  private func attempt(_ request: KeyedRequest) -> [UInt8] {
    text(String(request.attempt, radix: 16))
  }

  /// Arguments: content, attempt, time to live.
  private static let begin = RedisScript(
    """
    local content, attempt, answer =
      unpack(redis.call('HMGET', KEYS[1], 'content', 'attempt', 'answer'))
    if content and content ~= ARGV[1] then return 'another' end
    if answer then return {answer} end
    if attempt and attempt ~= ARGV[2] then return 'under way' end
    redis.call('HSET', KEYS[1], 'content', ARGV[1], 'attempt', ARGV[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
    return 'begun'
    """)

  /// Whoever took over what seemed to be given up keeps it.
  ///
  /// Arguments: content, attempt, answer, time to live.
  private static let end = RedisScript(
    """
    local attempt = redis.call('HGET', KEYS[1], 'attempt')
    if attempt and attempt ~= ARGV[2] then return 'under way' end
    redis.call('HSET', KEYS[1], 'content', ARGV[1], 'attempt', ARGV[2], 'answer', ARGV[3])
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    return 'done'
    """)

  private static let remove = RedisScript("return redis.call('DEL', KEYS[1])")

  /// Arguments: attempt.
  private static let abandon = RedisScript(
    """
    if redis.call('HGET', KEYS[1], 'attempt') == ARGV[1] then redis.call('DEL', KEYS[1]) end
    return 'done'
    """)
}

extension [UInt8] {
  /// Two digits for each byte.
  fileprivate var hexadecimal: [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }
}
