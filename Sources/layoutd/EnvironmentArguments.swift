import Glibc

/// Options from environment variables, in the form in which a command line has them.
enum EnvironmentArguments {
  /// All arguments: those of the command line, and before them those of the environment for options
  /// that it does not give.
  ///
  /// - Parameter value: Gives a variable's value, if it is set.
  static func arguments(
    before commandLine: [String], value: (_ variable: String) -> String? = Self.value
  ) -> [String] {
    // Whoever asks for help may have set a variable wrongly.
    if !Set(commandLine).isDisjoint(with: ["-h", "--help", "-help", "--version"]) {
      return commandLine
    }
    // Any instance will do: its properties' names are the options' names.
    let environment: [String] = Mirror(reflecting: Command()).children.compactMap { property in
      guard let label = property.label else { return nil }
      // A property wrapper's storage has the property's name behind an underscore.
      let words = label.drop { $0 == "_" }.reduce(into: [""]) { words, character in
        if character.isUppercase { words.append("") }
        words[words.count - 1] += character.lowercased()
      }
      let option = "--" + words.joined(separator: "-")
      guard !commandLine.contains(where: { $0 == option || $0.hasPrefix(option + "=") }) else {
        return nil
      }
      return value("LAYOUTD_" + words.joined(separator: "_").uppercased()).map {
        "\(option)=\($0)"
      }
    }
    return environment + commandLine
  }

  private static func value(of variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }
  }
}
