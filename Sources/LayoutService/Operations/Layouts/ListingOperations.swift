import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// The parameters of `GET /layouts`.
struct ListingParameters {
  private(set) var name: String?
  private(set) var limit = 100
  /// How many layouts come before the first.
  private(set) var start = 0

  static let all: QueryParameters<Self> = [
    .layoutName { $0.name = $1 },
    QueryParameter("limit", .integer(in: 1...1000)) { $0.limit = $1 },
    QueryParameter("start", .integer(in: 0...1 << 40)) { $0.start = $1 },
  ]
  static let withName: QueryParameters<Self> = [.layoutName { $0.name = $1 }]
}

extension LayoutService {
  /// Answers which layouts take the memory. Where no keys are asked for, an id is what protects a
  /// layout, so there is no list.
  func layouts(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let isNamed = QueryString.has("name", in: request.target)
    guard listsLayouts || isNamed else { throw .noSuchPath("/layouts") }
    var given = ListingParameters()
    try QueryString.read(
      request.target, isNamed ? ListingParameters.withName : ListingParameters.all, into: &given)
    if let name = given.name {
      return deferring { () throws(Problem) in
        let found = try Problem.of { () throws(SessionsError) in
          try self.sessions.find(named: name)
        }
        var list = JSONArray()
        if let version = found.version {
          list.append { $0.write(raw: self.summary(of: version)) }
        }
        return Response(
          status: .ok, commonHeaders: Self.uncachedHeaders,
          body: JSONWriter.text(capacity: list.byteCount + 16) { $0["layouts"] = list })
      }
    }
    let (query, prefix) = (given, String(decoding: request.target.fullPath, as: UTF8.self))
    return deferring {
      let layouts = self.sessions.keptLayouts()
      let end = min(layouts.count, query.start + query.limit)
      var list = JSONArray()
      for layout in layouts[min(query.start, end)..<end] { list.append { $0.write(layout) } }
      return Response(
        status: .ok, commonHeaders: Self.uncachedHeaders,
        body: JSONWriter.text(capacity: list.byteCount + 256) {
          $0["count"] = layouts.count
          $0["memoryBytes"] = self.sessions.statistics.bytes
          $0["layouts"] = list
          $0["next"] =
            end < layouts.count ? "\(prefix)?limit=\(query.limit)&start=\(end)" : nil
        })
    }
  }
}

extension QueryParameter {
  /// The name under which a layout is prepared.
  static func layoutName(
    store: @escaping @Sendable (inout Values, String) -> Void
  ) -> Self {
    QueryParameter("name", .id(of: IDColumn.lengths), store: store)
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ layout: KeptLayout) {
    object {
      $0["id"] = layout.id.description
      $0["viewOf"] = layout.source?.description
      $0["kind"] = layout.kind.name
      $0["counts"] = layout.counts
      $0["memoryBytes"] = layout.memoryBytes
      $0["views"] = layout.source == nil ? layout.viewCount : nil
      $0["lastUsed"] = Timestamp.text(unixTime: layout.lastUseUnixTime)
    }
  }
}
