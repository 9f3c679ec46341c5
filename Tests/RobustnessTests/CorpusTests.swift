import FuzzTargets
import TestSupport
import Testing

/// What the fuzzer found worth keeping, and what broke something once, sent again.
@Suite("Kept inputs of the fuzz targets")
struct CorpusTests {
  @Test("no input harms", arguments: FuzzTarget.all.map(\.name))
  func inputs(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let inputs = try Corpus.inputs(of: name)
    #expect(!inputs.isEmpty)
    for input in inputs { target.run(input.bytes) }
  }

  @Test("every folder of inputs has its target")
  func folders() throws {
    try same(Corpus.targets(), FuzzTarget.all.map(\.name).sorted())
  }
}
