import ArgumentParser
import MicroHTTP
import TestSupport
import Testing

@testable import layoutd

/// The command line as the program reads it.
@Suite("The command line")
struct CommandTests {
  @Test("the defaults are permitted on a machine of any size", arguments: [1, 2, 128, 129, 1000])
  func threads(processors: Int) throws {
    let (threads, workers) = (
      Command.defaultThreads(processors: processors),
      Command.defaultWorkers(processors: processors)
    )
    same(threads, (processors < 128 ? 2 * processors : 256))
    same(workers, (processors < 256 ? processors : 256))
    _ = try Command.parse(["--threads", "\(threads)", "--workers", "\(workers)"])
  }

  @Test("arguments that Swift does not find are those that the kernel has")
  func lostArguments() {
    // As in a program with a static runtime, if a preloaded library has set a variable.
    same(ProgramArguments.all(found: []), CommandLine.arguments)
    same(ProgramArguments.all(found: ["layoutd", "--port"]), ["layoutd", "--port"])
    same(ProgramArguments.all(), CommandLine.arguments)
  }

  @Test("a target may be as long as a header section, and no longer")
  func targetBytes() throws {
    func limit(_ arguments: String...) throws -> Int {
      try Command.parse(arguments).daemonConfiguration().maxTargetBytes
    }
    try same(limit(), 8192)
    try same(limit("--max-header-bytes=4096"), 4096)
    try same(limit("--max-header-bytes=1048576"), 8192)
    try same(limit("--max-header-bytes=4096", "--max-target-bytes=4096"), 4096)
  }

  @Test(
    "what can't work is refused with the options to blame",
    arguments: cases("Command.refused", [String].self, String.self))
  func refused(arguments: [String], words: String) {
    #expect {
      try Command.parse(arguments)
    } throws: { error in
      Command.message(for: error).contains(words)
        && Command.exitCode(for: error) == .validationFailure
    }
  }
}
