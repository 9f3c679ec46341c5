/// A place in the history of a session: after which changes a version is, and of which history.
///
/// Two histories of one session may have the same numbers: a store that failed over may have
/// lost a change, and another one was made in its place. Their hashes differ, since each change
/// has a random id, and the hash is made of the ids of all changes up to here.
public struct HistoryPosition: Hashable, Sendable {
  /// Counts from 1.
  public let version: Int
  /// How many changes were made since that left the version as it is: bounds or options that no
  /// element depends on.
  public let amendment: Int
  /// Of all changes up to here, amendments included.
  public let hash: UInt64
  /// The hash where the version began, without its amendments: clients are shown 24 bits of it.
  public let versionHash: UInt64
  /// Where the data is that is laid out.
  public let data: DataPosition

  /// A place in the history of a session's data. Changes of bounds, options and kind leave it.
  public struct DataPosition: Hashable, Sendable {
    /// How often the data had changed.
    public let revision: Int
    /// Of all changes of the session up to the last one of the data.
    public let hash: UInt64
  }

  /// The random id of a change, by which it is known again.
  public struct ChangeID: Hashable, Sendable {
    public let bits: UInt64

    /// One that nobody has had yet.
    public static func random() -> ChangeID {
      ChangeID(bits: .random(in: .min ... .max))
    }

    public init(bits: UInt64) {
      self.bits = bits
    }
  }

  private init(
    version: Int, amendment: Int, hash: UInt64, versionHash: UInt64, data: DataPosition
  ) {
    self.version = version
    self.amendment = amendment
    self.hash = hash
    self.versionHash = versionHash
    self.data = data
  }

  /// Where a view's own history begins.
  static func beginning(_ change: ChangeID, ofViewOf data: DataPosition) -> HistoryPosition {
    let hash = mixed(0, change.bits)
    return HistoryPosition(version: 1, amendment: 0, hash: hash, versionHash: hash, data: data)
  }

  /// The place in a view's own history after a change of the view.
  ///
  /// - Parameters:
  ///   - data: Where the data of the source is.
  ///   - isNewVersion: Whether any attribute differs.
  public func changed(
    by change: ChangeID, ofViewOf data: DataPosition, isNewVersion: Bool
  ) -> HistoryPosition {
    let hash = Self.mixed(hash, change.bits)
    return HistoryPosition(
      version: version + (isNewVersion ? 1 : 0), amendment: isNewVersion ? 0 : amendment + 1,
      hash: hash, versionHash: isNewVersion ? hash : versionHash, data: data)
  }

  /// What clients are shown of it.
  public var tag: VersionTag { VersionTag(number: version, longHash: versionHash) }

  /// The tag of a view that is here in its own history.
  ///
  /// An amendment leaves the version as it is only for the data for which it was made: with other
  /// data an option may matter that did not.
  ///
  /// - Parameters:
  ///   - number: The number of the view's version.
  ///   - data: Where the data of its source is.
  func tag(ofView number: Int, _ data: DataPosition) -> VersionTag {
    let own = amendment > 0 && data != self.data ? hash : versionHash
    return VersionTag(number: number, longHash: Self.mixed(own, data.hash))
  }

  /// Where a session begins, with its first version.
  public static func beginning(_ change: ChangeID) -> HistoryPosition {
    let hash = mixed(0, change.bits)
    return HistoryPosition(
      version: 1, amendment: 0, hash: hash, versionHash: hash,
      data: DataPosition(revision: 0, hash: hash))
  }

  /// The place after a change that makes the next version.
  ///
  /// - Parameter isOfData: Whether the change is one of the data.
  public func advanced(by change: ChangeID, isOfData: Bool) -> HistoryPosition {
    let hash = Self.mixed(hash, change.bits)
    return HistoryPosition(
      version: version + 1, amendment: 0, hash: hash, versionHash: hash,
      data: isOfData ? DataPosition(revision: data.revision + 1, hash: hash) : data)
  }

  /// The place after a change that leaves the version as it is.
  public func amended(by change: ChangeID) -> HistoryPosition {
    HistoryPosition(
      version: version, amendment: amendment + 1, hash: Self.mixed(hash, change.bits),
      versionHash: versionHash, data: data)
  }

  /// Whether the change, made here, leads there.
  public func leads(to next: HistoryPosition, by change: ChangeID) -> Bool {
    guard next.hash == Self.mixed(hash, change.bits) else { return false }
    return next.amendment == 0
      ? next.version == version + 1 && next.versionHash == next.hash
      : next.version == version && next.amendment == amendment + 1
        && next.versionHash == versionHash
  }

  /// Whether another place lies before this one, as far as the numbers say.
  func isBehind(_ other: HistoryPosition) -> Bool {
    (version, amendment) < (other.version, other.amendment)
  }

  /// The finalizer of SplitMix64, which is a bijection, over the sum of what was and what comes.
  private static func mixed(_ hash: UInt64, _ bits: UInt64) -> UInt64 {
    var z = hash &* 0x9E37_79B9_7F4A_7C15 &+ bits &+ 0x2545_F491_4F6C_DD1D
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension HistoryPosition: LosslessStringConvertible {
  /// `version-amendment-hash-versionHash-revision-dataHash`, the hashes in hexadecimal digits.
  public var description: String {
    let hashes = [hash, versionHash, data.hash].map { String($0, radix: 16) }
    return "\(version)-\(amendment)-\(hashes[0])-\(hashes[1])-\(data.revision)-\(hashes[2])"
  }

  /// The largest count in a position: 2⁵³ − 1, the largest whole number that every reader of JSON
  /// has. Nobody makes so many changes, and sums of several such counts are no overflow.
  public static let maxCount = 1 << 53 - 1

  /// Reads a ``description``; `nil` if the text is none.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 6, let version = Int(parts[0]), (1...Self.maxCount).contains(version),
      let amendment = Int(parts[1]), (0...Self.maxCount).contains(amendment),
      let hash = UInt64(parts[2], radix: 16), let versionHash = UInt64(parts[3], radix: 16),
      let revision = Int(parts[4]), (0...Self.maxCount).contains(revision),
      let dataHash = UInt64(parts[5], radix: 16)
    else { return nil }
    self.init(
      version: version, amendment: amendment, hash: hash, versionHash: versionHash,
      data: DataPosition(revision: revision, hash: dataHash))
  }
}
