import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct ParameterErrorTests {
  private let service = TestService()
  private let path: String

  init() {
    path = service.path("grid", Sample.grid)
  }

  @Test("a cursor may lie behind a series's last element", arguments: Sample.all.map(\.kind))
  func cursorBehind(kind: String) {
    let path = service.path(kind, Sample.all.first { $0.kind == kind }!.body)
    let largest = 9_007_199_254_740_991
    for (section, item) in [(largest, 0), (largest, largest), (0, largest), (2, 1_000_000)] {
      let answer = service.get(
        "\(path)/elements?rect=0,0,1e9,1e9&cursor=\(tag(1))-0-\(section)-\(item)")
      same(answer.status, 200, "\(section) \(item)")
    }
  }
}
