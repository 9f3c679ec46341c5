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

  /// The parameters when a path fits.
  func match(_ path: borrowing PathSegments) -> PathParameters? {
    guard path.count == segments.count else { return nil }
    var places = InlineArray<4, Range<Int>>(repeating: 0..<0)
    var count = 0
    for index in segments.indices {
      switch segments[index] {
      case .literal(let text): guard path.segment(index, is: text) else { return nil }
      case .parameter:
        places[count] = path.range(of: index)
        count += 1
      }
    }
    return PathParameters(bytes: path.bytes, places: places, count: count)
  }
}

/// A request's path, cut at its slashes.
///
/// Routing is on the hot path, and these are places in the target's bytes, so that it allocates
/// nothing.
struct PathSegments {
  let bytes: ArraySlice<UInt8>
  /// More than are kept, for a path that is longer than any pattern.
  private(set) var count = 0
  private var ranges = InlineArray<8, Range<Int>>(repeating: 0..<0)

  /// - Parameter path: Begins with a slash.
  init(_ path: ArraySlice<UInt8>) {
    bytes = path
    guard path.count > 1 else { return }
    var start = path.startIndex + 1
    for index in start...path.endIndex
    where index == path.endIndex || path[index] == UInt8(ascii: "/") {
      if count < ranges.count { ranges[count] = start..<index }
      count += 1
      start = index + 1
    }
  }

  func range(of index: Int) -> Range<Int> { ranges[index] }

  func segment(_ index: Int, is text: [UInt8]) -> Bool {
    let range = ranges[index]
    guard range.count == text.count else { return false }
    for offset in text.indices where bytes[range.lowerBound + offset] != text[offset] {
      return false
    }
    return true
  }
}

/// What stands in a path at the places of its pattern, still percent-encoded.
struct PathParameters: Sendable {
  private let bytes: ArraySlice<UInt8>
  private let places: InlineArray<4, Range<Int>>
  let count: Int

  init(
    bytes: ArraySlice<UInt8>, places: InlineArray<4, Range<Int>>, count: Int
  ) {
    self.bytes = bytes
    self.places = places
    self.count = count
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[places[index]] }

  /// A parameter as text; `nil` when it is wrongly encoded.
  func text(_ index: Int) -> String? { PercentCoding.decodeText(self[index]) }

  /// A parameter as a decimal number; `nil` for anything else.
  func integer(_ index: Int) -> Int? {
    PercentCoding.decode(self[index]).flatMap { Decimal.integer($0) }
  }
}
