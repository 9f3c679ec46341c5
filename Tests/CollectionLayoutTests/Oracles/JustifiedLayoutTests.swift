import TestSupport
import Testing

@testable import CollectionLayout

/// Flickr's justified-layout 4.1: which items a row has in its 162 recorded answers.
///
/// Padding is the section's inset, a forced aspect ratio is the items'. Left out are 30 cases with
/// full-width breakouts or a limit of rows, which there are not here.
///
/// Heights differ where the original crops photographs, and in last rows. Where a photograph is as
/// high as there, but for a step, and not held at the highest height, at which the original crops,
/// it is also as wide, within the original's tolerance of 1e-9.
@Suite("justified-layout's rows")
struct JustifiedLayoutTests {
  @Test("132 of 162 layouts have the same rows")
  func rows() throws {
    let cases = try Oracle.recording("justified-layout/cases.json")["cases"].array
    var (sameRows, leftOut, sameHeights, boxCount) = (0, 0, 0, 0)
    for recorded in cases {
      let config = recorded["config"]
      guard config["fullWidthBreakoutRowCadence"] == .null, config["maxNumRows"] == .null else {
        leftOut += 1
        continue
      }
      let prepared = try prepared(recorded, config)
      let boxes = recorded["expected"]["boxes"].array
      let frames = try boxes.indices.map { try #require(prepared.cellFrame(0, $0)) }
      let theirs = Self.rowStarts(boxes.map { $0["top"].number ?? .nan })
      let ours = Self.rowStarts(frames.map(\.origin.y))
      same(ours, theirs, "\(recorded["id"].string ?? "")")
      if ours == theirs { sameRows += 1 }
      boxCount += boxes.count
      let highest = 2 * (config["targetRowHeight"].number ?? 320)
      for (box, frame) in zip(boxes, frames) {
        let (width, height) = (box["width"].number ?? .nan, box["height"].number ?? .nan)
        guard abs(frame.size.height - height) <= 1.0 / 1024,
          abs(frame.size.height - highest) > 1.0 / 1024
        else { continue }
        sameHeights += 1
        #expect(abs(frame.size.width - width) <= 1e-9, "\(recorded["id"].string ?? "")")
      }
    }
    same(cases.count, 162)
    same(sameRows, 132)
    same(leftOut, 30)
    // Most rows are not cropped.
    #expect(2 * sameHeights > boxCount)
  }

  /// The items with which rows begin.
  private static func rowStarts(_ tops: [Double]) -> [Int] {
    tops.indices.filter { $0 == 0 || tops[$0] != tops[$0 - 1] }
  }

  private func inset(_ edge: String, _ config: JSON) -> Double {
    let padding = config["containerPadding"]
    return padding.number ?? padding[edge].number ?? 10
  }

  private func space(_ axis: String, _ config: JSON) -> Double {
    let spacing = config["boxSpacing"]
    return spacing.number ?? spacing[axis].number ?? 10
  }

  private func prepared(_ recorded: JSON, _ config: JSON) throws -> any PreparedLayout {
    var options = GivenOptions([
      "sectionInset": .insets(
        top: inset("top", config), left: inset("left", config), bottom: inset("bottom", config),
        right: inset("right", config)),
      "columnSpacing": .number(space("horizontal", config)),
      "rowSpacing": .number(space("vertical", config)),
    ])
    for name in ["targetRowHeight", "targetRowHeightTolerance"] {
      if let value = config[name].number { options[name] = .number(value) }
    }
    // What is no style is "left" there.
    if let style = config["widowLayoutStyle"].string, ["center", "justify"].contains(style) {
      options["lastRow"] = .string(style)
    }
    let forced = config["forceAspectRatio"].number
    let items = recorded["input"].array.map {
      if let ratio = forced ?? $0.number { return NaiveItem(aspectRatio: ratio) }
      return NaiveItem(width: $0["width"].number, height: $0["height"].number)
    }
    return try Oracle.prepared(
      "justified", options, bounds: Bounds(width: config["containerWidth"].number ?? 1060),
      [CollectionSection(items: Items(items))])
  }
}
