import CollectionLayout
import Glibc
import MicroHTTP
import System
import TextMeasure

/// The texts of a column that are shaped piece by piece, by several threads.
///
/// The worker that needs them takes pieces like the others, and waits for those that others took.
final class PieceShaping: Sendable {
  /// The bytes of a piece, about; and after so many it is looked whether somebody still waits.
  static let pieceBytes = 256 << 10
  /// The most threads that shape the texts of one column.
  private static let maxThreads = 8

  private struct State {
    var next = 0
    var shaped: [ShapedTexts?]
    var helpers = 0
    var isGivenUp = false
  }

  private let column: TextColumn
  private let style: PreparedStyle
  private let fonts: FontLibrary
  private let pieces: [Range<Int>]
  private let state: Monitor<State>

  /// - Parameter texts: Their places in the column.
  init(_ texts: Range<Int>, of column: TextColumn, _ style: PreparedStyle, _ fonts: FontLibrary) {
    (self.column, self.style, self.fonts) = (column, style, fonts)
    var pieces: [Range<Int>] = []
    var start = texts.lowerBound
    for text in texts
    where text + 1 == texts.upperBound
      || column.place(of: text).upperBound - column.place(of: start).lowerBound >= Self.pieceBytes
    {
      pieces.append(start..<text + 1)
      start = text + 1
    }
    self.pieces = pieces
    state = Monitor(State(shaped: Array(repeating: nil, count: pieces.count)))
  }

  /// Shapes the texts.
  ///
  /// - Parameter threads: How many threads may do it, the calling one included.
  /// - Returns: Piece by piece, in the order of the texts.
  /// - Throws: ``LayoutError/refused(_:)``.
  func shaped(threads: Int) throws(LayoutError) -> [ShapedTexts] {
    for _ in 1..<max(1, min(threads, pieces.count, Self.maxThreads)) { startHelper() }
    while shapeNextPiece() {
      // One piece is done before the answer to this would matter.
      if pieces.count > 1, CurrentWork.isAbandoned { state.withLock { $0.isGivenUp = true } }
    }
    let shaped = state.wait { $0.helpers == 0 ? $0.shaped.compactMap { $0 } : nil }
    guard let shaped, shaped.count == pieces.count else { throw .refused(.abandoned) }
    return shaped
  }

  private func startHelper() {
    state.withLock { $0.helpers += 1 }
    do {
      try SystemThread.start("shape-texts") { [self] in
        SystemThread.takeShortTurns()
        while shapeNextPiece() {}
        state.update { $0.helpers -= 1 }
      }
    } catch {
      // Without it the others do all.
      state.withLock { $0.helpers -= 1 }
    }
  }

  /// - Returns: False if nothing is left to do.
  private func shapeNextPiece() -> Bool {
    let next = state.withLock { state -> Int? in
      guard !state.isGivenUp, state.next < pieces.count else { return nil }
      state.next += 1
      return state.next - 1
    }
    guard let next else { return false }
    let piece = pieces[next]
    let bytes =
      column.place(of: piece.upperBound - 1).upperBound
      - column.place(of: piece.lowerBound).lowerBound
    var builder = ShapedTextsBuilder(style, capacity: piece.count, bytes: bytes)
    fonts.withWorkbench { bench in
      column.withBytes { bytes in
        for text in piece {
          let place = column.place(of: text)
          builder.add(utf8: UnsafeBufferPointer(rebasing: bytes[place]), on: bench)
          giveWay(atStep: text, of: 64)
        }
      }
    }
    let shaped = builder.finish()
    state.withLock { $0.shaped[next] = shaped }
    return true
  }

  /// The processors of the machine.
  static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
