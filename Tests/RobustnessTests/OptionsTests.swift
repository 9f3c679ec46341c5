import ArgumentParser
import Foundation
import LayoutSessions
import MicroHTTP
import TestSupport
import Testing

@testable import LayoutService
@testable import layoutd

/// Each option, and what it is for.
@Suite("Options")
struct OptionsTests {
  /// A file of its own that goes with it.
  private final class TemporaryFile {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("layoutd-\(UUID().uuidString)").path

    init(_ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    deinit {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  @Test("every option has its effect")
  func effects() throws {
    let certificate = try TemporaryFile("the certificate")
    let privateKey = try TemporaryFile("the private key")
    let keys = try TemporaryFile("a-key\n")
    let arguments = [
      "--host=::1", "--port=65535", "--threads=3", "--workers=5", "--queue-length=7",
      "--max-body-bytes=1001", "--max-buffer-bytes=3000000", "--max-items=11",
      "--max-sessions=13", "--max-session-bytes=17", "--session-idle-timeout=19",
      "--max-event-streams=53", "--max-connections=23", "--max-connections-per-address=29",
      "--connection-timeout=31",
      "--request-timeout=37", "--max-header-bytes=5000", "--max-target-bytes=300",
      "--max-response-bytes=4100", "--shutdown-grace=41", "--cors-origin=https://a.example",
      "--api-keys-file=\(keys.path)", "--tls-certificate=\(certificate.path)",
      "--tls-key=\(privateKey.path)", "--compression=off", "--log-format=json",
      "--access-log=on", "--cache=public", "--max-views=43", "--max-history-bytes=47",
      "--listen=unix:/run/layoutd.sock", "--allowed-hosts=a.example", "--base-path=/tiles",
      "--trusted-proxies=10.0.0.0/8,unix", "--event-stream-lifetime=59",
      "--viewer=off", "--keys-for=prepare",
      "--store=unix:///run/redis.sock?prefix=a", "--store-probe=53ms", "--store-wait=61",
      "--max-item-data=73", "--max-find-time=79ms", "--max-find-bytes=83",
      "--fonts=/srv/fonts,/usr/share/fonts",
    ]
    same(arguments.map(Self.name).sorted(), Self.documented.map(\.name).sorted())
    let command = try Command.parse(arguments)

    let daemon = try command.daemonConfiguration()
    same(daemon.host, "::1")
    same(daemon.port, 65535)
    same(daemon.socketPath, "/run/layoutd.sock")
    same(daemon.streamLifetime, .seconds(59))
    same(daemon.threads, 3)
    same(daemon.workers, 5)
    same(daemon.queueLength, 7)
    same(daemon.maxBodyBytes, 1001)
    same(daemon.maxBufferBytes, 3_000_000)
    same(daemon.maxConnections, 23)
    same(daemon.maxStreams, 53)
    same(daemon.maxConnectionsPerAddress, 29)
    same(daemon.connectionTimeout, .seconds(31))
    same(daemon.requestTimeout, .seconds(37))
    same(daemon.maxHeaderBytes, 5000)
    same(daemon.maxTargetBytes, 300)
    same(daemon.tls?.certificate, "the certificate")
    same(daemon.tls?.privateKey, "the private key")

    let limits = command.serviceLimits
    same(limits.maxItemData, 73)
    same(limits.maxFindTime, .milliseconds(79))
    same(limits.maxFindBytes, 83)
    same(limits.maxItems, 11)
    same(limits.maxBodyBytes, 1001)
    same(limits.maxResponseBytes, 4100)

    let bounds = command.sessionLimits
    same(bounds.maxSessions, 13)
    same(bounds.maxViews, 43)
    same(bounds.maxHistoryBytes, 47)
    same(bounds.maxBytes, 17)
    same(bounds.idleTimeout, .seconds(19))

    let gateway = try command.gatewayConfiguration()
    same(gateway.cors, .origins(["https://a.example"]))
    same(gateway.apiKeys?.admits("Bearer a-key"), true)
    same(gateway.apiKeys?.admits("Bearer another"), false)
    #expect(gateway.logsAccess)
    same(gateway.allowedHosts, AllowedHosts("a.example"))
    same(gateway.basePath, BasePath("/tiles"))
    same(gateway.trustedProxies, AddressRanges("10.0.0.0/8,unix"))

    same(command.shutdownGrace, .seconds(41))
    same(command.compression, .off)
    same(command.logFormat, .json)
    same(command.cache, .public)
    try same(command.storeAddress?.description, "unix:///run/redis.sock?db=0&prefix=a")
    same(command.storeProbe.duration, .milliseconds(53))
    same(command.storeWait.duration, .seconds(61))
    same(command.viewer, .off)
    same(command.fontFolders, ["/srv/fonts", "/usr/share/fonts"])
  }

  @Test("without options neither keys nor TLS are asked for, and nothing is logged of a request")
  func open() throws {
    let command = try Command.parse([])
    try #expect(command.daemonConfiguration().tls == nil)
    try #expect(command.gatewayConfiguration().apiKeys == nil)
    try same(command.gatewayConfiguration().cors, .anyOrigin)
    #expect(try !command.gatewayConfiguration().logsAccess)
    try same(command.gatewayConfiguration().allowedHosts, nil)
    try same(command.gatewayConfiguration().basePath, nil)
    #expect(try command.gatewayConfiguration().trustedProxies.isEmpty)
    try same(command.daemonConfiguration().inheritedSockets, [])
    same(command.compression, .on)
    same(command.logFormat, .text)
    same(command.cache, .private)
    try same(command.storeAddress, nil)
    same(command.viewer, .on)
  }

  @Test("a server for the users of its machine answers for the names of that alone")
  func localhost() throws {
    func hosts(_ arguments: String...) throws -> AllowedHosts? {
      try Command.parse(arguments).gatewayConfiguration().allowedHosts
    }
    try same(hosts("--host=localhost"), .loopback)
    try same(hosts("--host=localhost", "--allowed-hosts=*"), nil)
    try same(hosts("--host=localhost", "--allowed-hosts=a"), AllowedHosts("a"))
    try same(hosts("--host=127.0.0.1"), nil)
  }

  @Test("sockets are taken over if they are meant for this process")
  func inheritedSockets() {
    func descriptors(_ variables: [String: String]) -> [Int32] {
      InheritedSockets.descriptors(of: 7) { variables[$0] }
    }
    same(descriptors(["LISTEN_PID": "7", "LISTEN_FDS": "2"]), [3, 4])
    same(descriptors(["LISTEN_PID": "8", "LISTEN_FDS": "2"]), [])
    same(descriptors(["LISTEN_FDS": "2"]), [])
    same(descriptors(["LISTEN_PID": "7", "LISTEN_FDS": "0"]), [])
    same(descriptors(["LISTEN_PID": "7", "LISTEN_FDS": "x"]), [])
  }

  @Test("an unpacked body and an answer may have half of the memory for contents")
  func halves() throws {
    let limits = try Command.parse(["--max-buffer-bytes=1048576"]).serviceLimits
    same(limits.maxBodyBytes, 64 << 10 + 512 << 10)
    same(limits.maxResponseBytes, 512 << 10)
  }

  @Test(
    "numbers are taken up to their bounds",
    arguments: [
      ("port", 0, 65_535), ("threads", 1, 256), ("workers", 1, 256),
      ("queue-length", 0, 1_000_000), ("max-body-bytes", 1, 4_294_963_200),
      ("max-buffer-bytes", 1_048_576, 1 << 50), ("max-items", 0, 2_147_483_647),
      ("max-sessions", 1, 100_000_000), ("max-session-bytes", 1, 1 << 50),
      ("max-views", 1, 100_000_000), ("max-history-bytes", 0, 1 << 50),
      ("session-idle-timeout", 1, 1_000_000_000), ("max-connections", 1, 1_000_000),
      ("max-connections-per-address", 0, 1_000_000), ("connection-timeout", 1, 86_400),
      ("request-timeout", 1, 86_400), ("max-header-bytes", 4096, 1_048_576),
      ("max-target-bytes", 256, 16_384), ("max-response-bytes", 4096, 1 << 40),
      ("shutdown-grace", 0, 86_400), ("max-item-data", 0, 65_536),
      ("max-find-bytes", 0, 1 << 50),
    ] as [(String, Int, Int)])
  func bounds(name: String, least: Int, most: Int) throws {
    for value in [least, most] {
      let command = try Command.parse(["--\(name)=\(value)"])
      _ = try command.daemonConfiguration()
    }
    for value in [least - 1, most + 1] {
      #expect {
        try Command.parse(["--\(name)=\(value)"])
      } throws: { error in
        Command.message(for: error).contains("--\(name) must be")
          && Command.exitCode(for: error) == .validationFailure
      }
    }
  }

  @Test(
    "sizes have units",
    arguments: [
      ("67108864", 64 << 20), ("64MiB", 64 << 20), ("64mib", 64 << 20), ("4096B", 4096),
      ("1GiB", 1 << 30), ("512KiB", 512 << 10), ("10MB", 10_000_000), ("5kB", 5000),
      ("1TiB", 1 << 40), ("2GB", 2_000_000_000),
    ] as [(String, Int)])
  func sizes(text: String, bytes: Int) throws {
    try same(Command.parse(["--max-response-bytes", text]).maxResponseBytes.bytes, bytes)
  }

  @Test(
    "times have units",
    arguments: [
      ("900", .seconds(900)), ("15m", .seconds(900)), ("500ms", .milliseconds(500)),
      ("30s", .seconds(30)), ("2h", .seconds(7200)), ("1d", .seconds(86_400)),
      ("0.5", .milliseconds(500)), ("1.5h", .seconds(5400)), ("0.001s", .milliseconds(1)),
    ] as [(String, Duration)])
  func times(text: String, duration: Duration) throws {
    let command = try Command.parse(["--session-idle-timeout", text])
    same(command.sessionLimits.idleTimeout, duration)
  }

  @Test(
    "what is no number with a unit is refused", arguments: cases("Options.unreadable", String.self))
  func unreadable(argument: String) {
    #expect {
      try Command.parse([argument])
    } throws: { error in
      Command.exitCode(for: error) == .validationFailure
    }
  }

  @Test("a default is told in the largest unit that fits")
  func defaults() {
    let help = Command.helpMessage(columns: 1000)
    for text in ["(default: 64MiB)", "(default: 1GiB)", "(default: 15m)", "(default: 30s)"] {
      #expect(help.contains(text), "\(help)")
    }
    same(ByteCount(0).description, "0")
    same(ByteCount(4097).description, "4097B")
    same(TimeSpan.milliseconds(1500).description, "1500ms")
  }

  @Test(
    "a certificate needs its key, and the key its certificate",
    arguments: ["--tls-certificate=a", "--tls-key=a"])
  func halfOfTLS(argument: String) {
    #expect {
      try Command.parse([argument])
    } throws: { error in
      Command.message(for: error).contains("--tls-certificate and --tls-key go together")
    }
  }

  // MARK: The environment

  /// The rows of the tables in operations.md.
  private static let documented: [(name: String, variable: String)] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Documentation/operations.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map { row in
      let cells = row.split(separator: "`")
      return (String(cells[1]), String(cells[3]))
    }
  }()

  private static func name(_ argument: String) -> String {
    String(argument.prefix { $0 != "=" })
  }

  @Test("every option is read from the variable that the documentation names")
  func variables() {
    let variables = Dictionary(
      uniqueKeysWithValues: Self.documented.map { ($0.variable, "of \($0.name)") })
    #expect(!variables.isEmpty)
    let environment = EnvironmentArguments(besides: []) { variables[$0] }
    same(
      environment.arguments.sorted(), Self.documented.map { "\($0.name)=of \($0.name)" }.sorted())
    same(environment.variables.sorted(), variables.keys.sorted())
    same(EnvironmentArguments(besides: []) { _ in nil }.arguments, [])
  }

  @Test(
    "the command line wins over the environment, where that is nonsense, too",
    arguments: [["--max-items", "5"], ["--max-items=5"]], ["3", "tcp://10.0.0.1:80"])
  func precedence(commandLine: [String], variable: String) throws {
    let environment = EnvironmentArguments(besides: commandLine) {
      switch $0 {
      case "LAYOUTD_MAX_ITEMS": variable
      case "LAYOUTD_QUEUE_LENGTH": "4"
      default: nil
      }
    }
    let command = try Command.parse(environment.arguments + commandLine)
    same(command.maxItems, 5)
    same(command.queueLength, 4)
  }

  @Test(
    "help and version are there whatever the environment has",
    arguments: ["-h", "--help", "--version"])
  func help(option: String) {
    same(EnvironmentArguments(besides: [option]) { _ in "nonsense" }.arguments, [])
  }

  @Test("a variable like an option's that is none is noticed")
  func unknownVariables() {
    let names = [
      "LAYOUTD_MAX_BODYBYTES", "PATH", "LAYOUTD_PORT", "LAYOUTD_", "layoutd_port", "LAYOUTD_HOST",
    ]
    same(EnvironmentArguments.unknownVariables(in: names), ["LAYOUTD_", "LAYOUTD_MAX_BODYBYTES"])
    same(EnvironmentArguments.unknownVariables(in: Self.documented.map(\.variable)), [])
  }

  @Test(
    "a name that is no option's is told beside the one that is meant",
    arguments: cases("Options.nearest", String.self, String?.self))
  func nearest(name: String, meant: String?) {
    same(EnvironmentArguments.nearest(to: name), meant)
  }

  // MARK: Files

  @Test("a file that can't be read is named, with the reason")
  func unreadable() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let missing = folder + "/layoutd-\(UUID().uuidString)"
    for (path, reason) in [(missing, "No such file or directory"), (folder, "Is a directory")] {
      let error = OptionError(subject: path, reason: reason)
      same(error.description, "\(path): \(reason)")
      #expect(throws: error) {
        try Command.parse(["--api-keys-file=\(path)"]).gatewayConfiguration()
      }
      let file = try TemporaryFile("text")
      for (certificate, key) in [(path, file.path), (file.path, path)] {
        #expect(throws: error) {
          try Command.parse(["--tls-certificate=\(certificate)", "--tls-key=\(key)"])
            .daemonConfiguration()
        }
      }
    }
  }

  @Test(
    "a file without usable keys is named, with the line to blame",
    arguments: cases("Options.unusableKeys", String.self, String.self))
  func unusableKeys(text: String, reason: String) throws {
    let file = try TemporaryFile(text)
    #expect(throws: OptionError(subject: file.path, reason: reason)) {
      try Command.parse(["--api-keys-file=\(file.path)"]).gatewayConfiguration()
    }
  }

  @Test("a long file is read to its end")
  func longFile() throws {
    let file = try TemporaryFile((0..<2000).map { "key-\($0)\n" }.joined())
    let keys = try Command.parse(["--api-keys-file=\(file.path)"]).gatewayConfiguration().apiKeys
    #expect(throws: (any Error).self) { try Command.parse(["--keys-for=all"]) }
    same(keys?.admits("Bearer key-0"), true)
    same(keys?.admits("Bearer key-1999"), true)
    same(keys?.admits("Bearer key-2000"), false)
  }
}
