import Testing

/// What came back, whether through a daemon or not.
struct Answer {
  var status: Int
  /// Names in lowercase.
  var headers: [String: String]
  var body: [UInt8]
  /// Whether the work was left to a worker; a daemon does not tell.
  var wasDeferred = false

  var text: String { String(decoding: body, as: UTF8.self) }

  var json: JSON {
    do {
      return try JSON(parsing: body)
    } catch {
      Issue.record("no JSON: \(text)")
      return .null
    }
  }

  subscript(name: String) -> String? { headers[name.lowercased()] }

  /// How many cells a list of nothing but cells has, without reading it as JSON.
  var cellCount: Int { body.count { $0 == UInt8(ascii: "{") } - 1 }

  /// The entity tag and caching of an answer about a layout; a 304 says nothing else of its content
  /// (RFC 9110, section 15.4.5).
  func expectLayoutHeaders(
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
  func expectProblem(
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
  var faults: [Fault] {
    json["errors"].array.map {
      Fault(pointer: $0["pointer"].string ?? "", detail: $0["detail"].string ?? "")
    }
  }

  struct Fault: Equatable {
    var pointer: String
    var detail: String
  }
}
