/// What happens in the server at once. `KEYS[1]` is a session's hash, `KEYS[2]` its stream of
/// changes, `KEYS[3]` the hash of the parts of a long snapshot, and `KEYS[4]` the parts that are to
/// take their place.
///
/// The session's hash has `format`, the form of all this; `head`, the position after the last
/// change; `base`, the position of the snapshot; `kind` and `created`; `parts`, how many parts of
/// the snapshot stand in the hash of parts, and `snapshot`, the last part; `length`, about what all
/// parts take; `changes` and `bytes`, how many changes there are since, and about what they take. A
/// change is an entry of the stream, with the number of changes up to it, and says its own
/// position.
///
/// What happens all the time names the first two keys alone: while a cluster moves a slot, it takes
/// no script that names a key that is not there.
///
/// Nothing here trusts what it reads: a field that is no number counts as none.
enum StoreScripts {
  /// Whether the parts that were sent are there. Arguments as below.
  private static let findParts = """
    if ARGV[7] ~= '0' and redis.call('EXISTS', KEYS[4]) == 0 then return 'lost' end

    """
  /// Puts the parts that were sent in the place of those that there are. This comes behind what
  /// needs memory: a script that has written something may go on when there is none.
  private static let takeParts = """
    if ARGV[7] ~= '0' then
      redis.call('RENAME', KEYS[4], KEYS[3])
      redis.call('PEXPIRE', KEYS[3], ARGV[6])
    else
      redis.call('UNLINK', KEYS[3])
    end

    """

  /// Arguments: id, an id that is gone, time to live.
  static let claim = RedisScript(
    """
    local there = redis.call('HGET', KEYS[1], 'id')
    if there and there ~= ARGV[1] and there ~= ARGV[2] then return there end
    redis.call('HSET', KEYS[1], 'id', ARGV[1])
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
    return ARGV[1]
    """)

  /// Arguments: position, format, kind, created, last part, time to live, number of other parts,
  /// length of a part, name.
  static let create = RedisScript(
    """
    local head = redis.call('HGET', KEYS[1], 'head')
    if head == ARGV[1] then return 'done' end
    if head then return 'elsewhere' end
    \(findParts)
    redis.call('HSET', KEYS[1], 'format', ARGV[2], 'head', ARGV[1], 'base', ARGV[1],
      'kind', ARGV[3], 'created', ARGV[4], 'snapshot', ARGV[5], 'parts', ARGV[7],
      'length', #ARGV[5] + ARGV[7] * ARGV[8], 'changes', 0, 'bytes', 0, 'name', ARGV[9])
    \(takeParts)
    redis.call('DEL', KEYS[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[6])
    return 'done'
    """)

  /// The head stays what it is until the entry is in the stream: nothing that fails is half done.
  /// Whether others may be told is no matter of the change.
  ///
  /// Arguments: position before, position after, number, id of the change, operation, body, time to
  /// live, channel, message, most changes, fewest bytes.
  static let append = RedisScript(
    """
    local head, length, bytes, changes =
      unpack(redis.call('HMGET', KEYS[1], 'head', 'length', 'bytes', 'changes'))
    if not head then return 'gone' end
    if head ~= ARGV[1] then
      local there = redis.call('XRANGE', KEYS[2], ARGV[3], ARGV[3])
      if there[1] and there[1][2][2] == ARGV[2] then return 'done' end
      return 'elsewhere'
    end
    local added = #ARGV[6] + 200
    bytes = (tonumber(bytes) or 0) + added
    changes = (tonumber(changes) or 0) + 1
    redis.call('XADD', KEYS[2], ARGV[3], 'position', ARGV[2], 'id', ARGV[4],
      'operation', ARGV[5], 'body', ARGV[6])
    redis.call('HSET', KEYS[1], 'head', ARGV[2], 'bytes', bytes, 'changes', changes)
    redis.call('PEXPIRE', KEYS[1], ARGV[7])
    redis.call('PEXPIRE', KEYS[2], ARGV[7])
    redis.pcall('PUBLISH', ARGV[8], ARGV[9])
    local limit = math.max(tonumber(length) or 0, tonumber(ARGV[11]))
    if math.floor(bytes / limit) > math.floor((bytes - added) / limit)
      or changes % tonumber(ARGV[10]) == 0 then return 'long' end
    return 'done'
    """)

  /// Changes up to the snapshot before this one go, and no more: whoever is a little behind does
  /// not begin anew, and an append that is repeated is recognised. Who reads several parts knows by
  /// the position that they belong together: so of one position there are no others.
  ///
  /// Arguments: position, number, kind, format, last part, time to live, number of other parts,
  /// length of a part, channel, message.
  static let replaceSnapshot = RedisScript(
    """
    local head, base, parts = unpack(redis.call('HMGET', KEYS[1], 'head', 'base', 'parts'))
    if not head then return 'gone' end
    if base == ARGV[1] and (parts ~= '0' or ARGV[7] ~= '0') then return 'done' end
    if head ~= ARGV[1] then
      local there = redis.call('XRANGE', KEYS[2], ARGV[2], ARGV[2])
      if not there[1] or there[1][2][2] ~= ARGV[1] then return 'elsewhere' end
    end
    \(findParts)
    redis.call('HSET', KEYS[1], 'base', ARGV[1], 'kind', ARGV[3], 'format', ARGV[4],
      'snapshot', ARGV[5], 'parts', ARGV[7], 'length', #ARGV[5] + ARGV[7] * ARGV[8],
      'changes', 0, 'bytes', 0)
    \(takeParts)
    local first = base and string.match(base, '^%d+')
    if first then redis.call('XTRIM', KEYS[2], 'MINID', first) end
    redis.call('PEXPIRE', KEYS[1], ARGV[6])
    redis.call('PEXPIRE', KEYS[2], ARGV[6])
    if ARGV[3] ~= 'view' then redis.pcall('PUBLISH', ARGV[9], ARGV[10]) end
    return 'done'
    """)

  /// The answer is `long` if there are parts, which are left.
  ///
  /// Arguments: position, channel, message.
  static let remove = RedisScript(
    """
    local head, parts = unpack(redis.call('HMGET', KEYS[1], 'head', 'parts'))
    if not head then return 'gone' end
    if head ~= ARGV[1] then return 'elsewhere' end
    redis.call('DEL', KEYS[1], KEYS[2])
    redis.pcall('PUBLISH', ARGV[2], ARGV[3])
    if parts ~= '0' then return 'long' end
    return 'done'
    """)

  /// Arguments: position, number, channel, message.
  static let removeLost = RedisScript(
    """
    local head, base, parts = unpack(redis.call('HMGET', KEYS[1], 'head', 'base', 'parts'))
    if not head then return 'gone' end
    if head ~= ARGV[1] then return 'elsewhere' end
    local hasChanges = base == head or #redis.call('XRANGE', KEYS[2], ARGV[2], ARGV[2]) > 0
    local hasParts = parts == '0' or redis.call('EXISTS', KEYS[3]) > 0
    if hasChanges and hasParts then return 'elsewhere' end
    redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
    redis.pcall('PUBLISH', ARGV[3], ARGV[4])
    return 'done'
    """)

  /// The position after the last change, and entries after a number: so many, or as many as there
  /// are before they get long.
  ///
  /// Arguments: number, most entries, many bytes.
  static let read = RedisScript(
    """
    local head = redis.call('HGET', KEYS[1], 'head')
    local entries, bytes, last = {}, 0, ARGV[1]
    for index = 1, tonumber(ARGV[2]) do
      local entry = redis.call('XRANGE', KEYS[2], '(' .. last, '+', 'COUNT', 1)[1]
      if not entry then break end
      entries[index] = entry
      last = entry[1]
      for _, text in ipairs(entry[2]) do bytes = bytes + #text end
      if bytes > tonumber(ARGV[3]) then break end
    end
    return {head, entries}
    """)
}
