public import CollectionLayout

/// The body of a request that measures texts.
public struct TextMeasureRequest: Sendable {
  /// The most texts of a request.
  public static let maxTexts = 10_000
  /// The most widths of a request.
  public static let maxWidths = 64
  /// The longest text, in bytes of UTF-8.
  public static let maxTextBytes = 64 << 10

  /// How the texts look, and how many lines count.
  public private(set) var given = GivenTextStyle()
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
        if reader.faults.members.count > count || reader.faults.isFull, member.ofStyle != nil {
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
    case font, size, lineHeight, weight, letterSpacing, language, whiteSpace, wordBreak, maxLines
    case width, texts, lines

    /// What it says of how the texts look; `nil` if it says what is measured of them.
    var ofStyle: GivenTextStyle.Member? { GivenTextStyle.Member(rawValue: rawValue) }
  }

  private mutating func read(
    _ member: Member, _ reader: inout JSONReader
  ) throws(BodyError) {
    switch member {
    case .width: try readWidths(&reader)
    case .texts: try readTexts(&reader)
    case .lines: wantsStarts = try reader.readFlag() ?? false
    default:
      let start = reader.position
      guard let member = member.ofStyle, let value = try reader.readOption() else { return }
      do throws(OptionFault) {
        try given.set(member, value)
      } catch {
        reader.refuse(from: start, error.requirement)
      }
    }
  }

  private init() {}

  /// The height of a number of lines, in CSS pixels.
  public func height(lines: Int) -> Double { Double(lines) * given.lineHeight }

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
}
