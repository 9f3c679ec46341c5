import Foundation

/// The folders of inputs beside the tests, one for each target.
enum Corpus {
  /// - Returns: The names of the targets, sorted.
  static func targets() throws -> [String] { try contents(of: folder).map(\.lastPathComponent) }

  static func inputs(of target: String) throws -> [(name: String, bytes: [UInt8])] {
    try contents(of: folder.appendingPathComponent(target)).map {
      ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0)))
    }
  }

  private static var folder: URL {
    Bundle.module.bundleURL.appendingPathComponent("Fixtures/corpus")
  }

  private static func contents(of folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles
    ).sorted { $0.path < $1.path }
  }
}
