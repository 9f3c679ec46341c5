import CGlibc
import Glibc

/// Options from environment variables, written as command-line arguments.
struct EnvironmentArguments {
  /// The arguments. They come before those of the command line.
  let arguments: [String]
  /// The names of the variables from which they came.
  let variables: [String]

  /// Reads the options that the command line does not give.
  ///
  /// - Parameter value: Returns the value of a variable, if it is set.
  init(
    besides commandLine: [String], value: (_ variable: String) -> String? = Self.value
  ) {
    // A wrong variable must not prevent the help text.
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

  /// The names that begin like an option's variable but belong to no option. They are probably
  /// misspelled.
  static func unknownVariables(in names: [String] = environmentNames) -> [String] {
    let known = Set(options.map(\.variable))
    return names.filter { $0.hasPrefix(prefix) && !known.contains($0) }.sorted()
  }

  /// The option, or its variable, that is spelled most like a name; `nil` if none is much like it.
  static func nearest(to name: String) -> String? {
    let names = options.map { name.hasPrefix(prefix) ? $0.variable : $0.name }
    let marks = name.hasPrefix(prefix) ? prefix.count : 2
    // What is forgotten or mixed up is mostly one word.
    func likeness(_ other: String) -> Int {
      zip(other, name).prefix { $0 == $1 }.count
        + zip(other.reversed(), name.reversed()).prefix { $0 == $1 }.count
    }
    let best = names.max { (likeness($0), $1.count) < (likeness($1), $0.count) }
    return best.flatMap { likeness($0) >= marks + 4 ? $0 : nil }
  }

  private static let prefix = "LAYOUTD_"

  /// The name of every option on the command line and in the environment.
  private static let options: [(name: String, variable: String)] =
    // Any instance will do, because the names of its properties are the names of the options.
    Mirror(reflecting: Command()).children.compactMap { property in
      guard let label = property.label else { return nil }
      // The storage of a property wrapper has the property's name after an underscore.
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
