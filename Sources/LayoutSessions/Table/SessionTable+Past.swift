import CollectionLayout

/// What is kept of the past: of each of the last revisions of a document's data how the next one
/// came of it, and earlier frames.
///
///     revision        │ 4       │ 5       │ 6, the current one │
///     step            │ 4 ──▶ 5 │ 5 ──▶ 6 │                    │
///     earlier frames  │ a, b    │ a       │ b                  │  by their keys
///
/// The data that a change leaves counts with the step. Without the step nothing can be made of what
/// is older. So all that is of a revision, or older, goes with its step: what is there is counted.
extension SessionTable {
  /// A revision of a document's data, and what is there of it.
  struct Revision {
    /// How its data became that of the next one; `nil` for the current revision.
    var step: DataLineage?
    /// The slots in ``past`` of the step, under `nil`, and of earlier frames, by the ids of their
    /// keys.
    var kept: [Int?: Int] = [:]
    /// The slots of the frames of this data that there are.
    var frames: Set<Int> = []
  }

  /// Frames that other frames have replaced; or a step, with the data that the step has left.
  struct KeptPast {
    let document: Int
    let revision: Int
    /// The id of the frames' key; `nil` for a step.
    let key: Int?
    /// `nil` for a step, and in a free slot.
    var held: HeldCollection?
    let bytes: Int
  }

  /// The numbers of a layout's versions that had the same frames.
  struct Epoch {
    /// The id of the frames' key, and the slot that they had.
    let key: Int
    let frames: Int
    let numbers: Range<Int>
    /// How far the numbers are above the revisions of the data.
    let lead: Int
  }

  /// How many revisions before the current one, and how many epochs of a layout, are kept at most.
  private static var pastCapacity: Int { ChangeHistory.capacity }

  /// Moves the data of a document on.
  ///
  /// - Parameters:
  ///   - step: How the data came from the last revision; `nil` if nobody knows: then nothing of the
  ///     past is kept.
  ///   - bytes: What it costs to keep the data of the last revision.
  mutating func moveData(
    of document: Int, to data: HistoryPosition.DataPosition, by step: DataLineage?, bytes: Int
  ) {
    let (revision, last) = (documents[document].revision, documents[document].revisions.count - 1)
    documents[document].data = data
    documents[document].revisions.append(Revision())
    guard let step else { return forgetRevisions(of: document, last + 1) }
    documents[document].revisions[last].step = step
    keep(
      KeptPast(
        document: document, revision: revision, key: nil, held: nil,
        bytes: step.memoryBytes + bytes), at: last)
    if last == Self.pastCapacity { forgetRevisions(of: document, 1) }
  }

  /// Keeps frames that others are to replace.
  ///
  /// - Parameter bytes: What it costs to keep them.
  mutating func keep(
    _ held: HeldCollection, of key: FramesKey, in document: Int, at revision: Int, bytes: Int
  ) {
    guard let index = documents[document].index(of: revision) else { return }
    // Layouts may keep the same, beside others of their own.
    let known = documents[document].revisions[index].kept[key.id].map { past[$0].bytes } ?? 0
    forget(key.id, of: document, at: index)
    keep(
      KeptPast(
        document: document, revision: revision, key: key.id, held: held,
        bytes: max(bytes, known)), at: index)
  }

  private mutating func keep(_ kept: KeptPast, at index: Int) {
    let slot = pastOrder.add(at: now)
    if slot == past.count { past.append(kept) } else { past[slot] = kept }
    documents[kept.document].revisions[index].kept[kept.key] = slot
    statistics.historyBytes += kept.bytes
  }

  /// Ends the time of the frames that a layout has now.
  ///
  /// - Parameter next: The number of the first version with other frames.
  mutating func endEpoch(of slot: Int, before next: Int) {
    let layout = layouts[slot]
    layouts[slot].firstNumber = next
    guard layout.firstNumber < next else { return }
    let key = frames[layout.frames].key.id
    documents[layout.document].epochs[key, default: 0] += 1
    layouts[slot].epochs.append(
      Epoch(
        key: key, frames: layout.frames,
        numbers: layout.firstNumber..<next,
        lead: layout.position.number(bornAt: layout.birth, at: layout.revision) - layout.revision))
    if layouts[slot].epochs.count > Self.pastCapacity {
      forget(layouts[slot].epochs.removeFirst(), of: layout.document)
    }
  }

  /// An earlier version of a layout, if it is kept, and what happened to its data since.
  func earlierVersion(_ number: Int, of version: LayoutVersion) -> EarlierVersion? {
    guard let slot = places[version.id] else { return nil }
    let layout = layouts[slot]
    var (key, lead) = (frames[layout.frames].key.id, version.number - version.revision)
    if number < layout.firstNumber {
      guard let epoch = layout.epochs.last(where: { $0.numbers.contains(number) }) else {
        return nil
      }
      (key, lead) = (epoch.key, epoch.lead)
    }
    let document = documents[layout.document]
    guard let index = document.index(of: number - lead),
      let kept = document.revisions[index].kept[key], let held = past[kept].held,
      let steps = document.steps(from: number - lead, to: version.revision)
    else { return nil }
    return EarlierVersion(held, steps, before: version)
  }

  // MARK: What goes

  /// Gives up all that is of the oldest revisions.
  private mutating func forgetRevisions(of document: Int, _ count: Int) {
    for _ in 0..<count {
      let revision = documents[document].revisions.removeFirst()
      release(revision)
      let next = documents[document].revision - documents[document].revisions.count + 1
      for slot in revision.frames {
        let folds = frames[slot].current?.collection.folds ?? frames[slot].own.folds
        if frames[slot].isInOrder { dropFrames(slot) }
        guard frames[slot].current == nil, !folds.isEmpty, let step = revision.step else {
          continue
        }
        // What was folded goes on with the data, whether or not anybody looks.
        var data = frames[slot].data
        data.revision = next
        keep(OwnState(folds.following(step)), ofFrames: slot, at: data)
      }
    }
  }

  /// Gives up all that is of the past of a document, which is removed.
  mutating func forgetPast(of document: Int) {
    for revision in documents[document].revisions { release(revision) }
    documents[document].revisions = [Revision()]
  }

  private mutating func release(_ revision: Revision) {
    released.add(revision.step)
    for slot in revision.kept.values { forget(kept: slot) }
  }

  /// Gives up an epoch, and its earlier frames unless other layouts or epochs need them.
  mutating func forget(_ epoch: Epoch, of document: Int) {
    let left = documents[document].epochs[epoch.key, default: 1] - 1
    documents[document].epochs[epoch.key] = left > 0 ? left : nil
    if frames[epoch.frames].key.id != epoch.key {
      forgetUnused(epoch.key, of: document)
    }
  }

  /// Gives up the earlier frames of what no layout has now, unless an epoch needs them.
  mutating func forgetUnused(_ key: Int, of document: Int) {
    guard documents[document].epochs[key] == nil else { return }
    forget(key, of: document)
  }

  /// Gives up the past of frames that have to make room. What both hold counts with the
  /// frames alone.
  mutating func forgetPast(ofFrames slot: Int) {
    let document = frames[slot].document
    forget(frames[slot].key.id, of: document)
    for layout in frames[slot].layouts {
      let epochs = layouts[layout].epochs
      layouts[layout].epochs = []
      for epoch in epochs { forget(epoch, of: document) }
    }
  }

  private mutating func forget(_ key: Int, of document: Int) {
    for index in documents[document].revisions.indices { forget(key, of: document, at: index) }
  }

  private mutating func forget(_ key: Int, of document: Int, at index: Int) {
    if let slot = documents[document].revisions[index].kept.removeValue(forKey: key) {
      forget(kept: slot)
    }
  }

  private mutating func forget(kept slot: Int) {
    statistics.historyBytes -= past[slot].bytes
    released.add(past[slot].held)
    past[slot].held = nil
    pastOrder.free(slot)
  }

  /// Gives up the oldest until the limit is kept.
  ///
  /// - Returns: False if others should have the lock before it goes on.
  mutating func trimHistory() -> Bool {
    for _ in 0..<Self.evictionsAtOnce {
      guard statistics.historyBytes > limits.maxHistoryBytes, pastOrder.oldest >= 0 else {
        return true
      }
      let oldest = past[pastOrder.oldest]
      guard let index = documents[oldest.document].index(of: oldest.revision) else {
        preconditionFailure("revision \(oldest.revision) has gone, and not what is kept of it")
      }
      if let key = oldest.key {
        forget(key, of: oldest.document, at: index)
      } else {
        forgetRevisions(of: oldest.document, index + 1)
      }
    }
    return false
  }
}
