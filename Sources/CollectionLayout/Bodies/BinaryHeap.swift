/// A binary heap in memory that the caller owns. The first element comes before all others.
struct BinaryHeap<Element> {
  private let elements: UnsafeMutableBufferPointer<Element>
  private var count = 0
  private let isBefore: (Element, Element) -> Bool

  /// - Parameter memory: It must have room for all elements.
  @inline(__always)
  init(
    _ memory: UnsafeMutableBufferPointer<Element>, isBefore: @escaping (Element, Element) -> Bool
  ) {
    elements = memory
    self.isBefore = isBefore
  }

  @inline(__always)
  var first: Element? { count == 0 ? nil : elements[0] }

  @inline(__always)
  mutating func insert(_ element: Element) {
    var hole = count
    count += 1
    while hole > 0, isBefore(element, elements[(hole - 1) / 2]) {
      elements[hole] = elements[(hole - 1) / 2]
      hole = (hole - 1) / 2
    }
    elements[hole] = element
  }

  @inline(__always)
  mutating func replaceFirst(with element: Element) {
    var hole = 0
    while true {
      var child = 2 * hole + 1
      guard child < count else { break }
      if child + 1 < count, isBefore(elements[child + 1], elements[child]) { child += 1 }
      guard isBefore(elements[child], element) else { break }
      elements[hole] = elements[child]
      hole = child
    }
    elements[hole] = element
  }

  @inline(__always)
  mutating func removeFirst() {
    count -= 1
    if count > 0 { replaceFirst(with: elements[count]) }
  }
}
