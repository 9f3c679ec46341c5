import CHarfBuzz
import CICU

/// What one thread needs to lay out texts: iterators, buffers, and the words that it has shaped.
///
/// It is used by one thread at a time.
public final class TextWorkbench {
  /// How many languages' line boundaries are kept.
  private static let maxLocales = 8
  /// How many units are shaped anew at ends of lines, for each unit of a text: so that a text costs
  /// what its length costs.
  static let reshapingPerUnit = 32

  /// The text that is laid out.
  var text = LaidOutText()
  var words = WordCache()
  let wordSegments = WordSegments()
  let buffer = hb_buffer_create()!
  /// How many units may still be shaped anew at ends of lines.
  var reshapingLeft = 0
  /// How many UTF-16 units HarfBuzz was given to shape, since the workbench is there.
  var shapedUnits = 0
  /// How many items were added up to find how long a line is, since the workbench is there.
  var addedItems = 0
  private let bidi = cicu_bidi_open()!
  private let graphemes = cicu_boundaries_open(false, "en")
  private var lineBoundaries: [String: OpaquePointer] = [:]
  private var pictures: [Bool] = []
  private var utf16: [UInt16] = []
  private var hasGraphemes = false
  /// The text's units while it is asked for graphemes.
  private var graphemeUnits = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 0)
  /// The units for which a font has no glyphs.
  var missing: [Range<Int>] = []
  /// Where the text is from, if it is one of some texts.
  weak var lastTexts: ShapedTexts?
  var lastIndex = 0

  public init() {}

  deinit {
    hb_buffer_destroy(buffer)
    cicu_bidi_close(bidi)
    if let graphemes { cicu_boundaries_close(graphemes) }
    graphemeUnits.deallocate()
    for boundaries in lineBoundaries.values { cicu_boundaries_close(boundaries) }
  }

  /// Shapes a text and finds where its lines may end. What is asked next is asked of it.
  ///
  /// - Complexity: O(length of the text · number of the style's fonts).
  public func prepare(_ text: String, _ style: PreparedStyle) {
    utf16.removeAll(keepingCapacity: true)
    utf16.append(contentsOf: text.utf16)
    utf16.withUnsafeBufferPointer { prepare($0, style) }
  }

  /// As ``prepare(_:_:)``, for a text in UTF-8.
  public func prepare(utf8: ArraySlice<UInt8>, _ style: PreparedStyle) {
    utf8.withUnsafeBufferPointer { prepare(utf8: $0, style) }
  }

  /// As ``prepare(_:_:)``, for a text in UTF-8.
  public func prepare(utf8: UnsafeBufferPointer<UInt8>, _ style: PreparedStyle) {
    begin(utf8: utf8, style, asLatin: false)
    shape(style)
    finish()
  }

  /// As ``prepare(_:_:)``, for a text in UTF-16, in which surrogates may stand alone.
  public func prepare(_ units: UnsafeBufferPointer<UInt16>, _ style: PreparedStyle) {
    begin(units, style, asLatin: false)
    shape(style)
    finish()
  }

  /// Does what comes before shaping.
  ///
  /// - Parameter asLatin: Whether it is laid out as one run of Latin, whatever characters it has.
  func begin(utf8: UnsafeBufferPointer<UInt8>, _ style: PreparedStyle, asLatin: Bool) {
    utf16.removeAll(keepingCapacity: true)
    utf16.reserveCapacity(utf8.count)
    if utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in utf8 { utf16.append(UInt16(byte)) }
    } else {
      _ = transcode(
        utf8.makeIterator(), from: UTF8.self, to: UTF16.self, stoppingOnError: false
      ) { utf16.append($0) }
    }
    utf16.withUnsafeBufferPointer { begin($0, style, asLatin: asLatin) }
  }

  private func begin(
    _ units: UnsafeBufferPointer<UInt16>, _ style: PreparedStyle, asLatin: Bool
  ) {
    text.removeAll()
    lastTexts = nil
    hasGraphemes = false
    text.take(units, style.style.whiteSpace)
    if asLatin { text.isLatin = true }
    text.findRuns(bidi, &pictures, breaksAtNonJoiners: style.style.whiteSpace == .preWrap)
    text.findBreaks(style.style.wordBreak) { boundaries(style.lineLocale) }
    allowReshaping()
  }

  /// Lets the ends of lines be shaped anew, as often as the text's length allows.
  func allowReshaping() { reshapingLeft = text.units.count * Self.reshapingPerUnit + 4096 }

  /// Does what comes after shaping.
  func finish() { text.findPositions() }

  func boundaries(_ locale: String) -> OpaquePointer? {
    if let found = lineBoundaries[locale] { return found }
    guard let made = cicu_boundaries_open(true, locale) else { return nil }
    if lineBoundaries.count == Self.maxLocales {
      for boundaries in lineBoundaries.values { cicu_boundaries_close(boundaries) }
      lineBoundaries.removeAll()
    }
    lineBoundaries[locale] = made
    return made
  }

  /// Where the grapheme ends that begins at, or lies around, a unit.
  func endOfGrapheme(at unit: Int) -> Int {
    if text.isASCII { return unit + 1 }
    guard let graphemes = graphemesOfText() else { return unit + 1 }
    let next = Int(cicu_boundaries_after(graphemes, Int32(unit)))
    return next > unit ? next : text.units.count
  }

  /// Where the last grapheme begins in front of a unit.
  func startOfGrapheme(before unit: Int) -> Int {
    if text.isASCII { return unit - 1 }
    guard let graphemes = graphemesOfText() else { return unit - 1 }
    return max(Int(cicu_boundaries_before(graphemes, Int32(unit))), 0)
  }

  private func graphemesOfText() -> OpaquePointer? {
    guard let graphemes else { return nil }
    if !hasGraphemes {
      hasGraphemes = true
      graphemeUnits.deallocate()
      // ICU keeps the pointer.
      graphemeUnits = .allocate(capacity: text.units.count)
      _ = graphemeUnits.initialize(from: text.units)
      _ = cicu_boundaries_set(graphemes, graphemeUnits.baseAddress, Int32(text.units.count))
    }
    return graphemes
  }
}
