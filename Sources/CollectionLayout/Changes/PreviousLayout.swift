/// A layout to go on from: what did not change since need not be laid out again.
public struct PreviousLayout: Sendable {
  let prepared: any PreparedLayout
  /// Where each section comes from; `nil` when the data is the same.
  private let origins: [SectionOrigin]?

  init(prepared: any PreparedLayout, origins: [SectionOrigin]?) {
    self.prepared = prepared
    self.origins = origins
  }

  /// The section that a section was, and the first item that may differ; `nil` for a new section.
  func origin(of section: Int) -> (base: Int, firstChanged: Int)? {
    guard let origins else { return (section, .max) }
    return origins[section].base.map { ($0, origins[section].firstChanged ?? .max) }
  }
}
