import Glibc

/// Options from environment variables, in the form in which a command line has them.
struct EnvironmentArguments {
  /// Stand before those of the command line.
  let arguments: [String]
  /// Where they are from.
  let variables: [String]

  /// Those for options that the command line does not give.
  ///
  /// - Parameter value: Gives a variable's value, if it is set.
  init(
    besides commandLine: [String], value: (_ variable: String) -> String? = Self.value
  ) {
    // Whoever asks for help may have set a variable wrongly.
    if !Set(commandLine).isDisjoint(with: ["-h", "--help", "-help", "--version"]) {
      arguments = []
      variables = []
      return
    }
    // Any instance will do: its properties' names are the options' names.
    let given = Mirror(reflecting: Command()).children.compactMap {
      property -> (argument: String, variable: String)? in
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
      let variable = "LAYOUTD_" + words.joined(separator: "_").uppercased()
      return value(variable).map { ("\(option)=\($0)", variable) }
    }
    arguments = given.map(\.argument)
    variables = given.map(\.variable)
  }

  private static func value(of variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }
  }
}
