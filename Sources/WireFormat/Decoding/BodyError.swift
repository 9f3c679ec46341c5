import CollectionLayout

/// What is wrong with a body, in the words of the answer.
public enum BodyError: Error, Equatable, Sendable {
  /// The text is no JSON; the offset is that of the first byte at fault.
  case syntax(offset: Int)
  /// JSON that says something impossible: the first faults of all that there are.
  case invalid([InvalidMember])
  /// More items than one layout may store.
  case tooManyItems(limit: Int)
  /// More sections than one layout may have.
  case tooManySections(limit: Int)
  /// More than the reader can hold.
  case bodyTooLarge
}

extension BodyError {
  /// Reads a body; a fault of its encoding is told rather than whatever else is wrong before it.
  static func reading<R>(
    _ body: UnsafeMutableRawBufferPointer, _ read: (inout JSONReader) throws -> R
  ) throws(BodyError) -> R {
    do {
      var reader = try JSONReader(body)
      do {
        return try read(&reader)
      } catch {
        try reader.checkRest()
        throw error
      }
    } catch let error as JSONError {
      throw BodyError(error)
    } catch let error as BodyError {
      throw error
    } catch {
      preconditionFailure("an error of no known type: \(error)")
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
  /// - Parameter items: The pointer to a field of an item.
  init(
    _ error: LayoutError, items: (_ indexPath: IndexPath, _ field: String) -> String,
    parent: (_ node: Int) -> String
  ) {
    switch error {
    case .invalidOption(let name, let requirement):
      self = .invalid([
        InvalidMember(pointer: JSONPointer.option(name), detail: "must be \(requirement)")
      ])
    case .invalidBounds(let member, let requirement):
      self = .invalid([
        InvalidMember(pointer: "/bounds/\(member)", detail: "must be \(requirement)")
      ])
    case .invalidItem(let indexPath, let field, _, let requirement):
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
          pointer: "", detail: "must describe content that does not reach beyond 1e300")
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

  /// The layout's complaint about what a change makes of it.
  ///
  /// - Parameter pointer: Where in the body the change is: what is at fault may not be in it.
  init(_ error: LayoutError, madeAt pointer: String) {
    switch error {
    case .invalidOption(let name, let requirement):
      self = .unsuitable(at: pointer, "\(name) must be \(requirement)")
    case .invalidItem(let path, let field, _, let requirement):
      let subject = "the \(field) of item [\(path.section), \(path.item)]"
      self = .unsuitable(at: pointer, "\(subject) must be \(requirement)")
    case .invalidBounds, .invalidParent, .contentTooLarge, .tooManyItems, .unsupportedData,
      .invalidUpdate:
      self.init(error, items: { _, _ in pointer }, parent: { _ in pointer })
    }
  }

  private static func unsuitable(at pointer: String, _ reason: String) -> BodyError {
    .invalid([InvalidMember(pointer: pointer, detail: "must suit the layout: \(reason)")])
  }

  static func unknown(_ known: [String]) -> String {
    known.isEmpty
      ? "is unknown; there is none here" : "is unknown; known: " + known.joined(separator: ", ")
  }
}
