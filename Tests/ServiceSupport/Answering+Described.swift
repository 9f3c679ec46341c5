public import MicroHTTP
public import TestSupport
public import Testing

extension OpenAPI {
  /// The operation with a method and a path as the document has it.
  public static func operation(_ method: MicroHTTP.Method, _ path: String) -> Operation {
    guard
      let operation = operations.first(where: { $0.method == method.rawValue && $0.path == path })
    else { preconditionFailure("no operation \(method) \(path)") }
    return operation
  }
}

extension OpenAPI.Operation {
  /// The schema of its body.
  public var bodySchema: JSON {
    description["requestBody"]["content"].object.first?.value["schema"] ?? .null
  }

  /// That an answer has a status, a media type and content as the operation describes them.
  public func expectDescribed(
    _ answer: Answer, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let response = self.response("\(answer.status)")
    #expect(response != .null, "\(self): \(answer.text)", sourceLocation: sourceLocation)
    let content = response["content"].object
    guard !answer.body.isEmpty || !content.isEmpty else { return }
    let type = answer["Content-Type"] ?? ""
    guard let described = content[type] else {
      Issue.record(
        "\(self) \(answer.status): \(type) is not described", sourceLocation: sourceLocation)
      return
    }
    guard type.hasSuffix("json") else { return }
    let faults = OpenAPI.faults(of: answer.json, against: described["schema"], at: "")
    #expect(faults == [], "\(self): \(answer.text.prefix(2000))", sourceLocation: sourceLocation)
  }
}

extension Answering {
  /// Sends a body. As long as the answer names members that are wrong, and they are there, they are
  /// taken away, and it is sent again.
  ///
  /// - Returns: The last answer, and the body that was sent last.
  public func sendMended(
    _ method: MicroHTTP.Method, _ target: String, _ body: JSON, type: String = "application/json",
    check: (Answer) -> Void
  ) -> (answer: Answer, body: JSON) {
    var body = body
    while true {
      let answer = send(method, target, json: body.text, type: type)
      check(answer)
      guard answer.status == 422 else { return (answer, body) }
      let mended = body.removing(pointers: answer.faults.map(\.pointer))
      guard mended != body else { return (answer, body) }
      body = mended
    }
  }
}
