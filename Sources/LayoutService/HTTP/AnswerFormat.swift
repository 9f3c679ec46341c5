import MicroHTTP
import WireFormat

/// A format in which an answer may be written. The parameter `f` names it, or Accept prefers it.
enum AnswerFormat: Int, CaseIterable, Sendable {
  case json, cbor, svg, html

  /// The table of formats: the value of `f`, the media type, and what writes answers about layouts.
  private var row: (name: String, mediaType: String, writer: (any AnswerWriter.Type)?) {
    switch self {
    case .json: ("json", MediaType.json, JSONAnswer.self)
    case .cbor: ("cbor", MediaType.cbor, CBORAnswer.self)
    case .svg: ("svg", MediaType.svg, PictureEncoder.self)
    case .html: ("html", MediaType.html, nil)
    }
  }

  /// The formats of elements, sections and summaries.
  static let ofLayout: [AnswerFormat] = [.json, .cbor]
  /// Their media types, for the routes.
  static let typesOfLayout = ofLayout.map(\.mediaType)

  var name: String { row.name }
  var mediaType: String { row.mediaType }

  /// Whether answers about layouts are written in it.
  var isOfLayout: Bool { row.writer != nil }

  /// What writes answers about layouts in this format.
  var writer: any AnswerWriter.Type {
    guard let writer = row.writer else { preconditionFailure("no layout is written as \(self)") }
    return writer
  }

  /// What the format adds to an entity tag.
  var tagSuffix: String { writer.tagSuffix }

  /// The format with the greatest weight in Accept. Of equal weights, a client gets the format that
  /// Accept names more exactly: browsers name `text/html`, curl sends `*/*`. Of equals it gets the
  /// first; `nil` if Accept excludes all.
  static func preferred(
    by request: borrowing Request, among formats: [AnswerFormat]
  ) -> AnswerFormat? {
    guard let accept = request.value(of: .accept), !accept.span.spells("*/*") else {
      return formats[0]
    }
    var best: (format: AnswerFormat, preference: MediaType.Preference)?
    for format in formats {
      let preference = MediaType.preference(for: format.mediaType, in: accept.span)
      if preference.isAcceptable, best.map({ $0.preference < preference }) ?? true {
        best = (format, preference)
      }
    }
    return best?.format
  }
}

/// How an answer about a layout is written, and what decided this.
struct Representation: Sendable {
  let format: AnswerFormat
  /// Whether Accept decided, and not the query.
  let isNegotiated: Bool
}

extension Representation {
  /// Of an operation that has no other format.
  static let json = Representation(only: .json)

  /// Of an operation that has one format.
  init(only format: AnswerFormat) {
    self.init(format: format, isNegotiated: false)
  }

  /// - Parameter format: The format that the query names; `nil` if it names none.
  init(_ format: AnswerFormat?, _ request: borrowing Request) {
    // The router has refused a request whose Accept excludes all formats.
    self.init(
      format: format ?? AnswerFormat.preferred(by: request, among: AnswerFormat.ofLayout) ?? .json,
      isNegotiated: format == nil)
  }

  /// How exactly the JSON text of the content has coordinates.
  var precision: CoordinatePrecision { format.writer.precision }

  /// The content in this format.
  ///
  /// - Parameter json: The content as JSON text of this precision.
  func encoded(json: [UInt8]) -> [UInt8] { format.writer.encoded(json: json) }
}

extension QueryParameter {
  /// The parameter `f`, which names a format.
  static func format(
    among formats: [AnswerFormat], store: @escaping @Sendable (inout Values, AnswerFormat) -> Void
  ) -> Self {
    let names = formats.map(\.name).joined(separator: " or ")
    return QueryParameter(
      "f",
      ParameterForm(requirement: "must be \(names)") { text in
        text.word.flatMap { word in formats.first { $0.name == word } }
      }, store: store)
  }
}
