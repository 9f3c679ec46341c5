import Foundation
import PackagePlugin

/// Makes Swift code of the contract, the client and the viewer, so that the program needs no files
/// beside it. The code is made anew when one of them changes, or when there is a new one.
@main
struct EmbedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let web = root.appending(path: "Sources/Web")
    let files = try FileManager.default.subpathsOfDirectory(atPath: web.path)
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the contract, the client and the viewer",
        executable: try context.tool(named: "embed-files").url,
        arguments: [root.path, output.path],
        inputFiles: [root.appending(path: "openapi.yaml")] + files.map { web.appending(path: $0) },
        outputFiles: [output])
    ]
  }
}
