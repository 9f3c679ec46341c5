import MicroHTTP

extension FuzzTarget {
  /// The query string of a request for elements, with each kind of layout, at its second version.
  static let elements = FuzzTarget("elements") { bytes in
    let service = FuzzService()
    for layout in FuzzLayout.all {
      let path = service.path(layout)
      service.insert(layout.kind.name, path)
      service.send(.get, RequestTarget(Array((path + "/elements?").utf8) + bytes))
    }
  }

  /// The query string of a request for a picture, with each kind of layout.
  static let picture = FuzzTarget("picture") { bytes in
    let service = FuzzService()
    for layout in FuzzLayout.all {
      let target = service.path(layout) + "/picture?"
      service.send(.get, RequestTarget(Array(target.utf8) + bytes))
    }
  }

  /// The query string of a request for sections, with each kind of layout.
  static let sections = FuzzTarget("sections") { bytes in
    let service = FuzzService()
    for layout in FuzzLayout.all {
      let target = service.path(layout) + "/sections?"
      service.send(.get, RequestTarget(Array(target.utf8) + bytes))
    }
  }

  /// A whole request target behind a byte that chooses the method; `$` stands for a layout's id.
  static let paths = FuzzTarget("paths") { bytes in
    guard let choice = bytes.first else { return }
    let methods: [MicroHTTP.Method] = [.get, .head, .post, .patch, .delete, .options]
    let service = FuzzService()
    for layout in FuzzLayout.all {
      let id = service.path(layout).utf8.dropFirst("/layouts/".utf8.count)
      let target = bytes.dropFirst().flatMap { $0 == UInt8(ascii: "$") ? Array(id) : [$0] }
      service.send(
        methods[Int(choice) % methods.count], RequestTarget(target), body: Array("{}".utf8))
    }
  }

  /// The id of the last event, and on the next line the query string of a request for events; `$`
  /// stands for a layout's id.
  static let events = FuzzTarget("events") { bytes in
    let service = FuzzService()
    let path = service.path(FuzzLayout.all[0])
    let id = path.utf8.dropFirst("/layouts/".utf8.count)
    let input = bytes.flatMap { $0 == UInt8(ascii: "$") ? Array(id) : [$0] }
    let lines = input.split(
      separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let headers = [(FieldName("Last-Event-ID"), String(decoding: lines[0], as: UTF8.self))]
    for target in ["/events?layout=\(path.dropFirst("/layouts/".count))&", "\(path)/events?"] {
      service.send(
        .get, RequestTarget(Array(target.utf8) + (lines.count > 1 ? lines[1] : [])),
        headers: headers)
    }
  }

  /// The values of the header fields that are read, one a line.
  static let fields = FuzzTarget("fields") { bytes in
    let names: [FieldName] = [
      .accept, .contentType, .ifMatch, .ifNoneMatch, .acceptEncoding, .contentEncoding,
      .authorization, .origin, .accessControlRequestMethod, .xRequestID,
    ]
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let values = lines.map { String(decoding: $0, as: UTF8.self) }
    let headers = zip(names, values).map { ($0, $1) }
    let service = FuzzService()
    let path = service.path(FuzzLayout.all[0])
    for method: MicroHTTP.Method in [.get, .patch, .delete] {
      service.send(method, RequestTarget(path), headers: headers, body: Array("{}".utf8))
    }
  }
}
