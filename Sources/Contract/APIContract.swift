/// The machine-readable contract: the bytes of `openapi.yaml`, which is part of the program.
///
/// A module of its own, because the file becomes a long array literal, which takes the compiler
/// some seconds: so only a change of the contract costs them.
public enum APIContract {
  /// The whole file, YAML in UTF-8.
  public static let bytes = PackageResources.openapi_yaml

  /// Its `info.version`, which is the program's as well.
  public static let version = {
    let member = Array("  version: ".utf8)
    // `info` comes first; the rest is long.
    let line = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 10)
      .first { $0.starts(with: member) }
    return String(decoding: (line ?? []).dropFirst(member.count), as: UTF8.self)
  }()
}
