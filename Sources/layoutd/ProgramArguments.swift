import Glibc

/// The arguments of the program, with its name.
enum ProgramArguments {
  /// What was given on the command line; `nil` if nobody can say.
  ///
  /// A static Swift runtime finds the arguments by the address of the environment. If a preloaded
  /// library has set a variable, the environment is somewhere else, and Swift finds none. A server
  /// that then started with its defaults would ask for no key.
  ///
  /// - Parameter found: What Swift has found.
  static func all(found: [String] = CommandLine.arguments) -> [String]? {
    found.isEmpty ? kernels : found
  }

  /// The arguments as the kernel has them. There is always one, the program's name.
  private static var kernels: [String]? {
    guard let text = FileContents.bytes(at: "/proc/self/cmdline"), text.last == 0 else {
      return nil
    }
    return text.dropLast().split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
