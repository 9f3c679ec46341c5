public import CollectionLayout

/// Writes transitions as `{"appearing": […], "disappearing": […], "moving": […]}`.
public struct TransitionsEncoder {
  private var appearing: TransitionList
  private var disappearing: TransitionList
  private var moving: TransitionList

  /// - Parameter details: What cells have beside frame and id; no parts.
  public init(precision: CoordinatePrecision = .readable, details: CellDetails = []) {
    appearing = TransitionList(precision, details)
    disappearing = TransitionList(precision, details)
    moving = TransitionList(precision, details)
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

  init(_ precision: CoordinatePrecision, _ details: CellDetails) {
    encoder = ElementsEncoder(JSONWriter(precision: precision))
    encoder.details = details
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
