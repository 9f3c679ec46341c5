/// A place in the history of a layout: which history it is, and how many changes lie before the
/// place.
///
/// Two histories of one layout may have the same numbers. A store that failed over may have lost a
/// change, and then another change was made in its place. The hashes of the two histories differ:
/// each change has a random id, and the hash is made of the ids of all changes up to here.
///
/// A document and its first layout have one history. Changes of the data are a part of it. The
/// history of any other layout has only the layout's own changes.
///
///     a first layout   prepared   items inserted   other options   an amendment
///     serial               0            1                2              3
///     own                  0            0                1              1
///     hash                 a            b                c              d
///     versionHash          a            b                c              c
///     data               0, a         1, b             1, b           1, b
///     its tag             1-a          2-b              3-c            3-c
public struct HistoryPosition: Hashable, Sendable {
  /// How many changes the history has had, of any sort.
  public let serial: Int
  /// How many of these changes were the layout's own and made a new version.
  public let own: Int
  /// The hash of all changes up to here.
  public let hash: UInt64
  /// The hash at the place where the version began, without the amendments of the version. An
  /// amendment is a change that leaves the version as it is: of bounds or options that no element
  /// depends on.
  public let versionHash: UInt64
  /// The place of the data that is laid out.
  public let data: DataPosition

  /// A place in the history of a document's data. Layouts' own changes leave it.
  public struct DataPosition: Hashable, Sendable {
    /// How often the data had changed.
    public internal(set) var revision: Int
    /// The hash of all changes of the document and its first layout, up to the last change of the
    /// data.
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

  /// The place where a layout begins.
  ///
  /// - Parameter data: The place of the data; `nil` for a new document. Its data begins here, too.
  public static func beginning(
    _ change: ChangeID, over data: DataPosition? = nil
  ) -> HistoryPosition {
    let hash = mixed(0, change.bits)
    return HistoryPosition(
      serial: 0, own: 0, hash: hash, versionHash: hash,
      data: data ?? DataPosition(revision: 0, hash: hash))
  }

  /// The place after a change that makes the next version.
  ///
  /// - Parameters:
  ///   - isOfData: Whether the change is one of the data; otherwise it is the layout's own.
  ///   - data: The place of the data by now, if the data has changed in another history.
  public func advanced(
    by change: ChangeID, isOfData: Bool, over data: DataPosition? = nil
  ) -> HistoryPosition {
    let hash = Self.mixed(hash, change.bits)
    return HistoryPosition(
      serial: serial + 1, own: isOfData ? own : own + 1, hash: hash, versionHash: hash,
      data: isOfData
        ? DataPosition(revision: self.data.revision + 1, hash: hash) : data ?? self.data)
  }

  /// The place after a change that leaves the version as it is.
  ///
  /// - Parameter data: The place of the data by now, if the data has changed in another history.
  public func amended(by change: ChangeID, over data: DataPosition? = nil) -> HistoryPosition {
    let data = data ?? self.data
    // With other data the version began with all amendments up to here.
    return HistoryPosition(
      serial: serial + 1, own: own, hash: Self.mixed(hash, change.bits),
      versionHash: data == self.data ? versionHash : hash, data: data)
  }

  /// Whether the change, made here, leads there.
  ///
  /// - Parameter isOfDocument: Whether this is the history of a document with its first layout.
  ///   Then the data moves on by changes of the data alone, and by one revision each.
  public func leads(
    to next: HistoryPosition, by change: ChangeID, isOfDocument: Bool
  ) -> Bool {
    guard next.serial == serial + 1, next.hash == Self.mixed(hash, change.bits) else {
      return false
    }
    let mayHaveData = !isOfDocument || next.data == data
    if next.versionHash == versionHash || next.versionHash == hash {
      return next.own == own && mayHaveData
    }
    guard next.versionHash == next.hash else { return false }
    return next.own == own + 1 && mayHaveData
      || next.own == own
        && next.data == DataPosition(revision: data.revision + 1, hash: next.hash)
  }

  /// The number of the version that a layout has here, from 1. Each change of the layout's own adds
  /// one, and so does each change of the data since the layout was born.
  ///
  /// - Parameters:
  ///   - birth: The revision of the data at which the layout was born; `nil` for a document's first
  ///     layout, which was born with the data. It may be above the revision of now: a store may
  ///     have lost changes of the data, and kept a layout that was born after them.
  ///   - revision: The revision of the data now.
  func number(bornAt birth: Int?, at revision: Int) -> Int {
    max(1, 1 + own + revision - (birth ?? 0))
  }

  /// What clients are shown of the version that a layout has here.
  ///
  /// The history of a document's first layout has the changes of the data. To the history of any
  /// other layout, they come from outside. So an amendment of such a layout leaves the version as
  /// it is only for the data for which it was made. With other data, an option may matter that did
  /// not matter before.
  ///
  /// - Parameters:
  ///   - birth: The revision of the data at which the layout was born; `nil` for a first one.
  ///   - data: The place of the data now.
  func tag(bornAt birth: Int?, over data: DataPosition) -> VersionTag {
    let number = number(bornAt: birth, at: data.revision)
    guard birth != nil else { return VersionTag(number: number, longHash: versionHash) }
    let own = data == self.data ? versionHash : hash
    return VersionTag(number: number, longHash: Self.mixed(own, data.hash))
  }

  /// What clients are shown of the version of a document's first layout that is here.
  public var tag: VersionTag { tag(bornAt: nil, over: data) }

  /// The finalizer of SplitMix64, which is a bijection, over the sum of what was and what comes.
  private static func mixed(_ hash: UInt64, _ bits: UInt64) -> UInt64 {
    var z = hash &* 0x9E37_79B9_7F4A_7C15 &+ bits &+ 0x2545_F491_4F6C_DD1D
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension HistoryPosition: LosslessStringConvertible {
  /// `serial-own-hash-versionHash-revision-dataHash`, the hashes in hexadecimal digits.
  public var description: String {
    let hashes = [hash, versionHash, data.hash].map { String($0, radix: 16) }
    return "\(serial)-\(own)-\(hashes[0])-\(hashes[1])-\(data.revision)-\(hashes[2])"
  }

  /// The largest count in a position: 2⁵³ − 1, the largest whole number that every reader of JSON
  /// has. Nobody makes so many changes, and sums of several such counts are no overflow.
  public static let maxCount = 1 << 53 - 1

  /// Reads a ``description``; `nil` if the text is none.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 6, let serial = Self.count(parts[0]), let own = Self.count(parts[1]),
      let hash = UInt64(parts[2], radix: 16), let versionHash = UInt64(parts[3], radix: 16),
      let revision = Self.count(parts[4]), let dataHash = UInt64(parts[5], radix: 16)
    else { return nil }
    self.init(
      serial: serial, own: own, hash: hash, versionHash: versionHash,
      data: DataPosition(revision: revision, hash: dataHash))
  }

  private static func count(_ text: Substring) -> Int? {
    Int(text).flatMap { (0...maxCount).contains($0) ? $0 : nil }
  }
}
