extension PreparedCollection {
  /// Bytes held that another version of the collection does not hold, too: what it costs to keep
  /// this version beside that one. It may be more than that, but not less.
  ///
  /// - Complexity: O(*s* + *b*) for *s* sections with *b* blocks of items.
  public func memoryBytes(besides other: PreparedCollection) -> Int {
    switch (data, prepared, other.data, other.prepared) {
    case (_, let stack as SectionStack, _, let other as SectionStack):
      stack.memoryBytes(besides: other) + layout.options.memoryBytes
    case (.forest(let forest), let tree, .forest(let other), _):
      tree.memoryBytes + (forest.isSame(as: other) ? 0 : forest.memoryBytes)
    default: memoryBytes
    }
  }

  /// Bytes held besides the items or nodes, which a view shares with its collection.
  public var frameBytes: Int {
    let sections = if case .sections(let sections) = data { sections.count } else { 0 }
    return prepared.memoryBytes + layout.options.memoryBytes
      + sections * MemoryLayout<CollectionSection>.stride
  }
}

extension SectionStack {
  fileprivate func memoryBytes(besides other: SectionStack) -> Int {
    func isSame(_ index: Int, as otherIndex: Int) -> Bool {
      sections[index].body === other.sections[otherIndex].body
        && data[index].items.hasSameStorage(as: other.data[otherIndex].items)
    }
    let common = min(sections.count, other.sections.count)
    var first = 0
    while first < common, isSame(first, as: first) { first += 1 }
    var tail = 0
    while tail < common - first,
      isSame(sections.count - 1 - tail, as: other.sections.count - 1 - tail)
    {
      tail += 1
    }
    let sectionBytes =
      MemoryLayout<Section>.stride + MemoryLayout<CollectionSection>.stride + 16
    var bytes = sections.count * sectionBytes + 768
    for index in first..<sections.count - tail {
      let section = sections[index]
      let counterpart = index < common ? other.sections[index] : nil
      bytes += section.body.memoryBytes(besides: counterpart?.body)
      if let background = section.background, background !== section.body,
        background !== counterpart?.background
      {
        bytes += background.memoryBytes
      }
      bytes += data[index].items.memoryBytes(
        besides: index < common ? other.data[index].items : Items())
    }
    return bytes
  }
}

extension SectionBody {
  /// Bytes that the body holds and another one does not.
  func memoryBytes(besides other: (any SectionBody)?) -> Int {
    switch (self, other) {
    case (let body, let other?) where body === other: 0
    case (let body as TracksBody, let other as TracksBody): body.unsharedBytes(besides: other)
    case (let body as LinesBody, let other as LinesBody): body.unsharedBytes(besides: other)
    case (let body as ShortestTracksBody, let other as ShortestTracksBody):
      body.unsharedBytes(besides: other)
    default: memoryBytes
    }
  }
}

extension Items {
  /// Whether the items are the same slices of the same storage.
  fileprivate func hasSameStorage(as other: Items) -> Bool {
    blocks.count == other.blocks.count
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

extension Forest {
  /// Whether both have one and the same storage.
  fileprivate func isSame(as other: Forest) -> Bool {
    parents.withUnsafeBufferPointer { own in
      other.parents.withUnsafeBufferPointer { $0.baseAddress == own.baseAddress }
    }
  }
}
