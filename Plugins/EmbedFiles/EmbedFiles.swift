import Foundation
import PackagePlugin

/// Makes Swift code of the contract, the client, the viewer and the examples, so that the program
/// needs no files beside it. The code is made anew when one of them changes, or when there is a new
/// one.
@main
struct EmbedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let files = try ["Sources/Web", "Examples"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
        .map { root.appending(path: "\(folder)/\($0)") }
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the contract and what browsers load",
        executable: try context.tool(named: "embed-files").url,
        arguments: [root.path, output.path],
        inputFiles: [root.appending(path: "openapi.yaml")] + files,
        outputFiles: [output])
    ]
  }
}
