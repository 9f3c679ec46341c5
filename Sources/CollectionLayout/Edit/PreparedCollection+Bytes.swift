extension PreparedCollection {
  /// Bytes of frames and options that another version of the collection does not hold, too: what it
  /// costs to keep those of this version beside that one. It may be more than that, but not less.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public func frameBytes(besides other: PreparedCollection) -> Int {
    let options = layout == other.layout ? 0 : layout.memoryBytes
    let otherOrder = other.order
    if case .forest(let forest) = content, case .forest(let other) = other.content {
      return options + forest.unsharedBytes(besides: other)
    }
    guard let stack = content.stack, let other = other.content.stack else {
      return options + prepared.memoryBytes
    }
    return options + stack.frameBytes(besides: other)
      + CollectionSection.measuredBytes(of: stack.data, besides: other.data)
      + (order === otherOrder ? 0 : order?.memoryBytes ?? 0)
  }

  /// Bytes of items, nodes and sections' settings that another version of the collection does not
  /// hold, too. It may be more than that, but not less.
  ///
  /// - Complexity: O(*s* + *b*) for *s* sections with *b* blocks of items.
  public func dataBytes(besides other: PreparedCollection) -> Int {
    switch (data, other.data) {
    case (.forest(let forest), .forest(let other)):
      forest.items.memoryBytes(besides: other.items)
        + (forest.parents.hasSameStorage(as: other.parents)
          ? 0 : forest.memoryBytes - forest.items.memoryBytes)
    case (.sections(let sections), .sections(let others)):
      CollectionSection.memoryBytes(of: sections, besides: others)
    default: data.memoryBytes
    }
  }

  /// Bytes held besides the items, nodes and settings that a view shares with its collection.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public var frameBytes: Int {
    guard case .sections(let sections) = data else {
      return prepared.memoryBytes + layout.memoryBytes
    }
    return prepared.memoryBytes + layout.memoryBytes + data.measuredBytes
      + (order?.memoryBytes ?? 0)
      + sections.count * MemoryLayout<CollectionSection>.stride
  }

  /// Bytes that a view holds, and the collection that it is a view of does not.
  ///
  /// A view of another kind has settings of its own for sections with options that its kind does
  /// not know.
  ///
  /// - Parameter source: The same data.
  /// - Complexity: O(*s*) for *s* sections.
  public func frameBytes(asViewOf source: PreparedCollection) -> Int {
    var own = frameBytes
    if let stack = content.stack, let other = source.content.stack {
      own +=
        stack.sections.textBytes(besides: other.heldTexts) - stack.sections.textBytes(besides: [])
    }
    guard layout.kind != source.layout.kind, case .sections(let sections) = data,
      case .sections(let others) = source.data, sections.count == others.count
    else { return own }
    return zip(sections, others).reduce(own) { bytes, pair in
      pair.0.settings === pair.1.settings ? bytes : bytes + (pair.0.settings?.memoryBytes ?? 0)
    }
  }
}

extension SectionStack {
  fileprivate func frameBytes(besides other: SectionStack) -> Int {
    guard self !== other else { return 0 }
    var bytes =
      sections.count * (MemoryLayout<Section>.stride + 16) + 768
      + sections.textBytes(besides: other.heldTexts)
    if ownStyle !== other.ownStyle { bytes += ownStyle?.memoryBytes ?? 0 }
    var lastStyle = ownStyle
    sections.forEachDifference(from: other.sections) {
      $0.body === $1.body && $0.style === $1.style && $0.background === $1.background
    } _: { section, counterpart in
      if section.style !== lastStyle, section.style !== counterpart?.style {
        bytes += section.style.memoryBytes
      }
      lastStyle = section.style
      bytes += section.body.memoryBytes(besides: counterpart?.body)
      if let background = section.background, background !== section.body,
        background !== counterpart?.background
      {
        bytes += background.memoryBytes
      }
    }
    return bytes
  }
}

extension CollectionSection {
  fileprivate static func memoryBytes(
    of sections: [CollectionSection], besides others: [CollectionSection]
  ) -> Int {
    if sections.hasSameStorage(as: others) { return 0 }
    var bytes = sections.count * MemoryLayout<CollectionSection>.stride
    sections.forEachDifference(from: others) {
      $0.settings === $1.settings && $0.items.hasSameStorage(as: $1.items)
    } _: { section, counterpart in
      bytes += section.items.memoryBytes(besides: counterpart?.items ?? Items())
      if section.settings !== counterpart?.settings { bytes += section.settings?.memoryBytes ?? 0 }
    }
    return bytes
  }

  fileprivate static func measuredBytes(
    of sections: [CollectionSection], besides others: [CollectionSection]
  ) -> Int {
    if sections.hasSameStorage(as: others) { return 0 }
    var bytes = 0
    sections.forEachDifference(from: others) {
      $0.items.measured.isSame(as: $1.items.measured)
    } _: { section, counterpart in
      let measured = section.items.measured
      if !(counterpart?.items.measured.isSame(as: measured) ?? false) {
        bytes += measured.memoryBytes
      }
    }
    return bytes
  }
}

extension Array {
  /// Calls `body` with each element between what both arrays have at their beginning and at their
  /// end, and with the element that the other array has at the same index.
  fileprivate func forEachDifference(
    from others: [Element], areSame: (Element, Element) -> Bool,
    _ body: (Element, Element?) -> Void
  ) {
    for index in unsharedIndices(besides: others, areSame: areSame) {
      body(self[index], others.indices.contains(index) ? others[index] : nil)
    }
  }

  /// Whether both arrays are one.
  func hasSameStorage(as other: [Element]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { own in
        other.withUnsafeBufferPointer { $0.baseAddress == own.baseAddress }
      }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The indices, from 0, between what both have at their beginning and at their end.
  func unsharedIndices(besides others: Self, areSame: (Element, Element) -> Bool) -> Range<Int> {
    let common = Swift.min(count, others.count)
    var first = 0
    while first < common, areSame(self[first], others[first]) { first += 1 }
    var tail = 0
    while tail < common - first, areSame(self[count - 1 - tail], others[others.count - 1 - tail]) {
      tail += 1
    }
    return first..<count - tail
  }
}

extension Items {
  /// Whether the items are the same slices of the same storage.
  func hasSameStorage(as other: Items) -> Bool {
    blocks.count == other.blocks.count && order?.isSame(as: other.order) ?? (other.order == nil)
      && zip(blocks, other.blocks).allSatisfy {
        $0.storage === $1.storage && $0.count == $1.count && $0.offset == $1.offset
      }
  }

  /// Bytes held that other items do not hold.
  fileprivate func memoryBytes(besides other: Items) -> Int {
    var counted = Set(other.blocks.compactMap { $0.storage.map { ObjectIdentifier($0) } })
    return blocks.reduce(32 + blocks.count * MemoryLayout<Block>.stride) { bytes, block in
      guard let storage = block.storage, counted.insert(ObjectIdentifier(storage)).inserted else {
        return bytes
      }
      return bytes + storage.memoryBytes
    }
  }
}

extension ArraySlice {
  /// Whether both are one slice of one array.
  fileprivate func isSame(as other: ArraySlice?) -> Bool {
    guard let other, startIndex == other.startIndex, count == other.count else { return false }
    return withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { $0.baseAddress == own.baseAddress }
    }
  }
}
