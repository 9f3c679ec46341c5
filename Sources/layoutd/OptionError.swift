/// What an option names cannot be used.
struct OptionError: Error, Equatable, CustomStringConvertible {
  /// The path of a file, or the option with its value.
  let subject: String
  let reason: String

  var description: String { "\(subject): \(reason)" }
}
