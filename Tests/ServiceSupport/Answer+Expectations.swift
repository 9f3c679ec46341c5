public import Testing

extension Answer {
  /// The entity tag and caching of an answer about a layout; a 304 says nothing else of its content
  /// (RFC 9110, section 15.4.5).
  public func expectLayoutHeaders(
    version: Int = 1, cacheControl: String = "private, no-cache",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    // Beyond the version a tag is opaque.
    let (entityTag, name) = (self["ETag"] ?? "", tag(version))
    #expect(
      entityTag == "\"\(name)\""
        || entityTag.hasPrefix("\"\(name).") && entityTag.hasSuffix("\""),
      "\(entityTag)", sourceLocation: sourceLocation)
    #expect(self["Cache-Control"] == cacheControl, sourceLocation: sourceLocation)
    // Accept where it chooses the format.
    let vary = self["Vary"] ?? ""
    #expect(
      ["Accept-Encoding, Origin", "Accept, Accept-Encoding, Origin"].contains(vary), "\(vary)",
      sourceLocation: sourceLocation)
    let contentType = status == 304 ? nil : "application/json"
    #expect(self["Content-Type"] == contentType, sourceLocation: sourceLocation)
  }

  /// That this is a problem document of this type with these words in its detail.
  public func expectProblem(
    _ status: Int, _ code: String, saying words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard self.status == status else {
      Issue.record(
        "status \(self.status), expected \(status) \(code): \(text)", sourceLocation: sourceLocation
      )
      return
    }
    #expect(self["Content-Type"] == "application/problem+json", sourceLocation: sourceLocation)
    #expect(self["Cache-Control"] == "no-store", sourceLocation: sourceLocation)
    let problem = json
    #expect(problem["type"].string == "/problems/\(code)", sourceLocation: sourceLocation)
    #expect(problem["status"].integer == status, sourceLocation: sourceLocation)
    #expect(problem["title"].string?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(problem["requestId"].string == self["X-Request-Id"], sourceLocation: sourceLocation)
    let detail = problem["detail"].string ?? ""
    #expect(detail.hasSuffix("."), "\(detail)", sourceLocation: sourceLocation)
    for word in words {
      #expect(detail.contains(word), "\(detail)", sourceLocation: sourceLocation)
    }
    for fault in OpenAPI.faults(of: problem, as: "Problem") {
      Issue.record("\(fault)", sourceLocation: sourceLocation)
    }
  }

  /// The members of a body that are said to be at fault.
  public var faults: [Fault] {
    json["errors"].array.map {
      Fault(pointer: $0["pointer"].string ?? "", detail: $0["detail"].string ?? "")
    }
  }

  public struct Fault: Equatable, Sendable {
    public var pointer: String
    public var detail: String

    public init(pointer: String, detail: String) {
      self.pointer = pointer
      self.detail = detail
    }
  }
}
