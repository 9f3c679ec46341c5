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

  init(_ target: RequestTarget) throws(ServiceError) {
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
  ) throws(ServiceError) -> Outcome {
    let query = try PictureParameters(request.target)
    try version.check(asked: query.version)
    let headers = query.version == nil ? .currentPicture : caching.pictureHeaders
    let terms = AnswerTerms(request, .json)
    let ownTag = try terms.preconditions.ownTag(
      of: version.tag, for: request, isCompressing: isCompressing,
      lengths: Self.leastPicture...Self.longestHead + query.limit * Self.longestDrawing)
    if let ownTag {
      return .respond(
        Response(
          status: .notModified, commonHeaders: headers[.notModified], entityTag: ownTag.text,
          declaredContentLength: ownTag.length))
    }
    var begun = Drawing(query, of: version)
    extend(
      &begun, query, of: version, visiting: limits.visitBudget / Self.visitsPerDrawing,
      upTo: min(limits.bytesAtOnce, limits.maxResponseBytes))
    if isOver(begun, query) {
      return .respond(try response(begun.finish(), of: version, terms, headers))
    }
    let drawing = begun
    return deferring(holding: drawing.encoder.byteCount) { () throws(ServiceError) in
      try self.withCurrentVersion(parameters) { (version) throws(ServiceError) in
        try version.check(asked: query.version)
        var drawing =
          drawing.version == version.tag ? drawing : Drawing(query, of: version)
        self.extend(
          &drawing, query, of: version, visiting: self.limits.pageBudget,
          upTo: self.limits.maxResponseBytes)
        return try self.response(drawing.finish(), of: version, terms, headers)
      }
    }
  }

  /// An element is drawn in the time in which as many are written as JSON.
  private static let visitsPerDrawing = 8

  // The lengths that pictures may have, in bytes. A tag with another length was not made by this
  // service.
  private static let leastPicture = 512
  private static let longestHead = 4096
  /// An element with an id of 128 characters that need five bytes each, and a line.
  private static let longestDrawing = 1024

  /// The part of a picture that is drawn.
  private struct Drawing: Sendable {
    let version: VersionTag
    var encoder: PictureEncoder
    /// Where and why the picture stops.
    var end = QueryEnd.budgetSpent(.first)

    init(_ query: PictureParameters, of version: LayoutVersion) {
      self.version = version.tag
      let layout = version.collection.prepared
      encoder = PictureEncoder(
        of: query.rect(in: layout), in: layout, kind: version.collection.layout.kind.name,
        limit: query.limit)
    }

    mutating func finish() -> [UInt8] { encoder.finish(isComplete: end == .complete) }
  }

  private func isOver(_ drawing: borrowing Drawing, _ query: PictureParameters) -> Bool {
    switch drawing.end {
    case .complete: true
    case .limitReached:
      drawing.encoder.count >= query.limit || drawing.encoder.byteCount >= limits.maxResponseBytes
    case .budgetSpent: false
    }
  }

  /// Continues a picture where it stopped.
  private func extend(
    _ drawing: inout Drawing, _ parameters: PictureParameters, of version: LayoutVersion,
    visiting budget: Int, upTo byteCount: Int
  ) {
    let start: ElementPosition
    switch drawing.end {
    case .complete: return
    case .limitReached(let position), .budgetSpent(let position): start = position
    }
    let layout = version.collection.prepared
    let query = ElementQuery(
      rect: parameters.rect(in: layout), limit: parameters.limit - drawing.encoder.count,
      start: start)
    drawing.end = query.forEachBatch(
      of: layout, visiting: budget, begin: { drawing.encoder.begin($0) },
      { drawing.encoder.encode($0, of: layout, upTo: byteCount) })
  }
}
