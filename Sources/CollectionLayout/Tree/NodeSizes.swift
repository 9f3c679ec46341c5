/// The individual sizes of a hierarchy's nodes, in points, > 0.
public struct NodeSizes: Sendable {
  /// The width of each node, NaN if it has none; `nil` if no node has one.
  var widths: [Double]?
  /// Like ``widths``.
  var heights: [Double]?

  /// - Parameters: A value or NaN for each node.
  /// - Returns: `nil` if no node has a size.
  public init?(widths: [Double]?, heights: [Double]?) {
    func given(_ values: [Double]?) -> [Double]? {
      values.flatMap { $0.contains { !$0.isNaN } ? $0 : nil }
    }
    self.widths = given(widths)
    self.heights = given(heights)
    if self.widths == nil, self.heights == nil { return nil }
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

  var memoryBytes: Int { ((widths?.count ?? 0) + (heights?.count ?? 0)) * 8 + 64 }
}

/// A change of a node's size.
public struct NodePatch: Sendable {
  /// In points, > 0.
  public var width = SectionPatch.Change<Double>.none
  /// In points, > 0.
  public var height = SectionPatch.Change<Double>.none

  public init() {}

  func applied(to sizes: NodeSizes?, node: Int, count: Int) -> NodeSizes? {
    func changed(_ column: [Double]?, _ change: SectionPatch.Change<Double>) -> [Double]? {
      var values = column ?? Array(repeating: .nan, count: count)
      switch change {
      case .none: return column
      case .remove: values[node] = .nan
      case .set(let value): values[node] = value
      }
      return values
    }
    return NodeSizes(
      widths: changed(sizes?.widths, width), heights: changed(sizes?.heights, height))
  }
}
