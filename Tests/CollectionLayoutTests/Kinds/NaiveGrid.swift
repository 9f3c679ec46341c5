import TestSupport

@testable import CollectionLayout

/// A grid on squared paper: each place of each row is taken or not.
enum NaiveGrid: NaiveKind {
  typealias Layout = GridLayout

  private struct Place {
    var row: Int
    var column: Int
  }

  private struct Options {
    var isTallest = false
    var isDense = false

    init(_ options: GivenOptions) {
      isTallest = options.word("rowSizing", else: "fixed") == "tallest"
      isDense = options.word("placement", else: "sparse") == "dense"
    }
  }

  static func isUniform(
    _ items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) -> Bool {
    let isTallest = Options(options).isTallest
    return items.allSatisfy { item in
      (item.columnSpan ?? 1) == 1 && item.column == nil
        && (isTallest
          ? item.ratio == nil && container.height(of: item) == nil : (item.rowSpan ?? 1) == 1)
    }
  }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    let words = Options(options)
    let columnSpacing = options.number("columnSpacing", else: 5)
    let rowSpacing = container.step(options.number("rowSpacing", else: 5))
    let columns = try container.columns(
      options, spacing: columnSpacing,
      areNamed: items.contains {
        ($0.columnSpan ?? 1) > 1 || $0.column != nil
          || !words.isTallest && ($0.rowSpan ?? 1) > 1
      })
    let itemWidth =
      (container.width - columnSpacing * Double(columns - 1)) / Double(columns)
    var rowHeight = container.step(options.number("rowHeight", else: 50))
    if let ratio = options.number("itemAspectRatio") {
      rowHeight = container.height(ofWidth: itemWidth, ratio: ratio) + rowSpacing
    }
    guard itemWidth > 0, rowSpacing < rowHeight else { throw NaiveFault() }

    var taken: [[Bool]] = []
    var cursor = Place(row: 0, column: 0)
    var places: [Place] = []
    var spans: [Int] = []
    var rowSpans: [Int] = []
    for item in items {
      let span = Int(min(item.columnSpan ?? 1, Double(columns)))
      let rowSpan = words.isTallest ? 1 : Int(item.rowSpan ?? 1)
      func fits() -> Bool {
        if cursor.column + span > columns { return false }
        // Below the lowest place that is taken, all are free.
        for row in cursor.row..<min(cursor.row + rowSpan, max(taken.count, cursor.row)) {
          for column in cursor.column..<cursor.column + span where taken[row][column] {
            return false
          }
        }
        return true
      }
      if words.isDense { cursor = Place(row: 0, column: 0) }
      if let column = item.column {
        let first = min(Int(column), columns - span)
        if first < cursor.column { cursor.row += 1 }
        cursor.column = first
        while !fits() { cursor.row += 1 }
      } else {
        while !fits() {
          cursor.column += 1
          if cursor.column >= columns { cursor = Place(row: cursor.row + 1, column: 0) }
        }
      }
      for row in cursor.row..<cursor.row + rowSpan {
        while taken.count <= row { taken.append(Array(repeating: false, count: columns)) }
        for column in cursor.column..<cursor.column + span { taken[row][column] = true }
      }
      places.append(cursor)
      spans.append(span)
      rowSpans.append(rowSpan)
    }

    let lowest = taken.count
    var body = NaiveBody()
    func frame(_ item: Int, y: Double, height: Double) -> Rect {
      Rect(
        x: Double(places[item].column) * (itemWidth + columnSpacing), y: y,
        width: Double(spans[item]) * itemWidth + Double(spans[item] - 1) * columnSpacing,
        height: height)
    }
    guard words.isTallest else {
      for item in items.indices {
        body.frames.append(
          frame(
            item, y: Double(places[item].row) * rowHeight,
            height: Double(rowSpans[item]) * rowHeight - rowSpacing))
      }
      if !items.isEmpty { body.height = Double(lowest) * rowHeight - rowSpacing }
      return body
    }
    let heights = items.indices.map { item in
      container.height(
        of: items[item], ofWidth: frame(item, y: 0, height: 0).size.width,
        else: rowHeight - rowSpacing)
    }
    var rowHeights = [Double](repeating: 0, count: lowest)
    for item in items.indices {
      rowHeights[places[item].row] = max(rowHeights[places[item].row], heights[item])
    }
    var tops = [0.0]
    for height in rowHeights { tops.append((tops.last! + height) + rowSpacing) }
    for item in items.indices {
      let row = places[item].row
      let (top, height) = (tops[row], heights[item])
      let free = rowHeights[row] - height
      switch options.word("itemAlignment", else: "stretch") {
      case "start": body.frames.append(frame(item, y: top, height: height))
      case "center":
        body.frames.append(frame(item, y: top + container.edge(free / 2), height: height))
      case "end": body.frames.append(frame(item, y: top + free, height: height))
      default: body.frames.append(frame(item, y: top, height: rowHeights[row]))
      }
    }
    if lowest > 0 { body.height = tops[lowest - 1] + rowHeights[lowest - 1] }
    return body
  }

  static func options(
    for container: NaiveContainer, by random: inout SeededGenerator
  ) -> GivenOptions {
    var options = GivenOptions()
    switch random.integer(0...3) {
    case 0: options["minimumColumnWidth"] = random.option(1...container.width)
    case 1: break
    default: options["columns"] = .number(Double(random.integer(1...7)))
    }
    if random.chance(25) { options["maximumColumns"] = .number(Double(random.integer(1...5))) }
    switch random.integer(0...3) {
    case 0: options["itemAspectRatio"] = random.option(0.1...5)
    case 1: break
    default: options["rowHeight"] = random.option(20...200)
    }
    if random.chance(60) { options["columnSpacing"] = random.option(0...20) }
    if random.chance(60) { options["rowSpacing"] = random.option(0...22) }
    if random.chance(10) { options.takeManyColumns(by: &random) }
    if random.chance(50) { options["rowSizing"] = "tallest" }
    if random.chance(40) { options["placement"] = "dense" }
    if random.chance(60) {
      options["itemAlignment"] = .string(
        random.element(of: GridLayout.ItemAlignment.allCases.map(\.rawValue)))
    }
    return options
  }
}

extension GivenOptions {
  /// Many more columns than items reach.
  mutating func takeManyColumns(by random: inout SeededGenerator) {
    self["minimumColumnWidth"] = nil
    self["columns"] = .number(Double(random.integer(65...200)))
    self["columnSpacing"] = random.option(0...0.1)
    self["cellPadding"] = nil
  }
}

extension NaiveContainer {
  /// The number of columns of a grid or waterfall.
  ///
  /// - Parameter areNamed: Whether any item covers several columns or names one.
  func columns(
    _ options: GivenOptions, spacing: Double, areNamed: Bool
  ) throws(NaiveFault) -> Int {
    var columns = options.number("columns", else: 2)
    let maximum = options.number("maximumColumns")
    if let minimum = options.number("minimumColumnWidth") {
      columns = max(1, ((width + spacing) / (minimum + spacing) * (1 + 1e-9)).rounded(.down))
      if let maximum { columns = min(columns, maximum) }
    }
    guard !areNamed || columns <= 10_000 && (maximum ?? 0) <= 10_000 else { throw NaiveFault() }
    return Int(columns)
  }
}
