public import CollectionLayout

/// Writes transitions as `{"appearing": […], "disappearing": […], "moving": […]}`.
public struct TransitionsEncoder {
  private var appearing: TransitionList
  private var disappearing: TransitionList
  private var moving: TransitionList

  /// - Parameter wantsData: Whether cells have the data of their items.
  public init(precision: CoordinatePrecision = .readable, wantsData: Bool = false) {
    appearing = TransitionList(precision, wantsData)
    disappearing = TransitionList(precision, wantsData)
    moving = TransitionList(precision, wantsData)
  }

  /// About how many bytes there will be.
  public var count: Int {
    appearing.encoder.count + disappearing.encoder.count + moving.encoder.count
  }

  public mutating func encode(_ transition: CollectionChange.Transition) {
    switch transition {
    case .appearing(let series, let to): appearing.add(series, from: nil, to: to)
    case .disappearing(let series, let from): disappearing.add(series, from: from, to: nil)
    case .moving(let series, let from, let to): moving.add(series, from: from, to: to)
    }
  }

  /// The transitions as text.
  public var text: [UInt8] {
    var writer = JSONWriter(capacity: count + 64)
    write(to: &writer)
    return writer.bytes
  }
}

extension TransitionsEncoder: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["appearing"] = appearing
      $0["disappearing"] = disappearing
      $0["moving"] = moving
    }
  }
}

private struct TransitionList: JSONWritable {
  var encoder: ElementsEncoder
  private var isFirst = true

  init(_ precision: CoordinatePrecision, _ wantsData: Bool) {
    encoder = ElementsEncoder(JSONWriter(precision: precision))
    encoder.wantsData = wantsData
  }

  func write(to writer: inout JSONWriter) {
    writer.write("[")
    writer.write(raw: encoder.writer.bytes)
    writer.write("]")
  }

  mutating func add(_ series: ElementSeries, from: LayoutAttributes?, to: LayoutAttributes?) {
    encoder.writer.write(isFirst ? "{" : ",{")
    isFirst = false
    encoder.begin(series)
    if let from {
      encoder.writer.write("\"from\":")
      encoder.encodeObject(from)
    }
    if from != nil && to != nil { encoder.writer.write(",") }
    if let to {
      encoder.writer.write("\"to\":")
      encoder.encodeObject(to)
    }
    encoder.writer.write("}")
  }
}
