import Foundation

/// Writes openapi.yaml, all files in `Sources/Web` and the pages in `Examples` as Swift code:
/// `embed-files PACKAGE OUTPUT`
///
/// Each becomes a string literal, which the compiler takes over as it is. An array literal of its
/// bytes would take the compiler a minute.
@main
enum EmbedFiles {
  static func main() throws {
    let root = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
    let web = root.appending(path: "Sources/Web")
    var code = try entry("openapi.yaml", root.appending(path: "openapi.yaml"))
    for path in try FileManager.default.subpathsOfDirectory(atPath: web.path).sorted()
    where path.contains(".") {
      code += try entry(path.lowercased(), web.appending(path: path))
    }
    let examples = root.appending(path: "Examples")
    for name in try FileManager.default.contentsOfDirectory(atPath: examples.path).sorted() {
      code += try entry("examples/\(name)", examples.appending(path: "\(name)/index.html"))
    }
    code = """
      extension EmbeddedFile {
        static let texts: [(path: String, text: StaticString)] = [
      \(code)]
      }

      """
    try code.write(toFile: CommandLine.arguments[2], atomically: true, encoding: .utf8)
  }

  private static func entry(_ path: String, _ file: URL) throws -> String {
    let text = try String(contentsOf: file, encoding: .utf8)
    precondition(!text.contains("\"\"\"###") && !text.contains("\r"), file.path)
    return "(\"\(path)\", ###\"\"\"\n\(text)\n\"\"\"###),\n"
  }
}
