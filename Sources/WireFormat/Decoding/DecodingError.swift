public import CollectionLayout

/// What is wrong with a body, in the words of the answer.
public enum DecodingError: Error, Equatable, Sendable {
  /// The text is no JSON; the offset is that of the first byte at fault.
  case syntax(offset: Int)
  /// JSON that says something impossible: the first faults of all that there are.
  case invalid([InvalidMember])
  /// More items than one layout may store.
  case tooManyItems(limit: Int)
  /// More than the reader can hold.
  case bodyTooLarge
}

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

/// Pieces of a JSON pointer (RFC 6901).
enum JSONPointer {
  /// A member's name as a reference token.
  static func escape(_ name: String) -> String {
    var escaped = ""
    for character in name.unicodeScalars {
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// The pointer to an option by its dotted name.
  static func option(_ name: String) -> String {
    "/options/" + name.split(separator: ".").map { escape(String($0)) }.joined(separator: "/")
  }
}

extension DecodingError {
  /// Runs what reads a body; all its errors become decoding errors.
  static func mapping<R>(_ body: () throws -> R) throws(DecodingError) -> R {
    do {
      return try body()
    } catch let error as JSONError {
      throw DecodingError(error)
    } catch let error as DecodingError {
      throw error
    } catch {
      preconditionFailure("an error of no known type: \(error)")
    }
  }

  /// Reads a body; a fault of its encoding is told rather than whatever else is wrong before it.
  static func reading<R>(
    _ body: UnsafeMutableRawBufferPointer, _ read: (inout JSONReader) throws -> R
  ) throws(DecodingError) -> R {
    try mapping {
      var reader = try JSONReader(body)
      do {
        return try read(&reader)
      } catch {
        try reader.checkRest()
        throw error
      }
    }
  }

  init(_ error: JSONError) {
    switch error {
    case .syntax(let offset): self = .syntax(offset: offset)
    case .tooLarge: self = .bodyTooLarge
    }
  }

  /// The layout's complaint about a body, pointing into it.
  ///
  /// - Parameter items: The pointer to a field (or the whole) of an item or node.
  public init(
    _ error: LayoutError, items: (_ indexPath: IndexPath, _ field: String?) -> String,
    parent: (_ node: Int) -> String
  ) {
    switch error {
    case .invalidOption(let name, let requirement):
      self = .invalid([
        InvalidMember(pointer: JSONPointer.option(name), detail: "must be \(requirement)")
      ])
    case .unknownOption(let name, let known):
      self = .invalid([
        InvalidMember(pointer: JSONPointer.option(name), detail: Self.unknown("option", known))
      ])
    case .invalidBounds(let member, let requirement):
      self = .invalid([
        InvalidMember(pointer: "/bounds/\(member)", detail: "must be \(requirement)")
      ])
    case .invalidItem(let indexPath, let field, let requirement):
      self = .invalid([
        InvalidMember(pointer: items(indexPath, field), detail: "must be \(requirement)")
      ])
    case .invalidParent(let node, let requirement):
      self = .invalid([
        InvalidMember(pointer: parent(node), detail: "must be \(requirement)")
      ])
    case .contentTooLarge:
      self = .invalid([
        InvalidMember(
          pointer: "",
          detail:
            "must describe content that does not reach beyond 1e300, with rows that a double can tell apart"
        )
      ])
    case .tooManyItems(let limit):
      self = .tooManyItems(limit: limit)
    case .unsupportedData(let expected):
      self = .invalid([
        InvalidMember(pointer: "", detail: "this kind of layout takes \(expected)")
      ])
    case .invalidUpdate(let index, let member, let requirement):
      self = .invalid([
        InvalidMember(
          pointer: "/updates/\(index)\(member)", detail: "must be \(requirement)")
      ])
    }
  }

  static func unknown(_ what: String, _ known: [String]) -> String {
    known.isEmpty
      ? "unknown \(what); there is none here"
      : "unknown \(what); known are " + known.joined(separator: ", ")
  }
}
