/// What a collection holds.
public enum CollectionData: Sendable {
  /// Sections of items in display order.
  case sections([Items])
  /// A hierarchy: each depth is a section.
  case forest(Forest)

  /// Bytes held, what sections share counted once.
  ///
  /// - Complexity: O(*s* + *b*) for *s* sections with *b* blocks of items; O(1) for a forest.
  public var memoryBytes: Int {
    switch self {
    case .sections(let sections):
      var counted = Set<ObjectIdentifier>()
      return sections.reduce(sections.count * MemoryLayout<Items>.stride) {
        $0 + $1.memoryBytes(besides: &counted)
      }
    case .forest(let forest): return forest.memoryBytes
    }
  }

  /// How many items count as stored by a kind: all but those without fields and names of a kind
  /// that computes everything.
  public func storedItemCount(form: DataForm) -> Int {
    switch (self, form) {
    case (.sections(let sections), .sections(let fields, _)):
      sections.reduce(0) { $0 + (fields.isEmpty ? $1.storedCount : $1.count) }
    case (.sections(let sections), .forest): sections.reduce(0) { $0 + $1.count }
    case (.forest(let forest), _): forest.count
    }
  }
}

extension CollectionData {
  /// The sections, for a layout of sections.
  func requiredSections() throws(LayoutError) -> [Items] {
    guard case .sections(let sections) = self else {
      throw .unsupportedData(expected: "sections")
    }
    return sections
  }

  /// Stops the program unless items with columns have those of a form.
  ///
  /// - Complexity: O(*b*) for *b* blocks in all sections.
  func requireColumns(of form: DataForm) {
    guard case .sections(let sections) = self, case .sections(let fields, _) = form else { return }
    precondition(
      sections.allSatisfy {
        $0.blocks.allSatisfy { ($0.storage?.columns.count ?? fields.count) == fields.count }
      }, "items have one column for each field")
  }
}
