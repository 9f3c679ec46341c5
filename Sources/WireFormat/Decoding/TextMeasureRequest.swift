public import CollectionLayout

/// The body of a request that measures texts.
public struct TextMeasureRequest: Sendable {
  /// The most texts of a request.
  public static let maxTexts = 10_000
  /// The most widths of a request.
  public static let maxWidths = 64
  /// The longest text, in bytes of UTF-8.
  public static let maxTextBytes = 64 << 10

  public private(set) var style = ParagraphStyle(fonts: [], size: 1)
  private var lineHeight = 1.0
  /// No more lines count.
  public private(set) var maxLines = Int.max
  /// In CSS pixels; empty if lines end at newlines alone.
  public private(set) var widths: [Double] = []
  /// Whether the answer has where lines begin.
  public private(set) var wantsStarts = false
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// The number of texts.
  public var count: Int { ends.count }

  /// A text, in UTF-8.
  public func text(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Reads a body.
  ///
  /// - Parameter body: The text, followed by ``PrepareRequest/padding`` bytes that may be
  ///   overwritten.
  /// - Throws: ``BodyError`` if the text is no JSON, or a member is wrong.
  public init(_ body: UnsafeMutableRawBufferPointer) throws(BodyError) {
    self = try BodyError.reading(body) { (reader) throws(BodyError) in
      var request = TextMeasureRequest()
      var given: Set<Member> = []
      var isStyleRight = true
      try reader.readObject(known: Member.allCases) { (member, reader) throws(BodyError) in
        if try reader.readNullIfPresent() { return }
        given.insert(member)
        let count = reader.faults.members.count
        try request.read(member, &reader)
        if reader.faults.members.count > count || reader.faults.isFull, member.isOfStyle {
          isStyleRight = false
        }
      }
      let required: [Member] = isStyleRight ? [.texts, .font, .size, .lineHeight] : [.texts]
      for member in required where !given.contains(member) {
        reader.refuse(at: [member.name], "must be given")
      }
      return request
    }
  }

  private enum Member: String, CaseIterable, BodyMember {
    case font, size, lineHeight, letterSpacing, language, whiteSpace, maxLines
    case width, texts, lines

    /// Whether it says how the texts look, and not what is measured of them.
    var isOfStyle: Bool { ![.width, .texts, .lines].contains(self) }
  }

  private mutating func read(
    _ member: Member, _ reader: inout JSONReader
  ) throws(BodyError) {
    switch member {
    case .font: style.fonts = try Self.fonts(&reader) ?? []
    case .size:
      style.size =
        try Self.number(&reader, "a number > 0 and at most 10000") {
          $0 > 0 && $0 <= ParagraphStyle.maxSize
        } ?? style.size
    case .lineHeight:
      lineHeight =
        try Self.number(&reader, "a number > 0 and at most 1000000") {
          $0 > 0 && $0 <= ParagraphStyle.maxLineHeight
        } ?? lineHeight
    case .letterSpacing:
      style.letterSpacing =
        try Self.number(&reader, "a number from -10000 to 10000") {
          abs($0) <= ParagraphStyle.maxSize
        } ?? 0
    case .language:
      let requirement = "a language tag of letters, digits and hyphens, at most 35"
      style.language =
        try reader.readWord(requirement) {
          ParagraphStyle.isLanguageTag($0) ? $0 : nil
        } ?? style.language
    case .whiteSpace:
      let words = ParagraphStyle.WhiteSpace.allCases.map { "\"\($0.rawValue)\"" }
      style.whiteSpace =
        try reader.readWord(words.joined(separator: ", ")) {
          ParagraphStyle.WhiteSpace(rawValue: $0)
        } ?? style.whiteSpace
    case .maxLines:
      maxLines = try reader.readInteger(in: 1...ParagraphStyle.maxLines) ?? maxLines
    case .width: try readWidths(&reader)
    case .texts: try readTexts(&reader)
    case .lines: wantsStarts = try reader.readFlag() ?? false
    }
  }

  private init() {}

  /// The height of a number of lines, in CSS pixels. Browsers round that of one to 1/64 px.
  public func height(lines: Int) -> Double {
    Double(lines * Int((lineHeight * 64).rounded())) / 64
  }

  private mutating func readWidths(_ reader: inout JSONReader) throws(BodyError) {
    guard try reader.nextType() == .array else {
      if let width = try reader.readNumber(in: .positive) { widths = [width] }
      return
    }
    let start = reader.position
    var index = 0
    try reader.openList()
    while try reader.nextInList() {
      let width = try reader.readNumber(in: .positive)
      if let width, widths.count < Self.maxWidths { widths.append(width) }
      index += 1
    }
    if !(1...Self.maxWidths ~= index) {
      reader.refuse(from: start, "1 to \(Self.maxWidths) numbers")
    }
  }

  private mutating func readTexts(_ reader: inout JSONReader) throws(BodyError) {
    guard try reader.openList() else { return }
    var index = 0
    while try reader.nextInList() {
      if index >= Self.maxTexts {
        try reader.skipValue()
      } else if try reader.isNext(.string, "a string") {
        let start = bytes.count
        try reader.readString(appendingTo: &bytes)
        ends.append(bytes.count)
        if bytes.count - start > Self.maxTextBytes {
          reader.refuse(
            "must have at most \(Self.maxTextBytes) bytes of UTF-8, has \(bytes.count - start)")
        }
      }
      index += 1
    }
    if index > Self.maxTexts {
      reader.refuse("must be at most \(Self.maxTexts) texts, are \(index)")
    }
  }

  private static func fonts(_ reader: inout JSONReader) throws(BodyError) -> [String]? {
    let start = reader.position
    switch try reader.nextType() {
    case .string: return [try reader.readWord()]
    case .array:
      var names: [String] = []
      var isRight = true
      try reader.openArray()
      while try reader.nextElement() {
        if try reader.nextType() == .string, names.count < ParagraphStyle.maxFonts {
          names.append(try reader.readWord())
        } else {
          try reader.skipValue()
          isRight = false
        }
      }
      if isRight, !names.isEmpty { return names }
      reader.refuse(from: start, "1 to \(ParagraphStyle.maxFonts) names of fonts")
    default:
      try reader.skipValue()
      reader.refuse(from: start, "the name of a font, or a list of names")
    }
    return nil
  }

  private static func number(
    _ reader: inout JSONReader, _ requirement: String, _ isRight: (Double) -> Bool
  ) throws(BodyError) -> Double? {
    try reader.readValue(.number, requirement) { (reader) throws(BodyError) in
      let value = try reader.readNumber()
      return isRight(value) ? value + 0 : nil
    }
  }
}
