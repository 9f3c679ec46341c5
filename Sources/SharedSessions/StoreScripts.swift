/// What happens in the server at once. `KEYS[1]` is a session's hash, `KEYS[2]` its stream of
/// changes.
///
/// The hash has `head`, the position after the last change; `base`, the position of the snapshot;
/// `snapshot`, `kind` and `created`; `changes` and `bytes`, how many changes there are since, and
/// about what they take. A change is an entry of the stream, with the number `version-amendment`,
/// and says its own position.
enum StoreScripts {
  /// Arguments: position, kind, created, snapshot, time to live.
  static let create = RedisScript(
    """
    local head = redis.call('HGET', KEYS[1], 'head')
    if head == ARGV[1] then return 'done' end
    if head then return 'elsewhere' end
    redis.call('HSET', KEYS[1], 'head', ARGV[1], 'base', ARGV[1], 'kind', ARGV[2],
      'created', ARGV[3], 'snapshot', ARGV[4], 'changes', 0, 'bytes', 0)
    redis.call('DEL', KEYS[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[5])
    return 'done'
    """)

  /// The head stays what it is until the entry is in the stream: nothing that fails is half done.
  ///
  /// Arguments: position before, position after, number, id of the change, operation, body, time to
  /// live, channel, message, most changes, fewest bytes.
  static let append = RedisScript(
    """
    local head = redis.call('HGET', KEYS[1], 'head')
    if not head then return 'gone' end
    if head ~= ARGV[1] then
      local there = redis.call('XRANGE', KEYS[2], ARGV[3], ARGV[3])
      if there[1] and there[1][2][2] == ARGV[2] then return 'done' end
      return 'elsewhere'
    end
    redis.call('XADD', KEYS[2], ARGV[3], 'position', ARGV[2], 'id', ARGV[4],
      'operation', ARGV[5], 'body', ARGV[6])
    redis.call('HSET', KEYS[1], 'head', ARGV[2])
    local added = #ARGV[6] + 200
    local bytes = redis.call('HINCRBY', KEYS[1], 'bytes', added)
    local changes = redis.call('HINCRBY', KEYS[1], 'changes', 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[7])
    redis.call('PEXPIRE', KEYS[2], ARGV[7])
    redis.call('PUBLISH', ARGV[8], ARGV[9])
    local limit = math.max(redis.call('HSTRLEN', KEYS[1], 'snapshot'), tonumber(ARGV[11]))
    if math.floor(bytes / limit) > math.floor((bytes - added) / limit)
      or changes % tonumber(ARGV[10]) == 0 then return 'long' end
    return 'done'
    """)

  /// Changes up to the snapshot before this one go, and no more: whoever is a little behind does
  /// not begin anew, and an append that is repeated is recognised.
  ///
  /// Arguments: position, number, kind, snapshot, time to live.
  static let replaceSnapshot = RedisScript(
    """
    local head, base = unpack(redis.call('HMGET', KEYS[1], 'head', 'base'))
    if not head then return 'gone' end
    if base == ARGV[1] then return 'done' end
    if head ~= ARGV[1] then
      local there = redis.call('XRANGE', KEYS[2], ARGV[2], ARGV[2])
      if not there[1] or there[1][2][2] ~= ARGV[1] then return 'elsewhere' end
    end
    redis.call('HSET', KEYS[1], 'base', ARGV[1], 'kind', ARGV[3], 'snapshot', ARGV[4],
      'changes', 0, 'bytes', 0)
    redis.call('XTRIM', KEYS[2], 'MINID', (string.match(base, '^%d+%-%d+')))
    redis.call('PEXPIRE', KEYS[1], ARGV[5])
    redis.call('PEXPIRE', KEYS[2], ARGV[5])
    return 'done'
    """)

  /// Arguments: position, channel, message.
  static let remove = RedisScript(
    """
    local head = redis.call('HGET', KEYS[1], 'head')
    if not head then return 'gone' end
    if head ~= ARGV[1] then return 'elsewhere' end
    redis.call('DEL', KEYS[1], KEYS[2])
    redis.call('PUBLISH', ARGV[2], ARGV[3])
    return 'done'
    """)
}
