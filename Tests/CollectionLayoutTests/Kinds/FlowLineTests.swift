import TestSupport
import Testing

@testable import CollectionLayout

@Suite("lines of a flow")
struct FlowLineTests {
  /// Items without a width would all fit into one line.
  @Test("a line takes 10,000 items at most", arguments: [true, false])
  func longestLine(isUniform: Bool) throws {
    var options = GivenOptions()
    options["columnSpacing"] = .number(0)
    var size = GivenOptions()
    size["width"] = .number(1e-9)
    options["itemSize"] = .object(size)
    let items = Array(repeating: NaiveItem(width: isUniform ? nil : 0), count: 10_050)
    let container = NaiveContainer(width: 100, boundsHeight: 100, isTransposed: false)
    let naive = try NaiveFlow.body(of: items, options, in: container)
    same(naive.frames[9_999].origin.y, 0)
    same(naive.frames[10_000].origin.y, 60)
    var layout = FlowLayout()
    try FlowLayout.options.assign(options, to: &layout, section: nil)
    let body = try layout.body(of: Items(items), in: Container(width: 100), after: nil)
    same(naive.frames.indices.first { body.frame(of: $0) != naive.frames[$0] }, nil)
    same(body.height, naive.height)
  }
}
