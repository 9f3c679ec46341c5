import LayoutSessions
import Testing

@Suite("Positions in histories")
struct HistoryPositionTests {
  private let one = HistoryPosition.ChangeID(bits: 1)
  private let two = HistoryPosition.ChangeID(bits: 2)

  @Test("a change counts the version on, an amendment does not")
  func counts() {
    let start = HistoryPosition.beginning(one)
    #expect(start.version == 1 && start.amendment == 0)
    let amended = start.amended(by: two)
    #expect(amended.version == 1 && amended.amendment == 1)
    #expect(amended.versionHash == start.versionHash && amended.hash != start.hash)
    let advanced = amended.advanced(by: two)
    #expect(advanced.version == 2 && advanced.amendment == 0)
    #expect(advanced.versionHash == advanced.hash)
  }

  @Test("histories that differ in one change differ from there on")
  func differs() {
    var (ours, theirs) = (HistoryPosition.beginning(one), HistoryPosition.beginning(one))
    #expect(ours == theirs)
    ours = ours.advanced(by: one)
    theirs = theirs.advanced(by: two)
    for change in 0..<100 {
      #expect(ours.version == theirs.version && ours != theirs)
      #expect(ours.versionHash != theirs.versionHash)
      ours = ours.advanced(by: HistoryPosition.ChangeID(bits: UInt64(change)))
      theirs = theirs.advanced(by: HistoryPosition.ChangeID(bits: UInt64(change)))
    }
  }

  @Test("a change leads to one position only")
  func leads() {
    let start = HistoryPosition.beginning(one)
    #expect(start.leads(to: start.advanced(by: two), by: two))
    #expect(start.leads(to: start.amended(by: two), by: two))
    #expect(!start.leads(to: start.advanced(by: two), by: one))
    #expect(!start.leads(to: start.advanced(by: two).advanced(by: two), by: two))
    #expect(!start.leads(to: start, by: one))
  }

  @Test("the text reads back")
  func text() {
    let position = HistoryPosition.beginning(.random()).advanced(by: .random())
      .amended(by: .random())
    #expect(HistoryPosition(position.description) == position)
  }

  @Test(
    "other texts are none",
    arguments: ["", "1", "1-0-a", "0-0-a-a", "1--1-a-a", "1-0-g-a", "1-0-a-a-a", "x-0-a-a"])
  func malformed(_ text: String) {
    #expect(HistoryPosition(text) == nil)
  }
}
