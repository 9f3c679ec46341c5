import Contract
import ServiceSupport
import TestSupport
import Testing

@testable import CollectionLayout
@testable import LayoutService

@Suite struct ContractTests {
  @Test("the contract is of the server that it comes from, by whatever name that is reached")
  func server() {
    same(OpenAPI.document["servers"].array.map { $0["url"] }, ["."])
  }

  @Test("the contract is served byte for byte")
  func served() {
    let answer = TestService().get("/openapi.yaml")
    same(answer.status, 200)
    same(answer["Content-Type"], "application/yaml")
    #expect(!OpenAPI.bytes.isEmpty)
    let isSame = answer.body.elementsEqual(OpenAPI.bytes)
    #expect(isSame, "\(answer.body.count) bytes, the file has \(OpenAPI.bytes.count)")
  }

  @Test("the program's version is the contract's")
  func version() {
    same(OpenAPI.document["info"]["version"].string, APIContract.version)
  }

  @Test("every operation of the contract is routed, and every route is in the contract")
  func operations() {
    var routed: Set<String> = []
    for route in Route.all {
      routed.insert("\(route.method.rawValue) \(route.path.text)")
      routed.insert("OPTIONS \(route.path.text)")
      if route.method == .get { routed.insert("HEAD \(route.path.text)") }
    }
    same(Set(OpenAPI.allOperations.map(\.testDescription)), routed)
    same(OpenAPI.allOperations.count, routed.count)
  }

  @Test("every operation has an id of its own")
  func operationIDs() {
    let ids = OpenAPI.operations.compactMap { $0.description["operationId"].string }
    same(Set(ids).count, OpenAPI.operations.count)
  }

  @Test("the parameters in a path are those that its operations describe")
  func pathParameters() {
    for operation in OpenAPI.operations {
      let described = operation.parameters.filter { $0["in"] == "path" }
      let names = described.compactMap { $0["name"].string }
      let inPath = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
      same(names, inPath.map { String($0.dropFirst().dropLast()) }, "\(operation.path)")
      #expect(described.allSatisfy { $0["required"] == true })
    }
  }

  @Test("the bodies that a route takes and the answers that it gives are those of the contract")
  func mediaTypes() {
    for route in Route.all {
      let operation = OpenAPI.document["paths"][route.path.text][
        route.method.rawValue.lowercased()]
      same(Set(operation["requestBody"]["content"].object.keys), Set(route.bodyTypes))
      for (status, response) in operation["responses"].object where status.hasPrefix("2") {
        let types = Set(OpenAPI.resolved(response)["content"].object.keys)
        #expect(types.isEmpty || types == Set(route.answerTypes), "\(route.path.text)")
      }
    }
  }

  @Test("the query's parameters are those of the contract, with its bounds and defaults")
  func queryParameters() throws {
    let operation = try #require(
      OpenAPI.operations.first { $0.description["operationId"] == "getElements" })
    let described = operation.parameters.filter { $0["in"] == "query" }
    same(described.compactMap { $0["name"].string }, ElementsParameters.all.names)
    let limit = try #require(described.first { $0["name"] == "limit" })["schema"]
    same(limit["default"].integer, ElementsParameters.defaultLimit)
    same(limit["minimum"].integer, ElementsParameters.limits.lowerBound)
    same(limit["maximum"].integer, ElementsParameters.limits.upperBound)
  }

  @Test("the updates that are taken are those of the contract")
  func updates() throws {
    let schemas = OpenAPI.document["components"]["schemas"]
    same(schemas["Updates"]["properties"]["updates"]["maxItems"].integer, 10_000)
    let examples = ["examples", "nodeExamples"].flatMap {
      cases("ChangesUpdates.\($0)", String.self, String.self).map(\.0)
    }
    var used: Set<String> = []
    for text in examples + Self.settings {
      let updates = try JSON(parsing: Array(text.utf8))
      same(OpenAPI.faults(of: ["updates": updates], as: "Updates"), [], "\(text)")
      for update in updates.array { used.formUnion(update.object.keys) }
    }
    same(Set(schemas["Update"]["properties"].object.keys), used)
    let service = TestService()
    for (name, schema) in schemas["Update"]["properties"].object {
      let path = service.path(
        name.hasSuffix("Node") ? "tree" : "compositional", Self.body(for: name))
      let answer = service.update(path, #"[{"\#(name)": {"unknown": 1}}]"#)
      let known = answer.faults.first?.detail ?? ""
      for member in schema["properties"].object.keys {
        #expect(known.contains(member), "\(name): \(known)")
      }
      let required = schema["required"].array.map { "/updates/0/\(name)/\($0.string ?? "")" }
      same(Set(answer.faults.dropFirst().map(\.pointer)), Set(required), "\(name)")
    }
  }

  private static func body(for update: String) -> String {
    update.hasSuffix("Node")
      ? #"{"nodes": 1}"#
      : #"{"bounds": {"width": 100}, "sections": [{"kind": "grid", "items": 1}]}"#
  }

  private static let settings = [
    #"[{"set": {"at": [0, 0], "items": [{"width": 3, "id": null}]}}]"#,
    #"[{"setSection": {"at": 0, "id": "a", "kind": "list", "orthogonal": null, "options": null}}]"#,
    #"[{"setNode": {"at": [0, 0], "width": 3, "height": null}}]"#,
  ]

  @Test("the kinds are those of the contract")
  func kinds() {
    let kinds = LayoutKind.all.map { JSON.string($0.name) }
    same(OpenAPI.document["components"]["schemas"]["Kind"]["enum"].array, kinds)
  }

  @Test(
    "a kind's options, their defaults and their ranges are those of the contract",
    arguments: LayoutKind.all.map(\.name))
  func options(kind: String) throws {
    let kind = try #require(LayoutKind.named(kind))
    let described = OpenAPI.options(of: kind.name)
    same(Set(described.keys), Set(kind.optionTable.entries.map(\.name)))
    switch kind.form {
    case .sections(let section):
      var frame = SectionOptions()
      frame.integral = section.init().traits.contains(.integral)
      check(SectionOptions.options(backgrounds: section.backgrounds), of: frame, described)
      check(StackOptions.options, of: StackOptions(), described)
      check(section, described)
    case .compositional:
      check(SectionOptions.options(backgrounds: []), of: SectionOptions(), described)
      check(StackOptions.options, of: StackOptions(), described)
    case .forest where kind.needsWidth:
      check(OutlineLayout.options, of: OutlineLayout(), described)
    case .forest: check(TreeLayout.options, of: TreeLayout(), described)
    }
  }

  /// Options of a waterfall: the padding is in place of the spacings, and the tolerance follows
  /// from the placement.
  private static let dependent: Set<String> = [
    "cellPadding", "columnSpacing", "rowSpacing", "tolerance",
  ]

  /// Options that are objects: what they take has tests of its own.
  private static let objects: Set<String> = GroupLayout.requiredOptions.union([Card.option])

  private func check<Layout: SectionLayout>(_: Layout.Type, _ described: [String: JSON]) {
    check(Layout.options, of: Layout(), described)
  }

  /// - Parameter defaults: With every option at its default.
  private func check<Target: Equatable>(
    _ options: [LayoutOption<Target>], of defaults: Target, _ described: [String: JSON]
  ) {
    for option in options {
      guard let schema = described[option.name] else { continue }
      let name = option.name
      if schema["x-default"] != .null {
        let layout = option.setting(schema["x-default"], in: defaults)
        same(layout.map(option.value), option.value(defaults), "\(name)'s default")
        // One that depends on others, as long as it is not given, says more when it is given.
        if !(Target.self == WaterfallLayout.self && Self.dependent.contains(name)) {
          same(layout, defaults, "\(name)'s default changes the layout")
        }
      }
      let candidates: [JSON] =
        [-1, 0, 1, 1.5, 2, 7, true, false, "", "none", "compact"]
        + [.number(0x1p53 - 1), .number(0x1p53), .number(1e300), .number(-.leastNonzeroMagnitude)]
        + schema["enum"].array.filter { $0 != .null }
      for candidate in candidates {
        let fits = OpenAPI.faults(of: candidate, against: schema, at: name).isEmpty
        let isTaken = option.setting(candidate, in: defaults) != nil
        same(isTaken, fits, "\(name): \(candidate)")
      }
      let differing = candidates.compactMap { option.setting($0, in: defaults) }
      #expect(
        Self.objects.contains(name) || differing.contains { $0 != defaults },
        "\(name) changes nothing")
    }
  }
}

extension LayoutOption {
  /// These options with one set; `nil` when the value is refused.
  fileprivate func setting(_ value: JSON, in target: Target) -> Target? {
    let given: OptionValue =
      switch value {
      case .null: .null
      case .boolean(let value): .boolean(value)
      case .number(let value): .number(value)
      case .string(let value): .string(value)
      case .array, .object: preconditionFailure("no option is \(value)")
      }
    var target = target
    do throws(OptionFault) {
      try set(given, in: &target)
      return target
    } catch {
      return nil
    }
  }
}
