import CollectionLayout
import TestSupport

/// Random bodies of prepare requests, all of which can be prepared.
struct RandomBody {
  var generator: SeededGenerator

  /// Options of which one each, or none, is taken.
  private static let whole = [
    [#""scrollDirection":"horizontal""#, #""scrollDirection":"vertical""#],
    [#""layoutDirection":"rightToLeft""#],
    [#""contentInset":{"left":3.5,"top":2}"#, #""contentInset":{}"#], [#""sectionSpacing":7.25"#],
    [#""emptySections":"hide""#, #""emptySections":null"#], [#""contentAlignment":"top""#],
  ]
  private static let common = [
    [#""headerHeight":12.5"#, #""headerHeight":0"#], [#""footerHeight":0.1"#],
    [#""pinHeaders":true"#], [#""pinFooters":true"#, #""pinFooters":false"#],
    [#""sectionInset":{"left":1.5,"bottom":4}"#, #""sectionInset":{"top":0.3,"right":null}"#],
    [#""background":"section""#, #""background":"body""#, #""background":"none""#],
    [#""backgroundInset":{"top":2.5,"right":1}"#, #""backgroundInset":{}"#],
    [#""integral":true"#, #""integral":false"#],
  ]
  private static let own = [
    "grid": [
      [#""columns":3"#, #""minimumColumnWidth":70.5"#],
      [#""rowHeight":20"#, #""itemAspectRatio":1.5"#], [#""rowSpacing":1.5"#],
    ],
    "list": [[#""itemHeight":0"#, #""itemHeight":33.3"#], [#""rowSpacing":0.7"#]],
    "waterfall": [
      [#""columns":4"#, #""minimumColumnWidth":90"#], [#""placement":"shortestColumn""#],
      [#""cellPadding":0"#], [#""itemHeight":21.1"#],
    ],
    "gallery": [
      [#""seed":9007199254740991"#, #""seed":5"#], [#""minimumItemWidth":20.5"#],
      [#""horizontalInset":2"#], [#""itemHeight":30"#],
    ],
    "flow": [
      [#""alignment":"end""#, #""alignment":"center""#], [#""lineAlignment":"bottom""#],
      [#""itemSize":{"width":33.3}"#, #""itemSize":{"height":0.5}"#],
      [#""minimumLineSpacing":0"#],
    ],
    "justified": [
      [#""targetRowHeight":80"#], [#""lastRow":"center""#, #""lastRow":"justify""#],
      [#""targetRowHeightTolerance":0"#],
    ],
    "group": [[#""groupSpacing":3.5"#]],
    "frames": [[#""itemSize":{"width":10,"height":7.5}"#]],
    "compositional": [],
    "tree": [
      [#""itemSize":{"width":50}"#], [#""insets":{"top":0,"left":3.5}"#],
      [#""direction":"up""#, #""direction":"left""#, #""direction":"down""#],
      [#""connectors":false"#],
    ],
  ]
  private static let groups = [
    #""group":{"direction":"horizontal","width":{"fractionalWidth":0.5},"height":{"absolute":30.5},"spacing":2,"subitems":[{"width":{"flexible":1},"height":{"fractionalHeight":1},"insets":{"top":1},"count":2}]}"#,
    #""group":{"direction":"vertical","width":{"absolute":40},"height":{"fractionalHeight":0.25},"subitems":[{"width":{"absolute":40},"height":{"flexible":1}},{"width":{"absolute":40},"height":{"flexible":2.5}}]}"#,
  ]
  private static let fields: [(name: String, values: [String])] = [
    ("id", [#""a""#, #""é\"\n""#, #""b""#]), ("width", ["0", "12.5", "200", "0.1"]),
    ("height", ["0", "33.3", "1e-7"]), ("aspectRatio", ["1.5", "0.3"]),
    ("x", ["-5.5", "0", "100"]), ("y", ["7", "1e3"]),
    ("columnSpan", ["1", "2", #""all""#, "17"]), ("rowSpan", ["1", "3"]), ("column", ["0", "1"]),
  ]

  mutating func body(of kind: String) -> String {
    guard kind != "tree" else {
      let hasSizes = Bool.random(using: &generator)
      let table = Self.own[kind]! + (hasSizes ? [] : [[#""spacing":"compact""#]])
      var options = self.options(table)
      if hasSizes { options = with(#""spacing":"compact""#, in: options) }
      return "{\(options),\(nodes(hasSizes: hasSizes))}"
    }
    let sections = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
      section(in: kind)
    }
    var options = self.options(Self.whole + Self.common + Self.own[kind]!)
    if kind == "group" { options = with(Self.groups[0], in: options) }
    return "{\"bounds\":{\"width\":700,\"height\":400.5},\(options),"
      + "\"sections\":[\(sections.joined(separator: ","))]}"
  }

  /// An object of options with one more member.
  private func with(_ member: String, in options: String) -> String {
    options.hasSuffix("{}")
      ? options.dropLast() + member + "}" : options.dropLast() + "," + member + "}"
  }

  private mutating func options(_ table: [[String]]) -> String {
    let members = table.compactMap { choices in
      generator.once(in: 3) ? choices.randomElement(using: &generator) : nil
    }
    return "\"options\":{\(members.shuffled(using: &generator).joined(separator: ","))}"
  }

  private mutating func section(in layout: String) -> String {
    let isCompositional = layout == "compositional"
    let kind = isCompositional ? SectionKinds.all.randomElement(using: &generator)!.kind : layout
    var members = ["\"items\":\(items())"]
    if isCompositional { members.append("\"kind\":\"\(kind)\"") }
    if isCompositional, generator.once(in: 3) { members.append(#""orthogonal":{"height":150.5}"#) }
    if generator.once(in: 3) { members.append(#""id":"s\t""#) }
    if Bool.random(using: &generator) || isCompositional {
      var options = self.options(Self.common + Self.own[kind]!)
      if kind == "group" {
        options = with(Self.groups.randomElement(using: &generator)!, in: options)
      }
      members.append(options)
    }
    return "{\(members.shuffled(using: &generator).joined(separator: ","))}"
  }

  private mutating func items() -> String {
    let count = Int.random(in: 0...12, using: &generator)
    guard !generator.once(in: 4) else { return "\(count)" }
    let fields = Self.fields.filter { _ in Bool.random(using: &generator) }
    let rows = (0..<count).map { _ in
      var members: [String] = []
      for field in fields where Bool.random(using: &generator) {
        // Not beside both width and height.
        if field.name == "aspectRatio", members.count > 1 { continue }
        members.append("\"\(field.name)\":\(field.values.randomElement(using: &generator)!)")
      }
      return "{\(members.joined(separator: ","))}"
    }
    return "[\(rows.joined(separator: ","))]"
  }

  private mutating func nodes(hasSizes: Bool) -> String {
    let rows = (0..<Int.random(in: 0...12, using: &generator)).map { node in
      var members: [String] = []
      if node > 0, !generator.once(in: 6) {
        members.append("\"parent\":\(Int.random(in: 0..<node, using: &generator))")
      }
      if Bool.random(using: &generator) { members.append("\"id\":\"n\(node)\"") }
      for side in ["width", "height"] where hasSizes && Bool.random(using: &generator) {
        members.append("\"\(side)\":\(Int.random(in: 1...900, using: &generator)).5")
      }
      return "{\(members.joined(separator: ","))}"
    }
    return "\"nodes\":[\(rows.joined(separator: ","))]"
  }
}
