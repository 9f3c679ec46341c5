import CollectionLayout
public import System

/// An error in a body, in the words of the answer.
public enum BodyError: Error, Equatable, Sendable {
  /// The text is not JSON (RFC 8259). The offset is that of the first wrong byte, or close to it.
  case syntax(offset: Int)
  /// The text is JSON, but members are wrong. These are the first faults.
  case invalid([InvalidMember])
  /// There are more items than a layout may store.
  case tooManyItems(limit: Int)
  /// There are more sections than a layout may have.
  case tooManySections(limit: Int)
  /// The arrangement stays, of what was made of a read-only view.
  case boundArrangement
  /// The work was not done: nobody waits for it, or there is no memory for it.
  case refused(WorkRefusal)
  /// The text is longer than 4 GiB.
  case bodyTooLarge
}

extension BodyError {
  /// See ``CurrentWork/reserve(_:)``, and ``CurrentWork/checkFits(_:)`` for what will be kept.
  public static func reserve(_ bytes: Int, keeping kept: Int = 0) throws(BodyError) {
    do throws(WorkRefusal) {
      try CurrentWork.checkFits(kept)
      try CurrentWork.reserve(bytes)
    } catch {
      throw .refused(error)
    }
  }

  /// Reads a body to its end. An error of its encoding, such as invalid UTF-8 or an unfinished
  /// string, is reported instead of any error before it.
  ///
  /// - Parameter read: Reads the value. If it is wrong, faults are added, and the result may be
  ///   `nil`.
  static func reading<R>(
    _ body: UnsafeMutableRawBufferPointer, _ read: (inout JSONReader) throws(BodyError) -> R?
  ) throws(BodyError) -> R {
    var reader = try JSONReader(body)
    do throws(BodyError) {
      let value = try read(&reader)
      try reader.finish()
      guard let value, reader.faults.isEmpty else {
        throw .invalid(reader.faults.members)
      }
      return value
    } catch {
      try reader.checkRest()
      throw error
    }
  }

  /// Reads a body that has one member, which is a list.
  ///
  /// - Parameters:
  ///   - limit: The most elements.
  ///   - read: Reads an element. If it is wrong, faults are added.
  static func reading<Element>(
    _ body: UnsafeMutableRawBufferPointer, listOf name: String, upTo limit: Int,
    _ read: (inout JSONReader) throws(BodyError) -> Element?
  ) throws(BodyError) -> [Element] {
    try reading(body) { (reader) throws(BodyError) in
      var list: [Element]?
      try reader.readObject(known: [name]) { (_, reader) throws(BodyError) in
        list = try reader.readList(of: name, upTo: limit, read)
      }
      if list == nil, reader.faults.isEmpty { reader.refuse(at: [name], "must be given") }
      return list
    }
  }

  /// The error of a layout that is prepared as an error of the body.
  init(_ error: LayoutError, pointers: PreparePointers) {
    switch error {
    case .invalidOption(let name, let section, let requirement):
      self = .invalid(at: pointers.option(name, section: section), "must be \(requirement)")
    case .invalidItem(let indexPath, let field, let requirement):
      self = .invalid(at: pointers.item(indexPath, field: field), "must be \(requirement)")
    case .invalidSection(let section, let member, let requirement):
      self = .invalid(at: "/sections/\(section)/\(member)", "must be \(requirement)")
    case .invalidParent(let node, let requirement):
      self = .invalid(at: pointers.parent(ofNode: node), "must be \(requirement)")
    case .contentTooLarge:
      self = .invalid(
        at: "",
        "must describe content that is at most 2^43 points high and reaches to 1e300 at most")
    case .invalidBounds, .tooManyItems, .tooManySections, .tooManyConditions, .refused,
      .unsupportedData, .invalidFold, .invalidUpdate, .invalidUpdateOption:
      self.init(error, madeAt: "/updates")
    }
  }

  /// The error of a changed layout as an error of the body.
  ///
  /// - Parameter pointer: The place of the change in the body. What is wrong may be outside the
  ///   body.
  init(_ error: LayoutError, madeAt pointer: String) {
    switch error {
    case .invalidOption(let name, let section, let requirement):
      let owner = section.map { " of section \($0)" } ?? ""
      self = .unsuitable(at: pointer, "\(name)\(owner) must be \(requirement)")
    case .invalidItem(let path, let field, let requirement):
      let subject = "the \(field) of item [\(path.section), \(path.item)]"
      self = .unsuitable(at: pointer, "\(subject) must be \(requirement)")
    case .invalidSection(let section, let member, let requirement):
      self = .unsuitable(at: pointer, "the \(member) of section \(section) must be \(requirement)")
    case .contentTooLarge:
      self = .invalid(
        at: pointer, "must not make the content higher than 2^43 points or reach beyond 1e300")
    case .invalidUpdate(let index, let member, let requirement):
      self = .invalid(at: "\(pointer)/\(index)\(member)", "must be \(requirement)")
    case .invalidFold(let list, let index, let requirement):
      self = .invalid(
        at: "\(pointer.isEmpty ? "" : "/folded")/\(list)/\(index)", "must be \(requirement)")
    case .invalidParent(_, let requirement):
      self = .invalid(at: pointer, "must be \(requirement)")
    case .invalidBounds(let member, let requirement):
      self = .invalid(at: "/bounds/\(member)", "must be \(requirement)")
    case .unsupportedData(let expected):
      self = .invalid(at: "", "this kind of layout takes \(expected)")
    case .invalidUpdateOption(let index, let path, let detail):
      self = .invalid(at: JSONPointer.appending(path, to: "/updates/\(index)"), detail)
    case .tooManyItems(let limit): self = .tooManyItems(limit: limit)
    case .tooManySections(let limit): self = .tooManySections(limit: limit)
    case .tooManyConditions(let limit):
      self = .invalid(
        at: "/arrange/where", "must have at most \(limit) conditions for so many items")
    case .refused(let refusal): self = .refused(refusal)
    }
  }

  private static func invalid(at pointer: String, _ detail: String) -> BodyError {
    .invalid([InvalidMember(pointer: pointer, detail: detail)])
  }

  private static func unsuitable(at pointer: String, _ reason: String) -> BodyError {
    invalid(at: pointer, "must suit the layout: \(reason)")
  }

  static func unknown(_ known: [String]) -> String {
    known.isEmpty
      ? "is unknown; no member is allowed here"
      : "is unknown; known: " + known.joined(separator: ", ")
  }
}
