/// Code that takes whatever bytes a client sends.
///
/// It finds a fault by trapping: the fuzzer and the tests run the same targets, the one with bytes
/// that it makes up, the others with those that are kept.
public struct FuzzTarget: Sendable {
  /// Also the name of the folder that holds its corpus.
  public let name: String
  /// Takes one input.
  public let run: @Sendable ([UInt8]) -> Void

  init(_ name: String, _ run: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.run = run
  }

  public static let all: [FuzzTarget] =
    FuzzLayout.all.flatMap { [prepare($0), updates($0), patch($0)] }
    + [
      large, columns, elements, picture, sections, paths, events, fields, gzip, replies, sizes,
      records, font, text, measure,
    ]
}
