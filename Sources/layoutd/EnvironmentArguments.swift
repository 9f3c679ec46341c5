import CGlibc
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
    let given = Self.options.compactMap { option -> (argument: String, variable: String)? in
      let name = option.name
      guard !commandLine.contains(where: { $0 == name || $0.hasPrefix(name + "=") }) else {
        return nil
      }
      return value(option.variable).map { ("\(name)=\($0)", option.variable) }
    }
    arguments = given.map(\.argument)
    variables = given.map(\.variable)
  }

  /// Which of the names begin like an option's variable and belong to none: wrongly spelled, most
  /// likely.
  static func unknownVariables(in names: [String] = environmentNames) -> [String] {
    let known = Set(options.map(\.variable))
    return names.filter { $0.hasPrefix(prefix) && !known.contains($0) }.sorted()
  }

  private static let prefix = "LAYOUTD_"

  /// Every option's name on the command line and in the environment.
  private static let options: [(name: String, variable: String)] =
    // Any instance will do: its properties' names are the options' names.
    Mirror(reflecting: Command()).children.compactMap { property in
      guard let label = property.label else { return nil }
      // A property wrapper's storage has the property's name behind an underscore.
      let words = label.drop { $0 == "_" }.reduce(into: [""]) { words, character in
        if character.isUppercase { words.append("") }
        words[words.count - 1] += character.lowercased()
      }
      return (
        "--" + words.joined(separator: "-"), prefix + words.joined(separator: "_").uppercased()
      )
    }

  private static var environmentNames: [String] {
    var names: [String] = []
    guard var next = glibc_environment() else { return [] }
    while let variable = next.pointee {
      names.append(String(String(cString: variable).prefix { $0 != "=" }))
      next += 1
    }
    return names
  }

  private static func value(of variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }
  }
}
