import CICU
import CollectionLayout

extension LaidOutText {
  /// Finds the runs of every hard line: of one direction, of one script, pictures by themselves.
  mutating func findRuns(
    _ bidi: OpaquePointer, _ pictures: inout [Bool], breaksAtNonJoiners: Bool
  ) {
    defer {
      cutChains()
      findItems()
    }
    guard !isLatin else {
      for line in hardLines where !line.units.isEmpty {
        runs.append(
          Run(
            units: line.units, isRightToLeft: false, script: UInt8(CICU_LATIN),
            beginsItem: true))
      }
      return
    }
    findPictures(&pictures)
    var scripts = ScriptRuns()
    for line in hardLines where !line.units.isEmpty {
      forEachDirection(in: line.units, bidi) { text, units, isRightToLeft in
        text.addRuns(
          units, isRightToLeft: isRightToLeft, pictures, breaksAtNonJoiners: breaksAtNonJoiners,
          &scripts)
      }
    }
  }

  /// How many units in a row HarfBuzz gets at once that all belong to one character. It goes over
  /// them again for each of them.
  static let maxChain = 128

  /// Cuts runs where more units belong to one character.
  private mutating func cutChains() {
    var pieces: [Run] = []
    for run in runs {
      var piece = run
      var (unit, length, isLinked) = (run.units.lowerBound, 0, false)
      while unit < run.units.upperBound {
        let character = character(at: unit)
        let traits = CharacterTraits[character]
        let next = unit + (character > 0xffff ? 2 : 1)
        length = traits.isMark || isLinked ? length + next - unit : 0
        if length > Self.maxChain {
          piece.units = piece.units.lowerBound..<unit
          pieces.append(piece)
          piece.units = unit..<run.units.upperBound
          piece.beginsItem = false
          (length, isEstimated) = (next - unit, true)
        }
        (unit, isLinked) = (next, traits.isLinker)
      }
      pieces.append(piece)
    }
    runs = pieces
  }

  private mutating func findItems() {
    for run in runs.indices.reversed() {
      let next = run + 1
      let goesOn = next < runs.count && !runs[next].beginsItem
      runs[run].endOfItem = goesOn ? runs[next].endOfItem : next
    }
  }

  /// Scripts are found as if directions did not matter, within a hard line.
  private mutating func forEachDirection(
    in line: Range<Int>, _ bidi: OpaquePointer,
    _ body: (inout LaidOutText, Range<Int>, _ isRightToLeft: Bool) -> Void
  ) {
    guard units[line].contains(where: Self.mayTurn) else { return body(&self, line, false) }
    var directions: [(Range<Int>, Bool)] = []
    // ICU looks at each open bracket for each that closes.
    var plain = units[line]
    for unit in line.filter({ CharacterTraits[UInt32(units[$0])].isBracket }).dropFirst(
      Self.maxBrackets)
    {
      plain[unit] = 0x2a
      isEstimated = true
    }
    plain.withUnsafeBufferPointer { units in
      guard let levels = cicu_bidi_levels(bidi, units.baseAddress, Int32(line.count))
      else { return directions.append((line, false)) }
      var start = 0
      while start < line.count {
        var end = start + 1
        while end < line.count, levels[end] == levels[start] { end += 1 }
        directions.append((line.lowerBound + start..<line.lowerBound + end, levels[start] & 1 == 1))
        start = end
      }
    }
    for (range, isRightToLeft) in directions { body(&self, range, isRightToLeft) }
  }

  /// How many brackets of a line count for its directions.
  static let maxBrackets = 4096

  /// Whether a unit may be of a character that is written from right to left, or turns the text.
  private static func mayTurn(_ unit: UInt16) -> Bool {
    switch unit {
    case 0..<0x590: false
    case 0x590...0x8ff, 0x200f, 0x202a...0x202e, 0x2066...0x2069, 0xfb1d...0xfdff,
      0xfe70...0xfeff, 0xd802, 0xd803, 0xd83a, 0xd83b:
      true
    default: false
    }
  }

  private mutating func addRuns(
    _ range: Range<Int>, isRightToLeft: Bool, _ pictures: [Bool], breaksAtNonJoiners: Bool,
    _ scripts: inout ScriptRuns
  ) {
    var start = range.lowerBound
    var beginsItem = true
    while start < range.upperBound {
      let (script, scriptEnd) = scripts.run(at: start, in: self, of: hardLine(around: start))
      var end = min(scriptEnd, range.upperBound)
      for unit in start + 1..<max(end, start + 1) {
        let isNonJoiner = breaksAtNonJoiners && units[unit] == 0x200c
        if pictures[unit] != pictures[start] || isNonJoiner {
          end = unit
          break
        }
      }
      let isNonJoiner = breaksAtNonJoiners && units[start] == 0x200c
      runs.append(
        Run(
          units: start..<end, isRightToLeft: isRightToLeft, script: script,
          beginsItem: beginsItem || isNonJoiner, isPicture: pictures[start]))
      beginsItem = false
      start = end
    }
  }

  private func hardLine(around unit: Int) -> Range<Int> {
    let next = partitionPoint(in: 1..<hardLines.count) { hardLines[$0].units.lowerBound <= unit }
    return hardLines[next - 1].units
  }

  /// Marks the units of characters that are drawn as pictures, with what joins them.
  private func findPictures(_ pictures: inout [Bool]) {
    pictures.removeAll(keepingCapacity: true)
    pictures.append(contentsOf: repeatElement(false, count: units.count))
    var unit = 0
    while unit < units.count {
      let end = endOfPicture(at: unit)
      if end > unit {
        for place in unit..<end { pictures[place] = true }
        unit = end
      } else {
        unit += character(at: unit) > 0xffff ? 2 : 1
      }
    }
  }

  /// Where the picture that begins at a unit ends; the unit itself if there is none.
  private func endOfPicture(at start: Int) -> Int {
    var end = endOfPictureElement(at: start) ?? start
    // What is drawn as text by itself is a picture where it is joined to one.
    var joined = endOfPictureElement(at: start, isJoined: true)
    while let element = joined, element < units.count, units[element] == 0x200d {
      joined = endOfPictureElement(at: element + 1, isJoined: true)
      end = joined ?? end
    }
    return end
  }

  /// A flag, a keycap, or a picture with its variation selector, modifier and tags.
  ///
  /// - Parameter isJoined: Whether what is drawn as text by itself counts, too.
  private func endOfPictureElement(at start: Int, isJoined: Bool = false) -> Int? {
    guard start < units.count else { return nil }
    let first = character(at: start)
    guard first > 0xff || first == 0xa9 || first == 0xae || Self.isKeycapBase(first) else {
      return nil
    }
    var end = start + (first > 0xffff ? 2 : 1)
    func next() -> UInt32? { end < units.count ? character(at: end) : nil }
    if Self.isKeycapBase(first) {
      guard next() == 0xfe0f, end + 1 < units.count, units[end + 1] == 0x20e3 else { return nil }
      return end + 2
    }
    let traits = CharacterTraits[first]
    if traits.isRegionalIndicator {
      guard let second = next(), CharacterTraits[second].isRegionalIndicator else { return end }
      return end + 2
    }
    guard traits.isEmoji else { return nil }
    var isPicture = isJoined || traits.isPicture
    if next() == 0xfe0f {
      isPicture = true
      end += 1
    } else if next() == 0xfe0e {
      return nil
    }
    if let modifier = next(), CharacterTraits[modifier].isEmojiModifier {
      isPicture = true
      end += 2
    }
    guard isPicture else { return nil }
    while let tag = next(), (0xe0020...0xe007f).contains(tag) { end += 2 }
    return end
  }

  private static func isKeycapBase(_ character: UInt32) -> Bool {
    (0x30...0x39).contains(character) || character == 0x23 || character == 0x2a
  }
}
