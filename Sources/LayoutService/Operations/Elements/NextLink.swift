import CollectionLayout
import LayoutSessions
import MicroHTTP

extension LayoutService {
  /// The target of a request for the rest of a list, from a position on: that of this request with
  /// another cursor.
  ///
  /// - Parameter settled: The names of parameters that it has no more.
  func nextLink(
    to position: ElementPosition, of version: LayoutVersion, after target: RequestTarget,
    without settled: [String] = []
  ) -> String {
    let cursor = Cursor(version: version.tag, position: position)
    let parameters = (target.query ?? []).split(separator: UInt8(ascii: "&")).filter {
      let name = $0.prefix { $0 != UInt8(ascii: "=") }
      let plainName = PercentCoding.decode(name.span) ?? []
      return !(settled + ["cursor"]).contains { plainName.elementsEqual($0.utf8) }
    }
    let query = parameters.map { String(decoding: $0, as: UTF8.self) + "&" }.joined()
    return String(decoding: target.fullPath, as: UTF8.self) + "?" + query + "cursor=" + cursor.text
  }
}
