import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// The parameters of `GET /layouts/{id}/picture`.
struct PictureParameters {
  private(set) var rect: Rect?
  private(set) var version: AskedVersion?
  private(set) var limit = Self.defaultLimit

  static let defaultLimit = 2000
  static let limits = 1...10_000

  static let all: QueryParameters<Self> = [
    QueryParameter("rect", .area) { $0.rect = $1 },
    QueryParameter("version", .version) { $0.version = $1 },
    QueryParameter("limit", .integer(in: limits)) { $0.limit = $1 },
  ]

  init(_ target: RequestTarget) throws(Problem) {
    try QueryString.read(target, Self.all, into: &self)
  }

  /// The most of the content that a picture shows if no rect is given, in points.
  private static let firstPart = Size(width: 2000, height: 1000)

  /// The rect of the picture: without one the first part of the content.
  func rect(in layout: any PreparedLayout) -> Rect {
    if let rect { return rect }
    let content = layout.contentFrame
    // Where there is no content, there is a picture nonetheless.
    let width = min(max(content.size.width, 1), Self.firstPart.width)
    let height = min(max(content.size.height, 1), Self.firstPart.height)
    return Rect(
      x: content.origin.x < 0 ? content.maxX - width : 0, y: 0, width: width, height: height)
  }
}

extension ParameterForm<Rect> {
  /// A rect that is not empty.
  fileprivate static var area: Self {
    ParameterForm(
      requirement: "must be four finite numbers x,y,width,height with width and height > 0 and "
        + "finite far edges"
    ) { text in
      rect.parse(text).flatMap { $0.size.width > 0 && $0.size.height > 0 ? $0 : nil }
    }
  }
}

extension LayoutService {
  func picture(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let query = try PictureParameters(request.target)
    try version.check(asked: query.version)
    let headers = query.version == nil ? LayoutHeaders.current : caching.headers
    let terms = AnswerTerms(request, Representation(only: .svg))
    var begun = page(query, of: version)
    begun.extend(
      with: version, visiting: limits.visitBudget / Self.visitsPerDrawing,
      upTo: min(limits.bytesAtOnce, limits.maxResponseBytes))
    if begun.isOver(maxBytes: limits.maxResponseBytes) {
      return .respond(try response(begun.finish(), of: version, terms, headers))
    }
    let page = begun
    return deferring(holding: page.heldBytes) { () throws(Problem) in
      try self.withCurrentVersion(parameters) { (version) throws(Problem) in
        try version.check(asked: query.version)
        var page = page.version == version.tag ? page : self.page(query, of: version)
        page.extend(
          with: version, visiting: self.limits.pageBudget, upTo: self.limits.maxResponseBytes)
        return try self.response(page.finish(), of: version, terms, headers)
      }
    }
  }

  private func page(_ query: PictureParameters, of version: LayoutVersion) -> AnswerPage {
    let rect = query.rect(in: version.collection.prepared)
    return AnswerPage(
      ElementQuery(rect: rect.inSteps, limit: query.limit), of: version, in: .svg, rect: rect)
  }

  /// An element is drawn in the time in which as many are written as JSON.
  private static let visitsPerDrawing = 8
}
