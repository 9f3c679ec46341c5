/// Where the items of an earlier version of sections are now.
///
///     a section of then ──▸ a section of now, as a whole
///                      └──▸ pieces: items that are side by side then and now
///
/// Items that are in no piece are gone, or have other fields.
struct ItemPlaces {
  private enum Section {
    case whole(Int)
    /// In the order of then.
    case pieces([Piece])
  }

  private struct Piece {
    /// The first item, then.
    let first: Int
    let count: Int
    /// The index path of the first item, now.
    let place: IndexPath

    var items: Range<Int> { first..<first + count }
  }

  /// By the index of then. Those behind are gone.
  private var sections: [Section] = []
  private(set) var pieceCount = 0

  /// - Parameter origins: Of the sections of now.
  /// - Complexity: O(*s* + *r* · log *r*) for *s* sections and *r* runs.
  init(_ origins: [SectionOrigin]) {
    var pieces: [Int: [Piece]] = [:]
    for (index, origin) in origins.enumerated() {
      guard let runs = origin.runs else {
        if let base = origin.base { set(.whole(index), at: base) }
        continue
      }
      var item = 0
      for run in runs {
        if let source = run.source, !run.isReplaced {
          pieces[source.section, default: []].append(
            Piece(
              first: source.item, count: run.count, place: IndexPath(section: index, item: item)))
        }
        item += run.count
      }
    }
    for (section, pieces) in pieces {
      set(.pieces(pieces.sorted { $0.first < $1.first }), at: section)
      pieceCount += pieces.count
    }
  }

  private mutating func set(_ section: Section, at index: Int) {
    while sections.count <= index { sections.append(.pieces([])) }
    sections[index] = section
  }

  /// Where an item is now; `nil` if it is gone or has other fields.
  ///
  /// - Complexity: O(log *r*) for *r* pieces of its section.
  func place(of path: IndexPath) -> IndexPath? {
    guard path.section < sections.count else { return nil }
    switch sections[path.section] {
    case .whole(let section): return IndexPath(section: section, item: path.item)
    case .pieces(let pieces):
      let index = partitionPoint(in: 0..<pieces.count) { pieces[$0].items.upperBound <= path.item }
      guard index < pieces.count, pieces[index].first <= path.item else { return nil }
      let place = pieces[index].place
      return IndexPath(section: place.section, item: place.item + path.item - pieces[index].first)
    }
  }

  /// Where the items are after one more change.
  ///
  /// - Parameter next: Where the items of now are then.
  /// - Complexity: O(*s* + *r*) for *s* sections and *r* pieces of both.
  func followed(by next: ItemPlaces) -> ItemPlaces {
    var result = self
    result.pieceCount = 0
    for index in sections.indices {
      switch sections[index] {
      case .whole(let section):
        result.sections[index] =
          section < next.sections.count ? next.sections[section] : .pieces([])
      case .pieces(let pieces):
        var all: [Piece] = []
        for piece in pieces { next.appendParts(of: piece, to: &all) }
        result.sections[index] = .pieces(all)
      }
      if case .pieces(let pieces) = result.sections[index] { result.pieceCount += pieces.count }
    }
    return result
  }

  /// The parts of a piece, in its order, where they are now.
  private func appendParts(of piece: Piece, to parts: inout [Piece]) {
    guard piece.place.section < sections.count else { return }
    switch sections[piece.place.section] {
    case .whole(let section):
      parts.append(
        Piece(
          first: piece.first, count: piece.count,
          place: IndexPath(section: section, item: piece.place.item)))
    case .pieces(let pieces):
      let range = piece.place.item..<piece.place.item + piece.count
      var index = partitionPoint(in: 0..<pieces.count) {
        pieces[$0].items.upperBound <= range.lowerBound
      }
      while index < pieces.count, pieces[index].first < range.upperBound {
        let common = range.clamped(to: pieces[index].items)
        let place = pieces[index].place
        parts.append(
          Piece(
            first: piece.first + common.lowerBound - range.lowerBound, count: common.count,
            place: IndexPath(
              section: place.section,
              item: place.item + common.lowerBound - pieces[index].first)))
        index += 1
      }
    }
  }

  /// Bytes held, about.
  var memoryBytes: Int {
    sections.count * MemoryLayout<Section>.stride + pieceCount * MemoryLayout<Piece>.stride
  }
}
