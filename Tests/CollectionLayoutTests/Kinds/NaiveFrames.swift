import TestSupport

@testable import CollectionLayout

enum NaiveFrames: NaiveKind {
  typealias Layout = FramesLayout

  static func isUniform(
    _ items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) -> Bool {
    items.allSatisfy { $0.x == nil && $0.y == nil && $0.width == nil && $0.height == nil }
  }

  static func body(
    of items: [NaiveItem], _ options: GivenOptions, in container: NaiveContainer
  ) throws(NaiveFault) -> NaiveBody {
    let itemSize = options.itemSize(in: container)
    var body = NaiveBody()
    for item in items {
      let frame = Rect(
        x: container.x(of: item) ?? 0, y: container.y(of: item) ?? 0,
        width: container.width(of: item) ?? itemSize.width,
        height: container.height(of: item) ?? itemSize.height)
      body.frames.append(frame)
      body.height = max(body.height, frame.origin.y + frame.size.height)
    }
    let stepsInPoint = container.isIntegral ? 1.0 : 1024
    if body.height < 0x1p42 {
      body.height = (body.height * stepsInPoint).rounded(.up) / stepsInPoint
    }
    return body
  }

  static func options(
    for container: NaiveContainer, by random: inout SeededGenerator
  ) -> GivenOptions {
    var options = GivenOptions()
    if random.chance(60) { options["itemSize"] = random.size(1...120) }
    return options
  }
}
