import CICU

/// The scripts in which a character, or a run of characters, may be.
struct ScriptSet {
  /// The script that counts where several are left.
  var first: UInt8
  private var members: SIMD4<UInt64>

  static let common = ScriptSet([Int32(CICU_COMMON)])
  static let inherited = ScriptSet([Int32(CICU_INHERITED)])

  /// - Parameter scripts: At least one, as ICU numbers them.
  init(_ scripts: [Int32]) {
    first = UInt8(scripts[0])
    members = .zero
    for script in scripts { members[Int(script) >> 6] |= 1 << UInt64(script & 63) }
  }

  var isCommon: Bool { first == UInt8(CICU_COMMON) }
  var isInherited: Bool { first == UInt8(CICU_INHERITED) && isSingle }
  /// Characters that belong to any script.
  var isAny: Bool { isCommon || isInherited }
  /// Inherited, but in these scripts only.
  var isInheritedByScripts: Bool { first == UInt8(CICU_INHERITED) && !isSingle }

  private var isSingle: Bool {
    var rest = members
    rest[Int(first) >> 6] &= ~(1 << UInt64(first & 63))
    return rest == .zero
  }

  private func contains(_ script: UInt8) -> Bool {
    members[Int(script) >> 6] >> UInt64(script & 63) & 1 == 1
  }

  /// The scripts of an inherited character, without "inherited".
  var withoutInherited: ScriptSet {
    var set = self
    set.members[Int(first) >> 6] &= ~(1 << UInt64(first & 63))
    set.first = set.lowest
    return set
  }

  private var lowest: UInt8 {
    for word in 0..<4 where members[word] != 0 {
      return UInt8(word * 64 + members[word].trailingZeroBitCount)
    }
    return UInt8(CICU_COMMON)
  }

  /// Takes the next character's scripts into a run's; false if they have none in common, so that
  /// another run begins.
  mutating func join(_ next: ScriptSet) -> Bool {
    if next.isAny { return true }
    if isAny {
      self = next
      return true
    }
    let common = members & next.members
    guard common != .zero else { return false }
    members = common
    if !contains(first) { first = contains(next.first) ? next.first : lowest }
    return true
  }
}

/// All sets of scripts that characters have, each once.
struct ScriptSets {
  private(set) var sets: [ScriptSet] = []
  private var numbers: [[Int32]: Int] = [:]

  /// The number of a character's set, which is added if it is new.
  mutating func number(for character: UInt32) -> Int {
    let scripts = Self.scripts(of: character)
    if let number = numbers[scripts] { return number }
    sets.append(ScriptSet(scripts))
    numbers[scripts] = sets.count - 1
    return sets.count - 1
  }

  /// The number of a character's set among those that are there; of "common" if it is not.
  func existing(for character: UInt32) -> Int {
    numbers[Self.scripts(of: character)] ?? numbers[[Int32(CICU_COMMON)]]!
  }

  /// Hiragana counts as Katakana, for fonts know one script for both.
  private static func scripts(of character: UInt32) -> [Int32] {
    let own = cicu_script(Int32(character))
    var found = [Int32](repeating: 0, count: 64)
    let count = cicu_script_extensions(Int32(character), &found, 64)
    var scripts = Array(found.prefix(Int(count)))
    if scripts.isEmpty { scripts = [own] }
    if own == Int32(CICU_INHERITED), scripts != [own] {
      scripts.insert(own, at: 0)
    } else if let place = scripts.firstIndex(of: own) {
      scripts.swapAt(0, place)
    }
    let (hiragana, katakana) = (Int32(CICU_HIRAGANA), Int32(CICU_KATAKANA))
    return scripts.map { $0 == hiragana ? katakana : $0 }
  }
}
