/// What an arrangement has to look at again after a change of its collection.
///
///     before   0 1 2 3 4 5        kept      0–1 ▶ 0–1, 3–4 ▶ 3–4
///     after    0 1 n 3 4 2        touched   n, which is new, and 2, which was moved
///
/// An item is kept if what the arrangement asks of it is the same, and if it stands behind the same
/// kept items as before.
struct TouchedItems {
  struct Piece {
    var old: Int
    var new: Int
    var count: Int
  }

  /// Items side by side, in ascending order of both places.
  private(set) var kept: [Piece] = []
  /// In ascending order of the new places.
  private(set) var touched: [(new: Int, old: Int?)] = []
  /// The new places of those kept whose fields may have changed.
  private(set) var marked: [Int] = []
  private let oldCount: Int

  /// - Parameter lineage: Which item of `new` is which of `old`.
  /// - Returns: `nil` if so many are touched or marked that all are arranged as fast.
  /// - Complexity: O(*r*) for *r* runs of items, and O(*k*) for *k* items with other fields.
  init?(from old: ItemOrder, to new: ItemOrder, by lineage: DataLineage) {
    oldCount = old.sourceCount
    // To search for one takes as long as to arrange some hundred with all others.
    let most = 64 + max(oldCount, new.sourceCount) / 256
    var runs: [(new: Int, old: Int?, count: Int, isReplaced: Bool)] = []
    if let origins = lineage.sections {
      for (section, origin) in origins.enumerated() {
        let first = new.sourceStarts[section]
        let items =
          origin.items
          ?? ItemOrigins(
            count: new.sourceStarts[section + 1] - first, from: origin.origin(ofItem: 0))
        guard runs.count + items.runs.count <= most + origins.count else { return nil }
        for run in items.runs {
          runs.append(
            (
              first + run.elements.lowerBound,
              run.origin.map { old.sourceStarts[$0.path.section] + $0.path.item },
              run.elements.count,
              run.origin?.isReplaced ?? false
            ))
        }
      }
    } else {
      runs = [(0, 0, new.sourceCount, false)]
    }
    let isInOrder = Self.inOrder(runs.map { ($0.old, $0.count) })
    for (run, isInOrder) in zip(runs, isInOrder) {
      guard let first = run.old, isInOrder else {
        guard touched.count + run.count <= most else { return nil }
        for item in 0..<run.count {
          touched.append((run.new + item, run.old.map { $0 + item }))
        }
        continue
      }
      guard run.isReplaced else {
        keep(Piece(old: first, new: run.new, count: run.count))
        continue
      }
      for item in 0..<run.count {
        if old.arrangement.asksTheSame(
          old.source.storage(at: first + item), new.source.storage(at: run.new + item))
        {
          marked.append(run.new + item)
          keep(Piece(old: first + item, new: run.new + item, count: 1))
        } else {
          touched.append((run.new + item, first + item))
        }
        guard touched.count + marked.count <= most else { return nil }
      }
    }
    guard oldCount - kept.reduce(0, { $0 + $1.count }) <= most else { return nil }
  }

  private mutating func keep(_ piece: Piece) {
    if let last = kept.last, last.old + last.count == piece.old, last.new + last.count == piece.new
    {
      kept[kept.count - 1].count += piece.count
    } else if piece.count > 0 {
      kept.append(piece)
    }
  }

  /// Which runs stand in the order of before: of two that do not, the longer one stays.
  private static func inOrder(_ runs: [(old: Int?, count: Int)]) -> [Bool] {
    var stay: [Int] = []
    for (index, run) in runs.enumerated() {
      guard let old = run.old else { continue }
      var (end, crossed) = (stay.count, 0)
      while end > 0, crossed < run.count, case let last = runs[stay[end - 1]], last.old! > old {
        crossed += last.count
        end -= 1
      }
      guard crossed < run.count else { continue }
      stay.removeLast(stay.count - end)
      stay.append(index)
    }
    var isInOrder = [Bool](repeating: false, count: runs.count)
    for index in stay { isInOrder[index] = true }
    return isInOrder
  }

  /// Whether all kept items have the places of before.
  var keepsPlaces: Bool { kept.allSatisfy { $0.old == $0.new } }

  /// The places before of items that are gone or touched, in ascending order.
  var removed: [Int] {
    var (removed, end): ([Int], Int) = ([], 0)
    for piece in kept + [Piece(old: oldCount, new: 0, count: 0)] {
      removed += end..<piece.old
      end = piece.old + piece.count
    }
    return removed
  }

  /// The new place of a kept item; of another one, that of the next kept one at most.
  func newPlace(of old: Int) -> Int {
    let index = partitionPoint(in: 0..<kept.count) { kept[$0].old <= old }
    guard index > 0 else { return 0 }
    let piece = kept[index - 1]
    return piece.new + min(old - piece.old, piece.count)
  }

  /// The new places of all kept items, by their old ones.
  var newPlaces: [UInt32] {
    [UInt32](unsafeUninitializedCapacity: oldCount) { places, count in
      places.initialize(repeating: ArrangedPlaces.none)
      for piece in kept {
        for item in 0..<piece.count { places[piece.old + item] = UInt32(piece.new + item) }
      }
      count = oldCount
    }
  }
}

extension Arrangement {
  /// The keys by which items are sorted, the group's first; `nil` for a list of ids.
  var sortKeys: [Order]? {
    guard case .keys(_, let group, let orders) = content else { return nil }
    return (group.map { [$0] } ?? []) + orders
  }

  private var conditions: [Condition] {
    guard case .keys(let conditions, _, _) = content else { return [] }
    return conditions.flatMap { $0.any ?? [$0] }
  }

  /// Whether two items have the same keys, texts or id, as far as it asks for them.
  fileprivate func asksTheSame(
    _ old: (storage: ItemStorage?, index: Int), _ new: (storage: ItemStorage?, index: Int)
  ) -> Bool {
    guard let sortKeys else {
      return old.storage?.ids?[old.index] == new.storage?.ids?[new.index]
    }
    func isSame(_ name: ValueName) -> Bool {
      let (old, new) = (
        old.storage?.texts?.text(name, of: old.index), new.storage?.texts?.text(name, of: new.index)
      )
      return (old ?? []) == (new ?? [])
    }
    return sortKeys.allSatisfy { isSame($0.key) }
      && conditions.allSatisfy { condition in
        guard let text = condition.text else { return isSame(condition.key) }
        let names = [old.storage, new.storage].flatMap { $0?.texts?.names ?? [] }
        return names.allSatisfy {
          $0.kind != .text || text.name != nil && text.name != $0 || isSame($0)
        }
      }
  }
}
