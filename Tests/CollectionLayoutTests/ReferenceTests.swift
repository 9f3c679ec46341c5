import Testing

@testable import CollectionLayout

@Suite("every kind against its plain reference")
struct ReferenceTests {
  @Test("a grid is what the contract says, to the last bit", arguments: 0..<300)
  func grid(seed: Int) throws { try check(.grid, seed: seed) }

  @Test("a waterfall is what the contract says, to the last bit", arguments: 0..<400)
  func waterfall(seed: Int) throws { try check(.waterfall, seed: seed) }

  @Test("a gallery is what the contract says, to the last bit", arguments: 0..<300)
  func gallery(seed: Int) throws { try check(.gallery, seed: seed) }

  @Test("a tree is what the contract says", arguments: 0..<400)
  func tree(seed: Int) throws { try check(.tree, seed: seed) }

  private func check(_ kind: Kind, seed: Int) throws {
    let example = try RandomCase(kind, seed: seed)
    guard let expected = example.expected else {
      #expect(throws: LayoutError.self) { try example.prepared() }
      return
    }
    let prepared = try example.prepared()
    #expect(prepared.counts == expected.counts)
    let elements = prepared.allElements
    if example.isApproximate {
      expectClose(prepared.contentSize, expected.contentSize)
      expectClose(elements, expected.elements)
    } else {
      #expect(prepared.contentSize == expected.contentSize)
      expectEqual(elements, expected.elements)
    }
    expectSingleElements(of: prepared, equal: elements)
    expectPromises(of: elements, in: prepared.contentSize, layout: example.layout)
    let again = try RandomCase(kind, seed: seed).prepared()
    expectEqual(again.allElements, elements)
    #expect(again.contentSize == prepared.contentSize)
  }
}

extension ReferenceTests {
  /// Each element asked for alone is the one in the list, and there are no others.
  private func expectSingleElements(of prepared: any PreparedLayout, equal elements: [Element]) {
    for (index, series) in prepared.series.enumerated() {
      let listed = elements.filter { $0.category == series.category && $0.kind == series.kind }
      for element in listed {
        #expect(prepared.element(series, element.section, element.item) == element)
      }
      var itemCounts = Array(repeating: 0, count: prepared.counts.sections)
      for element in listed where itemCounts.indices.contains(element.section) {
        itemCounts[element.section] = max(itemCounts[element.section], element.item + 1)
      }
      for (section, count) in itemCounts.enumerated() {
        for item in [-1, count, count + 1, .max] {
          #expect(
            prepared.attributes(of: index, at: IndexPath(section: section, item: item)) == nil)
        }
      }
      for section in [-1, max(itemCounts.count, 1), .max] {
        #expect(prepared.attributes(of: index, at: IndexPath(section: section, item: 0)) == nil)
      }
    }
  }

  private func expectPromises(
    of elements: [Element], in contentSize: Size, layout: any CollectionViewLayout
  ) {
    let tolerance = 1e-9 * (1 + contentSize.width + contentSize.height)
    // A gallery's frames are made integral, which reaches up to 1 beyond the content.
    let reach = layout is GalleryLayout ? 1 : tolerance
    for element in elements {
      let frame = element.frame
      #expect(
        frame.origin.x.isFinite && frame.origin.y.isFinite && frame.size.width.isFinite
          && frame.size.height.isFinite && frame.size.width >= 0 && frame.size.height >= 0,
        "\(element)")
      #expect(
        frame.origin.x >= 0 && frame.origin.y >= 0 && frame.maxX <= contentSize.width + reach
          && frame.maxY <= contentSize.height + reach, "\(element) in \(contentSize)")
    }
    if let gallery = layout as? GalleryLayout {
      // Only insets of 1 and more keep integral frames apart.
      guard gallery.horizontalInset >= 1, gallery.verticalInset >= 1 else { return }
    }
    let cells = elements.filter { $0.category == .cell }
    for (index, a) in cells.enumerated() {
      for b in cells[..<index] {
        let overlapX = min(a.frame.maxX, b.frame.maxX) - max(a.frame.origin.x, b.frame.origin.x)
        let overlapY = min(a.frame.maxY, b.frame.maxY) - max(a.frame.origin.y, b.frame.origin.y)
        if overlapX > tolerance && overlapY > tolerance {
          Issue.record("\(a) overlaps \(b)")
        }
      }
    }
  }
}
