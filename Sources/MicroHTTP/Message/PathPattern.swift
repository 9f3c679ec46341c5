/// A path with places for parameters: `/layouts/{id}/elements`.
///
/// Routing is on the hot path. So this is plain data, ranges of the bytes of a literal, which
/// counts no references.
package struct PathPattern: Sendable {
  private let literal: StaticString
  private var segments = PathSegments.Each<Segment>(repeating: Segment())
  package let segmentCount: Int

  private struct Segment: Sendable {
    var start: UInt16 = 0
    var count: UInt16 = 0
    var isParameter = false
  }

  package init(_ literal: StaticString) {
    self.literal = literal
    let bytes = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    let path = PathSegments(bytes.span)
    precondition(path.count <= PathSegments.capacity, "\(literal) is too long")
    segmentCount = path.count
    for index in 0..<path.count {
      let range = path[index]
      segments[index] = Segment(
        start: UInt16(range.lowerBound), count: UInt16(range.count),
        isParameter: bytes[range.lowerBound] == UInt8(ascii: "{"))
    }
  }

  package var text: String { "\(literal)" }

  /// The ranges of the parameters, if a path matches. The path must have the same number of
  /// segments. No parameter may be empty.
  package func match(
    _ path: borrowing PathSegments, in bytes: Span<UInt8>
  ) -> PathParameters.Places? {
    var places = PathParameters.Places()
    for index in 0..<segmentCount {
      let (segment, range) = (segments[index], path[index])
      if segment.isParameter {
        guard !range.isEmpty else { return nil }
        places.append(range)
        continue
      }
      guard range.count == segment.count else { return nil }
      let text = UnsafeBufferPointer(
        start: literal.utf8Start + Int(segment.start), count: range.count)
      guard bytes.extracting(range).starts(with: text) else { return nil }
    }
    return places
  }
}

/// A path, split at its slashes.
package struct PathSegments {
  /// An array with as many elements as the longest pattern has segments.
  package typealias Each<Element> = InlineArray<6, Element>
  package static let capacity = Each<Int>.count

  /// The number of segments. It exceeds ``capacity`` for a path that is longer than any pattern.
  package private(set) var count = 0
  private var ranges = Each<Range<Int>>(repeating: 0..<0)

  /// - Parameter path: A path that begins with a slash.
  package init(_ path: Span<UInt8>) {
    guard path.count > 1 else { return }
    var start = 1
    while start <= path.count {
      let end = path.firstIndex(of: UInt8(ascii: "/"), from: start) ?? path.count
      if count < Self.capacity { ranges[count] = start..<end }
      count += 1
      start = end + 1
    }
  }

  package subscript(index: Int) -> Range<Int> { ranges[index] }
}

/// The parameters of a path, still percent-encoded.
package struct PathParameters: Sendable {
  /// The ranges of parameters in a path.
  package struct Places: Sendable {
    @usableFromInline var ranges = PathSegments.Each<Range<Int>>(repeating: 0..<0)
    fileprivate(set) var count = 0

    mutating func append(_ range: Range<Int>) {
      ranges[count] = range
      count += 1
    }
  }

  @usableFromInline let target: RequestTarget
  @usableFromInline let places: Places

  package init(_ places: Places, in target: RequestTarget) {
    self.places = places
    self.target = target
  }

  package var count: Int { places.count }

  /// Calls `body` with the bytes of a parameter.
  @inlinable
  package func read<R>(_ index: Int, _ body: (Span<UInt8>) -> R) -> R {
    body(target.bytes.span.extracting(target.pathRange).extracting(places.ranges[index]))
  }

  /// A parameter as a name to look up. If it is wrongly encoded or not ASCII, it is returned as it
  /// was sent.
  package func name(_ index: Int) -> String {
    read(index) { PercentCoding.decode($0).flatMap { $0.span.word } ?? $0.text }
  }

  /// A parameter as it was sent.
  package func rawText(_ index: Int) -> String { read(index) { $0.text } }

  /// A parameter as a whole number; `nil` for anything else.
  package func integer(_ index: Int) -> Int? {
    read(index) { text in
      if text.firstIndex(of: UInt8(ascii: "%")) == nil { return Decimal.integer(text) }
      return PercentCoding.decode(text).flatMap { Decimal.integer($0.span) }
    }
  }
}
