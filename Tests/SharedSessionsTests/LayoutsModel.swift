import CollectionLayout
import LayoutSessions

/// What all layouts should be.
struct LayoutsModel {
  struct Layout {
    let documentID: SessionID
    var given: GivenLayout
    /// How many of its own changes have made a version.
    var own = 0
    /// The revision of the data at which it was made.
    let birth: Int
  }

  struct Document {
    var heights: [Int]
    var revision = 0
  }

  var documents: [SessionID: Document] = [:]
  var layouts: [SessionID: Layout] = [:]

  /// The layouts that there are, in the same order each time.
  var ids: [SessionID] {
    layouts.filter { documents[$0.value.documentID] != nil }.map(\.key)
      .sorted { $0.description < $1.description }
  }

  func number(of id: SessionID) -> Int? {
    guard let layout = layouts[id], let document = documents[layout.documentID] else { return nil }
    return 1 + layout.own + document.revision - layout.birth
  }
}
