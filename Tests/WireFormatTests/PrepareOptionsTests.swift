import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

@Suite("Prepare bodies: options")
struct PrepareOptionsTests {
  private func options(_ kind: String, _ text: String) throws -> GivenOptions {
    let data = kind == "tree" ? #""nodes":1"# : #""bounds":{"width":900},"sections":[]"#
    return try prepare("{\(data),\"options\":\(text)}", as: kind).layout.options
  }

  @Test("options are kept as they were given, in their order")
  func asGiven() throws {
    let given = try options(
      "grid",
      #"{"rowHeight":40,"columns":3,"sectionInset":{"left":1.5},"pinHeaders":true,"background":"row"}"#
    )
    same(
      given.members.map(\.name),
      ["rowHeight", "columns", "sectionInset", "pinHeaders", "background"])
    same(given["rowHeight"], .number(40))
    same(given["columns"], .number(3))
    var inset = GivenOptions()
    inset["left"] = .number(1.5)
    same(given["sectionInset"], .object(inset))
    same(given["pinHeaders"], .boolean(true))
    same(given["background"], .string("row"))
  }

  @Test("a group is kept as it was given, with the nulls in it dropped")
  func group() throws {
    let text = """
      {"group":{"direction":"horizontal","width":{"absolute":90},"height":{"absolute":20},\
      "spacing":null,"subitems":[{"width":{"flexible":1},"height":{"fractionalHeight":1},\
      "insets":{"top":null}}]}}
      """
    func object(_ members: (String, OptionValue)...) -> OptionValue {
      var options = GivenOptions()
      for (name, value) in members { options[name] = value }
      return .object(options)
    }
    try same(
      options("group", text)["group"],
      object(
        ("direction", .string("horizontal")), ("width", object(("absolute", .number(90)))),
        ("height", object(("absolute", .number(20)))),
        (
          "subitems",
          .array([
            object(
              ("width", object(("flexible", .number(1)))),
              ("height", object(("fractionalHeight", .number(1)))), ("insets", object()))
          ])
        )))
  }

  @Test(
    "null is as if not given",
    arguments: [
      "{}", #"{"insets":null}"#, #"{"insets":{}}"#, #"{"insets":{"top":null}}"#,
      #"{"itemSize":null}"#, #"{"spacing":null,"connectors":null}"#,
    ])
  func null(text: String) throws {
    let request = try prepare("{\"nodes\":3,\"options\":\(text)}", as: "tree")
    let plain = try prepare("{\"nodes\":3}", as: "tree")
    try same(request.prepared().prepared.contentSize, plain.prepared().prepared.contentSize)
    #expect(request.layout.options.members.allSatisfy { $0.value == .object(GivenOptions()) })
  }

  @Test("a seed may be as large as 2^53 − 1")
  func largestSeed() throws {
    try same(options("gallery", #"{"seed":9007199254740991}"#)["seed"], .number(0x1p53 - 1))
  }

  @Test(
    "an option that cannot be is pointed to",
    arguments: [
      ("grid", #"{"columns":0}"#, "/options/columns", "0"),
      ("grid", #"{"columns":2.5}"#, "/options/columns", "2.5"),
      ("grid", #"{"columns":"2"}"#, "/options/columns", "\"2\""),
      ("grid", #"{"columns":1e999}"#, "/options/columns", "beyond all doubles"),
      ("grid", #"{"columns":9007199254740992}"#, "/options/columns", "9007199254740992"),
      ("grid", #"{"columns":[3]}"#, "/options/columns", "an array"),
      ("grid", #"{"columns":{"a":1}}"#, "/options/columns", "an object"),
      ("grid", #"{"rowHeight":0}"#, "/options/rowHeight", "0"),
      ("grid", #"{"rowHeight":true}"#, "/options/rowHeight", "true"),
      ("grid", #"{"columnSpacing":-0.5}"#, "/options/columnSpacing", "-0.5"),
      ("grid", #"{"headerHeight":1e999}"#, "/options/headerHeight", "beyond all doubles"),
      ("grid", #"{"background":"all"}"#, "/options/background", "\"all\""),
      ("grid", #"{"background":1}"#, "/options/background", "1"),
      ("waterfall", #"{"contentInset":{"top":-1}}"#, "/options/contentInset/top", "-1"),
      ("waterfall", #"{"contentInset":5}"#, "/options/contentInset", "5"),
      ("waterfall", #"{"contentInset":{"top":{}}}"#, "/options/contentInset/top", "an object"),
      ("waterfall", #"{"placement":"RoundRobin"}"#, "/options/placement", "\"RoundRobin\""),
      ("gallery", #"{"headerHeight":-1}"#, "/options/headerHeight", "-1"),
      ("gallery", #"{"headerHeight":"a"}"#, "/options/headerHeight", "\"a\""),
      ("gallery", #"{"seed":-1}"#, "/options/seed", "-1"),
      ("gallery", #"{"seed":9007199254740992}"#, "/options/seed", "9007199254740992"),
      ("gallery", #"{"minimumItemWidth":0}"#, "/options/minimumItemWidth", "0"),
      ("tree", #"{"itemSize":{"width":0}}"#, "/options/itemSize/width", "0"),
      ("tree", #"{"itemSize":[1,2]}"#, "/options/itemSize", "an array"),
      ("tree", #"{"connectors":"true"}"#, "/options/connectors", "\"true\""),
      ("tree", #"{"connectors":1}"#, "/options/connectors", "1"),
    ])
  func invalidOptions(kind: String, options: String, pointer: String, value: String) throws {
    let members = try optionFaults(kind, options)
    same(members.map(\.pointer), [pointer])
    let detail = try #require(members.first?.detail)
    #expect(detail.hasPrefix("must be "))
    #expect(detail.hasSuffix(", was \(value)"), "\(detail)")
  }

  @Test(
    "an unknown option is pointed to",
    arguments: [
      ("grid", #"{"rows":1}"#, "/options/rows"), ("grid", #"{"Columns":1}"#, "/options/Columns"),
      ("grid", #"{"":1}"#, "/options/"), ("grid", #"{"a/b~c":1}"#, "/options/a~1b~0c"),
      ("grid", #"{"rows":null}"#, "/options/rows"),
      ("grid", #"{"rows":{"a":[1]}}"#, "/options/rows"),
      ("waterfall", #"{"contentInset":{"middle":1}}"#, "/options/contentInset/middle"),
      ("waterfall", #"{"contentInset":{"":1}}"#, "/options/contentInset/"),
      ("waterfall", #"{"contentInset":{"a~":null}}"#, "/options/contentInset/a~0"),
      ("waterfall", #"{"contentInset.top":1}"#, "/options/contentInset.top"),
      ("waterfall", #"{"top":1}"#, "/options/top"),
      ("tree", #"{"insets":{"left.":1}}"#, "/options/insets/left."),
      ("gallery", #"{"columns":2}"#, "/options/columns"), ("grid", #"{"é":1}"#, "/options/é"),
    ])
  func unknownOptions(kind: String, options: String, pointer: String) throws {
    let members = try optionFaults(kind, options)
    same(members.map(\.pointer), [pointer])
    same(members.first?.detail.contains("is unknown; known: "), true)
  }

  @Test("an option that is given twice is pointed to")
  func duplicates() throws {
    try same(
      optionFaults("grid", #"{"columns":1,"columns":1}"#).map(\.pointer), ["/options/columns"]
    )
    try same(
      optionFaults("tree", #"{"insets":{"top":1,"left":2,"top":3}}"#).map(\.pointer),
      ["/options/insets/top"])
    try same(
      optionFaults("tree", #"{"insets":{"top":1},"insets":{}}"#).map(\.pointer), ["/options/insets"]
    )
  }

  @Test("options that cannot be together are pointed to when the layout is prepared")
  func contradictions() throws {
    for (kind, options, pointer) in [
      ("grid", #"{"rowHeight":10,"rowSpacing":10}"#, "/options/rowSpacing"),
      ("grid", #"{"columns":100,"columnSpacing":50}"#, "/options/columns"),
      ("waterfall", #"{"contentInset":{"left":200,"right":200}}"#, "/options/contentInset"),
      ("gallery", #"{"minimumItemWidth":10,"maximumItemWidth":9}"#, "/options/maximumItemWidth"),
    ] {
      let request = try prepare(
        "{\"bounds\":{\"width\":300},\"sections\":[{\"items\":3}],\"options\":\(options)}",
        as: kind)
      try same(request.faultsOfLayout().map(\.pointer), [pointer])
    }
  }

  private func optionFaults(_ kind: String, _ options: String) throws -> [InvalidMember] {
    let data = kind == "tree" ? "\"nodes\":1" : "\"bounds\":{\"width\":9},\"sections\":[]"
    return try faults(in: "{\(data),\"options\":\(options)}", as: kind)
  }
}
