/// A card with its fonts, whose lengths are whole steps: it says how high items are.
final class TypesetCard: Sendable, Equatable {
  let card: Card
  private let step: LengthStep
  /// Whether items may have pictures.
  private let hasRatios: Bool
  /// For each part that is a text, its style with fonts.
  private let settings: [(any TextSetting)?]

  /// - Parameters:
  ///   - hasRatios: Whether items may have pictures.
  ///   - typesetter: `nil` if there are no fonts.
  ///   - section: The section's index, for errors.
  init(
    _ card: Card, step: LengthStep, hasRatios: Bool = true, by typesetter: (any TextTypesetter)?,
    section: Int?
  ) throws(LayoutError) {
    self.card = card.stepped(by: step)
    self.step = step
    self.hasRatios = hasRatios
    var settings: [(any TextSetting)?] = []
    for (index, part) in card.parts.enumerated() {
      guard case .text(_, let style, _, _) = part else {
        settings.append(nil)
        continue
      }
      do throws(TypesetterFault) {
        guard let typesetter else { throw .noFonts }
        settings.append(try typesetter.setting(of: style))
      } catch {
        throw .invalidOption(
          "\(Card.option).parts.\(index).\(error.member)", section: section,
          requirement: error.requirement)
      }
    }
    self.settings = settings
  }

  /// Whether both give equal items equal parts.
  static func == (a: TypesetCard, b: TypesetCard) -> Bool {
    a === b || a.card == b.card && a.step == b.step
  }

  var memoryBytes: Int {
    settings.reduce(card.memoryBytes + 128) { $0 + ($1?.memoryBytes ?? 0) }
  }

  /// Refuses a card that leaves its texts no room in cells of a width.
  func check(width: Double, in container: Container) throws(LayoutError) {
    guard card.innerWidth(of: width) > 0, card.textWidth(of: width) > 0 else {
      throw container.invalidOption(
        Card.option,
        "narrow enough to leave a width > 0 within padding, leading and trailing of a cell's "
          + width.messageText)
    }
  }

  /// Whether any item may have a card.
  func applies(to items: Items) -> Bool {
    card.parts.contains { part in
      switch part {
      case .text(let name, _, _, _):
        items.blocks.contains { block in
          block.storage?.texts?.column(.text(name))?.hasText(in: block.range) ?? false
        }
      case .media: hasRatios && items.hasRatios
      case .height: false
      }
    }
  }

  /// The largest number of bytes of text that one item's card has, at most.
  func longestText(of items: Items) -> Int {
    card.parts.reduce(0) { bytes, part in
      guard case .text(let name, _, _, _) = part else { return bytes }
      return bytes
        + items.blocks.reduce(0) { max($0, $1.storage?.texts?.column(.text(name))?.longest ?? 0) }
    }
  }

  /// Shapes the texts of all items.
  ///
  /// - Returns: What holds the shaped texts. The card finds them as long as this is held.
  func paragraphs(of items: Items) throws(LayoutError) -> [any Paragraphs] {
    var held: [any Paragraphs] = []
    for (part, setting) in zip(card.parts, settings) {
      guard case .text(let name, _, _, _) = part, let setting else { continue }
      for block in items.blocks {
        guard let column = block.storage?.texts?.column(.text(name)) else { continue }
        let paragraphs = try column.paragraphs(by: setting)
        if held.last !== paragraphs { held.append(paragraphs) }
      }
    }
    return held
  }

  // MARK: Heights

  /// The texts of a storage that the card has.
  struct Texts {
    fileprivate struct Text {
      let column: TextColumn
      let paragraphs: any Paragraphs
    }

    /// For each part; `nil` if it is no text, or nobody has it.
    fileprivate let texts: [Text?]
    let mayApply: Bool
  }

  func texts(of storage: ItemStorage?) -> Texts {
    var mayApply = hasRatios && card.hasMedia && storage?.mayHaveRatios ?? false
    let texts = zip(card.parts, settings).map { part, setting -> Texts.Text? in
      guard case .text(let name, let style, _, _) = part, let setting,
        let column = storage?.texts?.column(.text(name)),
        // Whoever asks holds them, but for texts that other updates have moved and moved back.
        let paragraphs = column.paragraphs(in: style) ?? (try? column.paragraphs(by: setting))
      else { return nil }
      mayApply = true
      return Texts.Text(column: column, paragraphs: paragraphs)
    }
    return Texts(texts: texts, mayApply: mayApply)
  }

  /// Writes the heights of the cards of a storage's items. Other items keep theirs.
  ///
  /// - Parameter width: The width of a cell, by its place in the run.
  func readHeights(
    of storage: ItemStorage?, _ run: Range<Int>, ofWidths width: (Int) -> Double,
    into heights: UnsafeMutablePointer<Double>
  ) {
    guard let storage else { return }
    let texts = texts(of: storage)
    guard texts.mayApply else { return }
    for place in 0..<run.count {
      let index = run.lowerBound + place
      if let height = height(of: index, in: storage, texts, width: width(place)) {
        heights[place] = height
      }
    }
  }

  /// Whether an item's card is higher than cards may be.
  func isCut(_ index: Int, in storage: ItemStorage, width: Double) -> Bool {
    guard let most = card.maximumHeight else { return false }
    return fullHeight(of: index, in: storage, texts(of: storage), width: width) ?? 0 > most
  }

  /// The height of an item's card in a cell of a width; `nil` if the item has none.
  func height(
    of index: Int, in storage: ItemStorage, _ texts: Texts, width: Double
  ) -> Double? {
    let height = fullHeight(of: index, in: storage, texts, width: width)
    return height.map { min($0, card.maximumHeight ?? .infinity) }
  }

  private func fullHeight(
    of index: Int, in storage: ItemStorage, _ texts: Texts, width: Double
  ) -> Double? {
    var pile = Pile(card)
    forEachPart(of: index, in: storage, texts, width: width) { _, height, bleeds, isContent in
      _ = pile.add(height, bleeds: bleeds, isContent: isContent)
    }
    return pile.hasContent ? pile.height : nil
  }

  /// The width that an item's card wants, at most `limit`; `nil` if it has no text.
  func naturalWidth(of index: Int, _ texts: Texts, limit: Double) -> Double? {
    var widest: Double?
    for case let text? in texts.texts where text.paragraphs.hasLine(index) {
      widest = max(widest ?? 0, text.paragraphs.naturalWidth(of: index))
    }
    return widest.map {
      let (padding, room) = (card.padding, card.leading + card.trailing)
      return min(limit, ((padding.left + padding.right) + room) + $0)
    }
  }

  /// Calls `body` with the parts that are there: the index, the height, whether it bleeds, and
  /// whether it makes a card.
  @inline(__always)
  private func forEachPart(
    of index: Int, in storage: ItemStorage, _ texts: Texts, width: Double,
    _ body: (Int, Double, Bool, Bool) -> Void
  ) {
    let inner = card.innerWidth(of: width)
    for part in card.parts.indices {
      switch card.parts[part] {
      case .text(_, _, let lineHeight, let maxLines):
        let textWidth = card.textWidth(of: width)
        guard let text = texts.texts[part], text.column.hasText(index), textWidth > 0 else {
          continue
        }
        let lines = text.paragraphs.lineCount(
          of: index, in: text.column, width: textWidth, upTo: maxLines)
        if lines > 0 { body(part, step.length(Double(lines) * lineHeight), false, true) }
      case .media(let bleeds, let height):
        guard hasRatios, let ratio = storage.ratio(at: index), bleeds || inner > 0 else {
          continue
        }
        body(part, height ?? step.length((bleeds ? width : inner) / ratio), bleeds, true)
      case .height(let height): body(part, height, false, false)
      }
    }
  }

  /// Whether the height of an item's card is a guess; `nil` if the item has none.
  func isEstimated(of index: Int, in storage: ItemStorage, width: Double) -> Bool? {
    let texts = texts(of: storage)
    var isEstimated: Bool?
    for part in card.parts.indices {
      switch card.parts[part] {
      case .text:
        guard let text = texts.texts[part], card.textWidth(of: width) > 0,
          text.paragraphs.hasLine(index)
        else { continue }
        isEstimated = (isEstimated ?? false) || text.paragraphs.isEstimated(index)
      case .media(let bleeds, _):
        guard hasRatios, storage.ratio(at: index) != nil, bleeds || card.innerWidth(of: width) > 0
        else {
          continue
        }
        isEstimated = isEstimated ?? false
      case .height: continue
      }
    }
    return isEstimated
  }

  // MARK: Parts

  /// The card of an item in a cell of a width; `nil` if the item has none.
  func layout(
    of index: Int, in storage: ItemStorage, width: Double, isRightToLeft: Bool
  ) -> CardOfItem? {
    let texts = texts(of: storage)
    var pile = Pile(card)
    var parts: [CardPart] = []
    var isEstimated = false
    forEachPart(of: index, in: storage, texts, width: width) { part, height, bleeds, isContent in
      let y = pile.add(height, bleeds: bleeds, isContent: isContent)
      var frame = Rect(
        x: bleeds ? 0 : card.padding.left, y: y,
        width: bleeds ? width : max(0, card.innerWidth(of: width)), height: height)
      var lines: ParagraphLines?
      if case .text(_, _, _, let maxLines) = card.parts[part], let text = texts.texts[part] {
        frame.origin.x += card.leading
        frame.size.width = card.textWidth(of: width)
        lines = text.paragraphs.lines(
          of: index, in: text.column, width: frame.size.width, upTo: maxLines)
        isEstimated = isEstimated || text.paragraphs.isEstimated(index)
      }
      if isRightToLeft { frame.origin.x = width - (frame.origin.x + frame.size.width) + 0 }
      parts.append(CardPart(part: part, frame: frame, lines: lines))
    }
    return pile.hasContent ? CardOfItem(parts: parts, isEstimated: isEstimated) : nil
  }

  /// Parts one below the other.
  private struct Pile {
    private let card: Card
    private(set) var hasContent = false
    /// The bottom of the last part.
    private var bottom = 0.0
    private var isEmpty = true
    private var lastBleeds = false

    init(_ card: Card) { self.card = card }

    /// Adds a part.
    ///
    /// - Returns: Its y.
    @inline(__always)
    mutating func add(_ height: Double, bleeds: Bool, isContent: Bool) -> Double {
      let y = isEmpty ? bleeds ? 0 : card.padding.top : bottom + card.spacing
      bottom = y + height
      hasContent = hasContent || isContent
      (isEmpty, lastBleeds) = (false, bleeds)
      return y
    }

    var height: Double {
      max(card.minimumHeight, bottom + (lastBleeds ? 0 : card.padding.bottom))
    }
  }
}
