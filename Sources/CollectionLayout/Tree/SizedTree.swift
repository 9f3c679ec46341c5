/// A compact tree whose cells are of different sizes.
final class SizedTree: PreparedTree {
  let forest: Forest
  let layout: TreeLayout
  let localSize: Size
  let counts: ElementCounts
  let series: [ElementSeries]

  init(forest: Forest, sizes: NodeSizes, layout: TreeLayout) throws(LayoutError) {
    throw .unsupportedData(expected: "nodes without sizes")
  }
  var memoryBytes: Int { 0 }
  func cellFrame(of node: Int, atDepth depth: Int) -> Rect { Rect(x: 0, y: 0, width: 0, height: 0) }
  func connectorFrame(of node: Int, atDepth depth: Int) -> Rect { Rect(x: 0, y: 0, width: 0, height: 0) }
  func offerElements(of series: Int, in rect: Rect, from start: IndexPath, to sink: inout FrameSink) {}
}
