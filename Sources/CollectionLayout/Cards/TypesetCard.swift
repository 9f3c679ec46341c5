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
  /// - Throws: ``LayoutError/refused(_:)``.
  func texts(of items: Items) throws(LayoutError) -> CardTexts {
    var shaped: CardTexts = [:]
    for block in items.blocks {
      guard let storage = block.storage, shaped[storage] == nil else { continue }
      var texts: [(any Paragraphs)?] = []
      for (part, setting) in zip(card.parts, settings) {
        guard case .text(let name, _, _, _) = part, let setting else {
          texts.append(nil)
          continue
        }
        texts.append(try storage.texts?.column(.text(name))?.paragraphs(by: setting))
      }
      if texts.contains(where: { $0 != nil }) { shaped[storage] = texts }
    }
    return shaped
  }

  // MARK: Heights

  /// Whether any item of a storage may have a card.
  ///
  /// - Parameter texts: Those of the storage, here and in what follows.
  func mayApply(to storage: ItemStorage, _ texts: [(any Paragraphs)?]?) -> Bool {
    texts != nil || hasRatios && card.hasMedia && storage.mayHaveRatios
  }

  /// Writes the heights of the cards of a storage's items. Other items keep theirs.
  ///
  /// - Parameter width: The width of a cell, by its place in the run.
  func readHeights(
    of storage: ItemStorage?, _ run: Range<Int>, _ texts: CardTexts,
    ofWidths width: (Int) -> Double, into heights: UnsafeMutablePointer<Double>
  ) {
    guard let storage else { return }
    let texts = texts[storage]
    guard mayApply(to: storage, texts) else { return }
    for place in 0..<run.count {
      let index = run.lowerBound + place
      if let height = height(of: index, in: storage, texts, width: width(place)) {
        heights[place] = height
      }
    }
  }

  /// Whether an item's card is higher than cards may be.
  func isCut(_ index: Int, in storage: ItemStorage, _ texts: CardTexts, width: Double) -> Bool {
    guard let most = card.maximumHeight else { return false }
    return fullHeight(of: index, in: storage, texts[storage], width: width) ?? 0 > most
  }

  /// The height of an item's card in a cell of a width; `nil` if the item has none.
  func height(
    of index: Int, in storage: ItemStorage, _ texts: [(any Paragraphs)?]?, width: Double
  ) -> Double? {
    let height = fullHeight(of: index, in: storage, texts, width: width)
    return height.map { min($0, card.maximumHeight ?? .infinity) }
  }

  private func fullHeight(
    of index: Int, in storage: ItemStorage, _ texts: [(any Paragraphs)?]?, width: Double
  ) -> Double? {
    var pile = Pile(card)
    forEachPart(of: index, in: storage, texts, width: width) { _, height, bleeds, isContent in
      _ = pile.add(height, bleeds: bleeds, isContent: isContent)
    }
    return pile.hasContent ? pile.height : nil
  }

  /// The width that an item's card wants, at most `limit`; `nil` if it has no text.
  func naturalWidth(of index: Int, _ texts: [(any Paragraphs)?]?, limit: Double) -> Double? {
    var widest: Double?
    for case let text? in texts ?? [] where text.hasLine(index) {
      widest = max(widest ?? 0, text.naturalWidth(of: index))
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
    of index: Int, in storage: ItemStorage, _ texts: [(any Paragraphs)?]?, width: Double,
    _ body: (Int, Double, Bool, Bool) -> Void
  ) {
    let inner = card.innerWidth(of: width)
    for part in card.parts.indices {
      switch card.parts[part] {
      case .text(_, _, let lineHeight, let maxLines):
        let textWidth = card.textWidth(of: width)
        guard let text = texts?[part], textWidth > 0 else { continue }
        let lines = text.lineCount(of: index, width: textWidth, upTo: maxLines)
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
  func isEstimated(
    of index: Int, in storage: ItemStorage, _ texts: CardTexts, width: Double
  ) -> Bool? {
    let texts = texts[storage]
    var isEstimated: Bool?
    for part in card.parts.indices {
      switch card.parts[part] {
      case .text:
        guard let text = texts?[part], card.textWidth(of: width) > 0, text.hasLine(index)
        else { continue }
        isEstimated = (isEstimated ?? false) || text.isEstimated(index)
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
    of index: Int, in storage: ItemStorage, _ texts: CardTexts, width: Double, isRightToLeft: Bool
  ) -> CardOfItem? {
    let texts = texts[storage]
    var pile = Pile(card)
    var parts: [CardPart] = []
    var isEstimated = false
    forEachPart(of: index, in: storage, texts, width: width) { part, height, bleeds, isContent in
      let y = pile.add(height, bleeds: bleeds, isContent: isContent)
      var frame = Rect(
        x: bleeds ? 0 : card.padding.left, y: y,
        width: bleeds ? width : max(0, card.innerWidth(of: width)), height: height)
      var lines: ParagraphLines?
      if case .text(_, _, _, let maxLines) = card.parts[part], let text = texts?[part] {
        frame.origin.x += card.leading
        frame.size.width = card.textWidth(of: width)
        lines = text.lines(of: index, width: frame.size.width, upTo: maxLines)
        isEstimated = isEstimated || text.isEstimated(index)
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

/// The shaped texts of a card, by the storage of its items. For each part of the card there are
/// those of all items; `nil` if it is no text, or nobody has it.
typealias CardTexts = [ObjectIdentifier: [(any Paragraphs)?]]

extension CardTexts {
  subscript(storage: ItemStorage) -> [(any Paragraphs)?]? {
    get { self[ObjectIdentifier(storage)] }
    set { self[ObjectIdentifier(storage)] = newValue }
  }

  /// What holds the texts. Several may be one.
  var paragraphs: [any Paragraphs] { values.flatMap { $0.compactMap { $0 } } }
}
