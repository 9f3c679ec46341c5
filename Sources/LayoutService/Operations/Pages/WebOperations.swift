import CollectionLayout
import Embedded
import MicroHTTP
import WireFormat

/// The parameters of `GET /`.
struct IndexParameters {
  fileprivate(set) var format: AnswerFormat?

  static let all: QueryParameters<Self> = [
    .format(among: [.json, .html]) { $0.format = $1 }
  ]
}

/// What browsers load: the viewer's page, its files, the client and the examples.
extension LayoutService {
  /// Answers with the list of all operations, or with the viewer's page.
  func index(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    var query = IndexParameters()
    try QueryString.read(request.target, IndexParameters.all, into: &query)
    guard hasViewer || query.format != .html else {
      throw .invalidParameter("f", "must be json: the viewer is off")
    }
    let formats: [AnswerFormat] = hasViewer ? [.json, .html] : [.json]
    guard let format = query.format ?? AnswerFormat.preferred(by: request, among: formats) else {
      throw .notAcceptable(offered: formats.map(\.mediaType))
    }
    let content =
      format == .html
      ? Self.pageContent : hasViewer ? Self.indexContent : Self.indexWithoutViewer
    return .respond(content.response(to: request, isCompressing: isCompressing))
  }

  private static let indexContent = index(
    of: Route.all,
    links: [contractLink, "<./?f=html>; rel=\"service-doc\"; type=\"text/html\"", metricsLink])
  private static let indexWithoutViewer = index(
    of: Route.all.filter { !$0.isOfViewer }, links: [contractLink, metricsLink])

  // Source of the relations: RFC 8631. The targets are relative, so that they are right behind a
  // proxy that puts the service below a path.
  private static let contractLink =
    "<openapi.yaml>; rel=\"service-desc\"; type=\"\(MediaType.yaml)\""
  private static let metricsLink = "<metrics>; rel=\"status\"; type=\"\(MediaType.plainText)\""

  private static func index(of routes: [Route], links: [String]) -> FixedContent {
    let text = JSONWriter.text {
      $0["name"] = "layoutd"
      $0["kinds"] = LayoutKind.all.map(\.name)
      $0.array("operations", routes) { writer, route in
        writer.object {
          $0["method"] = route.method.rawValue
          $0["path"] = route.path.text
          $0["summary"] = route.summary
        }
      }
    }
    return FixedContent(
      text, type: MediaType.json, vary: indexVaryingFields,
      headers: [("Link", links.joined(separator: ", "))])
  }

  private static let indexVaryingFields = "Accept, \(varyingFields)"

  private static let pageContent = FixedContent(
    EmbeddedFile.bytes(at: "index.html"), type: "\(MediaType.html); charset=utf-8",
    vary: indexVaryingFields,
    headers: [
      (
        "Link",
        [contractLink, "<./?f=json>; rel=\"alternate\"; type=\"\(MediaType.json)\"", metricsLink]
          .joined(separator: ", ")
      ),
      ("X-Content-Type-Options", "nosniff"),
    ] + PagePolicy.fields(for: EmbeddedFile.bytes(at: "index.html")))

  // MARK: Files

  func clientFile(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try file(Self.clientFiles, parameters, request)
  }

  func viewerFile(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try file(Self.viewerFiles, parameters, request)
  }

  func exampleFile(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try file(Self.examples, parameters, request)
  }

  private func file(
    _ files: [String: File], _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    guard hasViewer, let file = files[parameters.name(0)] else {
      throw .noSuchPath(String(decoding: request.target.path, as: UTF8.self))
    }
    if let accept = request.value(of: .accept), !MediaType.accepts(accept.span, file.type) {
      throw .notAcceptable(offered: [file.type])
    }
    try QueryString.checkEmpty(request.target)
    return .respond(file.content.response(to: request, isCompressing: isCompressing))
  }

  private static let clientFiles = files(in: "client/").merging([archive.path: File(archive)]) {
    file, _ in file
  }
  /// The client as `npm install` takes it, with all but what is made of it and for Python.
  private static let archive: EmbeddedFile = {
    let folder = "client/"
    let files = EmbeddedFile.all.filter {
      $0.path.hasPrefix(folder) && !$0.path.contains(".min.") && !$0.path.hasSuffix(".py")
    }
    let bytes = TarArchive.bytes(
      files.map { ("package/\($0.path.dropFirst(folder.count))", $0.bytes) })
    guard let packed = Gzip.compressWell(bytes) else { preconditionFailure("no memory") }
    return EmbeddedFile(path: "layoutd.tgz", bytes: packed)
  }()
  private static let viewerFiles = files(in: "viewer/")
  private static let examples = files(in: "examples/")

  /// The files whose paths begin with a text, by what follows it.
  private static func files(in folder: String) -> [String: File] {
    EmbeddedFile.all.filter { $0.path.hasPrefix(folder) }
      .reduce(into: [:]) { $0[String($1.path.dropFirst(folder.count))] = File($1) }
  }

  private struct File: Sendable {
    let type: String
    let content: FixedContent

    init(_ file: EmbeddedFile) {
      type = Self.type(of: file.path)
      content = FixedContent(
        file.bytes,
        type: type.hasPrefix("text/") || type.hasSuffix("script") ? "\(type); charset=utf-8" : type,
        headers: [("X-Content-Type-Options", "nosniff"), LayoutHeaders.embeddable]
          + (type == MediaType.html ? PagePolicy.fields(for: file.bytes) : []))
    }

    private static func type(of path: String) -> String {
      switch path.split(separator: ".").last {
      case "js": MediaType.javaScript
      case "ts": MediaType.typeScript
      case "css": MediaType.css
      case _ where path.hasPrefix("examples/"): MediaType.html
      case "svg": MediaType.svg
      case "json": MediaType.json
      case "py": MediaType.python
      case "tgz": MediaType.gzip
      default: preconditionFailure("\(path) has no media type")
      }
    }
  }
}
