/// A member of a body that cannot be used.
public struct InvalidMember: Equatable, Sendable, JSONWritable {
  /// The largest number of faults that are reported for a body.
  public static let maxCount = 20

  /// A JSON pointer to the member (RFC 6901).
  public var pointer: String
  /// What the member must be, and what it was.
  public var detail: String

  public init(pointer: String, detail: String) {
    self.pointer = pointer
    self.detail = detail
  }

  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["pointer"] = pointer
      $0["detail"] = detail
    }
  }
}

/// The faults found in a body so far.
struct InvalidMembers {
  /// The number of bytes of pointers after which no more faults are added.
  private static let maxBytes = 64 << 10
  private var byteCount = 0

  private(set) var members: [InvalidMember] = []

  var isEmpty: Bool { members.isEmpty }
  /// Whether no more faults are added. There is a limit in bytes, because pointers into a deep body
  /// are long.
  var isFull: Bool { members.count >= InvalidMember.maxCount || byteCount >= Self.maxBytes }
  var remainingCapacity: Int { InvalidMember.maxCount - members.count }

  mutating func add(_ pointer: String, _ detail: String) {
    guard !isFull else { return }
    members.append(InvalidMember(pointer: pointer, detail: detail))
    byteCount += pointer.utf8.count
  }
}
