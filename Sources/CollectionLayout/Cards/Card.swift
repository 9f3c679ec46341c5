/// What a cell is made of, from the top: texts, a picture, and room for something else. The heights
/// of cells follow from it.
///
///     ┌ padding ───────────────────────┐
///     │ media                          │ as high as the item's ratio says
///     │ spacing                        │
///     │ leading │ text       │ trailing│ as high as its lines
///     │ spacing                        │
///     │ height                         │
///     └────────────────────────────────┘
public struct Card: Equatable, Sendable {
  /// The most parts of a card.
  public static let maxParts = 32

  /// What a card is made of, from the top.
  public enum Part: Equatable, Sendable {
    /// The item's text of a name, if the item has it and it has a line. It has at most `maxLines`
    /// lines, each `lineHeight` high, in CSS pixels.
    case text(String, ParagraphStyle, lineHeight: Double, maxLines: Int)
    /// The item's picture, if its ratio is known. If it bleeds, it is as wide as the cell. With a
    /// height, in points, ≥ 0, it is that high, and the page crops it.
    case media(bleeds: Bool, height: Double?)
    /// Something of this height, in points, ≥ 0.
    case height(Double)
  }

  /// The room around the parts. All lengths of a card are in points, ≥ 0.
  public var padding = EdgeInsets(all: 0)
  /// The distance between two parts.
  public var spacing = 0.0
  /// The room in front of each text.
  public var leading = 0.0
  /// The room behind each text.
  public var trailing = 0.0
  /// The least height of a card.
  public var minimumHeight = 0.0
  /// The greatest height of a card, > 0; `nil` for none. A cell that would be higher is cut.
  public var maximumHeight: Double?
  /// From the top; at least one.
  public var parts: [Part]

  /// The card with its lengths along the scroll direction in whole steps.
  func stepped(by step: LengthStep) -> Card {
    var card = self
    card.padding.top = step.length(padding.top)
    card.padding.bottom = step.length(padding.bottom)
    card.spacing = step.length(spacing)
    card.minimumHeight = step.length(minimumHeight)
    card.maximumHeight = maximumHeight.map { step.length($0) }
    card.parts = parts.map {
      switch $0 {
      case .height(let height): .height(step.length(height))
      case .media(let bleeds, let height?): .media(bleeds: bleeds, height: step.length(height))
      default: $0
      }
    }
    return card
  }

  /// What is left for parts of a cell's width.
  @inline(__always)
  func innerWidth(of width: Double) -> Double { width - (padding.left + padding.right) }

  /// What is left for texts of a cell's width.
  @inline(__always)
  func textWidth(of width: Double) -> Double { innerWidth(of: width) - (leading + trailing) }

  var hasMedia: Bool {
    parts.contains { if case .media = $0 { true } else { false } }
  }

  var memoryBytes: Int {
    parts.reduce(128 + parts.count * MemoryLayout<Part>.stride) { bytes, part in
      guard case .text(_, let style, _, _) = part else { return bytes }
      return bytes + 200 + style.fonts.reduce(0) { $0 + 48 + $1.utf8.count }
    }
  }
}

/// A part of a card as it lies in its cell.
public struct CardPart: Equatable, Sendable {
  /// Its index in the parts of the card.
  public let part: Int
  /// In points, relative to the cell.
  public var frame: Rect
  /// The lines of a text; `nil` for other parts.
  public let lines: ParagraphLines?
}

/// The card of an item as it lies in its cell.
public struct CardOfItem: Equatable, Sendable {
  /// The parts that are there, from the top.
  public var parts: [CardPart]
  /// Whether a text may have other lines in a browser.
  public let isEstimated: Bool
}
