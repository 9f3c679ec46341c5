/// A configuration file that cannot be used.
struct FileError: Error, Equatable, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "\(path): \(reason)" }
}
