import TestSupport
import Testing

/// Documents and layouts that change at random through the sessions of one or three servers, beside
/// a model that lays everything out anew: with every log that there is, and with one on whose way
/// everything goes wrong.
@Suite("Documents and layouts over logs, against plain recomputation")
struct LogModelTests {
  enum Form: CaseIterable, CustomStringConvertible {
    case local, redis, troubled

    var description: String {
      switch self {
      case .local: "no log"
      case .redis: "Redis"
      case .troubled: "a troubled log"
      }
    }
  }

  @Test(
    "every server has the frames and the number that the changes make", arguments: Form.allCases,
    Extent.seeds(4, of: 10))
  func random(form: Form, seed: Int) throws {
    var servers = try ModelledServers(form, seed: seed)
    defer { servers.close() }
    for step in 0..<60 {
      servers.step = step
      try servers.trouble()
      try servers.act()
      servers.bringNews()
      servers.read()
      if step % 12 == 11 { try servers.settle() }
    }
    try servers.settle()
  }
}
