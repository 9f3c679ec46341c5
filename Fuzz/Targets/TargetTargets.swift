import MicroHTTP

extension FuzzTarget {
  /// The query string of a request for elements, with each kind of layout.
  static let elements = FuzzTarget("elements") { bytes in
    let service = FuzzService()
    for layout in FuzzLayout.all {
      let target = service.path(layout) + "/elements?"
      service.send(.get, RequestTarget(Array(target.utf8) + bytes))
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
