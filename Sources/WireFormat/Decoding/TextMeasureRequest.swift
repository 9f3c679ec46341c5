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
      var style = TextStyleDecoder()
      var request = TextMeasureRequest()
      var hasTexts = false
      try reader.readObject(known: Member.all) { (member, reader) throws(BodyError) in
        if try reader.readNullIfPresent() { return }
        switch member {
        case .style(let member): try style.read(member, &reader)
        case .width: try request.readWidths(&reader)
        case .texts:
          hasTexts = true
          try request.readTexts(&reader)
        case .lines: request.wantsStarts = try reader.readFlag() ?? false
        }
      }
      if !hasTexts { reader.refuse(at: ["texts"], "must be given") }
      guard let read = style.style(&reader) else { return nil }
      request.style = read
      request.lineHeight = style.lineHeight ?? 1
      request.maxLines = style.maxLines ?? .max
      return request
    }
  }

  private enum Member: BodyMember {
    case style(TextStyleDecoder.Member)
    case width, texts, lines

    static let all = TextStyleDecoder.Member.allCases.map(style) + [width, texts, lines]

    var name: String {
      switch self {
      case .style(let member): member.rawValue
      case .width: "width"
      case .texts: "texts"
      case .lines: "lines"
      }
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
}
