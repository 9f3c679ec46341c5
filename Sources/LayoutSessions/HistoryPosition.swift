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

  private init(version: Int, amendment: Int, hash: UInt64, versionHash: UInt64) {
    self.version = version
    self.amendment = amendment
    self.hash = hash
    self.versionHash = versionHash
  }

  /// Where a session begins, with its first version.
  public static func beginning(_ change: ChangeID) -> HistoryPosition {
    let hash = mixed(0, change.bits)
    return HistoryPosition(version: 1, amendment: 0, hash: hash, versionHash: hash)
  }

  /// The place after a change that makes the next version.
  public func advanced(by change: ChangeID) -> HistoryPosition {
    let hash = Self.mixed(hash, change.bits)
    return HistoryPosition(version: version + 1, amendment: 0, hash: hash, versionHash: hash)
  }

  /// The place after a change that leaves the version as it is.
  public func amended(by change: ChangeID) -> HistoryPosition {
    HistoryPosition(
      version: version, amendment: amendment + 1, hash: Self.mixed(hash, change.bits),
      versionHash: versionHash)
  }

  /// Whether the change, made here, leads there.
  public func leads(to next: HistoryPosition, by change: ChangeID) -> Bool {
    next == (next.amendment == 0 ? advanced(by: change) : amended(by: change))
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
  /// `version-amendment-hash-versionHash`, the hashes in hexadecimal digits.
  public var description: String {
    "\(version)-\(amendment)-\(String(hash, radix: 16))-\(String(versionHash, radix: 16))"
  }

  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, let version = Int(parts[0]), version > 0,
      let amendment = Int(parts[1]), amendment >= 0, let hash = UInt64(parts[2], radix: 16),
      let versionHash = UInt64(parts[3], radix: 16)
    else { return nil }
    self.init(version: version, amendment: amendment, hash: hash, versionHash: versionHash)
  }
}
