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

  @Test("null is as if not given", arguments: cases("PrepareOptions.null", String.self))
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
    arguments: cases(
      "PrepareOptions.invalidOptions", String.self, String.self, String.self, String.self))
  func invalidOptions(kind: String, options: String, pointer: String, value: String) throws {
    let members = try optionFaults(kind, options)
    same(members.map(\.pointer), [pointer])
    let detail = try #require(members.first?.detail)
    #expect(detail.hasPrefix("must be "))
    #expect(detail.hasSuffix(", was \(value)"), "\(detail)")
  }

  @Test(
    "an unknown option is pointed to",
    arguments: cases("PrepareOptions.unknownOptions", String.self, String.self, String.self))
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
    for (kind, options, pointer) in cases(
      "PrepareOptions.contradictions", String.self, String.self, String.self)
    {
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
