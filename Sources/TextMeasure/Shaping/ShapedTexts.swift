public import CollectionLayout

/// Texts of one style that were shaped, in a form of which lines at any width are found by adding
/// up.
///
///     entries   │ word · blank │ word · blank │ … │ word ▪ │ word · blank │ …
///                └── what lies between two places where a line may end ──┘
///
/// A text has a segment for each place where a line may end. A few texts have no such form: those
/// with several directions in a line, and those in which what is shaped anew at the end of a line
/// depends on where the line begins. They are shaped again for each width, as is a text with a word
/// that is longer than the line.
public final class ShapedTexts: Sendable {
  public let style: PreparedStyle
  let entries: [UInt64]
  /// Where the entries of each text end.
  let ends: [UInt32]
  let kinds: [Kind]

  struct Kind: OptionSet, Sendable {
    var rawValue: UInt8
    /// Its one entry is its natural width.
    static let isShapedAgain = Kind(rawValue: 1)
    static let isEstimated = Kind(rawValue: 2)
  }

  init(_ style: PreparedStyle, entries: [UInt64], ends: [UInt32], kinds: [Kind]) {
    self.style = style
    self.entries = entries
    self.ends = ends
    self.kinds = kinds
  }

  public var count: Int { kinds.count }

  /// The bytes of memory.
  public var memoryBytes: Int {
    entries.capacity * 8 + ends.capacity * 4 + kinds.capacity + 160
  }

  func range(of text: Int) -> Range<Int> {
    (text == 0 ? 0 : Int(ends[text - 1]))..<Int(ends[text])
  }

  /// Whether a text has any line.
  public func hasLine(_ text: Int) -> Bool { !range(of: text).isEmpty }

  /// Whether a text may have other lines in a browser.
  public func isEstimated(_ text: Int) -> Bool { kinds[text].contains(.isEstimated) }

  /// The width of the longest line if only newlines break, with blanks at its end that do not
  /// collapse, in CSS pixels.
  public func naturalWidth(of text: Int) -> Double {
    let range = range(of: text)
    if kinds[text].contains(.isShapedAgain) {
      return Double(Int64(bitPattern: entries[range.lowerBound])) / 64
    }
    var (widest, width): (Int64, Int64) = (0, 0)
    entries.withUnsafeBufferPointer {
      var place = range.lowerBound
      while place < range.upperBound {
        let segment = Segment($0, place, space: style.spaceAdvance)
        place = segment.next
        width += segment.advance + segment.blank
        guard segment.endsHardLine else { continue }
        widest = max(widest, (width + 1023) >> 10)
        width = 0
      }
    }
    return Double(widest) / 64
  }

  /// How many lines a text has; `nil` if it must be shaped again for that.
  ///
  /// - Parameters:
  ///   - width: In CSS pixels, > 0.
  ///   - limit: No more lines count.
  /// - Complexity: O(number of words), some ns each.
  public func lineCount(of text: Int, width: Double, upTo limit: Int = .max) -> Int? {
    var count = 0
    let isWhole = forEachLine(of: text, width: width) { _, _ in
      count += 1
      return count < limit
    }
    return isWhole ? count : nil
  }

  /// The lines of a text; `nil` if it must be shaped again for that.
  public func lines(of text: Int, width: Double, upTo limit: Int = .max) -> ParagraphLines? {
    var lines = ParagraphLines()
    let isWhole = forEachLine(of: text, width: width) { start, width in
      guard lines.starts.count < limit else {
        lines.end = start
        return false
      }
      lines.starts.append(start)
      lines.width = max(lines.width, Double(width) / 64)
      return true
    }
    return isWhole ? lines : nil
  }

  /// Calls `body` with the start of each line and its width in 1/64 px, until it returns false.
  ///
  /// - Returns: False if the text must be shaped again.
  @inline(__always)
  private func forEachLine(
    of text: Int, width: Double, _ body: (Int32, Int) -> Bool
  ) -> Bool {
    guard !kinds[text].contains(.isShapedAgain) else { return false }
    let range = range(of: text)
    // A line fits if its width, rounded up to 1/64 px, is at most the limit.
    let limit = Int64(ParagraphLines.limit64(ofWidth: width)) << 10
    let space = style.spaceAdvance
    return entries.withUnsafeBufferPointer { entries in
      var first = range.lowerBound
      var start: Int32 = 0
      while first < range.upperBound {
        // As far as it fits without being shaped anew.
        var (place, position, units): (Int, Int64, Int32) = (first, 0, 0)
        var last = -1
        var (end, lastWidth, lastUnits): (Int, Int64, Int32) = (first, 0, 0)
        var isSimple = true
        while place < range.upperBound {
          let segment = Segment(entries, place, space: space)
          let width = position + segment.advance
          if width > limit { break }
          units += segment.units
          (last, lastWidth, lastUnits, end) = (place, width, units, segment.next)
          if segment.isSpecial { isSimple = false }
          if segment.endsHardLine { break }
          position = width + segment.blank
          place = segment.next
        }
        guard last >= 0 else { return false }
        if !isSimple {
          guard
            let found = lastBreak(entries, from: first, to: last, limit: limit, space: space)
          else { return false }
          (end, lastWidth, lastUnits) = found
        }
        if !body(start, max(Int((lastWidth + 1023) >> 10), 0)) { return true }
        start += lastUnits
        first = end
      }
      return true
    }
  }

  /// The last place where a line may end that begins with a segment, if it is shaped anew at its
  /// ends.
  private func lastBreak(
    _ entries: UnsafeBufferPointer<UInt64>, from first: Int, to last: Int, limit: Int64,
    space: Int64
  ) -> (end: Int, width: Int64, units: Int32)? {
    var found: (end: Int, width: Int64, units: Int32)?
    var (place, units): (Int, Int32) = (first, 0)
    var position: Int64 = 0
    while place <= last {
      let segment = Segment(entries, place, space: space)
      if place == first { position = segment.startChange }
      units += segment.units
      let width = position + segment.advance + segment.endChange
      if width <= limit, !(place == first && segment.isLoneHyphen) {
        found = (segment.next, width, units)
      }
      position += segment.advance + segment.blank
      place = segment.next
    }
    return found
  }
}

/// What lies between two places where a line may end, as it is packed.
///
///     bits 0…29 advance │ 30…41 units │ 42, 43 blank │ 44 hard end │ 45 lone hyphen │ 46 changes
///
/// An entry behind it has the advance of blanks that are not one common space, and one more what
/// changes when a line begins or ends with it.
struct Segment {
  /// Of what does not hang, in 1/65536 px.
  let advance: Int64
  /// Of the blanks behind it, in 1/65536 px.
  let blank: Int64
  /// From its beginning to the next, in UTF-16 units of the text.
  let units: Int32
  /// Whether a newline, or the end of the text, is behind it.
  let endsHardLine: Bool
  /// Whether it is a hyphen in front of a word: a line that begins with it does not end behind it.
  let isLoneHyphen: Bool
  /// By how much it becomes wider when a line begins with it, and when a line ends with it.
  let startChange: Int64
  let endChange: Int64
  /// Where the next begins.
  let next: Int

  static let maxAdvance: Int64 = 1 << 29 - 1
  static let maxUnits = 1 << 12 - 1

  /// Whether a line that has it is not as wide as its parts, or may not end anywhere.
  var isSpecial: Bool { isLoneHyphen || startChange != 0 || endChange != 0 }

  @inline(__always)
  init(_ entries: UnsafeBufferPointer<UInt64>, _ place: Int, space: Int64) {
    let entry = entries[place]
    // The sign is that of 30 bits.
    advance = Int64(bitPattern: entry << 34) >> 34
    units = Int32(truncatingIfNeeded: entry >> 30 & 0xfff)
    endsHardLine = entry >> 44 & 1 == 1
    isLoneHyphen = entry >> 45 & 1 == 1
    var next = place + 1
    switch entry >> 42 & 3 {
    case 0: blank = 0
    case 1: blank = space
    default:
      blank = Int64(bitPattern: entries[next])
      next += 1
    }
    if entry >> 46 & 1 == 1 {
      startChange = Int64(Int32(truncatingIfNeeded: entries[next] >> 32))
      endChange = Int64(Int32(truncatingIfNeeded: entries[next]))
      next += 1
    } else {
      (startChange, endChange) = (0, 0)
    }
    self.next = next
  }

  /// What a segment is packed from.
  struct Parts {
    var advance: Int64
    var blank: Int64
    var units: Int
    var endsHardLine = false
    var isLoneHyphen = false
    var startChange: Int64 = 0
    var endChange: Int64 = 0

    /// Adds the packed segment.
    ///
    /// - Returns: False if it is too long for that.
    func pack(into entries: inout [UInt64], space: Int64) -> Bool {
      let changes = startChange != 0 || endChange != 0
      guard abs(advance) <= Segment.maxAdvance, 0...Segment.maxUnits ~= units,
        Int32(exactly: startChange) != nil, Int32(exactly: endChange) != nil
      else { return false }
      let blankKind: UInt64 = blank == 0 ? 0 : blank == space ? 1 : 2
      var entry = UInt64(bitPattern: advance) & 0x3fff_ffff | UInt64(units) << 30
      entry |= blankKind << 42
      if endsHardLine { entry |= 1 << 44 }
      if isLoneHyphen { entry |= 1 << 45 }
      if changes { entry |= 1 << 46 }
      entries.append(entry)
      if blankKind == 2 { entries.append(UInt64(bitPattern: blank)) }
      if changes {
        entries.append(
          UInt64(UInt32(bitPattern: Int32(startChange))) << 32
            | UInt64(UInt32(bitPattern: Int32(endChange))))
      }
      return true
    }
  }
}
