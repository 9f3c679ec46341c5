import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

extension LayoutService {
  /// Refuses a view of a layout that does not exist before the body is read.
  func checkView(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) {
    guard let id = parameters.read(0, { SessionID($0) }) else { throw .noSuchLayout }
    if case .none = sessions.known(id) { throw .noSuchLayout }
    try QueryString.checkEmpty(request.target)
  }

  /// Makes a view of the collection of a layout, which may be a view itself.
  func createView(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let content = RequestContent(request)
    if isAtOnce(content.isSmall(Self.smallBodyBytes)) {
      let patch = try decodeView(content, of: version)
      if sessions.costOfView(of: version, patch.layout) <= Self.smallLayoutCost {
        return .respond(try keepView(of: version, patch))
      }
    }
    return deferring { () throws(Problem) in
      try self.withCurrentVersion(parameters) { (version) throws(Problem) in
        try self.keepView(of: version, self.decodeView(content, of: version))
      }
    }
  }

  private func decodeView(
    _ content: RequestContent, of version: LayoutVersion
  ) throws(Problem) -> PatchRequest {
    try decoding(content) { (bytes) throws(BodyError) in
      try PatchRequest(
        bytes, merging: version.collection,
        of: .newView(
          of: sessions.sourceKind(of: version), isBound: version.access.isBound,
          mayBeReadOnly: version.access.mayBeBase),
        maxItems: limits.maxItems)
    }
  }

  private func keepView(
    of version: LayoutVersion, _ patch: PatchRequest
  ) throws(Problem) -> Response {
    let folds: Folds
    do throws(BodyError) {
      folds = try patch.folds(
        inViewOf: version.collection, from: sessions.source(of: version), maxItems: limits.maxItems)
    } catch {
      throw Problem(error)
    }
    do throws(SessionsError) {
      return created(
        try sessions.createView(of: version, patch.layout, folds, isReadOnly: patch.isReadOnly),
        tellsArrangement: patch.isReadOnly && !version.access.isBound)
    } catch {
      guard case .impossible(let error) = error else { throw Problem(error) }
      throw Problem(patch.fault(error, of: version.collection))
    }
  }
}
