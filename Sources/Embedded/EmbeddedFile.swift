/// A file that is embedded in the program: the contract, the viewer's page, and what browsers load.
/// `Plugins/EmbedFiles` lists them.
public struct EmbeddedFile: Sendable {
  /// The path under which the server has the file, without a slash at its start. The viewer's page
  /// is `index.html`.
  public let path: String
  public let bytes: [UInt8]

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// All files.
  public static let all = texts.map { path, text in
    EmbeddedFile(path: path, bytes: text.withUTF8Buffer { Array($0) })
  }

  /// The bytes of a file, which there must be.
  public static func bytes(at path: String) -> [UInt8] {
    guard let file = all.first(where: { $0.path == path }) else {
      preconditionFailure("\(path) is not embedded")
    }
    return file.bytes
  }
}
