public import CollectionLayout

/// A problem document (RFC 9457).
public struct Problem: Sendable {
  public var type: ProblemDescription
  /// A sentence that says what is wrong and what would be right.
  public var detail: String
  /// The members of the body that are wrong.
  public var errors: [InvalidMember]
  /// What hides the element that was asked for.
  public var foldedIn: PreparedCollection.Cover?

  public init(_ type: ProblemDescription, detail: String, errors: [InvalidMember] = []) {
    self.type = type
    self.detail = detail
    self.errors = errors
  }

  /// The document as JSON text in UTF-8. It has `errors` only if there are some.
  ///
  /// - Complexity: O(*length*) of the text.
  public func encoded() -> [UInt8] {
    JSONWriter.text {
      type.write(to: &$0)
      $0["detail"] = detail
      $0["errors"] = errors.isEmpty ? nil : errors
      if let foldedIn { $0.write(foldedIn: foldedIn) }
    }
  }
}

extension InvalidMember: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["pointer"] = pointer
      $0["detail"] = detail
    }
  }
}

extension Problem {
  /// Adds the request's id to an encoded problem document.
  public static func add(requestID: String, to document: inout [UInt8]) {
    guard document.last == UInt8(ascii: "}") else { return }
    document.removeLast()
    var writer = JSONWriter(into: document)
    writer.endObject { $0["requestId"] = requestID }
    document = writer.bytes
  }
}
