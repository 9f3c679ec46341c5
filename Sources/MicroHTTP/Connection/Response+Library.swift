import CMicroHTTPD

extension Response {
  /// The response for libmicrohttpd, and the names of fields that it refused; `nil` if it has no
  /// memory.
  ///
  /// - Parameters:
  ///   - content: Receives the body. It must not change until libmicrohttpd is done with the
  ///     request.
  ///   - isStreamHead: Whether it answers HEAD where GET would get a stream.
  mutating func libraryResponse(
    sendingFrom content: inout [UInt8], isHead: Bool, isStreamHead: Bool = false
  ) -> (answer: OpaquePointer, refusedFields: [String])? {
    let answer: OpaquePointer?
    if isStreamHead {
      answer = MHD_create_response_from_callback(.max, 1, { _, _, _, _ in -1 }, nil, nil)
      // libmicrohttpd would send the last chunk of content that is chunked.
      if let answer { micro_close_after(answer) }
    } else if status == .notModified || (isHead && body.isEmpty && declaredContentLength != nil) {
      // A response from a buffer would have the buffer's length as its Content-Length.
      let length = declaredContentLength ?? (body.isEmpty ? nil : body.count)
      answer = MHD_create_response_from_callback(
        length.map(UInt64.init) ?? .max, 1, { _, _, _, _ in -1 }, nil, nil)
      if let answer, length == nil {
        // Without a length libmicrohttpd would end a 304 like a chunked answer.
        micro_close_after(answer)
      }
    } else if body.isEmpty {
      answer = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    } else {
      swap(&content, &body)
      answer = content.withUnsafeBytes {
        // The elements of an array do not move while a reference to it is held.
        MHD_create_response_from_buffer(
          $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_PERSISTENT)
      }
    }
    guard let answer else { return nil }
    var refusedFields: [String] = []
    commonHeaders.forEachField { add($0, $1, to: answer, orTo: &refusedFields) }
    // `withCString` makes no copy. A `String` as a pointer argument would.
    for (name, value) in headers {
      name.rawName.withCString { name in
        value.withCString { add(name, $0, to: answer, orTo: &refusedFields) }
      }
    }
    if let entityTag {
      entityTag.text.withCString { add("ETag", $0, to: answer, orTo: &refusedFields) }
    }
    if let requestID {
      requestID.withCString { add("X-Request-Id", $0, to: answer, orTo: &refusedFields) }
    }
    return (answer, refusedFields)
  }
}

/// Adds a field to an answer. If libmicrohttpd refuses it, its name is added to `refusedFields`.
private func add(
  _ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>, to answer: OpaquePointer,
  orTo refusedFields: inout [String]
) {
  if MHD_add_response_header(answer, name, value) != .YES {
    refusedFields.append(String(cString: name))
  }
}
