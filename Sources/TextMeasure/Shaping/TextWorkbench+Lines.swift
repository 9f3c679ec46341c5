import CICU
public import CollectionLayout

extension ParagraphLines {
  /// The widest line that fits into a width, in 1/64 px.
  static func limit64(ofWidth width: Double) -> Int {
    Int(min((width * 64).rounded(.down), 1e15)) + 1
  }
}

extension TextWorkbench {
  /// Whether the text has something that is laid out, but not surely as browsers do.
  public var isEstimated: Bool { text.isEstimated }

  /// Lays out a text at some widths.
  ///
  /// - Parameters:
  ///   - widths: In CSS pixels, > 0; `nil`: only newlines break.
  ///   - maxLines: No more lines count.
  ///   - isWanted: Whether somebody waits. It is asked before each width.
  /// - Returns: The lines at each width, and whether the text has something that is laid out, but
  ///   not surely as browsers do; `nil` if nobody waits.
  public func lines(
    ofUTF8 text: UnsafeBufferPointer<UInt8>, widths: [Double?], _ style: PreparedStyle,
    upTo maxLines: Int = .max, while isWanted: () -> Bool = { true }
  ) -> (lines: [ParagraphLines], isEstimated: Bool)? {
    var builder = ShapedTextsBuilder(style, capacity: 1, bytes: text.count)
    var isPrepared = builder.shape(utf8: text, on: self)
    let shaped = builder.finish()
    var lines: [ParagraphLines] = []
    for width in widths {
      guard isWanted() else { return nil }
      let found = shaped.lines(of: 0, width: width ?? .infinity, upTo: maxLines)
      if found == nil, !isPrepared {
        prepare(utf8: text, style)
        isPrepared = true
      }
      lines.append(found ?? self.lines(width: width, style, upTo: maxLines))
    }
    return (lines, shaped.isEstimated(0))
  }

  /// Breaks one of some texts into lines. It is shaped only if the last one was another.
  ///
  /// - Parameter bytes: The text in UTF-8.
  public func lines(
    of index: Int, in texts: ShapedTexts, _ bytes: ArraySlice<UInt8>, width: Double,
    upTo maxLines: Int
  ) -> ParagraphLines {
    if lastTexts !== texts || lastIndex != index {
      prepare(utf8: bytes, texts.style)
      (lastTexts, lastIndex) = (texts, index)
    }
    allowReshaping()
    return lines(width: width, texts.style, upTo: maxLines)
  }

  /// The width of the longest line if only newlines break, with the blanks at its end, in 1/64 px:
  /// CSS's `max-content`.
  public func naturalWidth64() -> Int {
    text.hardLines.reduce(0) { max($0, width(of: $1.units)) }
  }

  /// Breaks the text into lines.
  ///
  /// - Parameters:
  ///   - width: In CSS pixels, > 0; `nil`: only newlines break.
  ///   - style: That of the last call of `prepare`.
  ///   - maxLines: No more lines count.
  /// - Complexity: O(length of the text).
  public func lines(
    width: Double?, _ style: PreparedStyle, upTo maxLines: Int = .max
  ) -> ParagraphLines {
    var lines = ParagraphLines()
    let limit = width.map { ParagraphLines.limit64(ofWidth: $0) } ?? Int.max
    // Breaks that are found anew count at this width alone.
    let breaks = text.breaks
    defer { text.breaks = breaks }
    var nextBreak = 0
    for line in text.hardLines {
      guard !line.units.isEmpty else {
        if lines.starts.count >= maxLines {
          lines.end = line.source
          return lines
        }
        lines.starts.append(lines.starts.isEmpty ? 0 : line.source)
        continue
      }
      var start = line.units.lowerBound
      while start < line.units.upperBound {
        if lines.starts.count >= maxLines {
          lines.end = text.source(of: start)
          return lines
        }
        lines.starts.append(lines.starts.isEmpty ? 0 : text.source(of: start))
        let (end, width) = endOfLine(from: start, line.units.upperBound, limit, &nextBreak, style)
        lines.width = max(lines.width, Double(width) / 64)
        start = end
      }
    }
    return lines
  }

  /// Finds where a line ends.
  ///
  /// - Parameters:
  ///   - limit: The widest that fits, in 1/64 px.
  ///   - nextBreak: The first of the text's breaks behind `start`, or one before it. Is moved on.
  /// - Returns: Where the next line begins, and the line's width in 1/64 px.
  private func endOfLine(
    from start: Int, _ hardEnd: Int, _ limit: Int, _ nextBreak: inout Int,
    _ style: PreparedStyle
  ) -> (end: Int, width: Int) {
    while Int(text.breaks[nextBreak].unit) <= start { nextBreak += 1 }
    let first = nextBreak
    var place = first
    var growing = GrowingWidth(from: start, text)
    defer { addedItems += growing.itemCount }
    while true {
      guard growing.width(upTo: contentEnd(place, start), text, limit: limit) <= limit else {
        break
      }
      place += 1
      if Int(text.breaks[place - 1].unit) == hardEnd { break }
    }
    while place > first {
      place -= 1
      let end = Int(text.breaks[place].unit)
      guard isBreak(end, from: start) else { continue }
      let width = width(of: start..<contentEnd(place, start), shapingEndsFor: style)
      if width <= limit {
        nextBreak = place
        return (end, width)
      }
    }
    return breakWord(from: start, limit, first, hardEnd, style)
  }

  func contentEnd(_ place: Int, _ start: Int) -> Int {
    max(Int(text.breaks[place].contentEnd), start)
  }

  /// Whether a line that begins at `start` may end at a break.
  private func isBreak(_ end: Int, from start: Int) -> Bool {
    guard end < text.units.count, text.flags[end].contains(.followsHyphen) else { return true }
    return text.character(before: end).start != start
  }

  /// Breaks a word that is too long for a line by itself, at the last grapheme that fits.
  private func breakWord(
    from start: Int, _ limit: Int, _ firstBreak: Int, _ hardEnd: Int, _ style: PreparedStyle
  ) -> (end: Int, width: Int) {
    var place = firstBreak
    while Int(text.breaks[place].unit) < hardEnd,
      !isBreak(Int(text.breaks[place].unit), from: start)
    {
      place += 1
    }
    let wordEnd = contentEnd(place, start)
    let firstEnd = min(endOfGrapheme(at: start), max(wordEnd, start + 1))
    var end = firstEnd
    var growing = GrowingWidth(from: start, text)
    defer { addedItems += growing.itemCount }
    while end < wordEnd {
      let next = min(endOfGrapheme(at: end), wordEnd)
      guard growing.width(upTo: next, text, limit: limit) <= limit else { break }
      end = next
    }
    var lineWidth = width(of: start..<end, shapingEndsFor: style)
    while end > firstEnd, lineWidth > limit {
      end = max(startOfGrapheme(before: end), firstEnd)
      lineWidth = width(of: start..<end, shapingEndsFor: style)
    }
    if end >= wordEnd {
      // What is left are blanks, which hang.
      while Int(text.breaks[place].unit) < hardEnd, contentEnd(place + 1, start) == wordEnd {
        place += 1
      }
      end = max(Int(text.breaks[place].unit), end)
    } else if style.style.wordBreak != .breakAll {
      findBreaksAnew(from: end, hardEnd, style)
    }
    return (end, lineWidth)
  }

  /// Finds anew where lines may end behind an emergency break, in scripts that a dictionary breaks:
  /// browsers let the dictionary begin there.
  private func findBreaksAnew(from start: Int, _ hardEnd: Int, _ style: PreparedStyle) {
    func isOfDictionary(_ unit: Int) -> Bool {
      unit < hardEnd && CharacterTraits[text.character(at: unit)].lineBreak == CICU_SA
    }
    var end = start
    while end - start < Self.dictionaryWindow, isOfDictionary(end) { end += 1 }
    guard end > start, reshapingLeft > 0, let boundaries = boundaries(style.lineLocale) else {
      return
    }
    reshapingLeft -= end - start
    let first = partitionPoint(in: text.breaks.indices) { text.breaks[$0].unit <= start }
    var last = partitionPoint(in: text.breaks.indices) { text.breaks[$0].unit < end }
    var found: [LaidOutText.Break] = []
    text.units.withUnsafeBufferPointer { units in
      guard cicu_boundaries_set(boundaries, units.baseAddress! + start, Int32(end - start)) else {
        return
      }
      while case let next = cicu_boundaries_next(boundaries), 0..<Int32(end - start) ~= next {
        found.append(LaidOutText.Break(unit: Int32(start) + next, contentEnd: Int32(start) + next))
      }
    }
    if isOfDictionary(end) {
      // From where both begin a word they agree. The end of what was looked at decides nothing.
      let old = text.breaks[first..<last]
      let common = found.firstIndex { new in old.contains { $0.unit == new.unit } }
      guard let common, let same = old.firstIndex(where: { $0.unit == found[common].unit }) else {
        return
      }
      (found, last) = (Array(found[..<common]), same)
    }
    text.breaks.replaceSubrange(first..<last, with: found)
  }

  /// How many units behind an emergency break are looked at: some words.
  private static let dictionaryWindow = 64

  /// The width of a part of a hard line in 1/64 px: that of each item rounded up.
  ///
  /// - Parameter style: If it is given, both ends are shaped anew where that is needed.
  private func width(of part: Range<Int>, shapingEndsFor style: PreparedStyle? = nil) -> Int {
    guard !part.isEmpty else { return 0 }
    var (run, total) = (text.run(at: part.lowerBound), 0)
    var start = part.lowerBound
    while start < part.upperBound {
      let nextRun = text.runs[run].endOfItem
      let end = min(text.runs[nextRun - 1].units.upperBound, part.upperBound)
      let from =
        start == part.lowerBound ? text.position(ofLineFrom: start, run) : text.positions[start]
      var width = text.positions[end] - from
      if let style {
        width = text.positions[end] - text.positions[start]
        width += change(
          of: start..<end, isAtStart: start == part.lowerBound, isAtEnd: end == part.upperBound,
          run, style)
      }
      total += max(Int((width + 1023) >> 10), 0)
      (run, start) = (nextRun, end)
    }
    return total
  }

  /// By how much a part of an item becomes wider when its ends are shaped anew.
  private func change(
    of part: Range<Int>, isAtStart: Bool, isAtEnd: Bool, _ firstRun: Int, _ style: PreparedStyle
  ) -> Int64 {
    guard reshapingLeft > 0 else { return 0 }
    let first = text.runs[firstRun]
    var start = part.lowerBound
    if isAtStart, !text.isSafe(start, first) {
      repeat { start += 1 } while start < part.upperBound && !text.isSafe(start, first)
    }
    let lastOfPart = text.run(at: part.upperBound - 1)
    let endRun = text.runs[lastOfPart]
    var end = part.upperBound
    if isAtEnd, end < endRun.units.upperBound, !text.flags[end].contains(.hangs),
      !text.isSafe(end, endRun)
    {
      repeat { end -= 1 } while end > part.lowerBound && !text.isSafe(end, endRun)
    }
    if start == part.lowerBound, end == part.upperBound { return 0 }
    func change(_ units: Range<Int>, _ run: LaidOutText.Run) -> Int64 {
      guard !units.isEmpty else { return 0 }
      return width(shapingAnew: units, of: run, style)
        - (text.positions[units.upperBound] - text.positions[units.lowerBound])
    }
    if firstRun == lastOfPart, start >= end { return change(part, first) }
    return change(part.lowerBound..<start, first) + change(end..<part.upperBound, endRun)
  }
}

/// The width of a part of a hard line that grows at its end: each item is added up once.
private struct GrowingWidth {
  private let start: Int
  /// Of the items in front of the last one, in 1/64 px.
  private var total = 0
  /// Where what counts of the last item begins.
  private var itemStart: Int
  private var position: Int64
  /// The first run behind the last item.
  private var nextRun: Int
  private(set) var itemCount = 0

  init(from start: Int, _ text: LaidOutText) {
    let run = text.run(at: start)
    self.start = start
    itemStart = start
    position = text.position(ofLineFrom: start, run)
    nextRun = text.runs[run].endOfItem
  }

  /// - Parameters:
  ///   - end: Not in front of the last one.
  ///   - limit: If the part is wider, the rest of it is not looked at.
  mutating func width(upTo end: Int, _ text: LaidOutText, limit: Int) -> Int {
    guard end > start else { return 0 }
    while total <= limit, nextRun < text.runs.count, text.runs[nextRun - 1].units.upperBound < end {
      itemStart = text.runs[nextRun - 1].units.upperBound
      total += Self.rounded(text.positions[itemStart] - position)
      position = text.positions[itemStart]
      nextRun = text.runs[nextRun].endOfItem
      itemCount += 1
    }
    return total + Self.rounded(text.positions[end] - position)
  }

  private static func rounded(_ width: Int64) -> Int { max(Int((width + 1023) >> 10), 0) }
}

extension LaidOutText {
  /// The run around a unit.
  func run(at unit: Int) -> Int {
    partitionPoint(in: 1..<max(runs.count, 1)) { runs[$0].units.lowerBound <= unit } - 1
  }

  /// Where a line begins that begins at a unit, if it is not shaped anew: behind a ligature that it
  /// begins in.
  func position(ofLineFrom start: Int, _ run: Int) -> Int64 {
    guard !flags[start].contains(.beginsCluster), !runs[run].isRightToLeft else {
      return positions[start]
    }
    var end = start
    while end < runs[run].units.upperBound, !flags[end].contains(.beginsCluster) { end += 1 }
    return positions[end]
  }

  /// Whether a line may begin or end at a unit without being shaped anew.
  func isSafe(_ unit: Int, _ run: Run) -> Bool {
    if unit == run.units.lowerBound || unit == run.units.upperBound { return true }
    return flags[unit].contains(.beginsCluster) && !flags[unit].contains(.isUnsafe)
  }
}
