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
    arguments: [
      (["--max-header-bytes=4096", "--max-target-bytes=4097"], "--max-target-bytes"),
      (["--max-target-bytes=20000"], "--max-header-bytes, which is 16384"),
      (["--cors-origin=https://a.example/"], "--cors-origin"),
      (["--cors-origin=https://a.example:443"], "the default port"),
      (["--listen=/run/layoutd.sock"], "--listen must be unix:"),
      (["--listen=unix:"], "--listen must be unix:"),
      (["--allowed-hosts=a:80"], "--allowed-hosts"), (["--base-path=tiles"], "--base-path"),
      (["--base-path=/layouts"], "--base-path must not begin"),
      (["--trusted-proxies=proxy"], "--trusted-proxies"),
      (["--allowed-origins=*"], "--allowed-origins"),
      (["--api-key-cookie=a"], "--api-key-cookie needs"),
      (["--api-key-cookie=a b", "--api-keys-file=a"], "name of a cookie"),
      (["--threads=257"], "--threads must be from 1 to 256, was 257"),
    ])
  func refused(arguments: [String], words: String) {
    #expect {
      try Command.parse(arguments)
    } throws: { error in
      Command.message(for: error).contains(words)
        && Command.exitCode(for: error) == .validationFailure
    }
  }
}
