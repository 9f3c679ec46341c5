/// A path with places for parameters: `/layouts/{id}/elements`.
struct PathPattern: Sendable {
  let text: String
  private let segments: [Segment]

  private enum Segment: Sendable {
    case literal([UInt8])
    case parameter
  }

  init(_ text: String) {
    self.text = text
    segments = text.split(separator: "/").map {
      $0.hasPrefix("{") ? .parameter : .literal(Array($0.utf8))
    }
  }

  /// The parameters' raw bytes, in order, when a path fits.
  func match(_ path: PathSegments) -> PathParameters? {
    guard path.segments.count == segments.count else { return nil }
    var parameters = PathParameters()
    for (segment, part) in zip(segments, path.segments) {
      switch segment {
      case .literal(let text): guard part.elementsEqual(text) else { return nil }
      case .parameter: parameters.values.append(part)
      }
    }
    return parameters
  }
}

/// A request's path, cut at its slashes.
struct PathSegments {
  let segments: [ArraySlice<UInt8>]

  /// - Parameter path: Begins with a slash.
  init(_ path: ArraySlice<UInt8>) {
    segments =
      path.count <= 1
      ? []
      : path.dropFirst().split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }
}

/// What stands in a path at the places of its pattern, still percent-encoded.
struct PathParameters: Sendable {
  var values: [ArraySlice<UInt8>] = []

  subscript(index: Int) -> ArraySlice<UInt8> { values[index] }

  /// A parameter as text; `nil` when it is wrongly encoded.
  func text(_ index: Int) -> String? { PercentCoding.decodeText(values[index]) }

  /// A parameter as a decimal number; `nil` for anything else.
  func integer(_ index: Int) -> Int? {
    PercentCoding.decode(values[index]).flatMap { Decimal.integer($0) }
  }
}
