/// Cells in lines, one below the other: galleries, flows and justified rows.
///
/// A kind breaks items into lines with a ``LineBuilder``. This class stores and finds the lines and
/// shares them between versions. Within a line x never decreases, except by less than the body's
/// slack. From line to line neither y nor the bottom of the line decreases.
final class LinesBody: SectionBody {
  let count: Int
  let height: Double
  let reach: Rect
  fileprivate let lines: SharedColumn<Line>
  fileprivate let xs: SharedColumn<Double>
  fileprivate let widths: SharedColumn<Double>
  fileprivate let heights: SharedColumn<Double>
  private let alignment: Alignment
  /// The largest distance by which an item may begin to the left of an item before it in its line.
  private let slack: Double

  /// How items lie in their line.
  enum Alignment: Sendable {
    /// Each item is as high as its line.
    case stretch
    /// Each item has its own height.
    case own(LineAlignment, LengthStep)
  }

  struct Line: BitwiseCopyable {
    let y: Double
    let height: Double
    let firstItem: Int

    @inline(__always)
    var bottom: Double { y + height }
  }

  init(
    _ lines: consuming LineBuilder, alignment: Alignment = .stretch, height: Double,
    slack: Double = 0
  ) {
    self.alignment = alignment
    self.slack = slack
    lines.close()
    count = lines.xs.count
    self.height = height
    self.lines = lines.lines
    xs = lines.xs
    widths = lines.widths
    heights = lines.heights
    reach = Rect(
      x: lines.left, y: 0, width: lines.right - lines.left,
      height: max(height, lines.lastLine?.bottom ?? 0))
  }

  var memoryBytes: Int {
    xs.memoryBytes + widths.memoryBytes + heights.memoryBytes + lines.memoryBytes + 256
  }

  /// Bytes held that another body does not hold.
  func unsharedBytes(besides other: LinesBody) -> Int {
    xs.memoryBytes(besides: other.xs) + widths.memoryBytes(besides: other.widths)
      + heights.memoryBytes(besides: other.heights) + lines.memoryBytes + 256
  }

  var lineCount: Int { lines.count }

  private func items(inLine line: Int) -> Range<Int> {
    lines[line].firstItem..<(line + 1 < lines.count ? lines[line + 1].firstItem : count)
  }

  fileprivate func line(of item: Int) -> Int {
    partitionPoint(in: 0..<lines.count) { lines[$0].firstItem <= item } - 1
  }

  @inline(__always)
  private func frame(_ item: Int, in line: Line) -> Rect {
    var frame = Rect(x: xs[item], y: line.y, width: widths[item], height: line.height)
    if case .own(let alignment, let step) = alignment {
      frame.size.height = heights[item]
      let space = line.height - frame.size.height
      switch alignment {
      case .center: frame.origin.y += step.length(space / 2)
      case .top: break
      case .bottom: frame.origin.y += space
      }
    }
    return frame
  }

  func frame(of item: Int) -> Rect { frame(item, in: lines[line(of: item)]) }

  /// An item also decides how the line before it is laid out.
  func firstItem(dependingOn item: Int) -> Int {
    lines.count == 0
      ? 0 : lines[max(0, line(of: min(item, count - 1)) - 1)].firstItem
  }

  func outermostFrames(of items: Range<Int>) -> [Rect] {
    let top = lines[line(of: items.lowerBound)].y
    let bottom = lines[line(of: items.upperBound - 1)].bottom
    return [
      Rect(x: reach.origin.x, y: top, width: reach.size.width, height: bottom - top).widened
    ]
  }

  func offerFrames(in rect: Rect, from item: Int, to sink: inout FrameSink) -> Bool {
    guard item < count else { return true }
    let guess = Int(clamping: rect.origin.y / height * Double(lines.count))
    let first = partitionPoint(in: 0..<lines.count, near: guess) {
      lines[$0].bottom < rect.origin.y
    }
    for line in max(first, item > 0 ? self.line(of: item) : 0)..<max(first, lines.count) {
      let place = lines[line]
      if place.y > rect.maxY { return true }
      let items = items(inLine: line)
      // Items may overlap, because x + width may exceed the next item's x. But no later item begins
      // further left than the slack.
      for index in items.from(item) {
        if xs[index] > rect.maxX + slack { break }
        if !sink.offer(index, frame(index, in: place)) { return false }
      }
    }
    return true
  }
}

/// Collects lines from the top.
struct LineBuilder {
  fileprivate var lines = SharedColumn<LinesBody.Line>(pieceCount: 1024)
  fileprivate var xs = SharedColumn<Double>()
  fileprivate var widths = SharedColumn<Double>()
  /// Of items that are not as high as their line.
  fileprivate var heights = SharedColumn<Double>()
  /// The leftmost and the rightmost edge of all items.
  fileprivate var left = 0.0
  fileprivate var right = 0.0

  /// Continues from an earlier body. It keeps the lines before the line of the last unchanged item.
  ///
  /// A line depends on its own items and on the item behind them.
  init(after earlier: EarlierBody?) {
    guard let earlier, let body = earlier.body as? LinesBody, earlier.firstChanged > 0 else {
      return
    }
    let line = body.line(of: min(earlier.firstChanged, body.count) - 1)
    guard line > 0 else { return }
    let end = body.lines[line].firstItem
    lines = body.lines.prefix(line)
    xs = body.xs.prefix(end)
    widths = body.widths.prefix(end)
    if body.heights.count > 0 { heights = body.heights.prefix(end) }
    left = body.reach.origin.x
    right = body.reach.maxX
  }

  /// How many items have been placed.
  var itemCount: Int { xs.count }
  var lastLine: LinesBody.Line? { lines.count == 0 ? nil : lines[lines.count - 1] }

  mutating func beginLine(y: Double, height: Double) {
    lines.append(LinesBody.Line(y: y, height: height, firstItem: xs.count))
  }

  /// Adds an item to the line that was begun last.
  @inline(__always)
  mutating func add(x: Double, width: Double) {
    widths.append(width)
    place(x: x, width: width)
  }

  /// Adds an item that has its own height, and whose line is not complete yet.
  @inline(__always)
  mutating func add(_ size: Size) {
    widths.append(size.width)
    heights.append(size.height)
  }

  /// Places items that were added by their sizes in the line that was begun last.
  ///
  /// - Parameters:
  ///   - x: Of the first of them.
  ///   - gap: The distance from one to the next.
  mutating func place(_ count: Int, from x: Double, gap: Double) {
    var x = x
    for item in xs.count..<xs.count + count {
      let width = widths[item]
      place(x: x, width: width)
      x += width + gap
    }
  }

  @inline(__always)
  private mutating func place(x: Double, width: Double) {
    xs.append(x)
    left = min(left, x)
    right = max(right, x + width)
  }

  fileprivate mutating func close() {
    lines.close()
    xs.close()
    widths.close()
    heights.close()
  }
}

/// How items that are lower than their line are aligned in it.
public enum LineAlignment: String, CaseIterable, Sendable { case center, top, bottom }
