import Embedded

/// The contract: the bytes of `openapi.yaml`, which is embedded in the program.
public enum APIContract {
  /// The whole file: YAML in UTF-8.
  public static let bytes = EmbeddedFile.bytes(at: "openapi.yaml")

  /// The version in its `info`. It is also the version of the program.
  public static let version = {
    let member = Array("  version: ".utf8)
    // `info` is at the start, so the rest is not searched.
    let line = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 10)
      .first { $0.starts(with: member) }
    return String(decoding: (line ?? []).dropFirst(member.count), as: UTF8.self)
  }()
}
