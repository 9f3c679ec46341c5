/// About where in each depth of a tree the cells at a height are.
///
/// The content's height is cut into bands, for each depth about as many as it has times eight nodes
/// (none, often, for less), and the first node that begins in each band or below is kept:
///
///     band     0              1              2              3
///     nodes    40 41 42 … 48  49 50 51 … 55  –              56 57 58 …
///     kept     40             49             56             56             (the depth's end)
///
/// A search begins a few nodes from where it ends, and needs nothing of the depth above: so what
/// several depths read is on its way from memory at the same time. Where each search began at the
/// children of the node that the one before had found, a query of a million nodes took 6 % more.
/// It takes half a byte a node and four a depth, and 1 to 2 ms of the layout of a million nodes.
struct NodeGuide: Sendable {
  private static let nodesInABand = 8

  /// The first node of each band, depth by depth, each followed by the depth's end.
  private let firstNodes: [Int32]
  /// The content's.
  private let height: Double

  /// - Parameter ys: Where each node's cell begins, ascending within a depth, from 0 to `height`.
  /// - Complexity: O(*n*) for *n* nodes.
  init(_ forest: Forest, ys: [Double], height: Double) {
    self.height = height
    let count = Self.start(ofDepth: forest.depthCount, in: forest)
    var firstNodes = [Int32](repeating: .max, count: count)
    for depth in 0..<forest.depthCount {
      let nodes = forest.nodes(atDepth: depth)
      let bands = Self.bands(ofDepth: depth, in: forest)
      let density = Self.density(of: bands.count, in: height)
      // From below, so that what is written last is a band's first node: to ask for each whether it
      // is the first would be guessed wrong so often that it took half as long again.
      for node in nodes.reversed() {
        giveWay(atStep: node, of: Forest.nodesInATurn)
        let band = Int(min(ys[node] * density, Double(bands.count)))
        firstNodes[bands.lowerBound + band] = Int32(node)
      }
      firstNodes[bands.upperBound] = Int32(nodes.upperBound)
      for band in bands.reversed() {
        giveWay(atStep: band, of: Forest.nodesInATurn)
        firstNodes[band] = min(firstNodes[band], firstNodes[band + 1])
      }
    }
    self.firstNodes = firstNodes
  }

  /// The place of a depth's first band.
  private static func start(ofDepth depth: Int, in forest: Forest) -> Int {
    forest.depthStarts[depth] / nodesInABand + depth
  }

  /// The places of a depth's bands; the depth's end follows.
  @inline(__always)
  private static func bands(ofDepth depth: Int, in forest: Forest) -> Range<Int> {
    start(ofDepth: depth, in: forest)..<start(ofDepth: depth + 1, in: forest) - 1
  }

  /// How many bands there are to a point; 0, as if all were one, where that is beyond numbers.
  @inline(__always)
  private static func density(of bandCount: Int, in height: Double) -> Double {
    let density = Double(bandCount) / height
    return density.isFinite ? density : 0
  }

  /// A node of a depth, near the first that begins at `y` or below.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  func node(atDepth depth: Int, near y: Double, in forest: Forest) -> Int {
    let nodes = forest.nodes(atDepth: depth)
    let bands = Self.bands(ofDepth: depth, in: forest)
    let place = y * Self.density(of: bands.count, in: height)
    guard place > 0 else { return nodes.lowerBound }
    guard place < Double(bands.count) else { return nodes.upperBound - 1 }
    let band = Int(place)
    let first = Int(firstNodes[bands.lowerBound + band])
    let next = Int(firstNodes[bands.lowerBound + band + 1])
    return min(first + Int((place - Double(band)) * Double(next - first)), nodes.upperBound - 1)
  }

  var memoryBytes: Int { firstNodes.count * MemoryLayout<Int32>.stride }
}
