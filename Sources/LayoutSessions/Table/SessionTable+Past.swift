import CollectionLayout
import DequeModule
import System

/// What is kept of the past: of each of the last revisions of a document's data how the next one
/// came of it, and earlier frames.
///
///     revision        │ 4       │ 5       │ 6, the current one │
///     step            │ 4 ──▶ 5 │ 5 ──▶ 6 │                    │
///     earlier frames  │ a, b    │ a       │ b                  │  by what was given
///
/// The data that a change leaves counts with the step. Without the step nothing can be made of what
/// is older. So all that is of a revision, or older, goes with its step: what is there is counted.
extension SessionTable {
  /// A revision of a document's data, and what is there of it.
  struct Revision {
    /// How its data became that of the next one; `nil` for the current revision.
    var step: DataLineage?
    /// What it costs to keep the step and the data.
    var bytes = 0
    /// When the step was made, in the order of all that is kept.
    var serial = 0
    /// Earlier frames, by the ids of what was given.
    var kept: [Int: KeptFrames] = [:]
    /// The slots of the frames of this data that there are.
    var frames: Set<Int> = []
  }

  /// Frames that other frames have replaced.
  struct KeptFrames {
    let held: HeldCollection
    let bytes: Int
    /// As that of a step.
    let serial: Int
  }

  /// The numbers of a layout's versions of which the same was given.
  struct Epoch {
    /// The id of what was given, and the slot that its frames had.
    let given: Int
    let frames: Int
    let numbers: Range<Int>
    /// How far the numbers are above the revisions of the data.
    let lead: Int
  }

  /// Where something of the past is.
  struct PastPlace {
    let document: Int
    let revision: Int
    /// What was given of frames; `nil` for a step.
    let given: Int?
    let serial: Int
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
    let bytes = step.memoryBytes + bytes
    documents[document].revisions[last].step = step
    documents[document].revisions[last].bytes = bytes
    documents[document].revisions[last].serial = addToPast(
      of: document, revision, given: nil, bytes: bytes)
    if last == Self.pastCapacity { forgetRevisions(of: document, 1) }
  }

  /// Keeps frames that others are to replace.
  ///
  /// - Parameter bytes: What it costs to keep them.
  mutating func keep(
    _ held: HeldCollection, of given: Given, in document: Int, at revision: Int, bytes: Int
  ) {
    guard let index = documents[document].index(of: revision) else { return }
    // Layouts may keep the same, beside others of their own.
    let bytes = max(bytes, documents[document].revisions[index].kept[given.id]?.bytes ?? 0)
    forget(given.id, of: document, at: index)
    documents[document].revisions[index].kept[given.id] = KeptFrames(
      held: held, bytes: bytes,
      serial: addToPast(of: document, revision, given: given.id, bytes: bytes))
  }

  private mutating func addToPast(
    of document: Int, _ revision: Int, given: Int?, bytes: Int
  ) -> Int {
    lastSerial += 1
    pastOrder.append(
      PastPlace(document: document, revision: revision, given: given, serial: lastSerial))
    statistics.historyBytes += bytes
    return lastSerial
  }

  /// Ends the time of what is given of a layout now.
  ///
  /// - Parameter next: The number of the first version of which something else is given.
  mutating func endEpoch(of slot: Int, before next: Int) {
    let layout = layouts[slot]
    layouts[slot].firstNumber = next
    guard layout.firstNumber < next else { return }
    let given = frames[layout.frames].given.id
    documents[layout.document].epochs[given, default: 0] += 1
    layouts[slot].epochs.append(
      Epoch(
        given: given, frames: layout.frames,
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
    var (given, lead) = (frames[layout.frames].given.id, version.number - version.revision)
    if number < layout.firstNumber {
      guard let epoch = layout.epochs.last(where: { $0.numbers.contains(number) }) else {
        return nil
      }
      (given, lead) = (epoch.given, epoch.lead)
    }
    let document = documents[layout.document]
    guard let index = document.index(of: number - lead),
      let held = document.revisions[index].kept[given]?.held,
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
    statistics.historyBytes -= revision.kept.values.reduce(revision.bytes) { $0 + $1.bytes }
    released.add(revision)
  }

  /// Gives up an epoch, and its earlier frames unless other layouts or epochs need them.
  mutating func forget(_ epoch: Epoch, of document: Int) {
    let left = documents[document].epochs[epoch.given, default: 1] - 1
    documents[document].epochs[epoch.given] = left > 0 ? left : nil
    if frames[epoch.frames].given.id != epoch.given {
      forgetUnused(epoch.given, of: document)
    }
  }

  /// Gives up the earlier frames of what no layout has now, unless an epoch needs them.
  mutating func forgetUnused(_ given: Int, of document: Int) {
    guard documents[document].epochs[given] == nil else { return }
    forget(given, of: document)
  }

  /// Gives up the past of frames that have to make room. What both hold counts with the
  /// frames alone.
  mutating func forgetPast(ofFrames slot: Int) {
    let document = frames[slot].document
    forget(frames[slot].given.id, of: document)
    for layout in frames[slot].layouts {
      let epochs = layouts[layout].epochs
      layouts[layout].epochs = []
      for epoch in epochs { forget(epoch, of: document) }
    }
  }

  private mutating func forget(_ given: Int, of document: Int) {
    for index in documents[document].revisions.indices { forget(given, of: document, at: index) }
  }

  private mutating func forget(_ given: Int, of document: Int, at index: Int) {
    guard let kept = documents[document].revisions[index].kept.removeValue(forKey: given) else {
      return
    }
    statistics.historyBytes -= kept.bytes
    released.add(kept)
  }

  /// Gives up the oldest until the limit is kept.
  ///
  /// - Returns: False if others should have the lock before it goes on.
  mutating func trimHistory() -> Bool {
    for _ in 0..<Self.evictionsAtOnce {
      guard statistics.historyBytes > limits.maxHistoryBytes, let place = pastOrder.popFirst()
      else {
        tidyPastOrder()
        return true
      }
      guard let index = index(of: place) else { continue }
      if let given = place.given {
        forget(given, of: place.document, at: index)
      } else {
        forgetRevisions(of: place.document, index + 1)
      }
    }
    return false
  }

  /// The index of a revision of which something is kept that has a place; `nil` if it has gone.
  private func index(of place: PastPlace) -> Int? {
    let document = documents[place.document]
    guard let index = document.index(of: place.revision) else { return nil }
    let revision = document.revisions[index]
    let serial = place.given.map { revision.kept[$0]?.serial ?? 0 } ?? revision.serial
    return serial == place.serial ? index : nil
  }

  /// Takes the places of what has gone out of the order, now and then.
  private mutating func tidyPastOrder() {
    guard pastOrder.count > pastOrderLimit else { return }
    pastOrder = Deque(pastOrder.filter { index(of: $0) != nil })
    pastOrderLimit = 64 + 4 * pastOrder.count
  }
}
