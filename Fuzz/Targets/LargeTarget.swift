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
    let row = Array(#"{"height":17,"id":null},"#.utf8)
    var body = Array(#"{"bounds":{"width":320},"sections":[{"items":["#.utf8)
    for _ in 0..<Int(bytes[0]) * 20 { body += row }
    body += bytes[2...]
    for _ in 0..<Int(bytes[1]) * 20 { body += row }
    body += Array("{}]}]}".utf8)
    let request = RequestBody.copying(body).withBytes {
      try? PrepareRequest($0, kind: WaterfallLayout.self, maxItems: 100_000)
    }
    _ = try? request?.prepared()
  }
}
