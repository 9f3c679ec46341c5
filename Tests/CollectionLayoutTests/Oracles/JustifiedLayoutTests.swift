import Testing

@testable import CollectionLayout

/// Flickr's justified-layout 4.1: its 162 recorded answers, within its tolerance of 1e-9.
///
/// Padding is the section's inset, a forced aspect ratio is the items'. Left out are
///
/// - 30 cases with full-width breakouts or a limit of rows, which there are not here;
/// - of cases whose last row is justified the boxes of that row, where it is not full, and the
///   height: here it is closed like any row;
/// - of cases without widows the height: the widows are laid out here;
/// - of cases without boxes the height: there, it is less by a spacing.
///
/// A last row that is centred stands off the centre there, by half of spacing minus padding.
@Suite("justified-layout's rows")
struct JustifiedLayoutTests {
  @Test("162 layouts")
  func rows() throws {
    let cases = try #require(try Oracle.recording("justified-layout/cases.json")["cases"]?.array)
    var counts: [String: Int] = [:]
    for recorded in cases {
      let config = try #require(recorded["config"])
      guard config["fullWidthBreakoutRowCadence"] == nil, config["maxNumRows"] == nil else {
        counts["left out", default: 0] += 1
        continue
      }
      let prepared = try prepared(recorded, config)
      let boxes = try #require(recorded["expected"]?["boxes"]?.array)
      let height = try #require(recorded["expected"]?["containerHeight"]?.number)
      let widows = Int(try #require(recorded["expected"]?["widowCount"]?.number))
      let style = config["widowLayoutStyle"]?.string
      let isJustified = style == "justify" && widows > 0
      let offset =
        style == "center" ? (space("horizontal", config) - inset("left", config)) / 2 : 0

      func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-9 }
      let compared = isJustified ? boxes.count - widows : boxes.count
      let isSame = (0..<compared).allSatisfy { item in
        guard let frame = prepared.attributes(.cells, 0, item)?.frame,
          let left = boxes[item]["left"]?.number, let top = boxes[item]["top"]?.number,
          let width = boxes[item]["width"]?.number, let height = boxes[item]["height"]?.number
        else { return false }
        let moved = frame.origin.x + (item >= boxes.count - widows ? offset : 0)
        return isNear(moved, left) && isNear(frame.origin.y, top)
          && isNear(frame.size.width, width) && isNear(frame.size.height, height)
      }
      let group: String
      if isJustified {
        group = "all but a justified last row"
      } else if config["showWidows"] != nil {
        group = "all but the height, without widows"
      } else if boxes.isEmpty {
        group = "all but the height, without boxes"
      } else {
        group = "all"
        #expect(isNear(prepared.contentSize.height, height), "\(recorded["id"]?.string ?? "")")
      }
      #expect(isSame, "\(recorded["id"]?.string ?? "")")
      if isSame { counts[group, default: 0] += 1 }
    }
    #expect(cases.count == 162)
    #expect(
      counts == [
        "all": 97, "all but a justified last row": 15,
        "all but the height, without widows": 9, "all but the height, without boxes": 11,
        "left out": 30,
      ])
  }

  private func inset(_ edge: String, _ config: JSON) -> Double {
    let padding = config["containerPadding"]
    return padding?.number ?? padding?[edge]?.number ?? 10
  }

  private func space(_ axis: String, _ config: JSON) -> Double {
    let spacing = config["boxSpacing"]
    return spacing?.number ?? spacing?[axis]?.number ?? 10
  }

  private func prepared(_ recorded: JSON, _ config: JSON) throws -> any PreparedLayout {
    var options = GivenOptions([
      "sectionInset": .insets(
        top: inset("top", config), left: inset("left", config), bottom: inset("bottom", config),
        right: inset("right", config)),
      "itemSpacing": .number(space("horizontal", config)),
      "rowSpacing": .number(space("vertical", config)),
    ])
    for name in ["targetRowHeight", "targetRowHeightTolerance"] {
      if let value = config[name]?.number { options[name] = .number(value) }
    }
    // What is no style is "left" there.
    if let style = config["widowLayoutStyle"]?.string, ["center", "justify"].contains(style) {
      options["lastRow"] = .string(style)
    }
    let forced = config["forceAspectRatio"]?.number
    let items = try #require(recorded["input"]?.array).map {
      if let ratio = forced ?? $0.number { return NaiveItem(aspectRatio: ratio) }
      return NaiveItem(width: $0["width"]?.number, height: $0["height"]?.number)
    }
    return try Oracle.prepared(
      "justified", options, bounds: Bounds(width: config["containerWidth"]?.number ?? 1060),
      [CollectionSection(items: Items(items))])
  }
}
