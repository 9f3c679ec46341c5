import CollectionLayout

extension SessionTable {
  /// A collection of data with its layouts.
  struct Document {
    /// The slot of the layout that it began with, whose id is the document's; `nil` in a free slot.
    var first: Int?
    /// The name under which it was prepared.
    var name: String?
    /// The slots of its other layouts.
    var others: Set<Int> = []
    /// The slots of the layouts' frames, by the hashes of their keys.
    var frames: [Int: [Int]] = [:]
    /// Where the data is in its history.
    var data: HistoryPosition.DataPosition
    /// The last revisions of the data without a gap, the current one last.
    var revisions = [Revision()]
    /// How many epochs its layouts have, by the ids of the frames' keys.
    var epochs: [Int: Int] = [:]
    /// The bytes of the data, the first layout and the index of ids in the statistics.
    var bytes = 0
    /// Up to this one the revisions of the data may be those of data that was lost; -1 for none.
    var doubtfulRevision = -1

    var revision: Int { data.revision }

    /// The index of a revision in ``revisions``; `nil` if nothing is kept of it.
    func index(of revision: Int) -> Int? {
      let index = revisions.count - 1 - (self.revision - revision)
      return revisions.indices.contains(index) ? index : nil
    }

    /// How the data came from one revision to a later one; `nil` if that is not known.
    func steps(from first: Int, to last: Int) -> [DataLineage]? {
      guard first <= last, let start = index(of: first), let end = index(of: last) else {
        return nil
      }
      return revisions[start..<end].compactMap(\.step)
    }
  }

  /// From which place the data of a document came to be what it is, and how.
  typealias Past = (
    start: HistoryPosition.DataPosition, steps: [(HistoryPosition.DataPosition, DataLineage)]
  )

  /// Adds a document with its first layout.
  mutating func insert(
    _ id: SessionID, named name: String? = nil, _ key: FramesKey, _ held: HeldCollection,
    at position: HistoryPosition, _ past: Past? = nil, createdUnixTime: Int
  ) -> Int {
    let document = documentOrder.add(at: now)
    let indexSlot = indexOrder.add(at: now)
    precondition(indexSlot == document, "slots \(document) and \(indexSlot) of one document")
    indexOrder.leave(document)
    let new = Document(name: name, data: past?.start ?? position.data)
    if let name { names[name] = id }
    if document == documents.count {
      documents.append(new)
    } else {
      documents[document] = new
    }
    for (data, step) in past?.steps ?? [] { moveData(of: document, to: data, by: step, bytes: 0) }
    statistics.sessions += 1
    let slot = addLayout(
      id, of: document, key, at: position, bornAt: nil, createdUnixTime: createdUnixTime)
    documents[document].first = slot
    setFrames(layouts[slot].frames, to: held, of: position.data)
    makeVersion(of: slot)
    count(document: document)
    return slot
  }

  /// Counts what the data and the first layout take now, with the index of ids.
  mutating func count(document slot: Int) {
    guard let version = source(of: slot) else { return }
    // Read once: an index may be built meanwhile.
    let bytes = version.memoryBytes
    statistics.bytes += bytes - documents[slot].bytes
    documents[slot].bytes = bytes
    if version.names.memoryBytes == 0 {
      indexOrder.leave(slot)
    } else {
      indexOrder.use(slot, at: documentOrder.lastUse(of: slot))
    }
  }

  /// Forgets the index of a document's ids. It is built again when it is needed again.
  mutating func dropIndex(of slot: Int) {
    released.add(source(of: slot)?.names.forget())
    count(document: slot)
  }

  /// Removes a document with its layouts and all that is kept of its past.
  ///
  /// - Parameter end: Why it ends; `nil` if another copy takes its place.
  mutating func removeDocument(_ slot: Int, _ end: SessionEnd?) {
    guard let first = documents[slot].first else { return }
    forgetPast(of: slot)
    if let name = documents[slot].name, names[name] == layouts[first].id { names[name] = nil }
    for other in documents[slot].others { removeLayout(other, .sourceEnded) }
    removeLayout(first, end)
    documentOrder.free(slot)
    indexOrder.free(slot)
    statistics.sessions -= 1
    statistics.bytes -= documents[slot].bytes
    documents[slot] = Document(data: documents[slot].data)
  }
}
