import CollectionLayout
import WireFormat

/// Measures prepare, query, encode and update for each kind and size.
struct KindBenchmark {
  private let patience: Patience
  /// The largest number of elements for which the dictionary is measured.
  private let attributeDictionaryLimit: Int
  /// The number of windows. It is so large that the elements of a large layout are not in the
  /// processor's caches, as with many viewers.
  private static let windowCount = 16_384

  private var prepare = MarkdownTable(
    "Prepare",
    columns: [
      "kind, form", "elements", "body", "read", "lay out", "both", "least", "ns/element",
      "simdjson", "both / it", "dictionary", "lay out / it", "B/element", "allocated",
    ])
  private var query = MarkdownTable(
    "Query a window of 1200 × 1600",
    columns: [
      "kind, form", "elements", "found", "query", "least", "ns/found", "dictionary", "query / it",
    ])
  private var encode = MarkdownTable(
    "Encode what a query found",
    columns: [
      "kind, form", "elements", "answer", "encode", "least", "ns/found", "MB/s", "memcpy",
      "encode / it",
    ])
  private var update = MarkdownTable(
    "Update one element in the middle",
    columns: [
      "kind, form", "elements", "update", "least", "lay out anew", "update / it", "dictionary",
      "update / that",
    ])

  init(patience: Patience, attributeDictionaryLimit: Int) {
    self.patience = patience
    self.attributeDictionaryLimit = attributeDictionaryLimit
  }

  var tables: [MarkdownTable] { [prepare, query, encode, update] }

  mutating func measure(_ workload: Workload, count: Int) throws {
    let rival = dictionaryTimes(workload, count)
    let (collection, layingOut) = try measurePrepare(workload, count, rival)
    let windows = workload.windows(Self.windowCount, in: collection.prepared.contentSize)
    measureQuery(workload, count, collection, windows, rival)
    measureEncode(workload, count, collection, Array(windows.prefix(256)))
    try measureUpdate(workload, count, collection, layingOut, rival)
  }

  // MARK: The dictionary

  /// The times of an ``AttributeDictionary`` with the same elements.
  private struct DictionaryTimes {
    let preparing: Measurement
    let querying: Measurement
  }

  private func dictionaryTimes(_ workload: Workload, _ count: Int) -> DictionaryTimes? {
    guard let make = workload.attributeDictionary, count <= attributeDictionaryLimit else {
      return nil
    }
    let dictionary = make(count)
    let height = dictionary.elements(
      in: Rect(x: -1e18, y: -1e18, width: 2e18, height: 2e18)
    ).reduce(0) { max($0, $1.frame.maxY) }
    let windows = workload.windows(
      8, in: Size(width: Workload.window.width, height: height))
    let preparing = Measurement.of(within: patience, keeping: \.count) { make(count) }
    let querying = Measurement.of(within: patience, keeping: \.self) {
      windows.reduce(0) { $0 + dictionary.elements(in: $1).count }
    }
    return DictionaryTimes(preparing: preparing, querying: querying.divided(by: windows.count))
  }

  // MARK: Prepare

  private mutating func measurePrepare(
    _ workload: Workload, _ count: Int, _ rival: DictionaryTimes?
  ) throws -> (PreparedCollection, layingOut: Measurement) {
    let text = workload.prepareText(count)
    func read() throws -> PrepareRequest {
      try PrepareRequest(text.bytes, kind: workload.kind, maxItems: .max)
    }
    let allocated = ProcessMemory.allocated
    let collection = try read().prepared()
    let held = ProcessMemory.allocated - allocated
    var reading = Stopwatch(patience)
    var layingOut = Stopwatch(patience)
    var both = Stopwatch(patience)
    while both.goesOn {
      let request = try reading.time(read)
      Sink.take(try layingOut.time { try request.prepared() }.memoryBytes)
      Sink.take(try both.time { try read().prepared() }.memoryBytes)
    }
    let limit = Measurement.of(within: patience, keeping: \.exponentBits) {
      text.scanWithSimdJSON()
    }
    let total = both.measurement
    prepare.append([
      workload.name, Figure.count(count), Figure.bytes(text.count),
      Figure.time(reading.measurement.median), Figure.time(layingOut.measurement.median),
      Figure.time(total.median), Figure.time(total.minimum),
      Figure.number(total.median.inNanoseconds / Double(count)),
      Figure.time(limit.median), Figure.ratio(total.median, to: limit.median),
      rival.map { Figure.time($0.preparing.median) } ?? "",
      rival.map { Figure.ratio(layingOut.measurement.median, to: $0.preparing.median) } ?? "",
      Figure.number(Double(collection.memoryBytes) / Double(count)),
      Figure.number(Double(max(0, held)) / Double(count)),
    ])
    return (collection, layingOut.measurement)
  }

  // MARK: Query

  private mutating func measureQuery(
    _ workload: Workload, _ count: Int, _ collection: PreparedCollection, _ windows: [Rect],
    _ rival: DictionaryTimes?
  ) {
    let prepared = collection.prepared
    func found() -> Int {
      var sum = 0
      for window in windows {
        _ = ElementQuery(rect: window).forEachBatch(
          of: prepared, begin: { _ in },
          { elements in
            Sink.take(elements[elements.count - 1].indexPath.item)
            sum += elements.count
            return elements.count
          })
      }
      return sum
    }
    let perWindow = Double(found()) / Double(windows.count)
    let time = Measurement.of(within: patience, keeping: \.self, found)
      .divided(by: windows.count)
    query.append([
      workload.name, Figure.count(count), Figure.number(perWindow), Figure.time(time.median),
      Figure.time(time.minimum), Figure.number(time.median.inNanoseconds / max(perWindow, 1)),
      rival.map { Figure.time($0.querying.median) } ?? "",
      rival.map { Figure.ratio(time.median, to: $0.querying.median) } ?? "",
    ])
  }

  // MARK: Encode

  private mutating func measureEncode(
    _ workload: Workload, _ count: Int, _ collection: PreparedCollection, _ windows: [Rect]
  ) {
    typealias Answer = [(series: ElementSeries, elements: [PlacedElement])]
    let answers = windows.map { window in
      var answer: Answer = []
      _ = collection.prepared.forEachElement(in: ElementQuery(rect: window)) {
        if answer.last?.series != $0 { answer.append(($0, [])) }
        answer[answer.count - 1].elements.append(PlacedElement($1))
      }
      return answer
    }
    // One encoder for all answers, as in the server's threads.
    var encoder = ElementsEncoder(JSONWriter(capacity: 0))
    func encoded(_ answer: Answer) -> [UInt8] {
      encoder.restart(JSONWriter(capacity: 16 << 10))
      for (series, elements) in answer {
        encoder.begin(series)
        _ = encoder.encode(elements.span, of: collection.prepared, upTo: .max)
      }
      return encoder.finish()
    }
    let texts = answers.map(encoded)
    let byteCount = texts.reduce(0) { $0 + $1.count }
    let foundCount = answers.joined().reduce(0) { $0 + $1.elements.count }
    let time = Measurement.of(within: patience, keeping: \.self) {
      answers.reduce(0) { $0 + encoded($1).count }
    }.divided(by: windows.count)
    let limit = Measurement.of(within: patience, keeping: \.self) {
      texts.reduce(0) { sum, text in
        let copy = [UInt8](unsafeUninitializedCapacity: text.count) { buffer, count in
          count = text.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
            return source.count
          }
        }
        return sum + Int(copy.last ?? 0)
      }
    }.divided(by: windows.count)
    encode.append([
      workload.name, Figure.count(count), Figure.bytes(byteCount / windows.count),
      Figure.time(time.median), Figure.time(time.minimum),
      Figure.number(
        time.median.inNanoseconds * Double(windows.count) / Double(max(foundCount, 1))),
      Figure.number(
        Double(byteCount / windows.count) / max(time.median.inNanoseconds, 1) * 1000),
      Figure.time(limit.median), Figure.ratio(time.median, to: limit.median),
    ])
  }

  // MARK: Update

  private mutating func measureUpdate(
    _ workload: Workload, _ count: Int, _ collection: PreparedCollection, _ layingOut: Measurement,
    _ rival: DictionaryTimes?
  ) throws {
    let text = RequestText(workload.updateText(count))
    let time = try Measurement.of(within: patience, keeping: \.next.memoryBytes) {
      try UpdatesRequest(text.bytes, kind: workload.kind, maxItems: .max)
        .applied(to: collection)
    }
    update.append([
      workload.name, Figure.count(count), Figure.time(time.median), Figure.time(time.minimum),
      Figure.time(layingOut.median), Figure.ratio(time.median, to: layingOut.median),
      rival.map { Figure.time($0.preparing.median) } ?? "",
      rival.map { Figure.ratio(time.median, to: $0.preparing.median) } ?? "",
    ])
  }
}

extension Double {
  /// Some bits of the value, for ``Sink``.
  fileprivate var exponentBits: Int { Int(exponentBitPattern) }
}
