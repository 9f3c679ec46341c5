/// A first-in-first-out queue: an array, and the index of the first element that is still in it.
public struct Queue<Element> {
  /// The elements. One that was taken is `nil`, because it must not be held here while others wait.
  private var elements: [Element?] = []
  private var start = 0

  public init() {}

  public var count: Int { elements.count - start }

  public var first: Element? { start < elements.count ? elements[start] : nil }

  public var last: Element? { elements.last ?? nil }

  public mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// - Complexity: O(1), or O(*n*) if nothing was taken before.
  public mutating func prepend(_ element: Element) {
    if start > 0 {
      start -= 1
      elements[start] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  /// Takes the first element out for which a condition holds.
  ///
  /// - Complexity: Amortized O(1) if it is the first of all, otherwise O(*n*).
  public mutating func popFirst(where condition: (Element) -> Bool = { _ in true }) -> Element? {
    guard let index = elements[start...].firstIndex(where: { $0.map(condition) ?? false }) else {
      return nil
    }
    guard index == start else { return elements.remove(at: index) }
    let element = elements[start].take()
    start += 1
    if start == elements.count {
      removeAllKeepingCapacity()
    } else if start >= 64 && start * 2 >= elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }

  /// - Complexity: O(*n*).
  public func contains(where condition: (Element) -> Bool) -> Bool {
    elements[start...].contains { $0.map(condition) ?? false }
  }

  /// Takes all elements out, in order.
  public mutating func removeAll() -> [Element] {
    let rest = elements[start...].compactMap { $0 }
    removeAllKeepingCapacity()
    return rest
  }

  private mutating func removeAllKeepingCapacity() {
    elements.removeAll(keepingCapacity: true)
    start = 0
  }
}

extension Queue: Sendable where Element: Sendable {}
