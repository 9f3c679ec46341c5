import TestSupport
import Testing

@testable import LayoutSessions

@Suite("Positions in histories")
struct HistoryPositionTests {
  private let one = HistoryPosition.ChangeID(bits: 1)
  private let two = HistoryPosition.ChangeID(bits: 2)

  @Test("a change counts the version on, an amendment does not")
  func counts() {
    let start = HistoryPosition.beginning(one)
    #expect(start.serial == 0 && start.own == 0 && start.tag.number == 1)
    let amended = start.amended(by: two)
    #expect(amended.serial == 1 && amended.own == 0)
    #expect(amended.versionHash == start.versionHash && amended.hash != start.hash)
    same(amended.tag, start.tag)
    let advanced = amended.advanced(by: two, isOfData: true)
    #expect(advanced.serial == 2 && advanced.own == 0 && advanced.tag.number == 2)
    same(advanced.versionHash, advanced.hash)
    same(advanced.advanced(by: one, isOfData: false).own, 1)
  }

  @Test("a layout counts its own changes and those of the data since it was born")
  func numbers() {
    let born = HistoryPosition.beginning(one).advanced(by: two, isOfData: true)
    let view = HistoryPosition.beginning(one, over: born.data)
    #expect(view.serial == 0 && view.own == 0 && view.data == born.data)
    same(view.number(bornAt: 1, at: 1), 1)
    same(view.number(bornAt: 1, at: 4), 4)
    let later = born.advanced(by: one, isOfData: true)
    let changed = view.advanced(by: two, isOfData: false, over: later.data)
    same(changed.tag(bornAt: 1, over: later.data).number, 3)
    // A store has lost changes of the data.
    same(view.number(bornAt: 9, at: 4), 1)
  }

  @Test("an amendment leaves the tag for the data for which it was made, and for no other")
  func amendedTags() {
    let data = HistoryPosition.beginning(one)
    let (view, other) = (
      HistoryPosition.beginning(two, over: data.data), data.advanced(by: one, isOfData: true).data
    )
    let amended = view.amended(by: one, over: data.data)
    same(amended.tag(bornAt: 0, over: data.data), view.tag(bornAt: 0, over: data.data))
    #expect(amended.tag(bornAt: 0, over: other) != view.tag(bornAt: 0, over: other))
    // Nor does another one for that data change what was shown of it.
    let again = amended.amended(by: two, over: other)
    same(again.tag(bornAt: 0, over: other), amended.tag(bornAt: 0, over: other))
    #expect(amended.leads(to: again, by: two, isOfDocument: false))
  }

  @Test("only changes of the data move the data on")
  func data() {
    let start = HistoryPosition.beginning(one)
    #expect(start.data.revision == 0 && start.data.hash == start.hash)
    let patched = start.advanced(by: two, isOfData: false).amended(by: one)
    same(patched.data, start.data)
    let updated = patched.advanced(by: one, isOfData: true)
    #expect(updated.data.revision == 1 && updated.data.hash == updated.hash)
  }

  @Test("a tag has 24 bits of the hash of its version")
  func tag() {
    // By a computation in Python.
    var position = HistoryPosition.beginning(HistoryPosition.ChangeID(bits: 0))
    for tag in ["1-952f14", "2-194721", "3-4bfd44", "4-91ac0e"] {
      same(position.tag.description, tag)
      same(position.amended(by: one).tag, position.tag)
      position = position.advanced(by: HistoryPosition.ChangeID(bits: 0), isOfData: true)
    }
    same(VersionTag(number: 12, hash: 0xf).description, "12-00000f")
  }

  @Test("histories that differ in one change differ from there on")
  func differs() {
    var (ours, theirs) = (HistoryPosition.beginning(one), HistoryPosition.beginning(one))
    same(ours, theirs)
    ours = ours.advanced(by: one, isOfData: true)
    theirs = theirs.advanced(by: two, isOfData: true)
    for change in 0..<100 {
      #expect(ours.serial == theirs.serial && ours != theirs)
      #expect(ours.versionHash != theirs.versionHash)
      ours = ours.advanced(by: HistoryPosition.ChangeID(bits: UInt64(change)), isOfData: true)
      theirs = theirs.advanced(by: HistoryPosition.ChangeID(bits: UInt64(change)), isOfData: true)
    }
  }

  @Test("a change leads to one position only", arguments: [false, true])
  func leads(isOfDocument: Bool) {
    let start = HistoryPosition.beginning(one)
    func leads(to next: HistoryPosition, by change: HistoryPosition.ChangeID) -> Bool {
      start.leads(to: next, by: change, isOfDocument: isOfDocument)
    }
    #expect(leads(to: start.advanced(by: two, isOfData: true), by: two))
    #expect(leads(to: start.advanced(by: two, isOfData: false), by: two))
    #expect(leads(to: start.amended(by: two), by: two))
    #expect(!leads(to: start.advanced(by: two, isOfData: true), by: one))
    #expect(
      !leads(to: start.advanced(by: two, isOfData: true).advanced(by: two, isOfData: true), by: two)
    )
    #expect(!leads(to: start, by: one))
  }

  @Test("the data of a document moves on by changes of the data alone, and by one revision each")
  func leadsWithData() {
    let start = HistoryPosition.beginning(one).advanced(by: one, isOfData: true)
    let later = start.advanced(by: one, isOfData: true)
    for data in [later.data, HistoryPosition.beginning(two).data] {
      for next in [
        start.advanced(by: two, isOfData: false, over: data), start.amended(by: two, over: data),
      ] {
        #expect(!start.leads(to: next, by: two, isOfDocument: true), "\(next)")
        #expect(start.leads(to: next, by: two, isOfDocument: false), "\(next)")
      }
    }
  }

  @Test("the text reads back")
  func text() {
    let position = HistoryPosition.beginning(.random()).advanced(by: .random(), isOfData: true)
      .advanced(by: .random(), isOfData: false).amended(by: .random())
    same(HistoryPosition(position.description), position)
  }

  @Test("other texts are none", arguments: cases("HistoryPosition.malformed", String.self))
  func malformed(_ text: String) {
    same(HistoryPosition(text), nil)
  }
}
