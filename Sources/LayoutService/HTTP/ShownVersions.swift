import LayoutSessions
import MicroHTTP

/// The versions that a client has seen, as far as its request says.
///
/// A version that this server does not know may be one that another server has made.
enum ShownVersions {
  /// Whether a version and those before it are all that a request speaks of.
  static func areKnown(to version: LayoutVersion, _ request: borrowing Request) -> Bool {
    for field in [FieldName.ifMatch, .ifNoneMatch] where request.contains(field) {
      guard let list = request.value(of: field),
        EntityTagList.allVersions(in: list.span, satisfy: { version.knows($0) })
      else { return false }
    }
    guard request.target.queryRange != nil else { return true }
    var areKnown = true
    do throws(Problem) {
      try QueryString.forEachParameter(of: request.target) { (name, value) throws(Problem) in
        if name.spells("since") || name.spells("version") {
          guard let asked = AskedVersion(value) else { return }
          if !version.knows(asked) { areKnown = false }
        } else if name.spells("cursor"), let cursor = Cursor(value),
          !version.knows(cursor.version)
        {
          areKnown = false
        }
      }
    } catch {
      // The operation refuses the query.
    }
    return areKnown
  }
}
