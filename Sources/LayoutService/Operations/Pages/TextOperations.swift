import CollectionLayout
import MicroHTTP
import System
import TextMeasure
import WireFormat

/// Fonts, and how high texts are.
extension LayoutService {
  /// Answers with the list of the fonts. The first time, a worker reads all of them.
  func fonts(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try QueryString.checkEmpty(request.target)
    let prefix = String(decoding: request.target.prefix, as: UTF8.self)
    return deferring { () throws(Problem) in
      let body = JSONWriter.text {
        $0["engine"] = FontLibrary.engine
        $0.array("fonts", self.fontLibrary.entries()) { writer, font in
          writer.object {
            $0["name"] = font.name
            $0["family"] = font.family
            $0["style"] = font.style
            $0["weight"] = font.weight
            $0["weights"] = font.weights.map { [$0.lowerBound, $0.upperBound] }
            $0["italic"] = font.isItalic
            $0["url"] = "\(prefix)/fonts/\(font.sha256)"
            $0["bytes"] = font.bytes
          }
        }
      }
      return Response(status: .ok, commonHeaders: Self.uncachedHeaders, body: body)
    }
  }

  /// Answers with a font's file, so that a page draws with what was measured.
  func font(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try QueryString.checkEmpty(request.target)
    let hash = parameters.name(0)
    let known = request.value(of: .ifNoneMatch)
    let tag = EntityTag(hash, isGzip: isCompressing && ContentCoding.acceptsGzip(request))
    return deferring { () throws(Problem) in
      guard let entry = self.fontLibrary.entry(sha256: hash) else {
        throw .noSuchPath("/fonts/\(hash)")
      }
      if let known, EntityTagList.has(tag, in: known.span) {
        return Response(
          status: .notModified, commonHeaders: Self.fontHeaders, entityTag: tag,
          declaredContentLength: entry.bytes)
      }
      guard let bytes = FontLibrary.bytes(of: entry) else { throw .noSuchPath("/fonts/\(hash)") }
      return Response(
        status: .ok, commonHeaders: Self.fontHeaders,
        headers: [("Content-Type", entry.format.mediaType)], entityTag: tag, body: bytes)
    }
  }

  private static let fontHeaders: HeaderSet = [
    "Cache-Control": "private, max-age=31536000, immutable", "Vary": varyingFields,
    "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "cross-origin",
  ]

  /// Measures texts. Nothing is kept.
  func measureTexts(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try QueryString.checkEmpty(request.target)
    let content = RequestContent(request)
    let decode = { @Sendable () throws(Problem) in
      try self.decoding(content) { (bytes) throws(BodyError) in try TextMeasureRequest(bytes) }
    }
    var shortWork: (@Sendable () throws(Problem) -> Response?)?
    if content.isSmall(Self.smallBodyBytes) {
      shortWork = { () throws(Problem) in
        let decoded = try decode()
        return self.isShort(decoded) ? try self.measure(decoded) : nil
      }
    }
    return deferring(shortly: shortWork) { () throws(Problem) in
      let decoded = try decode()
      content.discard()
      return try self.measure(decoded)
    }
  }

  /// Whether measuring takes little time: few bytes, in a style whose fonts are open.
  private func isShort(_ request: TextMeasureRequest) -> Bool {
    let bytes = (0..<request.count).reduce(0) { $0 + request.text($1).count }
    return bytes * max(request.widths.count, 1) <= Self.smallBodyBytes
      && fontLibrary.knows(request.given.style)
  }

  /// After so many bytes of text, times widths, it is looked whether somebody still waits.
  private static let bytesBetweenLooks = 64 << 10

  private func measure(_ request: TextMeasureRequest) throws(Problem) -> Response {
    let style = try preparedStyle(request.given.style)
    let widths: [Double?] = request.widths.isEmpty ? [nil] : request.widths
    var encoder = TextMeasureEncoder(engine: FontLibrary.engine)
    try fontLibrary.withWorkbench { (bench) throws(Problem) in
      var bytes = 0
      for index in 0..<request.count {
        let text = request.text(index)
        let found = text.withUnsafeBufferPointer { text in
          bench.lines(ofUTF8: text, widths: widths, style, upTo: request.given.maxLines) {
            bytes += text.count
            guard bytes >= Self.bytesBetweenLooks else { return true }
            bytes = 0
            return !CurrentWork.isAbandoned
          }
        }
        guard let (lines, isEstimated) = found else { throw Problem(.refused(.abandoned)) }
        encoder.add(
          lines, height: request.height(lines:), isEstimated: isEstimated,
          withStarts: request.wantsStarts)
        guard encoder.byteCount <= limits.maxResponseBytes else {
          throw .invalidMember(
            "/texts", "must make an answer of at most \(limits.maxResponseBytes) bytes")
        }
        giveWay(atStep: index, of: 16)
      }
    }
    return Response(
      status: .ok, commonHeaders: Self.uncachedHeaders, body: encoder.finish())
  }

  private func preparedStyle(_ style: ParagraphStyle) throws(Problem) -> PreparedStyle {
    do throws(FontLibrary.Fault) {
      return try fontLibrary.prepare(style)
    } catch {
      let fault = fontLibrary.fault(error)
      throw .invalidMember("/\(fault.member)", "must be \(fault.requirement)")
    }
  }
}

extension Problem {
  fileprivate static func invalidMember(_ pointer: String, _ detail: String) -> Problem {
    Problem(.invalid([InvalidMember(pointer: pointer, detail: detail)]))
  }
}

extension FontLibrary.Format {
  fileprivate var mediaType: String {
    switch self {
    case .openType: MediaType.openType
    case .trueType: MediaType.trueType
    case .collection: MediaType.fontCollection
    case .woff2: MediaType.woff2
    }
  }
}
