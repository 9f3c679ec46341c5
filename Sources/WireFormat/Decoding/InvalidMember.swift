/// A member of a body that cannot be used.
public struct InvalidMember: Equatable, Sendable {
  /// Where it is (RFC 6901).
  public var pointer: String
  /// What it must be, and what it was.
  public var detail: String

  /// No answer repeats more of a body than this.
  private static let maxPointerBytes = 8 << 10

  /// - Parameter pointer: Cut, with an ellipsis, where it is longer than 8 KiB.
  public init(pointer: String, detail: String) {
    self.pointer = pointer.cut(toBytes: Self.maxPointerBytes)
    self.detail = detail
  }
}

/// The faults found in a body so far.
struct InvalidMembers {
  /// How many are reported.
  static let capacity = 20
  /// How many bytes of pointers are enough.
  private static let maxBytes = 64 << 10
  private var byteCount = 0

  private(set) var members: [InvalidMember] = []

  var isEmpty: Bool { members.isEmpty }
  /// Whether no more are reported: pointers into a deep body are long.
  var isFull: Bool { members.count >= Self.capacity || byteCount >= Self.maxBytes }
  var remainingCapacity: Int { Self.capacity - members.count }

  mutating func add(_ pointer: @autoclosure () -> String, _ detail: @autoclosure () -> String) {
    guard !isFull else { return }
    let pointer = pointer()
    members.append(InvalidMember(pointer: pointer, detail: detail()))
    byteCount += pointer.utf8.count
  }

  func throwIfAny() throws(DecodingError) {
    if !isEmpty { throw .invalid(members) }
  }
}

extension String {
  fileprivate func cut(toBytes limit: Int) -> String {
    guard var end = utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex
    else { return self }
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + "…"
  }
}
