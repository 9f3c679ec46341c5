/// What a text's characters became: the units that are laid out, by hard lines.
struct LaidOutText {
  /// What lies between two newlines.
  struct HardLine {
    /// Units; may be empty.
    var units: Range<Int>
    /// Where it begins in the text, if it is empty.
    var source: Int32
  }

  /// What is shaped in one go.
  struct Run {
    var units: Range<Int>
    var isRightToLeft: Bool
    /// As ICU numbers it.
    var script: UInt8
    /// Whether lines are rounded here: at every change of direction, not of script.
    var beginsItem: Bool
    /// The first run behind the item that this run belongs to.
    var endOfItem = 0
    /// Whether it is drawn as pictures.
    var isPicture = false
  }

  /// What is known of a unit.
  struct Flags: OptionSet {
    var rawValue: UInt8
    /// Glyphs of its own begin with it.
    static let beginsCluster = Flags(rawValue: 1)
    /// A line that begins or ends before it must be shaped anew.
    static let isUnsafe = Flags(rawValue: 2)
    /// A line may end before it.
    static let mayBreak = Flags(rawValue: 4)
    /// Hangs at the end of a line.
    static let hangs = Flags(rawValue: 8)
    /// A line may end before it, but not if the hyphen in front of it begins the line. That of a
    /// number begins one only where a word was broken.
    static let followsHyphen = Flags(rawValue: 16)
    /// A character of this cluster has no glyph in any font.
    static let isMissing = Flags(rawValue: 32)
  }

  /// The UTF-16 units that are laid out.
  var units: [UInt16] = []
  /// Where each unit was in the text; empty if each is where it was.
  var sources: [Int32] = []
  var flags: [Flags] = []
  /// Of clusters, in 1/65536 px, at their first unit.
  var advances: [Int32] = []
  var hardLines: [HardLine] = []
  var runs: [Run] = []
  /// How far the text in front of each unit reaches, in 1/65536 px; one more than units. Within a
  /// cluster it is where the cluster begins, from right to left where it ends.
  var positions: [Int64] = []
  /// Where lines may end, in ascending order: behind the blanks. The end of each hard line is one.
  var breaks: [Break] = []
  /// No unit is above U+007F.
  var isASCII = true
  /// Each hard line is one run of Latin.
  var isLatin = true
  var isEstimated = false

  struct Break {
    /// The unit that would begin the next line.
    var unit: Int32
    /// Where the blanks in front of it begin.
    var contentEnd: Int32
  }

  mutating func removeAll() {
    units.removeAll(keepingCapacity: true)
    sources.removeAll(keepingCapacity: true)
    flags.removeAll(keepingCapacity: true)
    advances.removeAll(keepingCapacity: true)
    hardLines.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    breaks.removeAll(keepingCapacity: true)
    (isASCII, isLatin, isEstimated) = (true, true, false)
  }

  func source(of unit: Int) -> Int32 { sources.isEmpty ? Int32(unit) : sources[unit] }

  /// The character that begins at a unit; a surrogate without its other half is itself.
  func character(at unit: Int) -> UInt32 {
    let high = units[unit]
    guard high & 0xfc00 == 0xd800, unit + 1 < units.count, units[unit + 1] & 0xfc00 == 0xdc00
    else { return UInt32(high) }
    return 0x10000 + (UInt32(high & 0x3ff) << 10 | UInt32(units[unit + 1] & 0x3ff))
  }

  /// The character in front of a unit, and where it begins.
  func character(before unit: Int) -> (character: UInt32, start: Int) {
    let low = units[unit - 1]
    guard low & 0xfc00 == 0xdc00, unit >= 2, units[unit - 2] & 0xfc00 == 0xd800
    else { return (UInt32(low), unit - 1) }
    return (character(at: unit - 2), unit - 2)
  }
}
