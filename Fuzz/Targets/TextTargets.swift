import CollectionLayout
import MicroHTTP
import TextMeasure

extension FuzzTarget {
  /// A font's file, in which a text is measured.
  static let font = FuzzTarget("font") { bytes in
    let library = FontLibrary(memory: ["f": bytes])
    let style = ParagraphStyle(fonts: ["f"], size: 14)
    guard let prepared = try? library.prepare(style) else { return }
    library.withWorkbench { bench in
      bench.prepare(
        "The pier at Harrow Point, fi 12%\u{301} \u{5d0}\u{628}\u{915}\u{94d}", prepared)
      check(bench, prepared, length: 48)
    }
  }

  /// A text in UTF-16, behind a byte for its style and one for its width.
  static let text = FuzzTarget("text") { bytes in
    guard bytes.count >= 2 else { return }
    let whiteSpace = ParagraphStyle.WhiteSpace.allCases[Int(bytes[0] % 3)]
    let style = ParagraphStyle(
      fonts: ["f"], size: 20, letterSpacing: Double(bytes[0] >> 6),
      language: bytes[0] & 8 == 0 ? "en" : "ja", whiteSpace: whiteSpace)
    let maxLines = bytes[0] & 16 == 0 ? Int.max : 3
    guard let prepared = try? made.prepare(style) else { fatalError("the font is broken") }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    made.withWorkbench { bench in
      units.withUnsafeBufferPointer { bench.prepare($0, prepared) }
      let lines = bench.lines(width: Double(bytes[1]) + 1, prepared, upTo: maxLines)
      check(bench, prepared, length: units.count)
      require(
        lines.starts.allSatisfy { $0 >= 0 && Int($0) < units.count }, "\(lines) of \(units)")
      checkPacked(String(decoding: units, as: UTF16.self), bench, prepared)
    }
  }

  /// That the lines that are added up from packed words are those of the whole text.
  private static func checkPacked(
    _ text: String, _ bench: TextWorkbench, _ style: PreparedStyle
  ) {
    var builder = ShapedTextsBuilder(style, capacity: 2, bytes: 0)
    // The second time its words are known.
    for _ in 0..<2 {
      Array(text.utf8).withUnsafeBufferPointer { builder.add(utf8: $0, on: bench) }
    }
    let packed = builder.finish()
    bench.prepare(text, style)
    for index in 0..<2 {
      require(packed.isEstimated(index) == bench.isEstimated, "\(text.debugDescription)")
      let natural = Double(bench.naturalWidth64()) / 64
      require(packed.naturalWidth(of: index) == natural, "\(text.debugDescription)")
      for width in [20.0, 37.5, 100, 1000] {
        guard let lines = packed.lines(of: index, width: width) else { continue }
        let whole = bench.lines(width: width, style, upTo: .max)
        require(lines == whole, "\(lines), not \(whole), of \(text.debugDescription) at \(width)")
      }
    }
  }

  /// The body of a request that measures texts.
  static let measure = FuzzTarget("measure") { bytes in
    FuzzService().send(
      .post, RequestTarget("/text/measure"), headers: [(.contentType, "application/json")],
      body: bytes)
  }

  /// That lines at some widths begin in order, and that a width without limit has the fewest.
  private static func check(_ bench: TextWorkbench, _ style: PreparedStyle, length: Int) {
    let fewest = bench.lines(width: nil, style).starts.count
    for width in [1.0, 37.5, 1000] {
      let starts = bench.lines(width: width, style).starts
      require(zip(starts, starts.dropFirst()).allSatisfy(<), "\(starts) at \(width)")
      require(starts.count >= fewest, "\(starts.count) lines at \(width), \(fewest) without")
    }
  }

  private static let made = FontLibrary(memory: ["f": packed])

  /// A font of woff2_compress whose characters are as wide as half an em, and its space a quarter.
  private static let packed: [UInt8] = [
    119, 79, 70, 50, 0, 1, 0, 0, 0, 0, 0, 148, 0, 5, 0, 0, 0, 0, 6, 108, 0, 0, 0, 87, 0, 1, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 44, 1, 54, 2, 36, 3, 139,
    0, 4, 6, 27, 11, 6, 248, 135, 231, 223, 63, 241, 220, 254, 15, 109, 210, 164, 160, 95, 176,
    80, 129, 129, 173, 178, 248, 64, 198, 52, 27, 209, 108, 241, 77, 38, 15, 54, 224, 128, 37,
    136, 56, 113, 95, 68, 175, 0, 16, 216, 19, 209, 4, 171, 110, 160, 235, 66, 30, 85, 24, 85,
    245, 22, 16, 132, 251, 235, 182, 92, 183, 227, 55, 107, 31, 177, 208, 70, 237, 46, 76, 57,
    167, 39, 254, 228, 75, 93, 228, 4, 0, 0,
  ]
}
