import CEmbedded

/// A file that is embedded in the program: the contract, the viewer's page, and what browsers load.
public struct EmbeddedFile: Sendable {
  /// The path under which the server has the file, without a slash at its start. The viewer's page
  /// is `index.html`.
  public let path: String
  public let bytes: [UInt8]

  /// All files. `Sources/CEmbedded` lists them.
  public static let all: [EmbeddedFile] = (0...).lazy.map { cembedded_file_at($0) }
    .prefix { $0.path != nil }
    .map {
      EmbeddedFile(
        path: String(cString: $0.path),
        bytes: Array(UnsafeBufferPointer(start: $0.bytes, count: $0.count)))
    }

  /// The bytes of a file, which there must be.
  public static func bytes(at path: String) -> [UInt8] {
    guard let file = all.first(where: { $0.path == path }) else {
      preconditionFailure("\(path) is not embedded")
    }
    return file.bytes
  }
}
