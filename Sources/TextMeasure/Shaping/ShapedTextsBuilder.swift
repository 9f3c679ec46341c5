/// Shapes texts, one after the other.
public struct ShapedTextsBuilder {
  let style: PreparedStyle
  var entries: [UInt64] = []
  private var ends: [UInt32] = []
  private var kinds: [ShapedTexts.Kind] = []

  /// - Parameters:
  ///   - count: How many texts there will be.
  ///   - bytes: How many bytes they have, together.
  public init(_ style: PreparedStyle, capacity count: Int, bytes: Int) {
    self.style = style
    ends.reserveCapacity(count)
    kinds.reserveCapacity(count)
    entries.reserveCapacity(bytes / 6 + count)
  }

  public var count: Int { kinds.count }

  /// Shapes a text.
  ///
  /// - Complexity: O(length of the text).
  public mutating func add(utf8 text: UnsafeBufferPointer<UInt8>, on bench: TextWorkbench) {
    _ = shape(utf8: text, on: bench)
  }

  /// As ``add(utf8:on:)``.
  ///
  /// - Returns: Whether it was prepared on the bench as a whole, not word by word.
  mutating func shape(utf8 text: UnsafeBufferPointer<UInt8>, on bench: TextWorkbench) -> Bool {
    let start = entries.count
    if addWords(text, on: bench) {
      end([])
      return false
    }
    entries.removeLast(entries.count - start)
    bench.prepare(utf8: text, style)
    let estimated: ShapedTexts.Kind = bench.isEstimated ? .isEstimated : []
    if bench.pack(into: &entries, style) {
      end(estimated)
    } else {
      entries.removeLast(entries.count - start)
      entries.append(UInt64(bitPattern: Int64(bench.naturalWidth64())))
      end(estimated.union(.isShapedAgain))
    }
    return true
  }

  /// Takes texts over that were shaped in the same style.
  public mutating func add(_ texts: Range<Int>, of other: ShapedTexts) {
    guard let last = texts.last else { return }
    let range = other.range(of: texts.lowerBound).lowerBound..<other.range(of: last).upperBound
    let offset = entries.count - range.lowerBound
    entries += other.entries[range]
    ends += other.ends[texts].lazy.map { UInt32(Int($0) + offset) }
    kinds += other.kinds[texts]
  }

  private mutating func end(_ kind: ShapedTexts.Kind) {
    ends.append(UInt32(entries.count))
    kinds.append(kind)
  }

  public consuming func finish() -> ShapedTexts {
    // What was reserved and not needed goes. An array made of a whole slice would keep it.
    if entries.capacity > entries.count + entries.count / 8 {
      var fitting: [UInt64] = []
      fitting.reserveCapacity(entries.count)
      fitting += entries
      entries = fitting
    }
    return ShapedTexts(style, entries: entries, ends: ends, kinds: kinds)
  }
}

extension TextWorkbench {
  /// Adds the segments of the text.
  ///
  /// - Returns: False if it has no such form. Then some may have been added.
  func pack(into entries: inout [UInt64], _ style: PreparedStyle) -> Bool {
    var place = 0
    for (index, line) in text.hardLines.enumerated() {
      let isLast = index + 1 == text.hardLines.count
      let nextSource = isLast ? 0 : text.sourceOfStart(text.hardLines[index + 1])
      if line.units.isEmpty {
        let units = isLast ? 0 : Int(nextSource - (index == 0 ? 0 : line.source))
        let empty = Segment.Parts(advance: 0, blank: 0, units: units, endsHardLine: true)
        guard empty.pack(into: &entries, space: style.spaceAdvance) else { return false }
        continue
      }
      let firstRun = text.run(at: line.units.lowerBound)
      var run = firstRun + 1
      while run < text.runs.count, text.runs[run].units.lowerBound < line.units.upperBound {
        if text.runs[run].beginsItem { return false }
        run += 1
      }
      var start = line.units.lowerBound
      while start < line.units.upperBound {
        while Int(text.breaks[place].unit) <= start { place += 1 }
        let end = Int(text.breaks[place].unit)
        // What is nothing but blanks hangs behind what is in front of it.
        guard Int(text.breaks[place].contentEnd) >= start else { return false }
        guard var segment = segment(start..<end, contentEnd: contentEnd(place, start), style)
        else { return false }
        segment.endsHardLine = end == line.units.upperBound
        let from = start == text.hardLines[0].units.lowerBound ? 0 : text.source(of: start)
        if end < line.units.upperBound {
          segment.units = Int(text.source(of: end) - from)
        } else {
          segment.units = isLast ? 0 : Int(nextSource - from)
        }
        guard segment.pack(into: &entries, space: style.spaceAdvance) else { return false }
        start = end
      }
    }
    return true
  }

  /// What lies between two places where a line may end; `nil` if it is not the same in each line
  /// that begins or ends there.
  private func segment(
    _ units: Range<Int>, contentEnd: Int, _ style: PreparedStyle
  ) -> Segment.Parts? {
    let (start, end) = (units.lowerBound, units.upperBound)
    let run = text.run(at: start)
    guard text.flags[start].contains(.beginsCluster) || text.runs[run].isRightToLeft else {
      return nil
    }
    var segment = Segment.Parts(
      advance: text.positions[contentEnd] - text.positions[start],
      blank: text.positions[end] - text.positions[contentEnd], units: 0)
    segment.isLoneHyphen =
      end < text.units.count && text.flags[end].contains(.followsHyphen)
      && text.character(before: end).start == start
    guard contentEnd > start else { return segment }
    // What a line shapes anew at its ends must lie within the segment.
    var (safeStart, safeEnd) = (start, contentEnd)
    while safeStart < text.runs[run].units.upperBound, !text.isSafe(safeStart, text.runs[run]) {
      safeStart += 1
    }
    let lastRun = text.run(at: contentEnd - 1)
    let endRun = text.runs[lastRun]
    if contentEnd < endRun.units.upperBound, !text.flags[contentEnd].contains(.hangs) {
      while safeEnd > endRun.units.lowerBound, !text.isSafe(safeEnd, endRun) { safeEnd -= 1 }
    }
    guard safeStart <= contentEnd, safeEnd >= start else { return nil }
    let (isStartSafe, isEndSafe) = (safeStart == start, safeEnd == contentEnd)
    if isStartSafe, isEndSafe { return segment }
    guard isStartSafe || isEndSafe || safeStart < safeEnd else { return nil }
    if !isStartSafe {
      segment.startChange = change(of: start..<safeStart, run, style)
    }
    if !isEndSafe {
      segment.endChange = change(of: safeEnd..<contentEnd, lastRun, style)
    }
    return reshapingLeft > 0 ? segment : nil
  }

  private func change(of units: Range<Int>, _ run: Int, _ style: PreparedStyle) -> Int64 {
    guard reshapingLeft > 0 else { return 0 }
    return width(shapingAnew: units, of: text.runs[run], style)
      - (text.positions[units.upperBound] - text.positions[units.lowerBound])
  }
}

extension LaidOutText {
  fileprivate func sourceOfStart(_ line: HardLine) -> Int32 {
    line.units.isEmpty ? line.source : source(of: line.units.lowerBound)
  }
}
