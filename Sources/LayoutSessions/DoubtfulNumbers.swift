/// The numbers that do not say by themselves which version is meant.
///
/// A copy of a session that takes the place of another one may be of another history: the store may
/// have lost the changes that led to the other one. Then two versions have had the same number, and
/// a client that names a version by its number alone may mean the lost one.
struct DoubtfulNumbers: Sendable {
  /// Up to this one the numbers of versions are doubtful; 0 if none are.
  let version: Int
  /// Up to this one the revisions of the data are; -1 if none are.
  let revision: Int

  static let none = DoubtfulNumbers(version: 0, revision: -1)

  private init(version: Int, revision: Int) {
    self.version = version
    self.revision = revision
  }

  /// The doubts about a copy that takes the place of one that ends with a version.
  init(replacing old: LayoutVersion) {
    version = max(old.number, old.doubts.version)
    revision = max(old.data.revision, old.doubts.revision)
  }

  /// The doubts about a view, of whose source there are none that matter here.
  init(ofView version: Int) {
    self.init(version: version, revision: -1)
  }
}
