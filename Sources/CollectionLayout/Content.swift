/// What a collection is of, laid out.
enum Content: Sendable {
  case sections(SectionStack)
  case forest(any PreparedForest)

  /// The frames.
  var prepared: any PreparedLayout {
    switch self {
    case .sections(let stack): stack
    case .forest(let tree): tree
    }
  }

  /// What is laid out.
  var data: CollectionData {
    switch self {
    case .sections(let stack): .sections(stack.data)
    case .forest(let tree): .forest(tree.forest)
    }
  }

  /// The stack of sections; `nil` for a hierarchy.
  var stack: SectionStack? { if case .sections(let stack) = self { stack } else { nil } }

  /// What is folded.
  var folds: Folds {
    switch self {
    case .sections(let stack): stack.folds
    case .forest(let forest): forest.folds
    }
  }

  /// Whether two layouts of the same data certainly have equal attributes.
  func isEqual(to other: Content) -> Bool {
    switch (self, other) {
    case (.sections(let a), .sections(let b)): a.layout.kind == b.layout.kind && a.isEqual(to: b)
    case (.forest(let a), .forest(let b)): a.isLaidOut(like: b) && a.folds == b.folds
    case (.sections, .forest), (.forest, .sections): false
    }
  }
}
