import TestSupport
import Testing

@testable import CollectionLayout

@Suite("stacks of sections against their plain reference")
struct StackReferenceTests {
  @Test(
    "a stack is what the contract says, to the last bit", arguments: sectionedKinds, 0..<100)
  func stack(kind: String, seed: Int) throws {
    let collection = try RandomCollection(kind, seed: seed).prepared()
    let plain = PlainStack.layout(collection)
    same(collection.prepared.counts, plain.counts)
    same(collection.prepared.contentSize, plain.contentSize)
    expectEqual(collection.scannedElements(), plain.elements)
  }

  @Test("frames are numbers without −0, of no negative extent", arguments: sectionedKinds, 0..<40)
  func numbers(kind: String, seed: Int) throws {
    let collection = try RandomCollection(kind, seed: seed).prepared()
    for element in collection.scannedElements() {
      let frame = element.frame
      let numbers = [frame.origin.x, frame.origin.y, frame.size.width, frame.size.height]
      #expect(numbers.allSatisfy { $0.isFinite && !($0 == 0 && $0.sign == .minus) }, "\(element)")
      #expect(frame.size.width >= 0 && frame.size.height >= 0, "\(element)")
    }
  }
}
