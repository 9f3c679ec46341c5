/// The individual sizes of a hierarchy's nodes, in points, > 0.
struct NodeSizes {
  /// The width of each node, NaN if it has none; `nil` if no node has one.
  private var widths: [Double]?
  /// Like `widths`.
  private var heights: [Double]?

  /// - Returns: `nil` if no node has a size.
  init?(_ nodes: Items) {
    func column(_ field: ItemField) -> [Double]? {
      guard nodes.has(field) else { return nil }
      var values: [Double] = []
      values.reserveCapacity(nodes.count)
      nodes.forEachValue(of: field, from: 0) { values.append($1) }
      return values
    }
    widths = column(.width)
    heights = column(.height)
    if widths == nil, heights == nil { return nil }
  }

  /// The size of a node. A side that the node does not have is taken from `standard`.
  func size(of node: Int, else standard: Size) -> Size {
    func value(_ column: [Double]?, _ standard: Double) -> Double {
      guard let value = column?[node], !value.isNaN else { return standard }
      return value
    }
    return Size(width: value(widths, standard.width), height: value(heights, standard.height))
  }

  var transposed: NodeSizes {
    var turned = self
    (turned.widths, turned.heights) = (heights, widths)
    return turned
  }

  /// The sizes of these nodes, in this order.
  func reordered(by order: [Int32]) -> NodeSizes {
    var sizes = self
    sizes.widths = widths.map { widths in order.map { widths[Int($0)] } }
    sizes.heights = heights.map { heights in order.map { heights[Int($0)] } }
    return sizes
  }
}
