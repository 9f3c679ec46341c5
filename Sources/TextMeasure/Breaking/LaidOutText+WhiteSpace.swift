import CollectionLayout

extension LaidOutText {
  private static let (tab, newline, carriageReturn, space) = (
    UInt16(0x09), UInt16(0x0a), UInt16(0x0d), UInt16(0x20)
  )
  private static let zeroWidthSpace: UInt16 = 0x200b
  private static let ideographicSpace: UInt16 = 0x3000
  private static let softHyphen: UInt16 = 0xad

  /// Takes a text's units over, without the blanks that collapse, and splits them at the newlines
  /// that break. `self` must be empty.
  mutating func take(_ text: UnsafeBufferPointer<UInt16>, _ whiteSpace: ParagraphStyle.WhiteSpace) {
    units.reserveCapacity(text.count)
    var highest: UInt16 = 0
    for unit in text { highest |= unit }
    switch whiteSpace {
    case .normal: collapse(text, newlinesBreak: false)
    case .preLine: collapse(text, newlinesBreak: true)
    case .preWrap: preserve(text)
    }
    isASCII = highest < 0x80
    isLatin = highest < 0x100
    lookForWhatIsNotComputed(isPreserved: whiteSpace == .preWrap)
    if sources.count == text.count { sources.removeAll(keepingCapacity: true) }
    flags = Array(repeating: [], count: units.count)
    for unit in units.indices where Self.hangs(units[unit]) { flags[unit] = .hangs }
  }

  /// Blanks that do not count at the end of a line.
  private static func hangs(_ unit: UInt16) -> Bool {
    unit == space || unit == tab || unit == ideographicSpace
  }

  private static func isBlank(_ unit: UInt16) -> Bool {
    unit == space || unit == newline || unit == tab || unit == carriageReturn
  }

  private mutating func collapse(_ text: UnsafeBufferPointer<UInt16>, newlinesBreak: Bool) {
    var (lineStart, lineSource) = (0, 0)
    var (firstBlank, hasNewline) = (-1, false)
    for index in text.indices {
      let unit = text[index]
      if newlinesBreak, unit == Self.newline {
        endHardLine(from: lineStart, newline: index)
        (lineStart, lineSource, firstBlank) = (units.count, index + 1, -1)
      } else if Self.isBlank(unit) {
        if firstBlank < 0 { (firstBlank, hasNewline) = (index, false) }
        hasNewline = hasNewline || unit == Self.newline
      } else {
        if firstBlank >= 0, units.count > lineStart {
          let isBesideZeroWidth =
            unit == Self.zeroWidthSpace || units[units.count - 1] == Self.zeroWidthSpace
          if !(hasNewline && isBesideZeroWidth) { append(Self.space, from: firstBlank) }
          if unit == Self.ideographicSpace { isEstimated = true }
        }
        firstBlank = -1
        append(unit, from: index)
      }
    }
    // Behind the last newline there is a line only if there is something in it.
    if units.count > lineStart { endHardLine(from: lineStart, source: lineSource) }
  }

  private mutating func preserve(_ text: UnsafeBufferPointer<UInt16>) {
    var (lineStart, lineSource) = (0, 0)
    for index in text.indices {
      let unit = text[index]
      if unit == Self.newline {
        endHardLine(from: lineStart, newline: index)
        (lineStart, lineSource) = (units.count, index + 1)
      } else if unit == Self.carriageReturn {
        if index + 1 == text.count || text[index + 1] != Self.newline { isEstimated = true }
      } else {
        append(unit, from: index)
      }
    }
    if units.count > lineStart { endHardLine(from: lineStart, source: lineSource) }
  }

  private mutating func append(_ unit: UInt16, from index: Int) {
    units.append(unit)
    sources.append(Int32(index))
  }

  private mutating func endHardLine(from start: Int, source: Int) {
    hardLines.append(HardLine(units: start..<units.count, source: Int32(source)))
  }

  /// Ends a hard line at a newline. It stays between the lines, so that nothing joins over it.
  private mutating func endHardLine(from start: Int, newline index: Int) {
    endHardLine(from: start, source: index)
    append(Self.newline, from: index)
  }

  /// Finds characters that a browser lays out by rules that are not computed here.
  private mutating func lookForWhatIsNotComputed(isPreserved: Bool) {
    for unit in units {
      switch unit {
      case Self.newline: break
      case Self.tab: isEstimated = isEstimated || isPreserved
      case 0..<0x20, 0x7f...0x9f, Self.softHyphen, 0x2028, 0x2029: isEstimated = true
      // Lao; Khmer and its symbols.
      case 0x0e80...0x0eff, 0x1780...0x17ff, 0x19e0...0x19ff: isEstimated = true
      default: break
      }
    }
  }
}
