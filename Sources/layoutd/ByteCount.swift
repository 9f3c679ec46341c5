import ArgumentParser

/// The value of an option that is a size: `67108864` or `64MiB`.
struct ByteCount: Equatable, ExpressibleByArgument, CustomStringConvertible {
  let bytes: Int

  init(_ bytes: Int) {
    self.bytes = bytes
  }

  init?(argument: String) {
    guard let bytes = Self.read.value(of: argument) else { return nil }
    self.bytes = bytes
  }

  var description: String { Self.written.text(of: bytes) }
  var defaultValueDescription: String { description }

  private static let read = UnitSuffixes([
    "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
  ])
  private static let written = UnitSuffixes([
    "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
  ])
}
