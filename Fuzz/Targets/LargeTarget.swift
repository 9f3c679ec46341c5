import CollectionLayout
import MicroHTTP
import WireFormat

extension FuzzTarget {
  /// The body of a prepare request that is so large that it is read in several windows.
  ///
  /// The input's first two bytes say how many rows stand before and behind the rest of it, so that
  /// it may lie anywhere in a window, or in any window.
  static let large = FuzzTarget("prepare-large") { bytes in
    guard bytes.count >= 2 else { return }
    prepare(
      #"{"bounds":{"width":320},"sections":[{"items":["#, #"{"height":17,"id":null},"#, "{}]}]}",
      before: Int(bytes[0]) * 20, bytes[2...], behind: Int(bytes[1]) * 20)
  }

  /// The same with columns: long ones, of which the end is read by two threads if there are only
  /// numbers in it.
  static let columns = FuzzTarget("prepare-columns") { bytes in
    guard bytes.count >= 2 else { return }
    prepare(
      #"{"bounds":{"width":320},"sections":[{"items":{"height":["#, "117.25,", "1]}}]}",
      before: 8_190 + Int(bytes[0]) * 100, bytes[2...], behind: Int(bytes[1]) * 200)
  }

  private static let waterfall = LayoutKind.named("waterfall")!

  /// Prepares a text with an input in its midst, and so many copies of a piece before and behind.
  private static func prepare(
    _ start: String, _ piece: String, _ end: String, before: Int, _ input: ArraySlice<UInt8>,
    behind: Int
  ) {
    let before = String(repeating: piece, count: before)
    let behind = String(repeating: piece, count: behind)
    let body = Array((start + before).utf8) + input + Array((behind + end).utf8)
    let request = RequestBody.copying(body).withBytes {
      try? PrepareRequest($0, kind: waterfall, maxItems: 100_000)
    }
    _ = try? request?.prepared()
  }
}
