import CICU

/// Finds runs of one script (UAX 24), with script extensions and paired brackets.
struct ScriptRuns {
  private struct Bracket {
    var opening: UInt32
    /// `nil` as long as the run around it has no script.
    var script: UInt8?
  }

  /// As in UAX 9, no more brackets than these are remembered.
  private static let maxBrackets = 32

  private var line: Range<Int> = 0..<0
  private var runs: [(end: Int, script: UInt8)] = []
  private var current = 0

  /// The run around a unit.
  ///
  /// - Parameter unit: Not below that of an earlier call for the same hard line.
  mutating func run(
    at unit: Int, in text: LaidOutText, of hardLine: Range<Int>
  ) -> (script: UInt8, end: Int) {
    if line != hardLine || runs.isEmpty {
      line = hardLine
      current = 0
      runs.removeAll(keepingCapacity: true)
      findRuns(in: text)
    }
    while runs[current].end <= unit { current += 1 }
    return (runs[current].script, runs[current].end)
  }

  private mutating func findRuns(in text: LaidOutText) {
    var brackets: [Bracket] = []
    var set = ScriptSet.common
    var unit = line.lowerBound
    var scripts = Self.scripts(at: unit, in: text)
    if scripts.isInheritedByScripts { scripts = .inherited }
    while unit < line.upperBound {
      let character = text.character(at: unit)
      let next = unit + (character > 0xffff ? 2 : 1)
      var ahead = next < line.upperBound ? Self.scripts(at: next, in: text) : .common
      if ahead.isInheritedByScripts {
        // A mark of certain scripts says what a common character before it belongs to.
        if scripts.isCommon { scripts = ahead.withoutInherited }
        ahead = .inherited
      }
      let traits = CharacterTraits[character]
      var own = scripts
      if traits.isClosingBracket {
        let opening = UInt32(cicu_paired_bracket(Int32(character)))
        if let place = brackets.lastIndex(where: { $0.opening == opening }) {
          if let script = brackets[place].script { own = ScriptSet([Int32(script)]) }
          brackets.removeSubrange(place...)
        }
      }
      if !set.join(own) {
        runs.append((unit, set.first))
        Self.resolve(&brackets, set)
        set = own
      }
      if traits.isOpeningBracket {
        if brackets.count == Self.maxBrackets { brackets.removeFirst() }
        brackets.append(Bracket(opening: character, script: set.isAny ? nil : set.first))
      } else if !set.isAny {
        Self.resolve(&brackets, set)
      }
      unit = next
      scripts = ahead
    }
    runs.append((line.upperBound, set.first))
  }

  private static func resolve(_ brackets: inout [Bracket], _ set: ScriptSet) {
    guard !set.isAny else { return }
    for place in brackets.indices.reversed() {
      guard brackets[place].script == nil else { return }
      brackets[place].script = set.first
    }
  }

  private static func scripts(at unit: Int, in text: LaidOutText) -> ScriptSet {
    CharacterTraits[text.character(at: unit)].scripts
  }
}
