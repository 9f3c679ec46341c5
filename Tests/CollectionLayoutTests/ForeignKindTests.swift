import CollectionLayout
import Testing

/// Kinds of layout that the module knows nothing of, made with its public interface alone.
struct ForeignKindTests {
  /// Items of any kind of data one below the other.
  struct ListLayout<Form: ListForm>: CollectionViewLayout {
    static var kind: String { "list" }
    static var options: [LayoutOption<Self>] {
      [.number("itemHeight", \.itemHeight, .positive)]
    }
    static var dataForm: DataForm { Form.dataForm }

    var itemHeight = 10.0

    func prepared(
      for data: CollectionData, bounds: Bounds?, after previous: PreviousLayout?
    ) throws(LayoutError) -> any PreparedLayout {
      PreparedList(count: data.storedItemCount(form: Self.dataForm), itemHeight: itemHeight)
    }

    func shouldInvalidate(_ prepared: any PreparedLayout, for bounds: Bounds?) -> Bool { true }
  }

  protocol ListForm: Equatable, Sendable {
    static var dataForm: DataForm { get }
  }

  struct OfSections: ListForm {
    static let dataForm = DataForm.sections([ItemField("height", .nonNegative)])
  }

  struct OfNodes: ListForm {
    static let dataForm = DataForm.forest
  }

  final class PreparedList: PreparedLayout {
    let count: Int
    let itemHeight: Double
    let series = [ElementSeries.cells]
    let memoryBytes = 16

    init(count: Int, itemHeight: Double) {
      self.count = count
      self.itemHeight = itemHeight
    }

    var contentSize: Size { Size(width: 100, height: itemHeight * Double(count)) }

    var counts: ElementCounts {
      ElementCounts(sections: 1, cells: count, supplementary: 0, decorations: 0)
    }

    func forEachElement(
      of series: Int, in rect: Rect, from start: IndexPath, into sink: inout ElementSink
    ) {
      for item in 0..<count where IndexPath(section: 0, item: item) >= start {
        let attributes = attributes(of: series, at: IndexPath(section: 0, item: item))!
        if attributes.frame.intersects(rect), !sink.append(PlacedElement(attributes)) { return }
      }
    }

    func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? {
      guard indexPath.section == 0, (0..<count).contains(indexPath.item) else { return nil }
      return LayoutAttributes(
        indexPath: indexPath,
        frame: Rect(x: 0, y: itemHeight * Double(indexPath.item), width: 100, height: itemHeight))
    }

    func hasIDs(inSection section: Int) -> Bool { false }
    func id(ofItemAt indexPath: IndexPath) -> ItemID? { nil }
    func identity(of series: Int) -> ElementIdentity { .item }
  }

  @Test("a foreign kind has options like the others")
  func options() throws {
    var layout = ListLayout<OfSections>()
    let option = try #require(ListLayout<OfSections>.option(named: "itemHeight"))
    let isSet = option.set(.number(25), in: &layout)
    let isReset = option.set(.number(0), in: &layout)
    #expect(isSet && !isReset)
    let collection = try PreparedCollection(
      layout: layout, bounds: Bounds(width: 100), data: .sections([Items(uniform: 3)]))
    #expect(collection.prepared.contentSize == Size(width: 100, height: 75))
  }

  @Test("updates of a foreign kind invalidate the whole of both versions: sections")
  func sections() throws {
    let collection = try PreparedCollection(
      layout: ListLayout<OfSections>(), bounds: Bounds(width: 100),
      data: .sections([Items(uniform: 3)]))
    let change = try collection.applying([.insertItems(Items(uniform: 2), at: path(0, 1))])
    #expect(change.next.prepared.counts.cells == 5)
    #expect(
      change.invalidatedRect.map { holds($0, Rect(x: 0, y: 0, width: 100, height: 50)) } == true)
    var moved: [[Int]] = []
    _ = change.forEachTransition(in: Rect(x: 0, y: 0, width: 100, height: 50)) {
      if case .moving(_, let from, let to) = $0 {
        moved.append([from.indexPath.item, to.indexPath.item])
      }
      return true
    }
    #expect(moved == [[1, 3], [2, 4]])
  }

  @Test("updates of a foreign kind invalidate the whole of both versions: nodes")
  func nodes() throws {
    let collection = try PreparedCollection(
      layout: ListLayout<OfNodes>(), bounds: nil,
      data: .forest(Forest(parents: [-1, 0, 0], ids: nil)))
    let change = try collection.applying([.deleteNode(at: path(1, 0))])
    #expect(change.next.prepared.counts.cells == 2)
    #expect(
      change.invalidatedRect.map { holds($0, Rect(x: 0, y: 0, width: 100, height: 30)) } == true)
  }

  private func holds(_ outer: Rect, _ inner: Rect) -> Bool {
    outer.origin.x <= inner.origin.x && outer.origin.y <= inner.origin.y
      && outer.maxX >= inner.maxX && outer.maxY >= inner.maxY
  }

  private func path(_ section: Int, _ item: Int) -> IndexPath {
    IndexPath(section: section, item: item)
  }
}
