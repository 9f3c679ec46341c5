/// The items of a section: a rope of slices of shared storage.
///
///     blocks   [0 ..< 8192 of A] [8192 ..< 8193 of B] [8193 ..< 9000 of A, from 8193]
///
/// A block without storage stands for items without fields and ids. It needs no memory per item. A
/// change of a few items makes a few new slices. Storage never changes, so versions of a layout
/// share it.
///
/// The items of an arrangement are some of those in the blocks, in another order. They are only
/// read.
public struct Items: Sendable {
  struct Block: Sendable {
    /// The index of the block's first item in the section.
    var first: Int
    var count: Int
    var storage: ItemStorage?
    /// The index of the block's first item in `storage`.
    var offset: Int

    var end: Int { first + count }

    func slice(_ range: Range<Int>) -> Block {
      Block(
        first: range.lowerBound, count: range.count, storage: storage,
        offset: offset + range.lowerBound - first)
    }
  }

  private(set) var blocks: [Block]
  /// Of an arrangement: the place of each item in the blocks.
  private(set) var order: ArraySlice<UInt32>?
  public private(set) var count: Int
  /// Whether any item may have an id.
  private(set) var hasIDs: Bool
  /// What was measured of the items in the layout that these are of.
  var measured = MeasuredSizes()

  public init() {
    blocks = []
    count = 0
    hasIDs = false
  }

  /// Items without fields of their own.
  ///
  /// - Parameter count: ≥ 0. A layout takes up to ``JSONInteger/maximum`` items in all its
  ///   sections.
  public init(uniform count: Int) {
    precondition(count >= 0, "there are no \(count) items")
    self.init()
    append(Block(first: 0, count: count, storage: nil, offset: 0))
  }

  public init(_ storage: ItemStorage) {
    self.init()
    append(storage)
  }

  /// Some of the items of blocks, in an order of their own.
  ///
  /// - Parameter order: The places of the items in the blocks.
  init(_ blocks: [Block], order: ArraySlice<UInt32>) {
    self.init()
    // What fields the blocks have says nothing of items that are not there.
    guard !order.isEmpty else { return }
    self.blocks = blocks
    self.order = order
    count = order.count
    hasIDs = blocks.contains { $0.storage?.ids != nil }
  }

  /// The items of blocks one behind another, as they are stored.
  init(inOneList blocks: some Sequence<Block>) {
    self.init()
    for var block in blocks {
      block.first = count
      count += block.count
      self.blocks.append(block)
    }
    hasIDs = self.blocks.contains { $0.storage?.ids != nil }
  }

  /// Adds items at the end. Items without any field or id are counted but not stored.
  public mutating func append(_ storage: ItemStorage) {
    measured.append(storage.measured, at: count)
    let storage = storage.withoutMeasured
    append(
      Block(
        first: 0, count: storage.count, storage: storage.hasContent ? storage : nil, offset: 0))
  }

  /// - Complexity: O(1), or O(*n*) if small neighbours of together *n* items are copied into one
  ///   block.
  mutating func append(_ block: Block) {
    guard block.count > 0 else { return }
    var block = block
    block.first = count
    count += block.count
    if block.storage?.ids != nil { hasIDs = true }
    if let last = blocks.last, let joined = last.joined(with: block) {
      blocks[blocks.count - 1] = joined
    } else {
      blocks.append(block)
    }
  }

  /// The id of an item, if it has one.
  ///
  /// - Complexity: O(log *b*) for *b* blocks.
  public func id(at item: Int) -> ItemID? {
    guard count > 0 else { return nil }
    let (storage, index) = storage(at: item)
    return storage?.ids?[index]
  }

  /// What is stored of an item, and the item's index there.
  ///
  /// - Parameter item: From 0 to `count` − 1.
  /// - Complexity: O(log *b*) for *b* blocks.
  func storage(at item: Int) -> (storage: ItemStorage?, index: Int) {
    let place = order.map { Int($0[$0.startIndex + item]) } ?? item
    let block = blocks[blockIndex(of: place)]
    return (block.storage, block.offset + place - block.first)
  }

  /// The items from one on that lie side by side in one storage: what is stored of the first, its
  /// index there, and the item behind the last.
  ///
  /// - Parameter item: From 0 to `count` − 1.
  /// - Complexity: O(log *b*) for *b* blocks.
  func run(from item: Int) -> (storage: ItemStorage?, index: Int, end: Int) {
    let (storage, index) = storage(at: item)
    if order != nil { return (storage, index, item + 1) }
    return (storage, index, blocks[blockIndex(of: item)].end)
  }

  /// An item's value of a field, if it has one.
  ///
  /// - Parameter item: From 0 to `count` − 1.
  /// - Complexity: O(log *b*) for *b* blocks.
  public func value(of field: ItemField, at item: Int) -> Double? {
    let (storage, index) = storage(at: item)
    return storage?.value(of: field, at: index)
  }

  /// The index of the block that holds the item.
  func blockIndex(of item: Int) -> Int {
    partitionPoint(in: 0..<blocks.count) { blocks[$0].end <= item }
  }

  /// How many items have storage of their own.
  ///
  /// - Complexity: O(*b*) for *b* blocks.
  public var storedCount: Int {
    if order != nil { return blocks.contains { $0.storage != nil } ? count : 0 }
    return blocks.reduce(0) { $0 + ($1.storage == nil ? 0 : $1.count) }
  }

  /// The memory of the items, in bytes.
  ///
  /// - Complexity: O(*b*) for *b* blocks.
  public var memoryBytes: Int {
    var counted = Set<ObjectIdentifier>()
    return memoryBytes(besides: &counted)
  }

  /// Whether anything was measured of the items.
  public var hasMeasured: Bool { !measured.isEmpty }

  /// The same items, of which nothing was measured.
  var withoutMeasured: Items {
    var items = self
    items.measured = MeasuredSizes()
    return items
  }

  /// The memory of the items, in bytes, without storage that was already counted.
  ///
  /// - Parameter counted: The storage that was counted. Storage that is counted now is added.
  func memoryBytes(besides counted: inout Set<ObjectIdentifier>) -> Int {
    // What an arrangement has beside its order is its source's.
    if let order { return order.count * MemoryLayout<UInt32>.stride + measured.memoryBytes }
    return blocks.reduce(
      (blocks.isEmpty ? 0 : 32 + blocks.count * MemoryLayout<Block>.stride) + measured.memoryBytes
    ) {
      guard let storage = $1.storage,
        // A block that has all items of its storage does not share it with another block.
        $1.count == storage.count || counted.insert(ObjectIdentifier(storage)).inserted
      else { return $0 }
      return $0 + storage.memoryBytes
    }
  }
}

extension Items {
  /// Calls `body` for each part of the range that lies in one storage, in item order.
  ///
  /// - Parameter body: Gets the storage, `nil` for items without fields, and the indices in it.
  func forEachRun(in range: Range<Int>, _ body: (ItemStorage?, Range<Int>) -> Void) {
    guard order == nil else {
      for item in range {
        let (storage, index) = storage(at: item)
        body(storage, index..<index + 1)
      }
      return
    }
    forEachBlock(in: range) { body($0.storage, $0.range) }
  }
}

// MARK: Changes

extension Items {
  /// The items of a range. They share all storage.
  func slice(_ range: Range<Int>) -> Items {
    precondition(order == nil, "an arrangement is only read")
    var slice = Items()
    forEachBlock(in: range) { slice.append($0) }
    slice.measured = measured.slice(range)
    return slice
  }

  /// Replaces a range of items with others.
  ///
  /// - Complexity: O(*b*) for *b* blocks.
  mutating func replaceSubrange(_ range: Range<Int>, with items: Items) {
    precondition(order == nil && items.order == nil, "an arrangement is only read")
    guard count > 0 else {
      self = items
      return
    }
    measured.replaceSubrange(range, with: items.measured, count: items.count)
    // This takes in one neighbour on each side, because it may be joined with a new block.
    let first = max(0, blockIndex(of: range.lowerBound) - 1)
    let last = min(blocks.count, blockIndex(of: range.upperBound) + 2)
    let start = blocks[first].first
    var changed = Items()
    forEachBlock(in: start..<range.lowerBound) { changed.append($0) }
    for block in items.blocks { changed.append(block) }
    forEachBlock(in: range.upperBound..<blocks[last - 1].end) { changed.append($0) }
    blocks.replaceSubrange(first..<last, with: changed.blocks)
    count = start
    for index in first..<blocks.count {
      blocks[index].first = count
      count += blocks[index].count
    }
    hasIDs = changed.hasIDs || hasIDs && blocks.contains { $0.storage?.ids != nil }
  }

  /// The list with items of another one in the places of some, or behind its end.
  ///
  /// - Parameter pairs: In ascending order of places.
  /// - Complexity: O(*b* + *p* · log *b*) for *b* blocks and *p* pairs.
  func replacing(_ pairs: [(place: Int, item: Int)], with items: Items) -> Items {
    var pieces: [Block] = []
    var end = 0
    for (place, item) in pairs {
      forEachBlock(in: end..<place) { pieces.append($0) }
      items.forEachBlock(in: item..<item + 1) { pieces.append($0) }
      end = place + 1
    }
    forEachBlock(in: end..<max(end, count)) { pieces.append($0) }
    var result = Items(joining: pieces)
    result.measured = MeasuredSizes(
      pairs.compactMap { place, item in items.measured[item]?.moved(by: place - item) })
    return result
  }

  /// The items of blocks. Small neighbours are copied into one block.
  private init(joining pieces: [Block]) {
    self.init()
    var rest = pieces[...]
    while let first = rest.first {
      let small = rest.prefix { $0.count <= 8 }
      var block = small.count < 2 ? first : .copying(Array(small))
      block.first = count
      count += block.count
      blocks.append(block)
      rest = rest.dropFirst(max(small.count, 1))
    }
    hasIDs = blocks.contains { $0.storage?.ids != nil }
  }

  /// Frees storage if less than a quarter of it is used: the items that are left are copied.
  ///
  /// - Complexity: O(*b*) for *b* blocks, and O(*n*) for *n* copied items. At least 3 · *n* items
  ///   were deleted before, so a copy costs O(1) for each deleted item.
  mutating func giveUpUnusedStorage() {
    var used: [ObjectIdentifier: Int] = [:]
    for block in blocks {
      guard let storage = block.storage, block.count < storage.count else { continue }
      used[ObjectIdentifier(storage), default: 0] += block.count
    }
    func isMostlyUnused(_ block: Block) -> Bool {
      guard let storage = block.storage, let count = used[ObjectIdentifier(storage)] else {
        return false
      }
      return 4 * count < storage.count
    }
    guard blocks.contains(where: isMostlyUnused) else { return }
    var kept = Items()
    var rest = blocks[...]
    while let first = rest.first {
      let isCopied = isMostlyUnused(first)
      let run = rest.prefix { isMostlyUnused($0) == isCopied }
      rest = rest.dropFirst(run.count)
      for block in isCopied ? [.copying(Array(run))] : Array(run) { kept.append(block) }
    }
    kept.measured = measured
    self = kept
  }

  private func forEachBlock(in range: Range<Int>, _ body: (Block) -> Void) {
    guard !range.isEmpty else { return }
    for block in blocks[blockIndex(of: range.lowerBound)...] {
      guard block.first < range.upperBound else { return }
      body(
        block.slice(max(block.first, range.lowerBound)..<min(block.end, range.upperBound)))
    }
  }
}
